"""What a language model says that words state, held against the words themselves."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, get_args

import msgspec

from mindpipe.core.patterns import late
from mindpipe.core.records import Natural, Record
from mindpipe.language import words
from mindpipe.language.clauses import READ_CHARACTERS, Stretch, clauses, prose_of, sentences
from mindpipe.language.dates import Dated, Side, dates_in
from mindpipe.language.doubts import doubtful_clauses
from mindpipe.language.first_hand import is_first_hand, tells_what_was
from mindpipe.language.guards import (
    clause_meant,
    denies,
    is_ironic,
    is_led_in,
    is_over,
    sentence_meant,
    taken_back,
    tells_dream,
    tells_of_then,
)
from mindpipe.language.named_attributes import in_days, is_of_things, thing_of
from mindpipe.language.names import in_first_person, names_in
from mindpipe.language.numerals import number_of
from mindpipe.language.own_text import own_text
from mindpipe.language.records import CLAIMS, Meant, Statement, Utterance
from mindpipe.language.times import only_day
from mindpipe.language.words import any_of

FIGURES = frozenset({"day", "count", "metric"})
"""Attributes that rules read: a model leaves out the unit, or makes one up."""
_WORD = late(r"[^\W_]+")
_SPEAKER = frozenset({"i", "me", "we", "us", "my"})
_PRONOUN = late(r"(?i)^(?:he|she|they|it|you|him|her|them|this|that|who|somebody|everybody)$")
_THIRD = late(r"(?i)\b(?:he|she|they|his|her|their)\b")
_BY_ITSELF = late(
    r"(?i)^\W*(?:(?:and|but|so|or|now|then|yes|no|well)\W+)*(?:(?:i|we|my|our|he|she)\b|"
    r"(?-i:[A-ZÀ-Þ]))"
)
_UNREAL = late(
    r"(?i)\b(?:refus(?:e|es|ed|ing)|fail(?:s|ed|ing)? to|(?:could|might|would|should) have|"
    r"(?:the|this|any|that) (?:idea|notion|claim|thought|rumou?r) that|anything but|far from|"
    r"(?:was|were) (?:an?|the|at|in|on|with|once|always)|had an?|lived|worked)\b"
)
"""What shows that something was so, or did not come about: `I failed to learn Italian`."""
_YOURS = late(r"(?i)^\W*(?:(?:and|but|so)\W+)*(?:you|your)\b")
_OF_KIN = late(
    rf"(?i)^\W*(?:(?:and|but|so)\W+)*(?:my|our) (?:\w+ )?(?:{any_of(words.RELATIVES)})\b(?!.*\bI\b)"
)
"""How a clause begins that is of a relative, and not of whoever speaks."""
_HAS = late(r"(?i)\b(?:my|our|have|got|['’]ve|own|keep|adopted|rescued|rehomed|bought|mine)\b")
_OF_OTHERS = frozenset({"relation", "partner", "housemate", "pet", "birthday"})
_DAY = late(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_DISLIKED = frozenset({"taste", "food"})
"""Attributes whose denial needs no negation: who hates olives does not like them."""
_BY_VALUE = frozenset({"taste", "food", "allergy", "health", "skill", "housemate", "medication"})
"""Attributes of which each value is a topic of its own."""


class ReadStatement(Record, omit_defaults=True):
    """One line of a model's answer: the utterance by its number, the words, what they state."""

    said: Natural
    quote: Annotated[str, msgspec.Meta(min_length=1, max_length=READ_CHARACTERS)]
    subject: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] = "I"
    attribute: str
    value: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    topic: Annotated[str, msgspec.Meta(min_length=1, max_length=60)] | None = None
    meant: Meant
    since: str | None = None
    until: str | None = None


def fault_of(told: ReadStatement, said: Utterance, *, attributes: Mapping[str, str]) -> str:
    """Return what a line says that is no attribute or not in the words, or ""."""
    text = _read_of(said)
    if fault := _shape_fault(told, attributes):
        return fault
    if told.quote not in text or not told.quote.strip():
        return "$.quote: it does not stand there word for word"
    if fault := _subject_fault(told, said, text):
        return f"$.subject: {fault}"
    if told.value is not None and not _is_said(told, told.value):
        return f'$.value: "{told.value}" is not in the quote'
    if told.value is not None and in_days(told.attribute, told.value, at=said.at) is None:
        return f'$.value: "{told.value}" is no one day'
    return _day_fault(told, said)


def _read_of(said: Utterance) -> str:
    """Return what is read of an utterance, with what is no prose or not its own as blanks."""
    return prose_of(own_text(said.text, speaker=said.speaker))


