"""Points in time as UTC text (`2026-11-21T20:00:00Z`), the only form that is stored or printed."""

import datetime
import re

from mindpipe.core.errors import UsageError

_STORED = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\dZ", re.ASCII).fullmatch

_FIRST = datetime.datetime.min.replace(tzinfo=datetime.UTC)
_LAST = datetime.datetime.max.replace(tzinfo=datetime.UTC)


def format_instant(moment: datetime.datetime) -> str:
    """Return an aware datetime as UTC text with whole seconds."""
    return moment.astimezone(datetime.UTC).isoformat(timespec="seconds")[:19] + "Z"


def parse_instant(text: str) -> datetime.datetime:
    """Read ISO 8601 text as an aware UTC datetime; text without a zone is taken as UTC.

    Raises:
        UsageError: the text is no instant.
    """
    try:
        moment = datetime.datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=datetime.UTC)
        return moment.astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            f'"{text}" is not an instant; write it like 2026-11-21T20:00:00Z'
        ) from None


def normal_instant(text: str) -> str:
    """Return any ISO 8601 text in the stored form."""
    moment = parse_instant(text)
    return text if _STORED(text) else format_instant(moment)


def later(instant: str, *, seconds: float) -> str:
    """Return the instant that lies `seconds` after `instant`, rounded down to whole seconds.

    What would lie before the year 1 or behind the year 9999 is their first or last instant.
    """
    try:
        moment = parse_instant(instant) + datetime.timedelta(seconds=seconds)
    except OverflowError:
        moment = _LAST if seconds > 0 else _FIRST
    return format_instant(moment)


def seconds_between(earlier: str, later_instant: str) -> float:
    """Return the seconds from `earlier` to `later_instant`; negative if the order is reversed."""
    return (parse_instant(later_instant) - parse_instant(earlier)).total_seconds()
