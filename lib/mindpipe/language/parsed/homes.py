"""Where somebody lives, by a predicate: a home that he has, takes, rents or moves to."""

import re
from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.guards import tells_of_systems
from mindpipe.language.parsed.clause import (
    PAST,
    ClauseReading,
    ParsedClause,
    of_topic,
)
from mindpipe.language.parsed.modality import MINE, SPEAKER, subject_of, way_of_clause
from mindpipe.language.parsed.nouns import (
    bare_name,
    direct_objects,
    is_of_past,
    objects,
    own_words,
    text_of,
)
from mindpipe.language.times import is_of_today, names_days

_PARTS_OF_PLACES = words.listed(
    "edge outskirt outskirts north south east west centre center middle heart part side end suburb"
    " suburbs area corner"
)
"""Where in a place somebody lives: `on the outskirts of Antwerp`."""
_OTHERS = frozenset({"his", "her", "their", "your", "another", "every"})
_TAKING = words.listed("be go find get take buy rent lease sign accept offer land secure choose")
_UNTIL = frozenset({"for", "until", "till"})
_AWHILE = re.compile(r"(?i)\b(?:nights?|holidays?)\b")
_SINCE = re.compile(r"(?i)\bsince\b")
"""Who is in a home since a day is in no other: `since May I'm in the flat over the bakery`."""
_MOVED_ON = re.compile(
    r"\bto [A-ZÀ-Þ].*\b(?:back|then|left|moved|to|when|"
    r"now (?:i|I|we|he|she|they|it|in|back))\b"
)
"""What tells that somebody who moved has moved on: `to Leeds, then Hull`."""


