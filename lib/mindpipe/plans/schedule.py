"""When a plan comes due: its windows, the next one, and which of the missed ones still run."""

import datetime
from itertools import islice, takewhile

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import format_instant, later, parse_instant, seconds_between
from mindpipe.core.records import Record
from mindpipe.core.text import one_line, whole_text
from mindpipe.plans import cron
from mindpipe.plans.durations import parse_duration
from mindpipe.plans.records import NewPlan, Plan, PlanState

TITLE_LENGTH = 200
TEXT_LENGTH = 16_000
GRACE_SECONDS = 300
MOST_AT_ONCE = 1_000


class Due(Record):
    """What becomes of the windows that have come: some run, one may be let go."""

    run: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


def planned(draft: NewPlan, *, plan: str, agent: str, now: str) -> Plan:
    """Return the plan that a draft asks for, made now.

    Raises:
        UsageError: not exactly one rule, or a rule, zone or text that is not allowed.
    """
    _check_one(draft)
    zone = cron.zone_of(draft.zone)
    title = one_line(draft.title, field="the title", limit=TITLE_LENGTH)
    made = Plan(
        id=plan,
        agent=agent,
        title=title,
        text=whole_text(draft.text or title, field="the text", limit=TEXT_LENGTH),
        cron=None if draft.cron is None else cron.checked_line(draft.cron),
        at=None if draft.at is None else _instant(draft.at, zone),
        after=None if draft.after is None else parse_duration(draft.after),
        zone=draft.zone,
        catch_up=draft.catch_up,
        created=now,
        since=now,
        sources=draft.sources,
    )
    return following(made, last=None)


def check_rule(plan: Plan) -> None:
    """Pass if a plan that was made elsewhere has a rule that can be followed.

    Raises:
        UsageError: not exactly one rule, or one that is wrong.
    """
    _check_one(plan)
    cron.zone_of(plan.zone)
    if plan.cron is not None:
        cron.checked_line(plan.cron)
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


def due(plan: Plan, *, last: str | None, now: str) -> Due:
    """Return which windows after `last` up to now run, as the plan's `catch_up` says.

    `once` runs the latest; `all` runs each, at most 1,000 at a time; `none` runs the latest if it
    came within the last 300 seconds and else lets it go.
    """
    windows = _windows(plan, last=last, now=now)
    if not windows:
        return Due()
    if plan.catch_up == "none" and seconds_between(windows[-1], now) > GRACE_SECONDS:
        return Due(skipped=windows)
    return Due(run=windows)


def _check_one(plan: NewPlan | Plan) -> None:
    """Raise UsageError unless a plan has exactly one rule."""
    if sum(rule is not None for rule in (plan.cron, plan.at, plan.after)) != 1:
        raise UsageError("give exactly one of cron, at and after.")


def _windows(plan: Plan, *, last: str | None, now: str) -> tuple[str, ...]:
    """Return the windows after `last` up to now: all of them, or only the latest one."""
    if plan.cron is None:
        instant = _next_window(plan, last)
        return (instant,) if instant is not None and instant <= now else ()
    zone, until = cron.zone_of(plan.zone), parse_instant(now)
    after = parse_instant(_start(plan, last))
    if plan.catch_up == "all":
        coming = takewhile(
            lambda moment: moment <= until, cron.instants_after(plan.cron, zone, after)
        )
        return tuple(format_instant(moment) for moment in islice(coming, MOST_AT_ONCE))
    latest = cron.latest_instant(plan.cron, zone, until)
    return (format_instant(latest),) if latest is not None and latest > after else ()


def _next_window(plan: Plan, last: str | None) -> str | None:
    """Return the first window after `last`, or None if there is none."""
    if plan.cron is not None:
        after = parse_instant(_start(plan, last))
        coming = cron.instants_after(plan.cron, cron.zone_of(plan.zone), after)
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
        moment = cron.instant_of(moment.replace(tzinfo=None), zone)
    return format_instant(moment)
