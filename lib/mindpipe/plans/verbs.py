"""What can be done with plans: make, list, change and remove them, and hand over what is due."""

from collections.abc import Callable, Iterator

import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import later
from mindpipe.core.owned import owned
from mindpipe.core.ports import NOBODY, Chance, Clock, Deliver, Rows, Store
from mindpipe.core.text import one_line, safe_name
from mindpipe.plans import claims as claim_rules
from mindpipe.plans import schedule, tables
from mindpipe.plans.records import (
    NewPlan,
    OutcomeState,
    Plan,
    PlanWindow,
    WindowClaim,
    WindowEvent,
    WindowOutcome,
    WindowState,
)

LEASE_SECONDS = 60.0
_ID_LENGTH = 64
MOST_SHOWN = 1000
NOTHING = "no plan is due."


def add(store: Store, clock: Clock, chance: Chance, *, agent: str, new: NewPlan) -> Plan:
    """Make a plan for an agent; whether there is such an agent, the caller knows.

    An instant that has passed already comes due at once.

    Raises:
        UsageError: not exactly one of cron, at and after, or one of the plan's values is wrong.
    """
    safe_name(agent)
    with store.write(agent) as rows:
        number = tables.next_number(rows, agent)
        plan = schedule.planned(
            new, plan=chance.new_id("p", agent, number), agent=agent, now=clock.now()
        )
        tables.add_plan(rows, plan, number=number)
    return plan


def settle(store: Store, *, plan: Plan) -> Plan:
    """Keep a plan of a file as it is, where the store has none of its id.

    Raises:
        UsageError: not exactly one of cron, at and after, or one of them is wrong.
    """
    safe_name(plan.agent)
    schedule.check_rule(plan)
    with store.write(plan.agent) as rows:
        tables.add_plan(rows, plan, number=tables.next_number(rows, plan.agent))
    return plan


def list_(store: Store, *, agent: str | None = None) -> list[Plan]:
    """Return the plans of one agent, or of all, in the order in which they were made."""
    with store.read() as rows:
        return tables.plans_of(rows, None if agent is None else safe_name(agent))


def set_(store: Store, clock: Clock, *, plan: str, new: NewPlan, agent: str | None = None) -> Plan:
    """Give a plan another title, text and rule; windows count from now on.

    An instant that is not later than the plan's last window never comes. With `agent`, only that
    agent's plans are found.

    Raises:
        UsageError: there is no such plan, or one of the plan's values is wrong.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _plan(rows, plan, agent))
        now = clock.now()
        made = schedule.planned(new, plan=found.id, agent=found.agent, now=now)
        made = msgspec.structs.replace(made, created=found.created, lost=found.lost)
        made = schedule.following(made, last=tables.last_window(rows, found.id, now))
        tables.update_plan(rows, made)
    return made


def show(store: Store, *, plan: str, agent: str | None = None) -> Plan:
    """Return one plan; with `agent`, only that agent's plans are found.

    Raises:
        UsageError: there is no such plan.
    """
    with store.read() as rows:
        return _plan(rows, plan, agent)


def inherit(store: Store, *, plan: str, sources: tuple[str, ...]) -> Plan:
    """Say whose words a plan was written under, in the place of what was said, and return it.

    Raises:
        UsageError: there is no such plan.
    """
    with store.write() as rows:
        made = msgspec.structs.replace(_plan(rows, plan, None), sources=sources)
        tables.update_plan(rows, made)
    return made


def trust(store: Store, *, plan: str, agent: str | None = None) -> Plan:
    """Take a plan, which somebody has read, for the agent's own, and return what it was.

    Raises:
        NothingToDoError: it is the agent's own already.
        UsageError: there is no such plan; with `agent`, only that agent's plans are found.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _plan(rows, plan, agent))
        if not found.sources:
            raise NothingToDoError(f"the plan {plan} of {found.agent} is trusted already.")
        tables.update_plan(rows, msgspec.structs.replace(found, sources=()))
    return found


def remove(store: Store, *, plan: str, agent: str | None = None) -> Plan:
    """Forget a plan and return what it was; with `agent`, only that agent's plans are found.

    Raises:
        UsageError: there is no such plan.
    """
    with store.write(NOBODY) as rows:
        found = owned(rows, lambda: _plan(rows, plan, agent))
        tables.delete_plan(rows, found.id)
    return found


