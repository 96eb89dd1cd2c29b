"""Read an agent's messages back, as records, in pages."""

from collections.abc import Iterator

from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history import tables

PAGE = 500


def messages(
    store: Store,
    *,
    agent: str,
    since: int | None = None,
    until: int | None = None,
    cycle: int | None = None,
) -> Iterator[Message]:
    """Yield messages in order, read in pages, so that no reader stays open while they are used.

    `since` and `until` are the first and the last seq wanted; `cycle` wants one cycle's alone.
    """
    after = (since or 1) - 1
    if cycle is not None:
        with store.read() as rows:
            seqs = tables.seqs_of_cycle(rows, agent=agent, cycle=cycle)
        if seqs is None:
            return
        after, until = max(after, seqs[0] - 1), min(until or seqs[1], seqs[1])
    while True:
        with store.read() as rows:
            found = tables.page(rows, agent=agent, after=after, until=until, limit=PAGE)
        yield from map(tables.message_of, found)
        if len(found) < PAGE:
            return
        after = found[-1].seq


def latest(store: Store, *, agent: str, limit: int | None) -> int:
    """Return the seq with which an agent's newest `limit` messages begin; 1 for all."""
    if limit is None:
        return 1
    with store.read() as rows:
        return max(1, tables.log_head(rows, agent=agent).seq - limit + 1)
