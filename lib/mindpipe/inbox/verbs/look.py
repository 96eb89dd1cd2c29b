"""Show an inbox: what rests in it, and what comes in."""

from collections.abc import Callable, Iterator, Sequence

from mindpipe.core.ports import Clock, Store
from mindpipe.inbox import tables
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.tables import Moment

OPEN = (EventState.READY, EventState.LEASED)
Wait = Callable[[float], None]
"""Return when the store may have changed, or at the latest after so many seconds."""


def list_(
    store: Store,
    *,
    agent: str,
    states: Sequence[EventState] = OPEN,
    limit: int = 100,
    offset: int = 0,
) -> list[Event]:
    """Return an agent's events in some states, most urgent first, then in order of arrival."""
    with store.read() as rows:
        return tables.list_events(rows, agent=agent, states=states, limit=limit, offset=offset)


def watch(
    store: Store, clock: Clock, *, agent: str, wait: Wait, timeout: float | None = None
) -> Iterator[list[Event]]:
    """Yield what may be claimed now, then what comes, each event once per epoch, changing nothing.

    Ends after `timeout` seconds on the boot clock; None means never.
    """
    seen: set[tuple[int, int]] = set()
    began = clock.boot().seconds
    while True:
        now = Moment(wall=clock.now(), boot=clock.boot())
        with store.read() as rows:
            due = tables.claimable(rows, agent=agent, now=now)
            unseen = [seq for seq, epoch in due if (seq, epoch) not in seen]
            fresh = tables.events_at(rows, unseen) if unseen else []
        seen = set(due)
        if fresh:
            yield fresh
        left = 3600.0 if timeout is None else began + timeout - clock.boot().seconds
        if left <= 0:
            return
        wait(left)
