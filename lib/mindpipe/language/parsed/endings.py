"""What ends by a predicate: a home, a job, a couple, an animal, a thing, a habit."""

import re
from collections.abc import Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.parsed.clause import (
    PAST,
    ClauseReading,
    ParsedClause,
    is_narrowed,
    is_partner,
    of_topic,
)
from mindpipe.language.parsed.mentions import IT, THIRD
from mindpipe.language.parsed.modality import (
    MINE,
    SPEAKER,
    SUBJECTS,
    is_negated,
    is_no_more,
    subject_of,
)
from mindpipe.language.parsed.nouns import bare_name, direct_objects, objects, own_words, text_of
from mindpipe.language.records import ENDING
from mindpipe.language.times import is_for_the_day

_SOONER = words.listed("early late alone first so together outside")
MEALS = words.listed("breakfast lunch dinner supper brunch")
_WHERE = frozenset({"at", "with", "in"})
_TO_BED = re.compile(r"(?i)\bto\b|\b(?:early|upstairs|night)\b")
_AWAY_WITH = {"put": {"down"}, "give": {"away"}}


_GONE = words.listed(
    "die pass lose sell give rehome bury put miss remember quit stop beat cure cremate euthanise"
    " mourn used outgrow overcome leave be have get want need name call go disappear vanish subside"
    " clear end"
)
"""Verbs beside which it is open whether somebody has still what he calls his."""


def is_still_had(noun: Token, verb: Token) -> bool:
    """Tell whether nothing says of what somebody calls his own that it is over, or was never."""
    once = any(
        one.dep_ in ("amod", "compound", "relcl", "acl", "appos", "flat", "prep")
        for one in noun.children
    )
    named = noun.i + 1 < len(noun.doc) and noun.nbor().pos_ == "PROPN"
    plain = verb.tag_ in ("VBZ", "VBP", "VBD", "VBG")
    return (
        plain
        and not (once or named or noun.dep_ in ("compound", "attr"))
        and (verb.lemma_ not in _GONE or (verb.lemma_ == "be" and verb.tag_ in ("VBZ", "VBP")))
    )