def _shape_fault(told: ReadStatement, attributes: Mapping[str, str]) -> str:
    """Return what a line lacks for its attribute, or ""."""
    if told.attribute not in attributes:
        return f'$.attribute: there is no attribute "{told.attribute}"'
    if told.value is None:
        return "" if told.meant == "ended" else "$.value: only what has ended can go without one"
    topical = "{topic}" in attributes[told.attribute]
    return f"$.topic: {told.attribute} needs one" if topical and not told.topic else ""


def _subject_fault(told: ReadStatement, said: Utterance, text: str) -> str:
    """Return why the words around a quote are not of its subject, or ""."""
    if told.subject.lower() not in _SPEAKER:
        if _PRONOUN.match(told.subject):
            return f'"{told.subject}" is no name'
        if lacks := _lacks(told.subject, text):
            return f'"{lacks}" is not in the record'
    start = text.index(told.quote)
    around = [one.text for one in _around(text, start, start + len(told.quote))]
    first = any(map(in_first_person, around))
    if _is_own(told, said):
        known = f"{told.value or ''} {told.topic or ''} {said.speaker}"
        before = [one.partition(told.value)[0] if told.value else one for one in around]
        others = [name for one in before for name in names_in(one) if _lacks(name, known)]
        if not first and (others or any(map(_THIRD.search, before))):
            return "the quote is of somebody else"
        said_in = [one.text for each in around for one in _clauses_with(told.value, each)]
        kin = told.attribute not in _OF_OTHERS and any(map(_OF_KIN.match, said_in))
        if kin or any(map(_YOURS.match, said_in)):
            return "the quote is of somebody else"
    elif first and all(_lacks(told.subject, one) for one in around):
        return f"the quote is not of {told.subject}"
    return ""


def _clauses_with(value: str | None, sentence: str) -> Iterator[Stretch]:
    """Yield the clauses of a sentence that have a value among their words."""
    for one in clauses(Stretch(0, len(sentence), sentence)):
        if value is not None and not _lacks(value, one.text):
            yield one


def _day_fault(told: ReadStatement, said: Utterance) -> str:
    """Return which day a line gives that its words do not name, or ""."""
    for field, given in (("since", told.since), ("until", told.until)):
        if given is not None and _named_day(given, told, said) is None:
            return f'$.{field}: the quote names no day that is "{given}"'
    return ""


def _named_day(given: str, told: ReadStatement, said: Utterance) -> Dated | None:
    """Return the days of a quote in which a given one lies, or None."""
    if not said.at or _DAY.match(given) is None:
        return None
    named = {one for side in get_args(Side) for one in dates_in(told.quote, at=said.at, side=side)}
    day = given[:10]
    fits = (one for one in sorted(named) if one.since[: len(day)] <= day < one.until)
    return next(fits, None)


def statement_of(told: ReadStatement, said: Utterance, *, reader: str) -> Statement:
    """Return a line without a fault as a statement, which stands on its quote."""
    start = _read_of(said).index(told.quote)
    meant = _meant(told, said.text, start, said.speaker)
    since, until = _days_of(told, said, meant)
    if meant == "asserted" and since > said.at:
        meant = "planned"
    return Statement(
        speaker=said.speaker,
        subject=_subject_of(told, said),
        attribute=told.attribute,
        value=in_days(told.attribute, told.value, at=said.at),
        topic=told.value if told.attribute in _BY_VALUE else told.topic,
        meant=meant,
        start=start,
        end=start + len(told.quote),
        reader=reader,
        since=since,
        until=until,
    )


def _subject_of(told: ReadStatement, said: Utterance) -> str:
    """Return whom a line is of; what "we" use is the project's."""
    if is_of_things(told.attribute):
        return thing_of(None if _is_own(told, said) else told.subject)
    return said.speaker if _is_own(told, said) else told.subject


def _days_of(told: ReadStatement, said: Utterance, meant: Meant) -> tuple[str, str]:
    """Return from and until which instant it holds: as told, or by the one day of the quote."""
    if meant not in ("asserted", "planned"):
        return "", ""
    named = [
        None if given is None else _named_day(given, told, said)
        for given in (told.since, told.until)
    ]
    since, until = named
    if since is None and until is None:
        day = only_day(told.quote, at=said.at, ahead=meant == "planned")
        return day.since, day.until
    return since.since if since else "", until.until if until else ""


