"""Whose words a row is: of somebody whom the question names, or of an assistant."""

import functools
from collections.abc import Set as AbstractSet

from mindpipe.recall.candidates import Candidate
from mindpipe.recall.query import WORD, Understood
from mindpipe.recall.spelling import folded

_ROLES = frozenset(["user", "assistant", "system", "tool"])


def is_named(candidate: Candidate, words: AbstractSet[str]) -> bool:
    """Tell whether the words of a question name who speaks in a row, or whom it is about."""
    return _names(words, candidate.speaker) or _names(words, candidate.subject)


def is_beside_the_person(asked: Understood, candidate: Candidate) -> bool:
    """Tell whether a row is an assistant's or a tool's words, and the question asks for no such.

    They are the longer ones and repeat what was asked; what happened, and what is wished, the
    person says.
    """
    return _role(candidate) in ("assistant", "tool") and asked.of != "assistant"


def is_standing(candidate: Candidate) -> bool:
    """Tell whether a row is of whoever may have standing wishes: of nobody's words, or a person's.

    What an assistant promises to do always is not one.
    """
    return _role(candidate) not in ("assistant", "tool")


def _role(candidate: Candidate) -> str | None:
    """Return the role that a row's words were said in, if it is one of a conversation's."""
    said_by = candidate.kind if candidate.source == "message" else candidate.speaker
    role = folded(said_by or "")
    return role if role in _ROLES else None


def _names(words: AbstractSet[str], name: str | None) -> bool:
    """Tell whether a name is among words, whole or in part."""
    return name is not None and not words.isdisjoint(_parts(name))


@functools.lru_cache(maxsize=4096)
def _parts(name: str) -> frozenset[str]:
    """Return the words of a name; a role is none."""
    parts = frozenset(WORD.findall(folded(name)))
    return frozenset[str]() if parts & _ROLES else parts