def leave(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody works no more, or that a partner has left."""
    if clause.verb.tag_ not in PAST or is_for_the_day(own_words(clause.verb)):
        return
    for noun in direct_objects(clause.verb):
        if noun.lower_ == "me":
            given = sum(one.dep_ in ("dobj", "dative") for one in clause.verb.children) > 1
            yield from () if given else _deserted(clause)
        elif noun.lemma_ == "job":
            yield _no_job(clause, noun)
        elif noun.lower_ in words.STUDIES:
            yield ClauseReading(ENDING, "student", meant="ended", ends_only=True)
        elif noun.lemma_ in words.CIRCLES:
            yield ClauseReading(ENDING, noun.text, meant="ended", ends_only=True)
        elif noun.pos_ == "PROPN":
            quitted = clause.verb.lemma_ in ("quit", "resign")
            for attribute in ("workplace",) if quitted else _left(clause.verb):
                yield ClauseReading(attribute, text_of(noun), meant="ended", ends_only=not quitted)


def _left(verb: Token) -> Iterator[str]:
    """Yield what a name may be of that somebody has left; who sets out from a town comes back."""
    given = sum(one.dep_ in ("dobj", "dative") for one in verb.children) > 1
    behind = {one.lower_ for one in verb.children if one.dep_ in ("prep", "prt", "advcl")}
    said = own_words(verb).lower()
    good = "for good" in said
    if given or (behind - {"in", "after"} and not good):
        return
    yield from ("workplace", "partner")
    if good or "finally" in said or "at last" in said:
        yield "residence"


def _deserted(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which partner has left the speaker: `my husband Jo left me`."""
    who = clause.subject
    if who is None:
        return
    near = (who, *who.children, *clause.verb.lefts)
    if any(one.dep_ == "poss" and one.lower_ not in MINE for one in who.children):
        return
    if who.pos_ == "PROPN" and not any(one.dep_ == "npadvmod" for one in near):
        name = bare_name(text_of(who))
        yield ClauseReading("partner", name, subject=clause.speaker, meant="ended", ends_only=True)
    elif any(is_partner(one) for one in near):
        called = clause.mentions.person(who) if who.pos_ == "PROPN" or any(who.children) else None
        yield ClauseReading("partner", called or "", subject=clause.speaker, meant="ended")


def no_more_at(clause: ParsedClause, where: Token) -> Iterator[ClauseReading]:
    """Yield what somebody is at, with or in no more: `I'm not with Bosch any more`."""
    if where.lower_ in _WHERE and is_negated(clause.verb) and is_no_more(clause.verb):
        for noun in objects(clause.verb, where.lower_):
            yield ClauseReading(ENDING, noun.text, meant="ended", negated=True, ends_only=True)


def step_down(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody is no more: `stepped down as treasurer`."""
    if clause.verb.tag_ in PAST and any(one.lower_ == "down" for one in clause.verb.children):
        for noun in objects(clause.verb, "as", "from"):
            yield ClauseReading(ENDING, noun.text, meant="ended", ends_only=True)


def say_goodbye(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which animal somebody has no more: `said goodbye to Rex`, `buried Rex`."""
    verb = clause.verb
    if clause.subject is not None and clause.subject.lower_ not in SPEAKER:
        return
    goodbye = any(one.lower_ == "goodbye" for one in verb.children)
    for noun in objects(verb, "to") if goodbye else direct_objects(verb):
        if _is_done(verb) and noun.pos_ == "PROPN" and (goodbye or verb.lemma_ == "bury"):
            name = bare_name(text_of(noun))
            yield ClauseReading(ENDING, name, subject=clause.speaker, meant="ended", ends_only=True)


def begin_anew(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that somebody works no more where he did: `started the new job`."""
    for noun in direct_objects(clause.verb) if clause.verb.tag_ in PAST else ():
        if noun.lemma_ == "job" and any(one.lower_ == "new" for one in noun.children):
            yield ClauseReading("workplace", "", meant="ended", ends_only=True)


def retire(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that somebody is retired."""
    verb = clause.verb
    if any(noun.lemma_.lower() in words.CIRCLES for noun in objects(verb, "from")):
        return
    if verb.tag_ in PAST and not _TO_BED.search(own_words(verb)) and not any(direct_objects(verb)):
        yield ClauseReading("job", "retired")


def resign(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that somebody works no more."""
    if clause.verb.tag_ in PAST and not any(direct_objects(clause.verb)):
        yield ClauseReading("workplace", "", meant="ended")


def fire(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody was sent away: `was fired`, `got laid off`."""
    verb = clause.verb
    passive = any(one.dep_ in ("nsubjpass", "auxpass") for one in verb.children)
    behind = {
        one.lower_ for one in verb.children if one.dep_ in ("prt", "advmod") and one.i > verb.i
    }
    if passive and ("off" in behind) == (verb.lemma_ == "lay") and "up" not in behind:
        names = [text_of(noun) for noun in objects(clause.verb, "from", "by")]
        yield ClauseReading("workplace", names[0] if names else "", meant="ended")


def dismiss(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield who has sent the speaker away: `Bosch fired me`, `Bosch let me go`."""
    verb, who = clause.verb, clause.subject
    me = any(one.lower_ in SPEAKER for one in direct_objects(verb))
    went = any(
        one.lemma_ == "go" and any(child.lower_ in SPEAKER for child in one.children)
        for one in verb.children
    )
    sent = me if verb.lemma_ != "let" else went
    if verb.tag_ in PAST and sent and who is not None:
        name = text_of(who) if who.pos_ == "PROPN" else ""
        yield ClauseReading("workplace", name, subject=clause.speaker, meant="ended")


def separate(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that two are a couple no longer: `we got divorced`, `Ines and I separated`."""
    who, verb = clause.subject, clause.verb
    got = verb.lemma_ != "get" or any(
        one.lower_ in ("divorced", "separated") for one in verb.children
    )
    if verb.tag_ not in PAST or who is None or not got or any(direct_objects(verb)):
        return
    yield from couple(clause)
    if who.lower_ in ("we", "i") and not any(one.dep_ == "prep" for one in verb.children):
        yield ClauseReading("partner", "", meant="ended")


def be_done(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that two are done: `me and Jo are done`."""
    verb = clause.verb
    alone = not any(one.dep_ in ("prep", "xcomp", "dobj") for one in verb.children)
    if verb.tag_ == "VBN" and alone and any(one.dep_ == "auxpass" for one in verb.children):
        yield from couple(clause)


def _is_done(verb: Token) -> bool:
    """Tell whether something is done; who had to do it has done it."""
    had_to = verb.dep_ == "xcomp" and verb.head.lemma_ == "have" and verb.head.tag_ in PAST
    return verb.tag_ in PAST or had_to


def part_with(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which animal somebody has no more: `lost Rex`, `had to put Rex down`."""
    verb = clause.verb
    who = subject_of(verb)
    if who is not None and who.lower_ not in SPEAKER:
        return
    if not _is_done(verb):
        return
    behind = {one.lower_ for one in verb.children if one.dep_ in ("prt", "advmod")}
    awhile = any(one.lower_ == "for" or one.dep_ == "xcomp" for one in verb.children)
    given = verb.lemma_ == "give" and any(objects(verb, "to")) and not awhile
    away = _AWAY_WITH.get(verb.lemma_, behind) & behind or verb.lemma_ in ("lose", "rehome")
    for noun in direct_objects(verb) if away or given else ():
        the = any(one.lower_ in MINE | {"the"} for one in noun.children)
        if noun.lemma_ in words.PETS and the and verb.lemma_ != "lose":
            kind = noun.lemma_
            yield ClauseReading(
                "pet", kind, topic=kind, subject=clause.speaker, meant="ended", ends_only=True
            )
    if away:
        for noun in direct_objects(verb):
            if noun.pos_ == "PROPN":
                name = bare_name(text_of(noun))
                yield ClauseReading(
                    ENDING, name, subject=clause.speaker, meant="ended", ends_only=True
                )


def lose(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield where somebody has lost his job."""
    if clause.verb.tag_ in PAST:
        for noun in direct_objects(clause.verb):
            if noun.lemma_ == "job":
                yield _no_job(clause, noun)


def _no_job(clause: ParsedClause, job: Token) -> ClauseReading:
    """Return where somebody has a job no more, "" where it is not said."""
    behind = (*objects(job, "at"), *objects(clause.verb, "at"))
    named = (one for one in behind if one.pos_ == "PROPN" or one.lemma_ in words.WORKPLACES)
    return ClauseReading("workplace", next(map(text_of, named), ""), meant="ended")


def stay(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which animal stays with another than the speaker: `Rex stays with her`."""
    who = clause.subject
    if who is None or who.pos_ != "PROPN":
        return
    for noun in objects(clause.verb, "with"):
        if noun.pos_ == "PROPN" or noun.lower_ in THIRD | IT:
            name = text_of(who)
            yield ClauseReading("pet", name, topic=name, subject=clause.speaker, meant="ended")


def steal(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what was stolen from the speaker."""
    who = clause.subject
    passive = any(one.dep_ == "auxpass" for one in clause.verb.children)
    if who is not None and passive and any(one.lower_ in MINE for one in who.children):
        yield of_topic("owns", who, meant="ended")._replace(subject=clause.speaker)


def sell(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody owns no more."""
    if clause.verb.tag_ in PAST:
        given = any(one.dep_ == "dative" for one in clause.verb.children)
        for noun in direct_objects(clause.verb):
            own = any(one.lower_ in MINE for one in noun.children)
            others = any(one.dep_ == "poss" for one in noun.children)
            if own or not (given or others or noun.pos_ == "PROPN"):
                yield of_topic("owns", noun, meant="ended")


def die(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that somebody, or an animal, is no more, by the name, or an animal by its kind."""
    verb, who = clause.verb, clause.subject
    away = verb.lemma_ != "pass" or any(one.lower_ == "away" for one in verb.children)
    if who is not None and who.pos_ == "PROPN" and verb.tag_ in PAST and away:
        name = bare_name(text_of(who))
        yield ClauseReading(ENDING, name, subject=clause.speaker, meant="ended", ends_only=True)
    elif who is not None and who.lemma_ in words.PETS and verb.tag_ in PAST and away:
        named = any(one.dep_ in ("appos", "compound") for one in who.children)
        if not named and any(one.lower_ in MINE for one in who.children):
            kind = who.lemma_
            yield ClauseReading("pet", kind, topic=kind, subject=clause.speaker, meant="ended")


def quit(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody eats or drinks no more: `gave up meat`, `stopped drinking coffee`.

    Who just quit works no more.
    """
    verb = clause.verb
    alone = not any(one.dep_ not in ("nsubj", "aux", "advmod", "punct") for one in verb.children)
    if verb.lemma_ == "quit" and verb.tag_ in PAST and alone:
        yield ClauseReading("workplace", "", meant="ended")
    given = verb.lemma_ != "give" or any(one.lower_ == "up" for one in verb.children)
    if not _is_done(verb) or not given:
        return
    eating = [
        one for one in verb.children if one.dep_ == "xcomp" and one.lemma_ in ("eat", "drink")
    ]
    for head in (verb, *eating):
        if is_narrowed(head) or any(one.lower_ in _SOONER for one in head.children):
            continue
        for noun in direct_objects(head):
            if noun.lower_ in words.DIETS:
                yield ClauseReading("diet", noun.lower_, meant="ended")
            if noun.lemma_.lower() in words.INSTRUMENTS:
                yield ClauseReading(ENDING, noun.text, meant="ended", ends_only=True)
            if noun.lemma_.lower() in words.FOODS or (
                head in eating and noun.pos_ == "NOUN" and noun.lemma_ not in MEALS
            ):
                value = text_of(noun)
                yield ClauseReading("food", f"not {value}", topic=value, meant="asserted")


def part(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that a couple has parted."""
    verb = clause.verb
    behind = {one.lower_ for one in verb.children}
    if verb.tag_ not in PAST or not behind & {"up", "off"}:
        return
    if any(one.lower_ != "it" for one in direct_objects(verb)):
        return
    names = [text_of(noun) for noun in objects(verb, "with") if noun.pos_ == "PROPN"]
    for name in names:
        yield ClauseReading("partner", name, meant="ended")
    if "up" not in behind:
        return
    yield from couple(clause)
    both = clause.subject is not None and clause.subject.lower_ == "we"
    if both and not any(one.dep_ == "prep" and one.lower_ != "up" for one in verb.children):
        yield ClauseReading("partner", "", meant="ended")


def trade_in(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield which thing somebody has no more, and which instead: `traded the Golf for a Yaris`."""
    verb = clause.verb
    if verb.tag_ not in PAST:
        return
    old = [
        one
        for one in (*direct_objects(verb), *objects(verb, "in"))
        if one.pos_ in ("NOUN", "PROPN")
    ]
    new = [one for one in objects(verb, "for") if one.pos_ in ("NOUN", "PROPN")]
    for noun in old if new else ():
        if any(one.lower_ in MINE | {"the"} for one in noun.children):
            yield ClauseReading(ENDING, noun.text, meant="ended", ends_only=True)


def couple(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield that it is over between the speaker and somebody: `Ines and I`."""
    subjects = [one for one in clause.verb.children if one.dep_ in SUBJECTS]
    first = [clause.subject] if clause.subject is not None and not subjects else subjects
    both = [each for one in first for each in (one, *one.conjuncts)]
    names = [one for one in both if one.pos_ == "PROPN"]
    if len(names) == len(both) == 2 and clause.verb.lemma_ not in ("be", "do"):
        for one, other in (names, names[::-1]):
            yield ClauseReading("partner", text_of(other), subject=text_of(one), meant="ended")
    if names and any(one.lower_ in SPEAKER for one in both):
        name = text_of(names[0]).partition(" and ")[0]
        yield ClauseReading("partner", name, subject=clause.speaker, meant="ended")
