"""The words of single messages, for what quotes them."""

from collections.abc import Iterable

from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.rows import message_of
from mindpipe.history.words import searched_text


def words_of(store: Store, *, agent: str, ids: Iterable[str]) -> dict[str, str]:
    """Return the searched text of those messages of an agent that are there, by id."""
    with store.read() as rows:
        found = (tables.message_by_id(rows, agent=agent, id=one) for one in sorted(set(ids)))
        return {row.id: searched_text(message_of(row)) for row in found if row is not None}
