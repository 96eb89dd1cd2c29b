"""Where the axis of time has its marks, and what stands below them."""

from typing import NamedTuple

HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US
_MOST_TICKS = 13
_STEPS = (1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 28)


class Tick(NamedTuple):
    """One mark of the axis."""

    t_us: int
    label: str


def ticks(from_us: int, to_us: int) -> list[Tick]:
    """Return the full hours or midnights of a span, few enough to be read, in order of time.

    Steps of less than a day are labelled with the hour and, at midnight, the day; longer ones with
    the day alone.
    """
    hours = (to_us - from_us) / HOUR_US
    step = next((one for one in _STEPS if hours / one < _MOST_TICKS), _STEPS[-1])
    while hours / step >= _MOST_TICKS:
        step *= 2
    first = -(-from_us // (step * HOUR_US))
    last = to_us // (step * HOUR_US)
    return [
        Tick(number * step * HOUR_US, _label(number * step, by_day=step >= 24))
        for number in range(first, last + 1)
    ]


def clock(t_us: int) -> str:
    """Return an instant as `HH:MM`, with its day before it where that is not day 0."""
    day, rest = divmod(t_us, DAY_US)
    minutes = rest // 60_000_000
    told = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{day}d{told}" if day else told


def _label(hours: int, *, by_day: bool) -> str:
    """Return what stands below a mark at some hours since midnight of day 0."""
    day, hour = divmod(hours, 24)
    return f"day {day}" if by_day or not hour else f"{hour:02d}:00"
