"""Begin trigger runs, let them wait, wake them, and end them: each wait is ended exactly once."""

from collections.abc import Collection, Iterable

import msgspec

from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.instants import later
from mindpipe.core.ports import NO_LIMIT, Chance, Clock, Rows, Store
from mindpipe.core.text import did_you_mean
from mindpipe.trigger_runs import tables
from mindpipe.trigger_runs.records import (
    HeardMessage,
    ReplyWait,
    RunTrigger,
    TriggerRun,
    TriggerRunState,
    WaitBounds,
    WaitState,
)

LIVE = (TriggerRunState.RUNNING, TriggerRunState.WAITING)


def begin(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    cycle: int,
    trigger: RunTrigger,
    first: str | None = None,
) -> TriggerRun:
    """Begin a run in its first cycle.

    `first` is the first event that it took up, where another is its trigger.
    """
    with store.write(agent) as rows:
        run = TriggerRun(
            id=chance.new_id("run", agent, tables.count_runs(rows) + 1),
            agent=agent,
            state=TriggerRunState.RUNNING,
            trigger=trigger,
            began=clock.now(),
            depth=trigger.depth,
            cycles=(cycle,),
        )
        tables.insert_run(rows, run, event=first or trigger.event)
        tables.add_cycle(rows, agent=agent, cycle=cycle, run=run.id)
    return run


def go_on(store: Store, *, run: str, cycle: int, depth: int) -> TriggerRun:
    """Let a run go on in a further cycle, `depth` hops deep; its wait, if it had one, has ended.

    Raises:
        IllegalStateError: it has ended.
        RefusedError: it waits still.
    """
    with store.write() as rows:
        found = _run(rows, run)
        if found.waiting is not None:
            raise RefusedError(f"{run} waits for a reply to {found.waiting.post}.")
        state = found.state.to(TriggerRunState.RUNNING)
        tables.save_run(rows, msgspec.structs.replace(found, state=state, depth=depth))
        tables.add_cycle(rows, agent=found.agent, cycle=cycle, run=run)
        return _run(rows, run)


def wait(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    run: str,
    message: HeardMessage,
    bounds: WaitBounds,
) -> ReplyWait:
    """Let a running run wait, within bounds, for a reply to its message, and return that.

    Whoever calls pushes the event that ends it: see `expire`.
    """
    with store.write() as rows:
        found = _run(rows, run)
        now = clock.now()
        made = ReplyWait(
            id=chance.new_id("wait", message.id),
            run=run,
            agent=found.agent,
            space=message.space,
            post=message.id,
            since=now,
            until=later(now, seconds=bounds.seconds),
            whom=bounds.whom,
            anybody=bounds.anybody,
        )
        tables.insert_wait(rows, made)
        waiting = msgspec.structs.replace(found, state=found.state.to(TriggerRunState.WAITING))
        tables.save_run(rows, waiting)
    return made


def resolve(store: Store, clock: Clock, *, agent: str, message: HeardMessage) -> ReplyWait | None:
    """End the wait of an agent that another entity's message answers, and return it, or None.

    A reply to the message that a run waits with ends that wait. A reply to a message with which
    anybody else waited is theirs alone. Any other message ends the agent's oldest wait in its
    space for its sender, or for anybody. So one message ends at most one wait of one agent. The
    run goes on when the message is claimed.
    """
    with store.write() as rows:
        rows.hold("inbox", agent)
        found = _answered(rows, agent, message)
        if found is None:
            return None
        return _ended(rows, clock, found, WaitState.REPLIED, by=message.id)


def _answered(rows: Rows, agent: str, message: HeardMessage) -> ReplyWait | None:
    """Return the wait that a message answers."""
    if message.reply_to is not None:
        asked = tables.open_wait_on(rows, agent=agent, post=message.reply_to)
        if asked is not None or tables.is_waited_on(rows, message.reply_to):
            return asked
    return tables.oldest_wait_in(rows, agent=agent, space=message.space, sender=message.sender)


def answered_late(store: Store, *, agent: str, message: HeardMessage) -> ReplyWait | None:
    """Return the wait that a message answers although its time was over, or None."""
    if message.reply_to is None:
        return None
    with store.read() as rows:
        return tables.timed_out_on(rows, agent=agent, post=message.reply_to)


def is_waiting(store: Store, *, agent: str, post: str) -> bool:
    """Tell whether an agent waits for a reply to its message."""
    with store.read() as rows:
        return tables.open_wait_on(rows, agent=agent, post=post) is not None


def expire(store: Store, clock: Clock, *, wait: str) -> ReplyWait | None:
    """End a wait whose time is over, and return it; None if it has ended before."""
    with store.write() as rows:
        found = tables.find_wait(rows, wait)
        if found is not None and rows.hold("inbox", found.agent):
            found = tables.find_wait(rows, wait)
        if found is None or found.state is not WaitState.OPEN:
            return None
        return _ended(rows, clock, found, WaitState.TIMED_OUT)