def due(
    store: Store,
    clock: Clock,
    *,
    hand_over: Callable[[list[NewEvent]], None],
    agent: str | None = None,
) -> int:
    """Claim the windows that have come, hand their events over, settle them; return how many.

    One immediate transaction claims each window by its row, so that of many processes at once one
    gets it. `hand_over` (print and flush) then runs with no transaction open, and only when it
    returns does a second transaction settle the windows. If it raises, they are given back and due
    at once; if the process dies in between, they are due again when their lease of 60 s has ended,
    at most five times in all. So none is lost before it was handed over, and one that was handed
    over twice has the same event key both times, which makes it one event in an inbox. What the
    receiver then does with it is not known here; `due_push` leaves no such gap.

    Raises:
        NothingToDoError: no window has come.
    """
    claimed = _claim_due(store, clock, agent)
    if not claimed:
        raise NothingToDoError(NOTHING)
    claims = [handout.claim for handout in claimed]
    try:
        hand_over([handout.event for handout in claimed])
    except BaseException:
        with store.write(*_held(agent)) as rows:
            for claim in claims:
                tables.change_claim(rows, claim_rules.given_back(claim), held=claim.attempts)
        raise
    with store.write(*_held(agent)) as rows:
        _settle(rows, clock, claims)
    return len(claimed)


def due_push(
    store: Store, clock: Clock, *, deliver: Deliver, agent: str | None = None
) -> list[NewEvent]:
    """Push the events of the windows that have come, in the transaction that settles them.

    Both happen or neither: no window is lost and none is pushed twice.

    Raises:
        NothingToDoError: no window has come.
    """
    if not _may_be_due(store, clock, agent):
        raise NothingToDoError(NOTHING)
    with store.write(*_held(agent)) as rows:
        claimed = _claim_due(store, clock, agent)
        events = [handout.event for handout in claimed]
        if events:
            deliver(events)
        _settle(rows, clock, [handout.claim for handout in claimed])
    if not events:
        raise NothingToDoError(NOTHING)
    return events


MISSED_SECONDS = 86_400.0
"""For so long a window that was missed is spoken of."""


def windows(
    store: Store, *, agent: str | None = None, plan: str | None = None, limit: int = 100
) -> list[PlanWindow]:
    """Return the newest windows that came due, of one plan, one agent or all, the oldest first.

    Raises:
        UsageError: there is no such plan.
    """
    with store.read() as rows:
        found = None if plan is None else _plan(rows, plan, agent).id
        return tables.windows_of(rows, agent=agent, plan=found, limit=limit)


def missed(store: Store, clock: Clock, *, agent: str) -> int:
    """Return how many windows of the last day an agent missed.

    They were lost, let go, or their postconditions failed; a plan that nobody fired within five
    minutes of its time counts too. What `once` lets go, a later window has made up for.
    """
    now = clock.now()
    with store.read() as rows:
        return tables.count_missed(
            rows,
            agent=agent,
            since=later(now, seconds=-MISSED_SECONDS),
            overdue=later(now, seconds=-schedule.GRACE_SECONDS),
        )


def unjudged(store: Store, *, agent: str) -> list[WindowOutcome]:
    """Return the attempts whose postconditions nobody has looked at, oldest window first."""
    with store.read() as rows:
        return tables.open_outcomes(rows, safe_name(agent))


def judge(
    store: Store, clock: Clock, *, outcome: WindowOutcome, why: str | None, deliver: Deliver
) -> WindowOutcome:
    """Keep that an attempt met its postconditions, or failed and `why`, which its agent is told.

    Both happen or neither, once.
    """
    state = OutcomeState.MET if why is None else OutcomeState.FAILED
    made = msgspec.structs.replace(outcome, state=outcome.state.to(state), at=clock.now(), why=why)
    with store.write(NOBODY) as rows:
        plan = owned(rows, lambda: _plan(rows, made.plan, None))
        if tables.judge_outcome(rows, made) and state is OutcomeState.FAILED:
            deliver([claim_rules.failure_of(plan, made)])
    return made


def retry(
    store: Store,
    clock: Clock,
    *,
    plan: str,
    window: str | None = None,
    deliver: Deliver,
    agent: str | None = None,
) -> PlanWindow:
    """Hand a window that failed over to its agent again, the newest one where none is named.

    What has come since it was first handed over counts, whoever made it: it only came late.

    Raises:
        NothingToDoError: no window of the plan failed, or not that one.
        UsageError: there is no such plan; with `agent`, only that agent's plans are found.
    """
    with store.write(*_held(agent)) as rows:
        found = _plan(rows, plan, agent)
        for one in reversed(tables.windows_of(rows, agent=None, plan=found.id, limit=MOST_SHOWN)):
            if one.outcome is OutcomeState.FAILED and window in (None, one.window):
                break
        else:
            raise _nothing_failed(rows, found, window)
        number = (one.attempt or 0) + 1
        since = tables.handed_over(rows, plan=found.id, window=one.window) or clock.now()
        again = WindowOutcome(plan=found.id, window=one.window, attempt=number, since=since)
        tables.add_outcome(rows, again)
        deliver([claim_rules.event_of(found, one.window, attempt=number)])
        (made,) = (
            shown
            for shown in tables.windows_of(rows, agent=None, plan=found.id, limit=MOST_SHOWN)
            if shown.window == one.window
        )
    return made


