"""Fold lines coarser, oldest first, until they fit into a number of tokens."""

from collections.abc import Sequence

from mindpipe.compaction.records import Line
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import written_lines


def fitted(lines: Sequence[Line], room: int, count: Count) -> tuple[Line, ...]:
    """Return lines that have at most `room` tokens as they are written, in their order."""
    sizes = line_sizes(lines, count)
    left = room
    kept: list[Line] = []
    for line, size in zip(reversed(lines), reversed(sizes), strict=True):
        left -= size
        if left < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))


def line_sizes(lines: Sequence[Line], count: Count) -> list[int]:
    """Return the tokens of each line as it is written, its line end included."""
    return [count(f"{text}\n") for text in written_lines(tuple(lines))]
