"""The steps in which a message enters a summary: first its core, then more of it."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from mindpipe.compaction.selection.gathering import Spoken
from mindpipe.compaction.selection.salience import Told
from mindpipe.core.messages import Role

CORE_SHARE = 0.3
"""A message is touched once a summary holds this share of what is rare in it."""
# An answer is what somebody wanted to know, its first clause above all; what names a time is asked
# for later.
_ANSWER = 1.5
_REPLY = 2.0
_TIMED = 1.5
# What comes after the core is worth this much of it.
_REST = 0.1
# Neither what a message tells nor how long it is counts in full.
_WORTH = 0.8
_LENGTH = 0.9
# Characters that a clause and a message cost beside their words.
_CLAUSE = 8
_MESSAGE = 12


class Step(NamedTuple):
    """Clauses that are taken together, by their numbers, and their cost in characters."""

    priority: float
    clauses: Sequence[int]
    cost: int


class Unit(NamedTuple):
    """A message (or a clause of one) whose steps are taken in their order.

    `ranked` are the numbers of its clauses, those first that tell most for their length, of which
    `size` are the core.
    """

    place: int
    told: Told
    ranked: Sequence[int]
    size: int
    worth: float
    core: Step

    def after(self, step: Step, number: int) -> Step | None:
        """Return the step after a step, which was the one of that number, counted from 0."""
        place = self.size + number
        if place >= len(self.ranked):
            return None
        clause = self.ranked[place]
        value = _REST * self.worth * _density(self.told, clause)
        return Step(min(step.priority, value), (clause,), self.cost(clause))

    def cost(self, clause: int) -> int:
        """Return the characters of a clause in a line."""
        return _cost(self.told, clause)


def units_of(voices: Sequence[Spoken], told: Sequence[Told]) -> list[Unit]:
    """Return the units of all messages, in their order.

    The clauses of a note, which is told in brief already, are units of their own.
    """
    units: list[Unit] = []
    asked = ""
    for place, (voice, one) in enumerate(zip(voices, told, strict=True)):
        answers = asked not in ("", voice.name)
        factor = _ANSWER if answers else 1.0
        numbers = range(len(one.texts))
        if answers and numbers:
            one.weights[0] *= _REPLY
        if voice.said.role is Role.NOTE:
            units += [_unit(place, one, (number,), factor) for number in numbers]
        elif numbers:
            units.append(_unit(place, one, numbers, factor))
        asked = voice.name if any(text[-1] == "?" for text in one.texts[-2:]) else ""
    return units


def _unit(place: int, told: Told, numbers: Sequence[int], factor: float) -> Unit:
    """Return a unit with its core; the numbers are one, or those of all clauses."""
    if len(numbers) == 1:
        number = numbers[0]
        ranked, size, cost = numbers, 1, _cost(told, number)
        need, worth = CORE_SHARE * told.rare[number], told.weights[number]
    else:
        densities = [_density(told, number) for number in numbers]
        ranked = sorted(numbers, key=densities.__getitem__, reverse=True)
        held = list(accumulate([told.rare[number] for number in ranked]))
        need = CORE_SHARE * held[-1]
        size = 1 + bisect_left(held, need)
        cost = sum([_cost(told, number) for number in ranked[:size]])
        worth = sum(told.weights)
    worth = factor * worth**_WORTH
    if told.timed:
        worth *= _TIMED
    step = Step(worth / (cost + _MESSAGE) ** _LENGTH, ranked[:size], cost)
    return Unit(place, told, ranked, size, worth / (need or 1.0), step)


def _cost(told: Told, number: int) -> int:
    """Return the characters of a clause in a line."""
    return len(told.texts[number]) + 2


def _density(told: Told, number: int) -> float:
    """Return how much a clause tells for its length."""
    density: float = told.weights[number] / (len(told.texts[number]) + _CLAUSE) ** _LENGTH
    return density
