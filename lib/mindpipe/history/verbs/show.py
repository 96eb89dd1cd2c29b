"""Read an agent's messages back, in pages."""

from collections.abc import Iterator

from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.rows import message_of

PAGE = 500


def show(
    store: Store, *, agent: str, cycle: int | None = None, limit: int | None = None
) -> Iterator[Message]:
    """Yield an agent's messages, or those of one cycle, oldest first; at most the newest `limit`.

    They are read in pages, so that no reader stays open while they are used.
    """
    with store.read() as rows:
        if cycle is None:
            first, last = 1, tables.log_head(rows, agent=agent).seq
        else:
            first, last = tables.seqs_of_cycle(rows, agent=agent, cycle=cycle) or (1, 0)
    if limit is not None:
        first = max(first, last - limit + 1)
    return messages(store, agent=agent, since=first, until=last)


def messages(
    store: Store, *, agent: str, since: int | None = None, until: int | None = None
) -> Iterator[Message]:
    """Yield messages in order, in pages; `since` and `until` are the first and last seq wanted."""
    after = (since or 1) - 1
    while until is None or after < until:
        with store.read() as rows:
            found = tables.page(rows, agent=agent, after=after, until=until, limit=PAGE)
        yield from map(message_of, found)
        if len(found) < PAGE:
            return
        after = found[-1].seq
