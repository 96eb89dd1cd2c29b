"""Fill a number of characters with the steps of messages, the best first."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from mindpipe.compaction.selection.gathering import STRETCH_MESSAGES, Spoken
from mindpipe.compaction.selection.steps import Step, Unit

# A name at the head of a line, with the dash, the cycles and the line end.
_LINE = 8
# No step costs less.
_LEAST = 3
# A step that does not fit where more than this share is left is too large to be taken whole.
_LARGE = 0.1


Entry = tuple[float, int, int, Step]
"""A step of a unit: its priority below 0, the number of the unit, how many came before, itself."""


class Queue:
    """The next steps of some units: the best first, of two as good that of the older message."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units = units
        self.steps: list[Entry] = [
            (-unit.core.priority, number, 0, unit.core) for number, unit in enumerate(units)
        ]
        heapify(self.steps)


class Filling:
    """The clauses that were taken of each message, by their numbers."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self.taken: dict[int, list[int]] = {}
        self._voices = voices
        self._spent = 0
        self._named: set[tuple[str, int]] = set()

    def fill(self, queue: Queue, limit: int) -> None:
        """Take steps until a number of characters is spent; those that do not fit stay queued."""
        steps = queue.steps
        waiting: list[Entry] = []
        looked = limit
        while steps and (left := limit - self._spent) >= _LEAST:
            entry = heappop(steps)
            _, number, taken, step = entry
            unit = queue.units[number]
            if not self._take(unit.place, step, limit):
                if left > limit * _LARGE:
                    if not self._take_part(unit, step, limit):
                        waiting.append(entry)
                    continue
                waiting.append(entry)
                if left <= looked / 2:
                    looked = left
                    waiting += _unfitting(steps, left)
                continue
            after = unit.after(step, taken)
            if after is not None:
                heappush(steps, (-after.priority, number, taken + 1, after))
        steps += waiting
        heapify(steps)

    def _take(self, place: int, step: Step, limit: int) -> bool:
        """Take a step if it fits, and tell whether it did."""
        cost = step.cost + self._opening(place)
        if self._spent + cost > limit:
            return False
        self._spent += cost
        self._named.add(self._line(place))
        self.taken.setdefault(place, []).extend(step.clauses)
        return True

    def _take_part(self, unit: Unit, step: Step, limit: int) -> bool:
        """Take the first clauses of a step that fit, and tell whether any did."""
        left = limit - self._spent - self._opening(unit.place)
        part: list[int] = []
        spent = 0
        for clause in step.clauses:
            cost = unit.cost(clause)
            if spent + cost > left:
                break
            spent += cost
            part.append(clause)
        return bool(part) and self._take(unit.place, Step(step.priority, part, spent), limit)

    def _line(self, place: int) -> tuple[str, int]:
        """Return what tells the line of a message from others."""
        return self._voices[place].name, place // STRETCH_MESSAGES

    def _opening(self, place: int) -> int:
        """Return what the line of a message costs beside its words; 0 where it has begun."""
        line = self._line(place)
        return 0 if line in self._named else len(line[0]) + _LINE


def _unfitting(steps: list[Entry], left: int) -> list[Entry]:
    """Take out of a heap, at once, the steps that cost more than what is left, and return them."""
    waiting = [entry for entry in steps if entry[3].cost > left]
    if waiting:
        steps[:] = [entry for entry in steps if entry[3].cost <= left]
        heapify(steps)
    return waiting
