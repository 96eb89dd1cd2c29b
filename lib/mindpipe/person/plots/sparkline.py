"""Curves and marks as one line of text, a fixed number of columns wide."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

BLOCKS = "▁▂▃▄▅▆▇█"
MARKS = ("▾", "▼")
"""What stands for one mark in a column, and for several."""
SHADE = ("▒", "▒")
"""What stands for a stretch of marks."""


class Span(NamedTuple):
    """What one line of text shows: the instants from `from_us` to `to_us` in `width` columns."""

    from_us: int
    to_us: int
    width: int

    def column(self, t_us: int) -> int | None:
        """Return the column of an instant, or None where it is outside."""
        if not self.from_us <= t_us <= self.to_us:
            return None
        passed, whole = t_us - self.from_us, max(1, self.to_us - self.from_us)
        return min(self.width - 1, passed * self.width // whole)


def sparkline(t_us: Sequence[int], values: Sequence[float], span: Span) -> str:
    """Return a curve from its least to its greatest value; each column is the mean of its part.

    Between two values a column without one stands as the one before it; before the first and behind
    the last it is a space. A curve that stands still runs through the middle.
    """
    sums, counts = [0.0] * span.width, [0] * span.width
    for instant, value in zip(t_us, values, strict=True):
        if (column := span.column(instant)) is not None:
            sums[column] += value
            counts[column] += 1
    means = [total / count if count else None for total, count in zip(sums, counts, strict=True)]
    known = [mean for mean in means if mean is not None]
    if not known:
        return " " * span.width
    least, most = min(known), max(known)
    last = max(place for place, mean in enumerate(means) if mean is not None)
    drawn = ""
    for mean in means[: last + 1]:
        drawn += (drawn[-1:] or " ") if mean is None else _block(mean, least, most)
    return drawn.ljust(span.width)


def markline(instants: Iterable[int], span: Span, signs: tuple[str, str] = MARKS) -> str:
    """Return a line with a sign in each column in which something happened: one for one, or many.

    `signs` are these two signs.
    """
    counts = [0] * span.width
    for instant in instants:
        if (column := span.column(instant)) is not None:
            counts[column] += 1
    one, many = signs
    return "".join(" " if not count else one if count == 1 else many for count in counts)


def _block(value: float, least: float, most: float) -> str:
    """Return the block of a value between the least and the greatest one."""
    if most <= least:
        return BLOCKS[3]
    place = int((value - least) / (most - least) * len(BLOCKS))
    return BLOCKS[min(place, len(BLOCKS) - 1)]
