"""How wide the columns of a table are, so that no word of a cell is broken where there is room."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

_GAP = 2
_LONGEST = 26
"""A word up to this is kept whole: every id, every instant."""
_HEADING = 4
"""The least that a heading is given where there is little room."""

Measure = Callable[[str], int]
"""How many columns of a terminal a text takes."""


class Column(NamedTuple):
    """What a column of a table asks for, in columns of the terminal.

    `heading` is what its name takes, `least` the longest word of its cells that is kept whole, 0
    where all are empty, and `natural` its longest line.
    """

    heading: int
    least: int
    natural: int


def measured(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    whole: Sequence[bool],
    measure: Measure,
) -> list[Column]:
    """Return what each column asks for; `whole` tells whether its cells are never folded."""

    def column(at: int) -> Column:
        lines = {line for row in rows for line in row[at].splitlines()}
        words = lines if whole[at] else {word for line in lines for word in line.split()}
        least = max(map(measure, words), default=0)
        heading = measure(headings[at])
        natural = max([heading, *map(measure, lines)])
        return Column(heading, least if whole[at] else min(least, _LONGEST), natural)

    return [column(at) for at in range(len(headings))]


def needed(columns: Sequence[Column]) -> int:
    """Return how wide a table must be in which neither words nor headings are broken."""
    return _taken([max(one.heading, one.least) for one in columns])


def fitted(columns: Sequence[Column], *, room: int) -> list[int] | None:
    """Return widths that fit into `room`, 0 for a column that is left out; None where none do.

    Where whole words and headings do not fit, columns that are empty are left out and headings may
    be folded, but no word of a cell is.
    """
    if needed(columns) <= room:
        return _shared(columns, [max(one.heading, one.least) for one in columns], room)
    least = [max(one.least, min(_HEADING, one.heading)) if one.least else 0 for one in columns]
    if not any(least) or _taken(least) > room:
        return None
    return _shared(columns, least, room)


def _taken(widths: Sequence[int]) -> int:
    """Return how wide a table of such columns is."""
    shown = [width for width in widths if width]
    return sum(shown) + _GAP * (len(shown) - 1)


def _shared(columns: Sequence[Column], least: Sequence[int], room: int) -> list[int]:
    """Return widths of which the widest give way first, none below its least."""
    widths = [one.natural if small else 0 for one, small in zip(columns, least, strict=True)]
    while _taken(widths) > room:
        above = [at for at, width in enumerate(widths) if width > least[at]]
        widths[max(above, key=lambda at: widths[at])] -= 1
    return widths
