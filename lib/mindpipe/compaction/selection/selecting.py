"""Choose what a summary keeps of what was said: per token that which tells most, in its words."""

from collections.abc import Callable, Sequence

from mindpipe.compaction.records import Line
from mindpipe.compaction.selection.filling import Filling, Queue
from mindpipe.compaction.selection.fitting import line_sizes
from mindpipe.compaction.selection.gathering import Chosen, Spoken, gathered, spoken, whole_lines
from mindpipe.compaction.selection.salience import told, vocabulary
from mindpipe.compaction.selection.steps import units_of
from mindpipe.compaction.task import Count, Said

USERS_SHARE = 0.5
"""Users have this share of the room before others have any, or their share of all text."""
# What a token is taken for at first; more characters than the second no text has in one.
_CHARACTERS = 4
_MOST_CHARACTERS = 16
_TRIES = 8
_FILLED = 0.98
_AIM = 0.99


def _as_it_is(line: Line) -> Line:
    """Return a line."""
    return line


def choose(
    said: Sequence[Said],
    *,
    room: int,
    count: Count,
    finish: Callable[[Line], Line] = _as_it_is,
) -> tuple[Line, ...]:
    """Return lines, in the order of messages, that have at most `room` tokens as they stand.

    Where all fits, all stands, a line each. Else the words of users come first: of every message
    its core (the clauses that tell most for their length, until they hold a quarter of what is rare
    in it), then more, the messages that are worth most for their length before the others. Notes
    rank as users do, and a note that begins with a name is a line of that speaker, so that lines of
    an earlier summary can be given as notes and chosen from again. `finish` is what becomes of a
    line before it is measured.
    """
    voices = [spoken(one) for one in said if one.text.strip()]
    if room <= 0 or not voices:
        return ()
    if sum(len(voice.text) for voice in voices) <= room * _MOST_CHARACTERS:
        lines = [finish(line) for line in whole_lines(voices)]
        if sum(line_sizes(lines, count)) <= room:
            return tuple(lines)
    return _Selection(voices).fitting(room, count, finish)


class _Selection:
    """What there is to choose from, with how much each piece of it tells."""

    def __init__(self, voices: Sequence[Spoken]) -> None:
        self._voices = voices
        known = vocabulary([voice.text for voice in voices])
        self._told = [told(voice.text, known) for voice in voices]
        units = units_of(voices, self._told)
        self._users = [unit for unit in units if voices[unit.place].users]
        self._others = [unit for unit in units if not voices[unit.place].users]
        users = sum(len(voice.text) for voice in voices if voice.users)
        share = users / sum(len(voice.text) for voice in voices)
        self._share = max(USERS_SHARE, share) if self._others else 1.0

    def fitting(self, room: int, count: Count, finish: Callable[[Line], Line]) -> tuple[Line, ...]:
        """Return as many lines as fit: by characters first, then corrected by what they count."""
        best: list[Line] = []
        most, limit = 0, room * _CHARACTERS
        for _ in range(_TRIES):
            lines = [finish(line) for line in gathered(self._voices, self._chosen(limit))]
            size = sum(line_sizes(lines, count))
            if most < size <= room:
                best, most = lines, size
            if not size or room * _FILLED <= size <= room:
                break
            if size > room:  # All there is may be far less than the limit, and still too much.
                limit = min(limit, sum(len(line.text) for line in lines))
            limit = min(int(limit * _AIM * room / size), limit * _MOST_CHARACTERS)
        return tuple(best)

    def _chosen(self, limit: int) -> list[Chosen]:
        """Return what is taken within a number of characters, in the order of messages."""
        filling = Filling(self._voices)
        users = Queue(self._users)
        filling.fill(users, int(limit * self._share))
        filling.fill(Queue(self._others), limit)
        filling.fill(users, limit)
        return [
            Chosen(
                place,
                [(number, *self._told[place].spans[number]) for number in sorted(numbers)],
                whole=len(numbers) == len(self._told[place].spans),
            )
            for place, numbers in sorted(filling.taken.items())
        ]
