"""What a language model says that words state, held against the words themselves."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.language import words
from mindpipe.language.clauses import READ_CHARACTERS, Stretch, clauses, prose_of, sentences
from mindpipe.language.guards import clause_meant, denies, is_ironic, sentence_meant
from mindpipe.language.numerals import number_of
from mindpipe.language.records import CLAIMS, Meant, Statement, Utterance

_WORD = re.compile(r"[^\W_]+")
_SPEAKER = frozenset({"i", "me", "we", "us", "my"})
_DISLIKED = frozenset({"taste", "food"})
"""Attributes whose denial needs no negation: who hates olives does not like them."""
_BY_VALUE = frozenset({"taste", "food", "allergy", "health", "skill", "housemate"})
"""Attributes of which each value is a topic of its own."""


class ReadStatement(Record, omit_defaults=True):
    """One line of a model's answer: the utterance by its number, the words, what they state."""

    said: Natural
    quote: Annotated[str, msgspec.Meta(min_length=1, max_length=READ_CHARACTERS)]
    subject: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] = "I"
    attribute: str
    value: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    topic: Annotated[str, msgspec.Meta(min_length=1, max_length=60)] | None = None
    meant: Meant


def fault_of(told: ReadStatement, text: str, *, attributes: Mapping[str, str]) -> str:
    """Return what a line says that is no attribute or not in the text, or ""."""
    if told.attribute not in attributes:
        return f'$.attribute: there is no attribute "{told.attribute}"'
    if "{topic}" in attributes[told.attribute] and not told.topic:
        return f"$.topic: {told.attribute} needs one"
    text = prose_of(text)
    if told.quote not in text or not told.quote.strip():
        return "$.quote: it does not stand there word for word"
    if told.subject.lower() not in _SPEAKER and (lacks := _lacks(told.subject, text)):
        return f'$.subject: "{lacks}" is not in the record'
    return "" if _is_said(told) else f'$.value: "{told.value}" is not in the quote'


def statement_of(told: ReadStatement, said: Utterance, *, reader: str) -> Statement:
    """Return a line without a fault as a statement, which stands on its quote."""
    start = prose_of(said.text).index(told.quote)
    own = told.subject.lower() in {*_SPEAKER, said.speaker.lower()}
    return Statement(
        speaker=said.speaker,
        subject=said.speaker if own else told.subject,
        attribute=told.attribute,
        value=told.value,
        topic=told.value if told.attribute in _BY_VALUE else told.topic,
        meant=_meant(told, said.text, start),
        start=start,
        end=start + len(told.quote),
        reader=reader,
    )


def _is_said(told: ReadStatement) -> bool:
    """Tell whether a quote says a value: in its own words, but for an age and a diet.

    These have few values, which are said in other words too.
    """
    if told.attribute == "age":
        spoken = (number_of(word) for word in re.findall(r"[\w-]+", told.quote))
        return told.value.isdigit() and int(told.value) in spoken
    if told.attribute == "diet":
        return told.value.lower() in words.DIETS
    return bool(_WORD.search(told.value)) and not _lacks(told.value, told.quote)


def _lacks(words: str, text: str) -> str:
    """Return the first of some words that a text does not have, or ""."""
    known = set(_WORD.findall(text.casefold()))
    return next((one for one in _WORD.findall(words.casefold()) if one not in known), "")


def _meant(told: ReadStatement, text: str, start: int) -> Meant:
    """Return how a quote is meant: as the model says, or as the guards do where these doubt more.

    A claim whose polarity the words do not show is doubted.
    """
    if told.meant not in CLAIMS:
        return told.meant
    end = start + len(told.quote)
    before = [one for one in sentences(text) if one.start < end]
    own = [one for one in before if one.end > start]
    if any(is_ironic(one.text) for one in before):
        return "ironic"
    for one in own:
        guarded = sentence_meant(one.text) or clause_meant(one.text)
        if guarded is not None:
            return guarded
    return told.meant if _has_polarity(told, own) else "hedged"


def _has_polarity(told: ReadStatement, own: Sequence[Stretch]) -> bool:
    """Tell whether the clauses of a value deny it, or do not, as the model says."""
    spoken = [one.text for sentence in own for one in clauses(sentence)]
    near = [one for one in spoken if not _lacks(told.value, one)] or spoken
    denied = any(denies(one) for one in near) and not denies(told.value)
    if told.meant == "asserted":
        return not denied
    return told.meant == "ended" or denied or told.attribute in _DISLIKED
