"""How people, pets and organisations of whom a sentence tells stand to each other."""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.memory.extraction.sentences import is_no_name
from mindpipe.memory.records import EntityType

_NAME = r"[A-ZÀ-ÞŁŚŽ][\w’'-]*[a-zß-ž](?:\s+[A-ZÀ-ÞŁŚŽ][\w’-]*[a-zß-ž])?"
_KIN = (
    "wife|husband|partner|girlfriend|boyfriend|fiancée|fiancé|fiancee|fiance|mother|mom|mum|father"
    "|dad|sister|brother|son|daughter|uncle|aunt|cousin|grandmother|grandfather|grandma|grandpa"
    "|niece|nephew|friend|boss|manager|colleague|coworker|co-worker|neighbour|neighbor|mentor"
    "|roommate|flatmate|spouse|landlord"
    "|coach|teacher|therapist|doctor|client|teammate|assistant|business partner"
)
_PETS = "dog|cat|puppy|kitten|pup|parrot|rabbit|horse|hamster|pet"
_SAME = {
    "mom": "mother", "mum": "mother", "dad": "father", "grandma": "grandmother",
    "grandpa": "grandfather", "neighbor": "neighbour", "coworker": "colleague",
    "co-worker": "colleague", "fiancee": "fiancée", "fiance": "fiancé", "puppy": "dog",
    "pup": "dog", "kitten": "cat",
}  # fmt: skip
_MY = (
    r"\b(?:[Mm]y|[Oo]ur)\s+(?:(?:older|younger|elder|little|big|best|close|good|old|new|late|dear|ex|former)"
    r"[\s-]+)*"
)


class FoundRelation(NamedTuple):
    """An edge: from whom (None: the speaker), its type, to whom, and what the other one is."""

    source: str | None
    type: str
    target: str
    target_type: EntityType


def relations_in(sentence: str) -> tuple[FoundRelation, ...]:
    """Return the edges that a sentence states, each once, in its order."""
    return tuple(dict.fromkeys(_found(sentence)))


def _found(sentence: str) -> Iterator[FoundRelation]:
    """Yield the edges that the patterns find."""
    for pattern in _patterns():
        for match in pattern.finditer(sentence):
            groups = match.groupdict()
            names = (groups.get("source"), groups["target"])
            if not any(name and is_no_name(name.split()[0]) for name in names):
                kind = groups["type"].lower()
                yield FoundRelation(names[0], _SAME.get(kind, kind), names[1] or "", _type_of(kind))


def _type_of(kind: str) -> EntityType:
    """Return what stands at the other end of a relation."""
    if kind in ("works at", "works for"):
        return "organization"
    return "thing" if kind in _PETS.split("|") else "person"


@functools.cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return every way of telling a relation."""
    named = r"(?:\s+(?:is\s+)?(?:named|called)|['’]s\s+name\s+is|,|\s+is)?"
    kin, all_ = rf"(?P<type>{_KIN})", rf"(?P<type>{_KIN}|{_PETS})"
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"{_MY}{all_}{named}\s+(?P<target>{_NAME})",
            rf"\b(?:a|an|the|new)\s+(?P<type>{_PETS})\s+(?:named|called)\s+(?P<target>{_NAME})",
            rf"\b(?P<target>{_NAME})(?:\s+(?:is|was)|,)\s+{_MY}{all_}\b",
            rf"\b(?P<target>{_NAME})\s+(?:is|was)\s+(?P<source>{_NAME})['’]s\s+(?:\w+\s+)?{kin}\b",
            rf"\b(?P<source>{_NAME})['’]s\s+(?:\w+\s+)?{kin}(?:,|\s+is|\s+was)?\s+(?P<target>{_NAME})",
            rf"\b(?P<source>{_NAME})\s+(?P<type>works\s(?:at|for))\s+(?P<target>{_NAME})",
        )
    )
