"""Lives as lines of text: one for each readout, one for events, one for thoughts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.core.records import Record
from mindpipe.person.plots.lives import DrawnLife, PlotMark, clock
from mindpipe.person.records.scales import Instant, PersonId

BLOCKS = "▁▂▃▄▅▆▇█"
MARKS = ("▾", "▼")
"""What stands for one mark in a column, and for several."""
SHADE = ("▒", "▒")
"""What stands for a stretch of marks."""


class PlotSpan(NamedTuple):
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


def sparkline(t_us: Sequence[int], values: Sequence[float], span: PlotSpan) -> str:
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


def markline(instants: Iterable[int], span: PlotSpan, signs: tuple[str, str] = MARKS) -> str:
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


EVENTS, THOUGHTS, SLEEP = "events", "thoughts", "sleep"
_MOST_NAMED = 12
_DECIMALS = 4


class PlotLine(Record):
    """One line of a plot between two instants: a readout, or what happened.

    `curve` is the line, `least` and `most` the rounded values at its bottom and top, None for
    marks, of which `words` tell what they are.
    """

    person: PersonId
    name: str
    from_us: Instant
    to_us: Instant
    curve: str
    least: float | None = None
    most: float | None = None
    words: str = ""


def lines(lives: Sequence[DrawnLife], *, width: int) -> Iterator[PlotLine]:
    """Yield the lines of each life, all over the same span of time.

    They are `width` columns wide, or as wide as the longest life has states where these are fewer.
    """
    columns = min(width, max(len(life.t_us) for life in lives))
    span = PlotSpan(
        min(life.t_us[0] for life in lives), max(life.t_us[-1] for life in lives), columns
    )
    for life in lives:
        for name, values in life.curves.items():
            yield PlotLine(
                person=life.person,
                name=name,
                from_us=span.from_us,
                to_us=span.to_us,
                curve=sparkline(life.t_us, values, span),
                least=round(min(values), _DECIMALS),
                most=round(max(values), _DECIMALS),
            )
        asleep = [at for at, sleeps in zip(life.t_us, life.asleep, strict=True) if sleeps]
        nights = ", ".join(f"{clock(began)} to {clock(ended)}" for began, ended in life.nights())
        rows = (
            (SLEEP, markline(asleep, span, SHADE), nights),
            (EVENTS, _marks(life.events, span), _named(life.events)),
            (THOUGHTS, _marks(life.thoughts, span), _counted(life.thoughts)),
        )
        for name, curve, words in rows:
            yield PlotLine(
                person=life.person,
                name=name,
                from_us=span.from_us,
                to_us=span.to_us,
                curve=curve,
                words=words,
            )


def _marks(marks: Sequence[PlotMark], span: PlotSpan) -> str:
    """Return the line of some marks."""
    return markline((mark.t_us for mark in marks), span)


def _named(marks: Sequence[PlotMark]) -> str:
    """Return when each of a few events was, of many how often each type was."""
    if len(marks) > _MOST_NAMED:
        return _counted(marks)
    return ", ".join(f"{clock(mark.t_us)} {mark.word}" for mark in marks)


def _counted(marks: Sequence[PlotMark]) -> str:
    """Return how often each word is among marks, the most frequent first."""
    counts = Counter(mark.word for mark in marks).most_common()
    return ", ".join(f"{word} {number}" for word, number in counts)