def _is_own(told: ReadStatement, said: Utterance) -> bool:
    """Tell whether a line is of whoever speaks."""
    return told.subject.lower() in {*_SPEAKER, said.speaker.lower()}


def _is_said(told: ReadStatement, value: str) -> bool:
    """Tell whether a quote says a value: in its own words, but for an age and a diet.

    These have few values, which are said in other words too.
    """
    if told.attribute == "age":
        spoken = (number_of(word) for word in re.findall(r"[\w-]+", told.quote))
        return value.isdigit() and int(value) in spoken
    if told.attribute == "diet":
        return value.lower() in words.DIETS
    return bool(_WORD.search(value)) and not _lacks(value, told.quote)


def _lacks(words: str, text: str) -> str:
    """Return the first of some words that a text does not have, or ""."""
    known = set(_WORD.findall(text.casefold()))
    return next((one for one in _WORD.findall(words.casefold()) if one not in known), "")


def _around(text: str, start: int, end: int) -> Iterator[Stretch]:
    """Yield the whole sentences in which a quote stands."""
    for one in sentences(text):
        if one.start < end and one.end > start:
            yield one


def _meant(told: ReadStatement, text: str, start: int, speaker: str) -> Meant:
    """Return how a quote is meant: as the model says, or as the guards do where these doubt more.

    They look at the whole of its sentences, and at what comes right behind them: a quote may be
    cut so that what turns it around is left out. A claim whose polarity the words do not show is
    doubted.
    """
    if told.meant not in CLAIMS:
        return told.meant
    end = start + len(told.quote)
    before = [one for one in sentences(text) if one.start < end]
    own = [one for one in before if one.end > start]
    behind = next((one.text for one in sentences(text) if one.start >= end), "")
    ways: tuple[Meant | None, ...] = (
        *("ironic" if is_ironic(one.text) else None for one in before),
        *("imagined" if tells_dream(one.text) else None for one in before),
        *map(_by_words, own),
        taken_back(behind),
    )
    found: Meant | None = next((one for one in ways if one is not None), None)
    if found is not None:
        return found
    past = told.meant == "asserted" and any(_may_be_past(one.text) for one in own)
    doubted = past or not _has_polarity(told, own) or not _is_first_hand(told, own, speaker)
    return "hedged" if doubted else told.meant


def _is_first_hand(told: ReadStatement, own: list[Stretch], speaker: str) -> bool:
    """Tell whether what is asserted of who speaks is told by him as of himself, and today."""
    mine = told.subject.lower() in {*_SPEAKER, speaker.lower()}
    if told.meant != "asserted" or not mine or is_of_things(told.attribute):
        return True
    value = told.value or told.quote
    if told.attribute in _OF_OTHERS:
        lead = " ".join(one.text for one in own).partition(value)[0]
        had = told.attribute != "pet" or any(
            _HAS.search(one.text) and not _OF_KIN.match(one.text) for one in own
        )
        first = any(in_first_person(one.text) for one in own)
        return first and had and not tells_what_was(lead)
    return all(is_first_hand(one.text, value) for one in own if not _lacks(value, one.text))


def _by_words(sentence: Stretch) -> Meant | None:
    """Return how a sentence is meant by its words, None where they show no other way."""
    led: Meant | None = "reported" if _is_led_in(sentence.text) else None
    return sentence_meant(sentence.text) or clause_meant(sentence.text) or led


def _is_led_in(sentence: str) -> bool:
    """Tell whether a sentence is led in as another's: `Ben: I live in Rome`."""
    lead, colon, rest = sentence.partition(": ")
    return bool(colon) and is_led_in(f"{lead}:", rest)


def _may_be_past(sentence: str) -> bool:
    """Tell whether a sentence is of what was, is over, or did not come about."""
    return (
        _UNREAL.search(sentence) is not None
        or tells_of_then(sentence)
        or any(doubtful_clauses(sentence))
    )


def _has_polarity(told: ReadStatement, own: list[Stretch]) -> bool:
    """Tell whether the clauses of a value deny it, or do not, as the model says.

    A clause that has no subject of its own is governed by the rest of its sentence.
    """
    value = told.value or told.quote
    near: list[str] = []
    for sentence in own:
        for one in clauses(sentence):
            if not _lacks(value, one.text):
                near.append(one.text if _BY_ITSELF.match(one.text) else sentence.text)
    near = near or [one.text for one in own]
    denied = any(map(denies, near)) and not denies(value)
    over = any(map(is_over, near))
    if told.meant == "asserted":
        return not (denied or over)
    return told.meant == "ended" or denied or told.attribute in _DISLIKED
