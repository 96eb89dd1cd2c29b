"""Lives as lines of text: one for each readout, one for events, one for thoughts."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mindpipe.core.records import Record
from mindpipe.person.plots.axis import clock
from mindpipe.person.plots.lives import Life, Mark
from mindpipe.person.plots.sparkline import SHADE, Span, markline, sparkline
from mindpipe.person.records.ranges import Instant, PersonId

EVENTS, THOUGHTS, SLEEP = "events", "thoughts", "sleep"
_MOST_NAMED = 12
_DECIMALS = 4


class Drawn(Record):
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


def lines(lives: Sequence[Life], *, width: int) -> Iterator[Drawn]:
    """Yield the lines of each life, all over the same span of time.

    They are `width` columns wide, or as wide as the longest life has states where these are fewer.
    """
    columns = min(width, max(len(life.t_us) for life in lives))
    span = Span(min(life.t_us[0] for life in lives), max(life.t_us[-1] for life in lives), columns)
    for life in lives:
        for name, values in life.curves.items():
            yield Drawn(
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
            yield Drawn(
                person=life.person,
                name=name,
                from_us=span.from_us,
                to_us=span.to_us,
                curve=curve,
                words=words,
            )


def _marks(marks: Sequence[Mark], span: Span) -> str:
    """Return the line of some marks."""
    return markline((mark.t_us for mark in marks), span)


def _named(marks: Sequence[Mark]) -> str:
    """Return when each of a few events was, of many how often each type was."""
    if len(marks) > _MOST_NAMED:
        return _counted(marks)
    return ", ".join(f"{clock(mark.t_us)} {mark.word}" for mark in marks)


def _counted(marks: Sequence[Mark]) -> str:
    """Return how often each word is among marks, the most frequent first."""
    counts = Counter(mark.word for mark in marks).most_common()
    return ", ".join(f"{word} {number}" for word, number in counts)
