"""Items: add them once, find them by id or in the order in which they came."""

from collections.abc import Iterable

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.memory.records import Added, NewItem, NumberedItem
from mindpipe.memory.tables import items as tables
from mindpipe.memory.verbs.adding import Adding


def add(
    store: Store, clock: Clock, chance: Chance, *, agent: str, given: Iterable[NewItem]
) -> list[Added]:
    """Keep some items of the program's own, in the caller's transaction or in one of their own.

    One whose id or key is there with the same content is a duplicate and changes nothing.

    Raises:
        BadInputError: an item is at fault, or its id or key is there with other content; nothing
            is kept.
    """
    with store.write() as rows:
        adding = Adding(rows, clock, chance, agent=agent)
        added = adding.add(list(given))
        adding.bad_lines.settle()
    return added


def after(
    store: Store, *, number: int, agent: str | None = None, limit: int = 1000
) -> list[NumberedItem]:
    """Return the items with a greater number, of one agent or of all, in the order of numbers."""
    with store.read() as rows:
        return list(tables.items_after(rows, number, agent=agent, limit=limit))


def of_ids(store: Store, *, agent: str, ids: Iterable[str]) -> list[NumberedItem]:
    """Return those items of an agent that have one of some ids, in the order of their numbers."""
    with store.read() as rows:
        return tables.items_of(rows, agent=agent, ids=ids)
