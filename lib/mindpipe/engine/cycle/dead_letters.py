"""Settle an event by hand: the run that would have gone on with it ends."""

from mindpipe.core.ports import NOBODY, Clock, Rows, Store
from mindpipe.engine.cycle.claim import run_resumed_by
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun


def settle_by_hand(
    store: Store, clock: Clock, *, id: str, reason: str, epoch: int | None = None
) -> Event:
    """Let an event die and return it; the run that would have gone on with it is cancelled.

    Raises:
        FencedError: it is not held under this epoch any more.
        RefusedError: no epoch is named, but a worker holds it.
        UsageError: there is no such event.
    """
    with store.write(NOBODY) as rows:
        run = _run_of(store, rows, id)
        gone = inbox.dead(store, id=id, reason=reason, epoch=epoch)
        _cancel(store, clock, run, f"its event {id} is dead: {reason}")
    return gone


def settle_event(
    store: Store, clock: Clock, *, id: str, epoch: int, outcome: inbox.Outcome = "handled"
) -> Event:
    """Acknowledge an event for another worker; the run that would have gone on is cancelled.

    Raises:
        FencedError: it is not held under this epoch any more.
        UsageError: there is no such event.
    """
    with store.write(NOBODY) as rows:
        run = _run_of(store, rows, id)
        done = inbox.ack(store, id=id, epoch=epoch, outcome=outcome)
        _cancel(store, clock, run, f"its event {id} was {outcome} by another worker")
    return done


def _run_of(store: Store, rows: Rows, id: str) -> TriggerRun | None:
    """Return the run that an event is for, and hold its agent."""
    event = inbox.show(store, id=id)
    run = run_resumed_by(store, event)
    if run is not None and rows.hold("agent", run.agent):
        return run_resumed_by(store, event)
    return run


def _cancel(store: Store, clock: Clock, run: TriggerRun | None, reason: str) -> None:
    """Cancel a run, unless a cycle of it is open: whoever takes that up ends the run."""
    if run is None:
        return
    now = cycles.open_one(store, agent=run.agent)
    if now is None or now.cycle not in run.cycles:
        runs.cancel(store, clock, run=run.id, reason=reason)
