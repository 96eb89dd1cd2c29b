"""Hold the index of words against the messages it was made from, and make it anew."""

from collections.abc import Iterator

from mindpipe.core.ports import Rows, Store
from mindpipe.history import tables
from mindpipe.history.rows import message_of
from mindpipe.history.words import searched_text

_PAGE = 500


def index_gaps(store: Store) -> int:
    """Return how many messages cannot be found by their words, or are found but not there."""
    with store.read() as rows:
        return tables.count_index_gaps(rows)


def rebuild_index(store: Store) -> None:
    """Make the index anew from all messages, in one transaction."""
    with store.write() as rows:
        tables.clear_index(rows)
        tables.insert_text(rows, _texts(rows))


def _texts(rows: Rows) -> Iterator[tuple[int, str]]:
    """Yield the number and the searched words of every message."""
    last = 0
    while page := tables.numbered_messages(rows, after=last, limit=_PAGE):
        for row in page:
            yield row.number, searched_text(message_of(row))
        last = page[-1].number
