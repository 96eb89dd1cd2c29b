"""Choose what a summary keeps of what was said: per token that which tells most, in its words."""

from collections.abc import Sequence

from mindpipe.compaction.fitting import line_sizes
from mindpipe.compaction.gathering import (
    STRETCH_MESSAGES,
    Chosen,
    Spoken,
    gathered,
    spoken,
    whole_lines,
)
from mindpipe.compaction.records import Line
from mindpipe.compaction.salience import Weighed, weighed
from mindpipe.compaction.steps import Step, steps_of
from mindpipe.compaction.task import Count, Said

USERS_SHARE = 0.5
"""Users have this share of the room before others have any, or their share of all text."""
_CHARACTERS = 4
_MOST_CHARACTERS = 16
_LEAST_CHARACTERS = 12
_TRIES = 8
_FILLED = 0.98


def choose(said: Sequence[Said], *, room: int, count: Count) -> tuple[Line, ...]:
    """Return lines, in the order of messages, that have at most `room` tokens as they stand.

    Where all fits, all stands, a line each. Else the words of users come first: of every message
    its core (the clauses that tell most for their length, until they hold a quarter of what is rare
    in it), then more, the messages that are worth most for their length before the others. Notes
    rank as users do, and a note that begins with a name is a line of that speaker, so that lines of
    an earlier summary can be given as notes and chosen from again.
    """
    voices = [spoken(one) for one in said if one.text.strip()]
    if room <= 0 or not voices:
        return ()
    if sum(len(voice.text) for voice in voices) <= room * _MOST_CHARACTERS:
        lines = whole_lines(voices)
        if sum(line_sizes(lines, count)) <= room:
            return tuple(lines)
    return _Selection(voices).fitting(room, count)


class _Selection:
    """What there is to choose from, with how much each piece of it tells."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self._voices = voices
        self._pieces: list[list[Weighed]] = weighed([voice.text for voice in voices])
        steps = steps_of(voices, self._pieces)
        self._users = [step for step in steps if voices[step.place].users]
        self._others = [step for step in steps if not voices[step.place].users]
        users = sum(len(voice.text) for voice in voices if voice.users)
        share = users / max(1, sum(len(voice.text) for voice in voices))
        self._share = max(USERS_SHARE, share) if self._others else 1.0

    def fitting(self, room: int, count: Count) -> tuple[Line, ...]:
        """Return as many lines as fit: by characters first, then corrected by what they count."""
        best: list[Line] = []
        most, limit = 0, room * _CHARACTERS
        for _ in range(_TRIES):
            lines = gathered(self._voices, self._chosen(limit))
            size = sum(line_sizes(lines, count))
            if most < size <= room:
                best, most = lines, size
            if not size or room * _FILLED <= size <= room:
                break
            limit = min(int(limit * room / size), limit * _MOST_CHARACTERS) - (size > room)
        return tuple(best)

    def _chosen(self, limit: int) -> list[Chosen]:
        """Return what is taken within a number of characters, in the order of messages."""
        filling = _Filling(self._voices)
        left = filling.fill(self._users, int(limit * self._share))
        filling.fill(self._others, limit)
        filling.fill(left, limit)
        return [
            Chosen(
                place,
                [(number, self._pieces[place][number].clause) for number in sorted(numbers)],
                whole=len(numbers) == len(self._pieces[place]),
            )
            for place, numbers in sorted(filling.taken.items())
        ]


class _Filling:
    """The clauses that were taken of each message, and the characters they cost so far."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self._voices = voices
        self._spent = 0
        self._named: set[tuple[str, int]] = set()
        self.taken: dict[int, list[int]] = {}

    def fill(self, steps: Sequence[Step], limit: int) -> list[Step]:
        """Take steps until a limit, and return those that were not taken."""
        left: list[Step] = []
        waiting: set[int] = set()
        for number, step in enumerate(steps):
            if limit - self._spent < _LEAST_CHARACTERS:
                return left + list(steps[number:])
            name = self._voices[step.place].name
            line = (name, step.place // STRETCH_MESSAGES)
            cost = step.cost + (0 if line in self._named else len(name) + 5)
            if step.unit in waiting or self._spent + cost > limit:
                left.append(step)
                waiting.add(step.unit)
                continue
            self._spent += cost
            self._named.add(line)
            self.taken.setdefault(step.place, []).extend(step.clauses)
        return left
