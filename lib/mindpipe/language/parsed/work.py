"""What somebody does, by a predicate: where he works, as what, and what he does for pleasure."""

from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.forms import NO_FIRM
from mindpipe.language.parsed.clause import (
    PAST,
    ClauseReading,
    ParsedClause,
    of_topic,
)
from mindpipe.language.parsed.modality import SPEAKER
from mindpipe.language.parsed.nouns import (
    TOO_WIDE,
    direct_objects,
    objects,
    own_words,
    text_of,
)
from mindpipe.language.records import Meant
from mindpipe.language.times import is_of_today

_SHIFTS = words.listed("shift night day weekend hour morning evening")
"""What somebody works is no place where he works."""
_NO_PLACES = words.listed(
    "place spot desk table counter till door wedding party event festival gig show concert meeting"
    " conference funeral match game home house man guy"
)
"""What somebody works at for an hour, or that names no place."""
_DEGREES = words.listed("phd doctorate mba masters master's bachelor's")
_NO_GAMES = words.listed("music song role part host ball dead cupid fetch catch tag god havoc")
"""What is played, and is no game, or none that somebody plays for years."""
_POSTS = words.listed("job post position")
_DRIVEN = words.listed("bus tram taxi cab lorry train ambulance crane forklift")
_ENDS = words.listed("bottom top beginning end start moment time age point")


