"""Tell which run goes on with an event."""

from mindpipe.context.triggers import TIMED_OUT, message_of
from mindpipe.core.ports import Store
from mindpipe.inbox.records import Event
from mindpipe.runs import verbs as runs
from mindpipe.runs.records import Run, RunState, WaitState


def run_of(store: Store, event: Event) -> Run | None:
    """Return the run that goes on with an event; None where one begins.

    An event that ended a wait lets that run go on; one that was given back, its own.
    """
    if event.source == TIMED_OUT:
        return _timed_out(store, event)
    message = message_of(event)
    if message is not None:
        woken = runs.woken_by(store, agent=event.agent, post=message.id)
        if woken is not None:
            return woken
    return runs.of_event(store, agent=event.agent, event=event.id)


def _timed_out(store: Store, event: Event) -> Run | None:
    """Return the run whose time an event says is over, unless its wait ended otherwise."""
    wait = runs.find_wait(store, wait=event.key or "")
    if wait is None or wait.state not in {WaitState.OPEN, WaitState.TIMED_OUT}:
        return None
    found = runs.show(store, run=wait.run)
    if wait.state is WaitState.OPEN:
        return found
    last = found.resumed_by
    goes_on = found.state is RunState.RUNNING and last is not None and last.id == wait.id
    return found if goes_on else None
