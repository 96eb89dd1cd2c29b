"""An ordinary week as a body lives it: spans of company, rest and work, minute by minute."""

from bisect import bisect_right
from typing import NamedTuple

from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.scales import MOST_US

DAY_MIN = 1440
WEEK_MIN = 7 * DAY_MIN


class RoutineSpan(NamedTuple):
    """What is going on by a person's routine, and from when to when; until then nothing changes."""

    block: RoutineBlock | None
    start_us: int
    end_us: int


class Week(NamedTuple):
    """A week in spans: `blocks[i]` from minute `starts[i]` after Monday's midnight on.

    Without spans there is `rest` for ever. `alarms` are the minutes at which whoever sleeps gets up
    for work, `waking` for how many from each on nobody goes to bed, for the sake of work.
    """

    starts: tuple[int, ...]
    blocks: tuple[RoutineBlock | None, ...]
    rest: RoutineBlock | None = None
    alarms: frozenset[int] = frozenset()
    waking: tuple[tuple[int, int], ...] = ()


EMPTY = Week((), ())
"""The week of whom no routine reaches."""


def span_of(week: Week, t_us: int) -> RoutineSpan:
    """Return what a week says of an instant, and between which instants."""
    if not week.blocks:
        return RoutineSpan(week.rest, -MOST_US, MOST_US)
    minute, _ = divmod(t_us, MINUTE_US)
    begins, now = divmod(minute, WEEK_MIN)
    index = bisect_right(week.starts, now) - 1
    start = week.starts[index] - (WEEK_MIN if index < 0 else 0)
    end = week.starts[index + 1] if index + 1 < len(week.starts) else week.starts[0] + WEEK_MIN
    monday = begins * WEEK_MIN
    return RoutineSpan(week.blocks[index], (monday + start) * MINUTE_US, (monday + end) * MINUTE_US)


def is_in_bed(week: Week, span: RoutineSpan) -> bool:
    """Tell whether a given week has rest for somebody who works."""
    return bool(week.waking) and span.block is not None and span.block.what == "rest"


def quality_of(span: RoutineSpan) -> float:
    """Return how good the company of a span is, 0 to 1."""
    return span.block.quality if span.block else 0.0
