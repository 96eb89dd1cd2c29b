"""Add items inside a transaction: each once, and never one whose id or key means another."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.ports import Chance, Clock, Rows
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.memory import ids
from mindpipe.memory.records import Added, Item, NewItem
from mindpipe.memory.settling import settle_item
from mindpipe.memory.tables import items as tables

_STATE = ("archived", "retracted", "recalled", "recalled_at")


class Adding:
    """One addition inside its transaction, part by part; `bad_lines` takes what is refused."""

    def __init__(
        self,
        rows: Rows,
        clock: Clock,
        chance: Chance,
        *,
        agent: str,
        bad_lines: BadLines | None = None,
    ) -> None:
        self._rows = rows
        self._agent = agent
        self._next = tables.last_number(rows) + 1
        self._stem = ids.stem(chance.new_id("it", agent, self._next))
        self._now = clock.now()
        self.bad_lines: BadLines = bad_lines or AllOrNothing()

    def add(
        self, given: Sequence[NewItem], *, source: str = "item", numbers: Sequence[int] = ()
    ) -> list[Added]:
        """Insert some sound items and return what became of each that was not refused.

        `source` and `numbers` (else 1, 2, ...) tell where they stand, should one be refused.
        """
        lines = numbers or range(1, len(given) + 1)
        made = ids.item_ids(self._stem, self._next, len(given))
        items = [
            settle_item(one, id=id, agent=self._agent, now=self._now)
            for one, id in zip(given, made, strict=True)
        ]
        first, self._next = self._next, self._next + len(items)
        tables.add_items(self._rows, items, first=first)
        added: list[Added | None] = [Added(id=one.id, key=one.key or one.id) for one in items]
        for number in tables.missing_numbers(self._rows, first=first, last=self._next - 1):
            place = number - first
            added[place] = self._same(items[place], given[place], source, lines[place])
        return [one for one in added if one is not None]

    def _same(self, item: Item, given: NewItem, source: str, line: int) -> Added | None:
        """Return the receipt of an item that was there; None where that one says something else."""
        found = tables.find_same(self._rows, agent=self._agent, id=item.id, key=item.key)
        assert found is not None
        if _content(_again(given, found)) == _content(found):
            return Added(id=found.id, key=found.key or found.id, duplicate=True)
        field = "key" if given.key and found.key == given.key else "id"
        words = f"{getattr(given, field)} is there with other content, as {found.id}"
        problem = Problem(source=source, line=line, field=f"$.{field}", message=words)
        self.bad_lines.refuse([problem], to_json(given))
        return None


def _again(given: NewItem, found: Item) -> Item:
    """Return what is given once more, with what it leaves out as it was kept the first time."""
    again = settle_item(given, id=found.id, agent=found.agent, now=found.learnt)
    at = found.at if given.at is None else again.at
    key = found.key if given.key in (None, found.id) else given.key
    return msgspec.structs.replace(again, id=given.id or found.id, at=at, key=key)


def _content(item: Item) -> dict[str, object]:
    """Return what an item says, without what becomes of it later."""
    fields = msgspec.structs.asdict(item)
    return {name: value for name, value in fields.items() if name not in _STATE}
