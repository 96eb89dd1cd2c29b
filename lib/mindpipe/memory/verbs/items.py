"""Items: add them once, find them, set aside what has faded, take back what should not be there."""

import contextlib
from collections.abc import Iterable, Iterator

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.problems import Problem
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import Added, Item, ItemFilter, NewItem, NumberedItem
from mindpipe.memory.settling import settle_filter, settle_instant, then
from mindpipe.memory.strength import ARCHIVE_BELOW, strength
from mindpipe.memory.tables import items as tables
from mindpipe.memory.verbs.adding import Adding


@contextlib.contextmanager
def adding(
    store: Store, clock: Clock, chance: Chance, *, agent: str, bad_lines: BadLines
) -> Iterator[Adding]:
    """Give what adds items part by part, all in one transaction.

    Raises:
        BadInputError: an item is at fault, or its id or key is there with other content, and
            `bad_lines` lets nothing be kept then.
    """
    with store.write() as rows:
        yield Adding(rows, clock, chance, agent=agent, bad_lines=bad_lines)
        bad_lines.settle()


def add(
    store: Store, clock: Clock, chance: Chance, *, agent: str, given: Iterable[NewItem]
) -> list[Added]:
    """Keep some items of the program's own, in the caller's transaction or in one of their own.

    One whose id or key is there with the same content is a duplicate and changes nothing.

    Raises:
        BadInputError: an item is at fault, or its id or key is there with other content; nothing
            is kept.
    """
    found = list(given)
    if problems := [
        Problem(source="item", line=number, field=field, message=words)
        for number, one in enumerate(found, 1)
        for field, words in item_faults(one)
    ]:
        raise BadInputError(problems)
    with adding(store, clock, chance, agent=agent, bad_lines=AllOrNothing()) as addition:
        return addition.add(found)


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


def list_(
    store: Store, *, agent: str, wanted: ItemFilter, limit: int | None = None
) -> Iterator[Item]:
    """Yield an agent's items of a filter, in the order in which they came.

    Raises:
        UsageError: an instant of the filter is none.
    """
    settled = settle_filter(wanted)
    with store.read() as rows:
        for item in tables.filtered_items(rows, agent=agent, wanted=settled, limit=limit):
            yield then(item, as_of=settled.as_of)


def show(store: Store, *, agent: str, id: str, as_of: str | None = None) -> Item:
    """Return one item as of an instant; raises UsageError if the agent has none of this id."""
    instant = settle_instant(as_of)
    found = of_ids(store, agent=agent, ids=[id])
    if not found or (instant is not None and found[0].item.learnt > instant):
        raise UsageError(f'{agent} has no item "{id}"; mind memory list shows them.')
    return then(found[0].item, as_of=instant)


def search(
    store: Store, *, agent: str, words: str, wanted: ItemFilter, limit: int | None = None
) -> Iterator[Item]:
    """Yield an agent's items of a filter that have every one of some words in their text.

    Words are compared without regard to the case of letters, and part of a word counts.

    Raises:
        UsageError: there are no words, or an instant of the filter is none.
    """
    meant = words.casefold().split()
    if not meant:
        raise UsageError("name some words to search for.")
    left = limit
    for item in list_(store, agent=agent, wanted=wanted):
        text = item.text.casefold()
        if all(word in text for word in meant):
            yield item
            if left is not None and (left := left - 1) == 0:
                return


def archive(
    store: Store, clock: Clock, *, agent: str, below: float = ARCHIVE_BELOW, dry_run: bool = False
) -> list[Item]:
    """Set aside the items whose strength has fallen below a threshold, and return them.

    Their text stays, and being recalled brings them back.

    Raises:
        NothingToDoError: none is so weak.
    """
    now = clock.now()
    with store.read() if dry_run else store.write() as rows:
        weak = [
            one.number
            for one in tables.fading_items(rows, agent=agent)
            if strength(one, now=now) < below
        ]
        if not weak:
            raise NothingToDoError(f"no item of {agent} is weaker than {below:g}.")
        if not dry_run:
            tables.archive_items(rows, weak, at=now)
        return tables.items_at(rows, weak)


def recalled(store: Store, clock: Clock, *, agent: str, ids: Iterable[str]) -> int:
    """Count that items were found and used, which strengthens them; return how many there were."""
    with store.write() as rows:
        return tables.recall_items(rows, ids, agent=agent, at=clock.now())


def retract(store: Store, *, agent: str, ids: Iterable[str], at: str) -> int:
    """Take items back as of an instant; return how many were not taken back before."""
    with store.write() as rows:
        return tables.retract_items(rows, ids, agent=agent, at=at)
