"""Keep what was found in a log: each item once, and how far the log was read."""

from collections.abc import Sequence

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.problems import Problem
from mindpipe.memory.extraction.edges import entities_of
from mindpipe.memory.records import Item
from mindpipe.memory.tables import extracted
from mindpipe.memory.tables import items as tables
from mindpipe.memory.verbs import entities, items


class _Passed:
    """Pass over an entity that cannot be what it is taken for."""

    def refuse(self, problems: Sequence[Problem], octets: bytes) -> None:
        """Leave it."""

    def settle(self) -> None:
        """Go on."""


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

    The relations that they state become edges of the graph; a name that is known as something else
    is left out of it. With `upto` the log is read up to the message of that number from now on.
    An item that is there stays as it is: it was weighed by what was known then.

    Raises:
        BadInputError: an item is at fault; nothing is kept.
    """
    with store.write() as rows:
        there = tables.items_of(rows, agent=agent, ids=[item.id for item in found])
        known = {one.item.id for one in there}
        new = {item.id: item for item in found if item.id not in known}
        items.add(store, clock, chance, agent=agent, given=list(new.values()))
        with entities.adding(store, clock, agent=agent, bad_lines=_Passed()) as addition:
            addition.add(list(entities_of(new.values())))
        if upto is not None:
            extracted.set_mark(rows, agent=agent, upto=upto)
        kept = tables.items_of(rows, agent=agent, ids=new)
    return [one.item for one in kept]


def read_upto(store: Store, *, agent: str) -> int:
    """Return the number of the last message of an agent's log that was read; 0 before the first."""
    with store.read() as rows:
        return extracted.mark(rows, agent=agent)