def work(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody works, and as what."""
    out = any(one.dep_ == "prt" for one in clause.verb.children)  # "I work out at the gym"
    if out or is_of_today(own_words(clause.verb)):
        return
    shifts = [one for one in direct_objects(clause.verb) if one.lemma_ in _SHIFTS]
    behind = (noun for one in (clause.verb, *shifts) for noun in objects(one, "at", "for"))
    for noun in behind:
        article = any(one.dep_ in ("det", "poss") for one in noun.children)
        if noun.pos_ == "NOUN" and not article:
            continue  # "at home", "for free"
        if noun.pos_ in ("PROPN", "NOUN") and noun.lemma_ not in TOO_WIDE | _SHIFTS | _NO_PLACES:
            named = noun.pos_ == "PROPN" or noun.lemma_ in words.WORKPLACES
            if named or noun.head.lower_ == "at":  # "for an idiot" is at no idiot's
                yield ClauseReading("workplace", text_of(noun))
    for noun in objects(clause.verb, "as"):
        yield ClauseReading("job", text_of(noun))
    for noun in direct_objects(clause.verb):
        if noun.lemma_ not in _SHIFTS | TOO_WIDE | _NO_PLACES and any(
            one.lower_ == "the" for one in noun.children
        ):
            yield ClauseReading("workplace", text_of(noun))


def shifts(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody does shifts: `do nights at Tesco`, `on the late shift at Costa`."""
    verb = clause.verb
    done = (*direct_objects(verb), *objects(verb, "on"))
    if verb.tag_ in PAST or is_of_today(own_words(verb)):
        return
    for shift in (one for one in done if one.lemma_ in ("shift", "night")):
        for noun in (*objects(verb, "at"), *objects(shift, "at")):
            if noun.pos_ == "PROPN" or noun.lemma_ in words.WORKPLACES:
                yield ClauseReading("workplace", text_of(noun))


def start(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody has begun to work, or will: `I'm starting at Lidl` is a plan."""
    meant: Meant = "asserted" if clause.verb.tag_ in PAST else "planned"
    other = clause.subject is not None and clause.subject.lower_ not in SPEAKER
    thing = any(direct_objects(clause.verb))  # "I start my mornings at Dora's"
    for noun in () if other or thing else objects(clause.verb, "at"):  # "Max started at" a school
        named = noun.pos_ == "PROPN" or any(one.dep_ == "det" for one in noun.children)
        if named and noun.lemma_ not in _ENDS and not any(map(str.isdigit, noun.text)):
            yield ClauseReading("workplace", text_of(noun), meant=meant)
    for noun in objects(clause.verb, "as"):
        yield ClauseReading("job", text_of(noun), meant=meant)
        yield from () if other else _hired_at(noun, meant)


def _hired_at(trade: Token, meant: Meant) -> Iterator[ClauseReading]:
    """Yield where somebody is what he is: `as a technician at the vet hospital`."""
    for place in objects(trade, "at"):
        told = place.pos_ == "PROPN" or any(one.dep_ == "det" for one in place.children)
        if told and place.lemma_ not in _ENDS | _NO_PLACES:
            yield ClauseReading("workplace", text_of(place), meant=meant)


def promote(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody has become."""
    for noun in objects(clause.verb, "to", "as"):
        yield ClauseReading("job", text_of(noun))
    for noun in objects(clause.verb, "at", "by") if clause.verb.lemma_ == "hire" else ():
        if noun.pos_ == "PROPN" and any(one.dep_ == "auxpass" for one in clause.verb.children):
            yield ClauseReading("workplace", text_of(noun))


def teach(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody teaches, and what."""
    if is_of_today(own_words(clause.verb)):
        return
    taught = list(direct_objects(clause.verb)) if clause.verb.tag_ in ("VBP", "VBZ") else []
    somebody = any(one.dep_ == "dative" for one in clause.verb.children) or len(taught) > 1
    for noun in () if somebody else taught:
        bare = not any(one.dep_ in ("det", "poss") for one in noun.children)
        subject = noun.tag_ in ("NN", "NNP") or noun.lower_.endswith(("ths", "ics"))
        if bare and subject and noun.lemma_ not in TOO_WIDE | {"people"}:
            yield ClauseReading("job", f"{text_of(noun)} teacher")
    one_class = any(one.dep_ == "det" for noun in taught for one in noun.children)
    for noun in () if one_class else objects(clause.verb, "at"):  # "the pottery class at Tate"
        if noun.pos_ == "PROPN":
            yield ClauseReading("workplace", text_of(noun))


def study(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody studies at a university."""
    verb = clause.verb
    if verb.tag_ in PAST or not any(objects(verb, "at", "in")):
        return
    for noun in direct_objects(verb):
        bare = not any(one.dep_ in ("det", "poss", "nummod") for one in noun.children)
        if bare and noun.pos_ in ("NOUN", "PROPN") and noun.lemma_ not in TOO_WIDE:
            yield ClauseReading("job", f"{text_of(noun)} student")


def graduate(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield for which degree somebody studies, and where: `doing a PhD at Leeds`."""
    verb = clause.verb
    if verb.tag_ in PAST:
        return
    for noun in direct_objects(verb):
        if noun.lower_.strip(".") in _DEGREES:
            yield ClauseReading("job", f"{noun.text} student")
            for place in (one for one in verb.subtree if one.dep_ == "pobj" and one.i > noun.i):
                if place.head.lower_ == "at" and place.pos_ == "PROPN":
                    yield ClauseReading("workplace", text_of(place))


def manage(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which place somebody runs: `I run a small bakery`."""
    verb = clause.verb
    if verb.tag_ not in ("VBP", "VBZ") or any(one.dep_ == "advcl" for one in verb.children):
        return  # "I run the shop when Mum is away"
    for noun in direct_objects(verb):
        some = any(one.lower_ in ("a", "an", "the", "my", "our") for one in noun.children)
        if noun.lemma_.lower() in words.WORKPLACES and some:
            yield ClauseReading("workplace", text_of(noun))


def volunteer(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody volunteers."""
    verb = clause.verb
    if verb.tag_ in PAST or is_of_today(own_words(verb)) or any(direct_objects(verb)):
        return
    for noun in objects(verb, "at", "with", "for"):
        if noun.pos_ == "PROPN" or (noun.lemma_ not in _NO_PLACES and any(noun.lefts)):
            value = f"volunteering at {text_of(noun)}"
            yield ClauseReading("hobby", value, topic=value)


def collect(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody collects for pleasure: `I collect stamps`."""
    verb = clause.verb
    where = any(one.dep_ in ("prep", "advcl", "npadvmod") for one in verb.children)
    for noun in direct_objects(verb) if verb.tag_ in ("VBP", "VBZ") and not where else ():
        bare = not any(one.dep_ in ("det", "poss", "prep") for one in noun.children)
        if noun.tag_ == "NNS" and bare:
            value = f"collecting {text_of(noun)}"
            yield ClauseReading("hobby", value, topic=value)


def play(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which game somebody plays: `I play tennis on Tuesdays`."""
    verb = clause.verb
    if verb.tag_ not in ("VBP", "VBZ") or is_of_today(own_words(verb)):
        return
    for noun in direct_objects(verb):
        bare = noun.tag_ == "NN" and not any(one.dep_ != "compound" for one in noun.children)
        known = noun.lower_ in words.INSTRUMENTS or noun.lemma_ in TOO_WIDE | _NO_GAMES
        if bare and not known:
            yield of_topic("hobby", noun)


def drive(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody drives for a living: `drives the milk lorry`."""
    verb = clause.verb
    if verb.tag_ not in ("VBP", "VBZ") or any(one.dep_ == "prep" for one in verb.children):
        return
    for noun in direct_objects(verb):
        if noun.lemma_ in _DRIVEN and any(one.dep_ == "det" for one in noun.children):
            yield ClauseReading("job", f"{text_of(noun)} driver")


def take_up(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody has taken up, and where he has got a post."""
    verb = clause.verb
    if verb.tag_ not in PAST:
        return
    for noun in direct_objects(verb):
        up = any(one.lower_ == "up" and one.dep_ == "prt" for one in verb.children)
        the = any(one.dep_ == "det" for one in noun.children)
        told = noun.lemma_ in words.INSTRUMENTS or not the
        if up and told and noun.pos_ == "NOUN" and noun.lemma_ not in TOO_WIDE | _POSTS:
            yield of_topic("hobby", noun)
        for firm in (*objects(noun, "at", "with"), *objects(verb, "at")):
            place = firm.pos_ == "PROPN" or firm.lemma_ in words.WORKPLACES
            if noun.lemma_ in _POSTS and place:
                yield ClauseReading("workplace", text_of(firm))


def join(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody has begun to work, or what he does there for pleasure."""
    if any(one.lower_ == "for" for one in clause.verb.children):
        return
    for noun in direct_objects(clause.verb):
        if noun.lemma_.lower() in words.CIRCLES and clause.verb.tag_ in PAST:
            yield of_topic("hobby", noun)
            continue
        the = any(one.dep_ == "det" or one.tag_ == "POS" for one in noun.subtree)
        joined = noun.pos_ == "PROPN" and clause.verb.tag_ in PAST and not the
        if joined and not NO_FIRM.fullmatch(text_of(noun)):
            yield ClauseReading("workplace", text_of(noun))


def perform(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield in which circle somebody sings, plays or dances: `sings in the choir`."""
    for noun in objects(clause.verb, "in", "with", "for"):
        if noun.lemma_.lower() in words.CIRCLES and clause.verb.tag_ not in PAST:
            yield of_topic("hobby", noun)
