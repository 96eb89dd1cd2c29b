"""What an open transaction holds, in which order, and that it writes no rows but of whom it holds.

A server keeps those apart who hold different agents; a file lets one write at a time, and what is
said here is only checked there: so that what forgets to hold somebody is found out on both. What
takes two things in another order than others do loses nothing, and waits at worst until the server
ends it, which can be tried again: that is refused in tests alone.
"""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import get_args

from mindpipe.core.ports import NOBODY, HeldKind

_OF_ALL = frozenset({"attachment", "member"})
"""Rows of nobody that need nothing held: what only comes, and how far a member has read."""

_WITH_INBOX = frozenset({"event", "run_wait"})
"""Rows of a receiver that a sender writes: what is pushed, and the wait that it ends."""
_OF_TWO: Mapping[str, HeldKind] = {"task": "task", "ticket": "ticket"}
"""Rows that two agents change, each held by its id: a task, and the ticket for which it waits."""
_ORDER: Mapping[HeldKind, int] = {kind: place for place, kind in enumerate(get_args(HeldKind))}
_ANY_TIME: HeldKind = "row"
"""Each is held by a statement that waits for no other."""


ORDERED = "MINDPIPE_TEST_ORDER"
"""Is in the environment of tests, where nothing may be taken out of order."""


class Holding:
    """The agents that a transaction holds (None: all that there are), and what it took since.

    Shared code asks it before it takes something; it raises AssertionError where a block wants
    more than the transaction that it joined began with, as taking that late could wait for ever,
    and in tests also where something is held that comes behind what is wanted. One that `moves`
    the store writes also where nobody else may any more; one that does not `wait` for who holds
    the whole store writes only rows of this process.
    """

    def __init__(self, of: Iterable[str], *, moves: bool = False, waits: bool = True) -> None:
        names = frozenset(of)
        self.agents = names - {NOBODY} if names else None
        self.moves = moves
        self.waits = waits
        self._late: set[tuple[HeldKind, str]] = set()
        self._last: HeldKind = "agent"

    @property
    def whole(self) -> bool:
        """Tell whether it holds the whole store."""
        return self.agents is None

    def require(self, of: Collection[str]) -> None:
        """Require that a block that joins is covered; without names it takes what there is."""
        if self.agents is None:
            return
        if all(name in self.agents or ("agent", name) in self._late for name in {*of} - {NOBODY}):
            return
        raise AssertionError(f"holds {sorted(self.agents)}, and a block in it wants {sorted(of)}")

    def take(self, kind: HeldKind, names: Iterable[str]) -> list[str]:
        """Note what is taken late; return the names that are to be locked, in their order.

        With the first inbox come those of the agents that are held: what an agent pushes to others
        is often followed by what it pushes to itself.
        """
        wanted = {*names}
        if self.agents is None or not wanted:
            return []
        if kind == "agent":
            wanted -= self.agents
            if wanted and self.agents:
                raise AssertionError(f"holds {sorted(self.agents)}, and wants {wanted} then")
        if kind == "inbox":
            wanted |= self.agents | {name for of, name in self._late if of == "agent"}
        new = sorted(name for name in wanted if (kind, name) not in self._late)
        if new and kind != _ANY_TIME:
            self._require_order(kind, new)
        self._late.update((kind, name) for name in new)
        return new

    def _require_order(self, kind: HeldKind, names: Sequence[str]) -> None:
        """Require, where tests ask, that nothing is held that comes behind what is taken now.

        Of one kind all are taken at once, so that it does not depend on their names.
        """
        is_again = any(of == kind for of, _ in self._late)
        if (_ORDER[kind] < _ORDER[self._last] or is_again) and ORDERED in os.environ:
            raise AssertionError(f"holds a {self._last}, and wants {kind} {names[0]!r} then")
        self._last = kind

    def require_owner(
        self, owner: str, touched: Mapping[str, tuple[bool, Collection[str]]]
    ) -> None:
        """Require that rows of an owner may be written.

        `touched` says by table whether rows only came, and the first cells of their keys.
        """
        if self.agents is None or owner in self.agents or ("agent", owner) in self._late:
            return
        for table, (only_came, keys) in touched.items():
            if not self._may_touch(owner, table, keys, only_came=only_came):
                raise AssertionError(f"holds {sorted(self.agents)}, and wrote {table} of {owner!r}")

    def _may_touch(self, owner: str, table: str, keys: Collection[str], *, only_came: bool) -> bool:
        if owner == NOBODY:
            return table in _OF_ALL or any(kind == "space" for kind, _ in self._late)
        if table == "event" and ("row", owner) in self._late:
            return True
        if table in _WITH_INBOX:
            return (only_came or table != "event") and ("inbox", owner) in self._late
        kind = _OF_TWO.get(table)
        return kind is not None and all((kind, key) in self._late for key in keys)
