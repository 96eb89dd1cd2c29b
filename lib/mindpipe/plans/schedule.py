"""When a plan is due: cron lines, instants and spans."""

import contextlib
import datetime
import re
import zoneinfo
from collections.abc import Iterator
from itertools import islice, pairwise, takewhile

import msgspec
from cronsim import CronSim, CronSimError

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import format_instant, later, parse_instant, seconds_between
from mindpipe.core.records import Record
from mindpipe.core.text import one_line, whole_text
from mindpipe.plans import postconditions
from mindpipe.plans.records import NewPlan, Plan, PlanState

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
    for after, before in pairwise(step.replace(second=0) for step in steps):
        if after.astimezone(zone).utcoffset() != before.astimezone(zone).utcoffset():
            return after
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


LONGEST = 3650 * 86_400
_UNITS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_WHOLE = re.compile(r"(?:[0-9]{1,10}[wdhms])+")
_PIECE = re.compile(r"([0-9]+)([wdhms])")


def parse_duration(text: str) -> int:
    """Return a duration in seconds, from 1 second to 3650 days.

    Raises:
        UsageError: the text is no duration, or out of that range.
    """
    if not _WHOLE.fullmatch(text):
        raise UsageError(f'"{text}" is no duration; write it like 90s, 15m, 2h or 3d.')
    seconds = sum(int(count) * _UNITS[unit] for count, unit in _PIECE.findall(text))
    if not 0 < seconds <= LONGEST:
        raise UsageError(f'"{text}" is out of range; a duration lasts from 1s to 3650d.')
    return seconds


TITLE_LENGTH = 200
TEXT_LENGTH = 16_000
GRACE_SECONDS = 300
MOST_AT_ONCE = 1_000
MOST_SLEPT = 100
"""So many windows that were slept through are kept as let go, the newest."""


class DueWindows(Record):
    """What becomes of the windows that have come: some run, others are let go."""

    run: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


def planned(draft: NewPlan, *, plan: str, agent: str, now: str) -> Plan:
    """Return the plan that a draft asks for, made now.

    Raises:
        UsageError: not exactly one rule, or a rule, zone, text or postcondition that cannot be.
    """
    _check_one(draft)
    zone = zone_of(draft.zone)
    title = one_line(draft.title, field="the title", limit=TITLE_LENGTH)
    made = Plan(
        id=plan,
        agent=agent,
        title=title,
        text=whole_text(draft.text or title, field="the text", limit=TEXT_LENGTH),
        cron=None if draft.cron is None else checked_line(draft.cron),
        at=None if draft.at is None else _instant(draft.at, zone),
        after=None if draft.after is None else parse_duration(draft.after),
        zone=draft.zone,
        catch_up=draft.catch_up,
        created=now,
        since=now,
        expects=postconditions.checked(draft.expects),
        sources=draft.sources,
    )
    return following(made, last=None)


def check_rule(plan: Plan) -> None:
    """Pass if a plan that was made elsewhere has a rule that can be followed.

    Raises:
        UsageError: not exactly one rule, or one that is wrong.
    """
    _check_one(plan)
    zone_of(plan.zone)
    postconditions.checked(plan.expects)
    if plan.cron is not None:
        checked_line(plan.cron)
    for instant in (plan.at, plan.since, plan.next):
        if instant is not None:
            parse_instant(instant)


def following(plan: Plan, *, last: str | None) -> Plan:
    """Return the plan after its window `last` (None before the first), with the next one.

    A plan without a next window is done.
    """
    upcoming = _next_window(plan, last)
    state = PlanState.DONE if upcoming is None else PlanState.ACTIVE
    return msgspec.structs.replace(plan, next=upcoming, last=last, state=state)


def due(plan: Plan, *, last: str | None, now: str) -> DueWindows:
    """Return which windows after `last` up to now run, as the plan's `catch_up` says.

    `once` runs the latest; `all` runs each, at most 1,000 at a time; `none` runs the latest if it
    came within the last 300 seconds and else lets it go. Those before the latest, which were slept
    through, are let go.
    """
    windows = _windows(plan, last=last, now=now)
    if not windows:
        return DueWindows()
    slept = _slept_through(plan, last=last, latest=windows[0])
    if plan.catch_up == "none" and seconds_between(windows[-1], now) > GRACE_SECONDS:
        return DueWindows(skipped=(*slept, *windows))
    return DueWindows(run=windows, skipped=slept)


def _check_one(plan: NewPlan | Plan) -> None:
    """Raise UsageError unless a plan has exactly one rule."""
    if sum(rule is not None for rule in (plan.cron, plan.at, plan.after)) != 1:
        raise UsageError("give exactly one of cron, at and after.")


def _windows(plan: Plan, *, last: str | None, now: str) -> tuple[str, ...]:
    """Return the windows after `last` up to now: all of them, or only the latest one."""
    if plan.cron is None:
        instant = _next_window(plan, last)
        return (instant,) if instant is not None and instant <= now else ()
    zone, until = zone_of(plan.zone), parse_instant(now)
    after = parse_instant(_start(plan, last))
    if plan.catch_up == "all":
        coming = takewhile(lambda moment: moment <= until, instants_after(plan.cron, zone, after))
        return tuple(format_instant(moment) for moment in islice(coming, MOST_AT_ONCE))
    latest = latest_instant(plan.cron, zone, until)
    return (format_instant(latest),) if latest is not None and latest > after else ()


def _slept_through(plan: Plan, *, last: str | None, latest: str) -> tuple[str, ...]:
    """Return the windows after `last` and before the latest, the 100 newest of them."""
    if plan.cron is None or plan.catch_up == "all":
        return ()
    zone, after = zone_of(plan.zone), parse_instant(_start(plan, last))
    found: list[datetime.datetime] = []
    moment = latest_instant(plan.cron, zone, parse_instant(latest) - _SECOND)
    while moment is not None and moment > after and len(found) < MOST_SLEPT:
        found.append(moment)
        moment = latest_instant(plan.cron, zone, moment - _SECOND)
    return tuple(format_instant(one) for one in reversed(found))


def _next_window(plan: Plan, last: str | None) -> str | None:
    """Return the first window after `last`, or None if there is none."""
    if plan.cron is not None:
        after = parse_instant(_start(plan, last))
        coming = instants_after(plan.cron, zone_of(plan.zone), after)
        moment = next(coming, None)
        return None if moment is None else format_instant(moment)
    once = plan.at if plan.after is None else later(plan.since, seconds=plan.after)
    return once if last is None or once is None or last < once else None


def _start(plan: Plan, last: str | None) -> str:
    """Return the instant after which the windows of a cron line count."""
    return plan.since if last is None else max(plan.since, last)


def _instant(text: str, zone: datetime.tzinfo) -> str:
    """Return an instant that may be given in the local time of a zone."""
    moment = parse_instant(text)
    if datetime.datetime.fromisoformat(text).tzinfo is None:
        moment = instant_of(moment.replace(tzinfo=None), zone)
    return format_instant(moment)
