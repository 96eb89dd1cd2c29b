"""What of the cycles that leave is shown to a language model, within a bound of tokens."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mindpipe.compaction.records import Line
from mindpipe.compaction.selection.said import said_of
from mindpipe.compaction.selection.selecting import choose
from mindpipe.compaction.task import Count, Said, Task
from mindpipe.compaction.wording import one_line, span

_EARLIER_SHARE = 0.5
# A chosen clause stands on a line of its own, with its cycle and the mark of a quotation.
_CHOSEN_SHARE = 0.8


class Shown(NamedTuple):
    """Quoted lines of earlier summaries and of what was said since.

    `unseen` are the oldest lines of earlier summaries, for which there was no room.
    """

    earlier: tuple[str, ...]
    unseen: tuple[Line, ...]
    record: tuple[str, ...]


def quoted(text: str) -> str:
    """Return somebody's words as one line of the record, which nothing in them can end."""
    return f"> {one_line(text)}"


def quoted_line(line: Line) -> str:
    """Return a line of a summary as it is quoted, with its cycles."""
    return quoted(f"[{span(line.cycle, line.until or line.cycle)}] {line.text}")


def shown(task: Task, room: int) -> Shown:
    """Return the material of one prompt: all of it, or what is chosen to fit into the room.

    One bounded prompt, because a summary of summaries loses twice, and because its cost is known
    before it is sent. Lines of earlier summaries have half of the room, or what the record leaves;
    a record that is longer than the rest is reduced as the strategy `anchored` does it.
    """
    lines = [line for summary in task.folded for line in summary.lines]
    told = [quoted_line(line) for line in lines]
    said = said_of(task.old)
    dates = {lived.cycle: lived.messages[0].at[:10] for lived in task.old if lived.messages}
    record: list[str] = []
    needed = room
    if sum(lived.tokens for lived in task.old) <= room:
        record = _dated(((one.cycle, _whole(one)) for one in said), dates)
        needed = _tokens(record, task.count)
    unseen = _unfitting(told, max(room - needed, int(room * _EARLIER_SHARE)), task.count)
    room -= _tokens(told[unseen:], task.count)
    if needed > room or not record:
        chosen = choose(said, room=int(room * _CHOSEN_SHARE), count=task.count)
        record = _dated(((line.cycle, quoted_line(line)) for line in chosen), dates)
        record = record[_unfitting(record, room, task.count) :]
    return Shown(tuple(told[unseen:]), tuple(lines[:unseen]), tuple(record))


def _whole(said: Said) -> str:
    """Return a message as a line of the record: its cycle, who said it, the words."""
    speaker = f" {said.speaker}" if said.speaker else ""
    return quoted(f"[{said.cycle} {said.role}{speaker}] {said.text}")


def _dated(lines: Iterable[tuple[int, str]], dates: Mapping[int, str]) -> list[str]:
    """Return lines with the date before the first of each day; `dates` are those of cycles."""
    dated: list[str] = []
    before = ""
    for cycle, line in lines:
        date = dates.get(cycle, "")
        if date not in {"", before}:
            dated.append(quoted(f"({date})"))
            before = date
        dated.append(line)
    return dated


def _tokens(lines: Iterable[str], count: Count) -> int:
    """Return the tokens of lines, their line ends included."""
    return sum(count(line) + 1 for line in lines)


def _unfitting(lines: Sequence[str], room: int, count: Count) -> int:
    """Return how many lines at the beginning have to go so that the others fit into a room."""
    for place in range(len(lines), 0, -1):
        room -= count(lines[place - 1]) + 1
        if room < 0:
            return place
    return 0
