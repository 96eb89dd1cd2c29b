"""The steps in which messages enter a summary: first the core of each, then more of it."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from mindpipe.compaction.gathering import Spoken
from mindpipe.compaction.salience import Weighed
from mindpipe.core.messages import Role

CORE_SHARE = 0.25
"""A message is touched once a summary holds this share of what is rare in it."""
# An answer is what somebody wanted to know; what names a time is asked for later.
_ANSWER = 2.0
_TIMED = 1.5
# What comes after the core is worth this much of it.
_REST = 0.1
# Neither what a message tells nor how long it is counts in full.
_WORTH = 0.7
_LENGTH = 0.7
# Characters that a clause and a message cost beside their words.
_CLAUSE = 8
_MESSAGE = 12


class Step(NamedTuple):
    """Clauses of a message that are taken together, by their numbers, and their characters.

    A step is taken only where the steps of its `unit` before it were.
    """

    priority: float
    place: int
    unit: int
    clauses: tuple[int, ...]
    cost: int


def steps_of(voices: Sequence[Spoken], pieces: Sequence[Sequence[Weighed]]) -> list[Step]:
    """Return the steps of all messages, the best first; `pieces` are the clauses of each.

    The clauses of a note, which is told in brief already, are units of their own.
    """
    steps: list[Step] = []
    asked = ""
    for place, (voice, own) in enumerate(zip(voices, pieces, strict=True)):
        factor = _ANSWER if asked and asked != voice.name else 1.0
        numbers = range(len(own))
        brief = voice.said.role is Role.NOTE
        for unit in [[number] for number in numbers] if brief else [numbers] if own else []:
            steps += _of_unit(own, unit, factor, place, len(steps))
        asks = any(piece.clause.text[-1] == "?" for piece in own[-2:])
        asked = voice.name if asks else ""
    steps.sort(key=_order)
    return steps


def _order(step: Step) -> tuple[float, int]:
    """Return what steps are sorted by: the best first, then the oldest."""
    return -step.priority, step.unit


def _of_unit(
    own: Sequence[Weighed], numbers: Sequence[int], factor: float, place: int, unit: int
) -> Iterator[Step]:
    """Yield the core of a message, then its other clauses one by one."""
    costs = [len(piece.clause.text) + 2 for piece in own]
    values = [
        piece.weight / (cost + _CLAUSE) ** _LENGTH for piece, cost in zip(own, costs, strict=True)
    ]
    ranked = sorted(numbers, key=values.__getitem__, reverse=True)
    held = list(accumulate([own[number].rare for number in ranked]))
    need = CORE_SHARE * held[-1]
    size = 1 + next(place for place, rare in enumerate(held) if rare >= need)
    worth = factor * sum([own[number].weight for number in numbers]) ** _WORTH
    if any([own[number].timed for number in numbers]):
        worth *= _TIMED
    cost = sum([costs[number] for number in ranked[:size]])
    priority = worth / (cost + _MESSAGE) ** _LENGTH
    yield Step(priority, place, unit, tuple(ranked[:size]), cost)
    for number in ranked[size:]:
        priority = min(priority, _REST * worth * values[number] / (need or 1.0))
        yield Step(priority, place, unit, (number,), costs[number])