def cancel(
    store: Store, clock: Clock, *, run: str, reason: str, open_cycle: int | None = None
) -> TriggerRun:
    """Cancel a run that waits, with what it waits for, or one whose next try is to come.

    `open_cycle` is the cycle that its agent is living now. A message that has ended its wait
    already, and was not taken up yet, begins a run of its own.

    Raises:
        RefusedError: it has ended, or is under way.
        UsageError: there is no such run.
    """
    with store.write() as rows:
        found = _run(rows, run)
        if found.state not in LIVE:
            raise RefusedError(f"{run} has ended: it is {found.state.value}.")
        if open_cycle in found.cycles:
            raise RefusedError(
                f"{run} is under way in cycle {open_cycle}; only one that waits can be cancelled."
            )
        return _end(rows, clock, found, TriggerRunState.CANCELLED, reason)


def finish(
    store: Store, clock: Clock, *, run: str, state: TriggerRunState, reason: str | None = None
) -> TriggerRun:
    """End a run as `done` or `failed`, or one that waits as `cancelled`.

    Raises:
        IllegalStateError: it is not running.
    """
    with store.write() as rows:
        return _end(rows, clock, _run(rows, run), state, reason)


def _end(
    rows: Rows, clock: Clock, run: TriggerRun, state: TriggerRunState, reason: str | None
) -> TriggerRun:
    """End a run and the wait that it still has."""
    if run.waiting is not None and rows.hold("inbox", run.agent):
        run = _run(rows, run.id)
    if run.waiting is not None:
        _ended(rows, clock, run.waiting, WaitState.CANCELLED)
    done = msgspec.structs.replace(run, state=run.state.to(state), ended=clock.now(), reason=reason)
    tables.save_run(rows, done)
    return _run(rows, run.id)


def _ended(
    rows: Rows, clock: Clock, wait: ReplyWait, state: WaitState, *, by: str | None = None
) -> ReplyWait:
    """End an open wait."""
    ended = msgspec.structs.replace(wait, state=wait.state.to(state), by=by, ended=clock.now())
    tables.end_wait(rows, ended)
    return ended


def current(store: Store, *, agent: str, cycle: int) -> TriggerRun | None:
    """Return the run that a cycle belongs to; None for a cycle of before there were runs."""
    with store.read() as rows:
        return tables.run_of_cycle(rows, agent=agent, cycle=cycle)


def note_shown(store: Store, *, agent: str, cycle: int, posts: Iterable[str]) -> None:
    """Remember that a cycle showed its agent these messages and all before them in their spaces.

    What the agent has seen moves there when the cycle closes, and not if it fails.
    """
    with store.write(agent) as rows:
        tables.add_shown(rows, agent=agent, cycle=cycle, posts=posts)


def shown(store: Store, *, agent: str, cycle: int) -> list[str]:
    """Return the messages that a cycle is known to have shown."""
    with store.read() as rows:
        return tables.shown(rows, agent=agent, cycle=cycle)


def of_agent(
    store: Store, *, agent: str, states: Collection[TriggerRunState] = LIVE
) -> list[TriggerRun]:
    """Return the runs of an agent that are in one of some states, newest first."""
    return list_(store, agent=agent, states=states)


def list_(
    store: Store,
    *,
    agent: str | None = None,
    states: Collection[TriggerRunState] = LIVE,
    limit: int = NO_LIMIT,
    offset: int = 0,
) -> list[TriggerRun]:
    """Return the newest runs, of one agent or of all."""
    with store.read() as rows:
        return tables.runs(rows, agent=agent, states=states, limit=limit, offset=offset)


def show(store: Store, *, run: str) -> TriggerRun:
    """Return one run; raises UsageError if there is none of this id."""
    with store.read() as rows:
        return _run(rows, run)


def of_event(store: Store, *, agent: str, event: str) -> TriggerRun | None:
    """Return the run that an event began, if that has not ended."""
    with store.read() as rows:
        return tables.live_run_of(rows, agent=agent, event=event)


def woken_by(store: Store, *, agent: str, post: str) -> TriggerRun | None:
    """Return the run that a message lets go on, if that has not ended."""
    with store.read() as rows:
        return tables.live_run_woken(rows, agent=agent, by=post)


def find_wait(store: Store, *, wait: str) -> ReplyWait | None:
    """Return one wait, or None."""
    with store.read() as rows:
        return tables.find_wait(rows, wait)


def _run(rows: Rows, run_id: str) -> TriggerRun:
    """Return one run; raises UsageError."""
    found = tables.find_run(rows, run_id)
    if found is None:
        near = did_you_mean(run_id, tables.ids_of_runs(rows))
        raise UsageError(f'no run "{run_id}"; {near}mind run list shows them.')
    return found