def _nothing_failed(rows: Rows, plan: Plan, window: str | None) -> NothingToDoError:
    """Return the error for a plan without a window that failed and was not handed over again."""
    shown = tables.windows_of(rows, agent=None, plan=plan.id, limit=MOST_SHOWN)
    again = (
        one
        for one in reversed(shown)
        if window in (None, one.window)
        and one.outcome is OutcomeState.OPEN
        and (one.attempt or 0) > 1
    )
    open_one = next(again, None)
    if open_one is not None:
        which = f"its window {open_one.window} was handed over again already, and is open still"
    elif window:
        which = f"its window {window} did not fail"
    else:
        which = "none of its windows failed"
    return NothingToDoError(f'"{plan.title}": {which}; see mind plan windows {plan.id}.')


def next_window(store: Store, *, agent: str) -> str | None:
    """Return when the next window of an agent's plans comes or came, or None if there is none."""
    with store.read() as rows:
        return tables.next_window(rows, safe_name(agent))


def _claim_due(store: Store, clock: Clock, agent: str | None) -> list[WindowEvent]:
    """Claim all windows that have come, oldest first."""
    claimed: list[WindowEvent] = []
    if _may_be_due(store, clock, agent):
        with store.write(*_held(agent)) as rows:
            claimed += _claim_again(rows, clock, agent)
            for plan in tables.plans_to_look_at(rows, agent, clock.now()):
                claimed += _claim_windows(rows, clock, plan)
    return sorted(claimed, key=lambda handout: handout.claim.window)


def _held(agent: str | None) -> tuple[str, ...]:
    """Return whom to hold: the agent, or all."""
    return () if agent is None else (agent,)


def _may_be_due(store: Store, clock: Clock, agent: str | None) -> bool:
    """Tell whether it is worth to ask for the write lock."""
    if agent is not None:
        safe_name(agent)
    with store.read() as rows:
        return bool(
            tables.plans_to_look_at(rows, agent, clock.now()) or tables.open_claims(rows, agent)
        )


def _claim_again(rows: Rows, clock: Clock, agent: str | None) -> Iterator[WindowEvent]:
    """Claim the windows whose claim is over, and give up those that used all attempts."""
    now = clock.boot()
    for old in tables.open_claims(rows, agent):
        plan = tables.find_plan(rows, old.plan)
        if plan is None or not claim_rules.is_over(old, now):
            continue
        claim = claim_rules.next_claim(old, now=now, seconds=LEASE_SECONDS)
        if claim is None:
            tables.end_claim(rows, old, WindowState.LOST)
        else:
            tables.change_claim(rows, claim, held=old.attempts)
            yield claim_rules.handout(plan, claim)


def _claim_windows(rows: Rows, clock: Clock, plan: Plan) -> Iterator[WindowEvent]:
    """Claim the windows of one plan that have come, and move the plan on."""
    now = clock.now()
    found = schedule.due(plan, last=tables.last_window(rows, plan.id, now), now=now)
    states = ((found.run, WindowState.CLAIMED), (found.skipped, WindowState.SKIPPED))
    for windows, state in states:
        for window in windows:
            claim = claim_rules.first_claim(plan, window, now=clock.boot(), seconds=LEASE_SECONDS)
            if tables.add_window(rows, claim, state) and state is WindowState.CLAIMED:
                yield claim_rules.handout(plan, claim)
    last = tables.last_window(rows, plan.id, now)
    tables.update_plan(rows, schedule.following(plan, last=last))


def _settle(rows: Rows, clock: Clock, claims: list[WindowClaim]) -> None:
    """Mark claimed windows as done; those of plans with postconditions are to be judged."""
    for claim in claims:
        tables.end_claim(rows, claim, WindowState.DONE)
        plan = tables.find_plan(rows, claim.plan)
        if plan is not None and plan.expects:
            first = WindowOutcome(
                plan=claim.plan, window=claim.window, attempt=1, since=clock.now()
            )
            tables.add_outcome(rows, first)


def _plan(rows: Rows, plan: str, agent: str | None) -> Plan:
    """Return one plan; raises UsageError."""
    wanted = one_line(plan, field="the plan's id", limit=_ID_LENGTH)
    found = tables.find_plan(rows, wanted)
    if found is None or agent not in (None, found.agent):
        raise UsageError(f'no plan "{wanted}"; mind plan list shows them.')
    return found
