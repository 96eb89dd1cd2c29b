"""Marks: which item supersedes or contradicts which, and which observation replaced which."""

from collections.abc import Collection, Iterator

from mindpipe.core.ports import Store
from mindpipe.knowledge.records import Mark
from mindpipe.knowledge.tables import marks, observations


def marks_of(
    store: Store, *, agent: str, refs: Collection[str], as_of: str | None = None
) -> list[Mark]:
    """Return the marks that name one of some items, as they count now or counted at `as_of`."""
    if not refs:
        return []
    with store.read() as rows:
        return list(marks.find(rows, agent=agent, refs=refs, as_of=as_of))


def successions_of(
    store: Store, *, agent: str, refs: Collection[str], as_of: str | None = None
) -> list[Mark]:
    """Return which observation replaced which, of those that name one of some, by `as_of`."""
    if not refs:
        return []
    with store.read() as rows:
        return list(observations.successions(rows, agent=agent, refs=refs, as_of=as_of))


def all_marks(store: Store, *, agent: str, as_of: str | None = None) -> Iterator[Mark]:
    """Yield all marks of an agent in the order in which they were made."""
    with store.read() as rows:
        yield from marks.find(rows, agent=agent, refs=None, as_of=as_of)
