"""The instants of a cron line in a time zone, with a rule for hours that are skipped or repeated.

A line whose hour field is `*` runs in every hour that really passes. Any other line runs by the
clock on the wall: at a time that a zone skips it runs once, at the next valid instant; at a time
that comes twice it runs once, the first time. Both are what Debian's cron does with jobs of a
fixed time; here they also hold where the minute field is `*` or the hour field has a step.
"""

import contextlib
import datetime
import zoneinfo
from collections.abc import Iterator
from itertools import pairwise

from cronsim import CronSim, CronSimError

from mindpipe.core.errors import UsageError

FIELDS = 5
_MINUTE = datetime.timedelta(minutes=1)
_SECOND = datetime.timedelta(seconds=1)
# No zone has ever moved its clocks by more than a day.
_LONGEST_SHIFT = datetime.timedelta(hours=25)
_END = datetime.datetime(9999, 12, 28, tzinfo=datetime.UTC)


def checked_line(cron: str) -> str:
    """Return a cron line with single spaces.

    Raises:
        UsageError: it has not five fields, a field is wrong, or no day ever matches.
    """
    fields = cron.split()
    line = " ".join(fields)
    try:
        if len(fields) != FIELDS:
            raise CronSimError("Wrong number of fields")
        next(CronSim(line, datetime.datetime(2000, 1, 1)))  # noqa: DTZ001 - local time of no zone
    except (CronSimError, StopIteration) as error:
        fault = str(error).lower() or "no day matches"
        raise UsageError(
            f'"{cron}" is no cron line ({fault}); write five fields like "0 9 * * 1-5".'
        ) from None
    return line


def zone_of(name: str) -> datetime.tzinfo:
    """Return the time zone of an IANA name such as Europe/Berlin.

    Raises:
        UsageError: there is none of this name.
    """
    if name == "UTC":
        return datetime.UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        import difflib

        near = difflib.get_close_matches(name, zoneinfo.available_timezones(), n=1)
        hint = near[0] if near else "Europe/Berlin"
        raise UsageError(f'no time zone "{name}"; write an IANA name like {hint}.') from None


def instants_after(
    cron: str, zone: datetime.tzinfo, after: datetime.datetime
) -> Iterator[datetime.datetime]:
    """Yield the line's instants later than `after`, ascending, in UTC, without end."""
    latest = after
    with contextlib.suppress(OverflowError):  # the calendar ends with the year 9999
        for moment in _forward(cron, zone, after):
            if moment > latest:
                latest = moment
                yield moment


def latest_instant(
    cron: str, zone: datetime.tzinfo, until: datetime.datetime
) -> datetime.datetime | None:
    """Return the line's last instant that is not later than `until`, in UTC."""
    local = min(until, _END).astimezone(zone)
    if _in_real_time(cron):
        backward = CronSim(cron, local + _SECOND, reverse=True)
        return next((moment.astimezone(datetime.UTC) for moment in backward), None)
    start = local.replace(tzinfo=None) + _LONGEST_SHIFT
    moments = (instant_of(wall, zone) for wall in CronSim(cron, start, reverse=True))
    return next((moment for moment in moments if moment <= until), None)


def instant_of(wall: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    """Return when a clock on the wall shows a time, in UTC.

    A time that comes twice is taken the first time, one that is skipped at the end of the gap.
    """
    moment = wall.replace(tzinfo=zone, fold=0).astimezone(datetime.UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == wall:
        return moment
    return _gap_end(moment, zone)


def _gap_end(moment: datetime.datetime, zone: datetime.tzinfo) -> datetime.datetime:
    """Return when the clocks last went forward before `moment`, to the minute, in UTC."""
    steps = (moment - _MINUTE * count for count in range(int(_LONGEST_SHIFT / _MINUTE)))
    for later, earlier in pairwise(step.replace(second=0) for step in steps):
        if later.astimezone(zone).utcoffset() != earlier.astimezone(zone).utcoffset():
            return later
    return moment


def _forward(
    cron: str, zone: datetime.tzinfo, after: datetime.datetime
) -> Iterator[datetime.datetime]:
    """Yield the line's instants from about `after` on; some may repeat or lie before it."""
    local = after.astimezone(zone)
    if _in_real_time(cron):
        yield from (moment.astimezone(datetime.UTC) for moment in CronSim(cron, local))
    else:
        for wall in CronSim(cron, local.replace(tzinfo=None)):
            yield instant_of(wall, zone)


def _in_real_time(cron: str) -> bool:
    """Tell whether a line runs in every hour that passes."""
    return cron.split()[1] == "*"