def live(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody lives, and with whom."""
    for noun in objects(clause.verb, "in", "at"):
        joint = any(one.lower_ == "and" for each in (noun, noun.head) for one in each.children)
        several = joint and any(one.pos_ == "PROPN" for one in noun.conjuncts)  # "Rome and Oslo"
        either = any(one.lower_ == "or" for one in (*noun.children, *noun.head.children))
        if noun.pos_ == "PROPN" and not (either or several):
            yield ClauseReading("residence", text_of(noun))
    for part in objects(clause.verb, "in", "at", "on"):
        for noun in objects(part, "of") if part.lemma_ in _PARTS_OF_PLACES else ():
            if noun.pos_ == "PROPN":
                yield ClauseReading("residence", text_of(noun))
    myself = any(one.lower_ == "myself" for one in objects(clause.verb, "by"))
    if myself or any(one.lower_ == "alone" for one in clause.verb.children):
        yield ClauseReading("housemate", "", meant="ended")
    for noun in objects(clause.verb, "with"):
        if noun.pos_ == "PROPN" and not is_of_past(noun):
            name = bare_name(text_of(noun))
            yield ClauseReading("housemate", name, topic=name)


def move(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody has moved, or is moving, which is a plan."""
    verb = clause.verb
    if any(one.dep_ == "dobj" for one in verb.children) or tells_of_systems(verb.sent.text):
        return
    if _MOVED_ON.search(verb.doc[verb.i + 1 : verb.sent.end].text):
        return
    out = any(one.lower_ == "out" and one.dep_ != "prep" for one in verb.children)
    who = clause.subject
    if out and verb.tag_ in PAST and who is not None and who.pos_ == "PROPN":
        name = text_of(who)
        yield ClauseReading("housemate", name, topic=name, subject=clause.speaker, meant="ended")
    yield from _move_in(verb)
    for home in objects(verb, "to", "into"):
        taken = home.lemma_ in words.DWELLINGS and verb.tag_ in PAST
        for place in objects(home, "in") if taken else ():
            if place.pos_ == "PROPN":
                yield ClauseReading("residence", text_of(place))
    for noun in objects(verb, "to", "into"):
        if noun.pos_ == "PROPN" and (verb.tag_ in PAST or verb.tag_ == "VBG"):
            yield ClauseReading("residence", text_of(noun))


def _move_in(verb: Token) -> Iterator[ClauseReading]:
    """Yield where somebody has moved in with another: `moved in with Mum in Hull`."""
    inside = any(one.lower_ == "in" and one.dep_ in ("prt", "advmod") for one in verb.children)
    for host in objects(verb, "with") if inside and verb.tag_ in PAST else ():
        for place in (*objects(host, "in"), *objects(verb, "in")):
            if place.pos_ == "PROPN":
                yield ClauseReading("residence", text_of(place))


def share(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield with whom somebody shares a home: `I share a flat with Ben and Lucy`."""
    verb = clause.verb
    homes = [one for one in direct_objects(verb) if one.lemma_ in words.DWELLINGS]
    for noun in (one for each in (verb, *homes) for one in objects(each, "with")):
        if homes and noun.pos_ == "PROPN" and verb.tag_ not in PAST:
            yield of_topic("housemate", noun)


def dwell(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody has taken a home."""
    verb = clause.verb
    awhile = any(
        one.lower_ in ("for", "until")
        and (
            verb.lemma_ in ("find", "take")
            or _AWHILE.search(verb.doc[one.i : one.right_edge.i + 1].text)
            or names_days(verb.doc[one.i : one.right_edge.i + 1].text)
        )
        for one in verb.subtree
        if one.dep_ == "prep"
    )
    if verb.tag_ not in PAST or awhile:
        return
    taken = list(direct_objects(verb))
    keys = (
        home
        for key in taken
        if key.lemma_ == "key"
        for one in (key, verb)
        for home in objects(one, "to", "for")
    )
    for home in (*taken, *keys, *objects(verb, "for")):
        if home.lemma_ in words.DWELLINGS:
            meant_for = any(
                one.dep_ in ("xcomp", "advcl", "acl", "relcl")
                for one in (*verb.children, *home.children)
            )
            for place in objects(home, "in"):
                if place.pos_ == "PROPN" and not meant_for:  # "a flat in Hull to rent out"
                    yield ClauseReading("residence", text_of(place))


def rent(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody rents: `I'm renting over the bakery in Porto`."""
    verb = clause.verb
    things = [one for one in direct_objects(verb) if one.lemma_ not in words.DWELLINGS]
    if verb.tag_ in PAST or things or any(one.lower_ == "out" for one in verb.children):
        return
    for one in verb.subtree:
        place = one.dep_ == "pobj" and one.head.lower_ == "in" and one.pos_ == "PROPN"
        if place and not names_days(one.text):
            yield ClauseReading("residence", text_of(one))
            return


def be_in(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where the home is that somebody is in: `we're in a rented flat in Leeds`."""
    verb = clause.verb
    awhile = any(one.dep_ == "prep" and one.lower_ in _UNTIL for one in verb.children)
    if awhile or verb.tag_ in PAST or is_of_today(own_words(verb)):
        return
    for home in objects(verb, "in"):
        if home.lemma_ in words.DWELLINGS and any(
            one.dep_ in ("det", "poss") for one in home.lefts
        ):
            near = (*objects(home, "in", "on"), *objects(verb, "in"))
            places = [place for place in near if place.pos_ == "PROPN"]
            for place in places:
                yield ClauseReading("residence", text_of(place))
            if not places and _SINCE.search(own_words(verb)) and clause.is_of_person:
                yield ClauseReading("residence", "", meant="ended", ends_only=True)


def planned(home: Token) -> ClauseReading | None:
    """Return where a home is that somebody has in view, which is a plan: `a flat going in Ulm`.

    What another has, or what is wanted for some days, is none, nor is a home that somebody lives
    in, works on, or was in.
    """
    if any(one.lower_ in _OTHERS or one.tag_ == "POS" for one in home.lefts):
        return None
    if any(one.dep_ == "poss" and one.lower_ not in MINE for one in home.children):
        return None
    verb = next((one for one in home.ancestors if one.pos_ in ("VERB", "AUX")), None)
    if verb is not None:
        who = subject_of(verb)
        own = who is None or who == home or who.lower_ in SPEAKER | {"there", "offer"}
        taken = verb.lemma_ in _TAKING or who is None
        if not (own and taken) or way_of_clause(verb) not in ((None, False), ("planned", False)):
            return None
    awhile = any(one.dep_ == "prep" and one.lower_ in _UNTIL for one in home.sent)
    places = (
        place
        for one in (*home.rights, *(home.head.rights if home.dep_ == "dobj" else ()))
        for prep in (one, *(each for each in one.children if each.dep_ == "prep"))
        if prep.dep_ == "prep" and prep.lower_ == "in"
        for place in prep.children
        if place.dep_ == "pobj" and place.pos_ == "PROPN" and not names_days(place.text)
    )
    place = next(places, None)
    if place is None or awhile or is_of_today(home.sent.text):
        return None
    return ClauseReading("residence", text_of(place), meant="planned")


def is_home(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield what is home to the speaker: `home is Bergen`; "Tom is home now" tells of no place."""
    home = clause.subject
    if home is None or home.lemma_ != "home" or child.pos_ != "PROPN":
        return
    if all(one.lower_ == "my" for one in home.children if one.dep_ in ("poss", "det")):
        yield ClauseReading("residence", text_of(child), subject=clause.speaker)
