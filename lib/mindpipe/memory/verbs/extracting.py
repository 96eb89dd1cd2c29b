"""Keep what was found in a log: each item once, and how far the log was read."""

from collections.abc import Sequence

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.memory.records import Item
from mindpipe.memory.tables import extracted
from mindpipe.memory.tables import items as tables
from mindpipe.memory.verbs import items


def keep(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    agent: str,
    found: Sequence[Item],
    upto: int | None = None,
) -> list[Item]:
    """Keep items of an agent's log that are not kept yet, and return these as they are kept.

    With `upto` the log is read up to the message of that number from now on. One that is there
    stays as it is: what it was weighed by may be known differently now.

    Raises:
        BadInputError: an item is at fault; nothing is kept.
    """
    with store.write() as rows:
        there = tables.items_of(rows, agent=agent, ids=[item.id for item in found])
        known = {one.item.id for one in there}
        new = {item.id: item for item in found if item.id not in known}
        items.add(store, clock, chance, agent=agent, given=list(new.values()))
        if upto is not None:
            extracted.set_mark(rows, agent=agent, upto=upto)
        kept = tables.items_of(rows, agent=agent, ids=new)
    return [one.item for one in kept]


def read_upto(store: Store, *, agent: str) -> int:
    """Return the number of the last message of an agent's log that was read; 0 before the first."""
    with store.read() as rows:
        return extracted.mark(rows, agent=agent)
