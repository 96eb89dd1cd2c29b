"""Show an inbox: what rests in it, and what comes in."""

from collections.abc import Callable, Iterator, Sequence

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Clock, Store
from mindpipe.inbox.ids import seq_of
from mindpipe.inbox.ordering import Candidate, Glimpse
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.tables import events as tables
from mindpipe.inbox.tables import glances
from mindpipe.inbox.tables.events import Moment

_PAGE = 500
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


def show(store: Store, *, id: str) -> Event:
    """Return one event; raises UsageError if there is none of this id."""
    with store.read() as rows:
        found = tables.find_event(rows, id)
    if found is None:
        raise UsageError(f'no event "{id}"; mind inbox list shows them.')
    return found


def find(store: Store, *, agent: str, source: str, key: str) -> Event | None:
    """Return the event that was pushed under a key, if it was."""
    with store.read() as rows:
        return tables.find_key(rows, agent=agent, source=source, key=key)


def watch(
    store: Store, clock: Clock, *, agent: str, wait: Wait, timeout: float | None = None
) -> Iterator[list[Event]]:
    """Yield what may be claimed now, then what comes, each event once per epoch, changing nothing.

    Ends after `timeout` seconds on the boot clock; None means never.
    """
    seen: set[tuple[int, int]] = set()
    began = clock.boot().seconds
    while True:
        due: set[tuple[int, int]] = set()
        for page in _pages(store, clock, agent):
            fresh = [one.seq for one in page if (one.seq, one.epoch) not in seen]
            due.update((one.seq, one.epoch) for one in page)
            if fresh:
                with store.read() as rows:
                    events = tables.events_at(rows, fresh)
                yield events
        seen = due
        left = 3600.0 if timeout is None else began + timeout - clock.boot().seconds
        if left <= 0:
            return
        wait(left)


def glimpse(
    store: Store, clock: Clock, *, agent: str, limit: int, window: int = 0
) -> list[Glimpse]:
    """Return some events of each priority that may be claimed now, by arrival.

    They are the first `limit`, and as many more from all sources, spaces and senders in turn of the
    first `window`, so that a flood of one does not hide the others. However many wait, it reads the
    text of at most ten times `limit` and no more than five times `window` rows.
    """
    now = Moment(wall=clock.now(), boot=clock.boot())
    with store.read() as rows:
        found = {one.seq for one in tables.heads(rows, agent=agent, now=now, limit=limit)}
        if window > limit and len(found) >= limit:
            found |= set(glances.talks(rows, agent=agent, now=now, limit=limit, window=window))
        return glances.glimpses(rows, sorted(found))


def cleared(
    store: Store, *, agent: str, sources: Sequence[str], keys: Sequence[str]
) -> frozenset[str]:
    """Return which of some keys name events of some sources that the operator vouches for."""
    with store.read() as rows:
        return frozenset(tables.cleared_keys(rows, agent=agent, sources=sources, keys=keys))


def glimpse_at(store: Store, *, ids: Sequence[str]) -> list[Glimpse]:
    """Return events of some ids, whatever became of them, by arrival."""
    with store.read() as rows:
        seqs = [seq for seq in map(seq_of, ids) if seq is not None]
        return [one for one in glances.glimpses(rows, seqs) if one.id in ids]


def count(store: Store, clock: Clock, *, agent: str, most: int) -> int:
    """Return how many open events of an agent are due, of the `most` that are looked at."""
    with store.read() as rows:
        later = glances.count_later(rows, agent=agent, now=clock.now())
        return max(0, tables.count_open(rows, agent=agent, most=most + later) - later)


def arrived(store: Store, *, agent: str, after: int | None) -> tuple[int, int]:
    """Return how many events of an agent came after a number, and the number of the newest now.

    Without a number none came.
    """
    with store.read() as rows:
        newest = tables.last_seq(rows)
        if after is None or newest == after:
            return 0, newest
        return tables.arrived(rows, agent=agent, after=after), newest


def _pages(store: Store, clock: Clock, agent: str) -> Iterator[list[Candidate]]:
    """Yield what may be claimed now, the oldest first, a page at a time."""
    after = 0
    now = Moment(wall=clock.now(), boot=clock.boot())
    while True:
        with store.read() as rows:
            page = tables.oldest(rows, agent=agent, now=now, limit=_PAGE, after=after)
        if not page:
            return
        yield page
        after = page[-1].seq
