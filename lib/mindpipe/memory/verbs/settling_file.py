"""Settle items without a store, with the checks and receipts that a store would have for them.

Where neither id nor key is given, an item's id is a hash of what it says; so the same items always
become the same lines.
"""

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from mindpipe.core.bad_lines import BadLines
from mindpipe.core.ports import Clock
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.memory.records import Added, NewItem
from mindpipe.memory.settling import settle_item

_LETTERS = 22


class Settling:
    """One file of items; `keep` gets the lines of those that are new."""

    def __init__(
        self,
        clock: Clock,
        *,
        agent: str | None,
        keep: Callable[[bytes], object],
        bad_lines: BadLines,
    ) -> None:
        self._now = clock.now()
        self._agent = agent
        self._keep = keep
        self._said: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self.bad_lines = bad_lines

    def add(
        self, given: Sequence[NewItem], *, source: str = "item", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Settle some sound items and return what became of each that was not refused."""
        lines = numbers or range(1, len(given) + 1)
        found = [self._one(one, source, line) for line, one in zip(lines, given, strict=True)]
        return [added for added in found if added is not None]

    def _one(self, given: NewItem, source: str, line: int) -> Added | None:
        """Settle one item, or refuse it."""
        digest = hashlib.sha256(to_json(given)).hexdigest()
        item = settle_item(given, id=f"it_{digest[:_LETTERS]}", agent=self._agent, now=self._now)
        id = self._ids.get(item.key or "", item.id)
        said = hashlib.sha256(to_json(msgspec.structs.replace(item, id=given.id or id))).hexdigest()
        known = self._said.setdefault(id, said)
        if known != said:
            field = "key" if given.key else "id"
            words = f"{given.key or given.id} is there with other content, as {id}"
            problem = Problem(source=source, line=line, field=f"$.{field}", message=words)
            self.bad_lines.refuse([problem], to_json(given))
            return None
        duplicate = id in self._ids
        self._ids[id] = id
        if item.key is not None:
            self._ids[item.key] = id
        if not duplicate:
            self._keep(to_json(item) + b"\n")
        return Added(id=id, key=item.key or id, duplicate=duplicate)
