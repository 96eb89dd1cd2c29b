"""Numbers that all agents of a store share, moved up so that a life fits in beside others."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from mindpipe.core.ports import Cell, Row
from mindpipe.core.records import to_json
from mindpipe.store.changes import left_by_rewind

_POINTS = {
    ("consolidation_mark", "item"): "memory_item",
    ("consolidation_ahead", "item"): "memory_item",
    ("cycle_change", "number"): "change",
    ("operation", "after"): "change",
    ("operation_part", "number"): "change",
    ("operation_part", "after"): "change",
    ("operation_part", "operation"): "operation",
    ("carried", "moved"): "message",
    ("rewind", "number"): "change",
    ("rewind", "upto"): "change",
}
"""Columns that hold a number of a row of another table."""

_STRETCHES = {"lessons": "lesson", "reflections": "reflection", "entities": "memory_entity"}
"""Columns of a consolidation's window that hold from which row to which one it reads."""

_UNDO = msgspec.json.Decoder(dict[str, dict[str, list[list[Any]]]])


class Numbering(NamedTuple):
    """By how much the numbers of each table are moved, and in which column they stand."""

    column: Mapping[str, str]
    by: Mapping[str, int]

    @property
    def moves(self) -> bool:
        """Tell whether any number is moved at all."""
        return any(self.by.values())

    def moved(self, table: str, names: Sequence[str], row: Row) -> Row:
        """Return a row with its numbers moved."""
        cells = {name: self._cell(table, name, cell) for name, cell in zip(names, row, strict=True)}
        return tuple(cells.values())

    def _cell(self, table: str, name: str, cell: Cell) -> Cell:
        """Return one cell, moved if it is a number of a row or holds some."""
        if isinstance(cell, int):
            return cell + self._by(table, name)
        if table == "consolidation_window" and isinstance(cell, str):
            return self._read_window(name, cell)
        if (table, name) == ("change", "undo") and isinstance(cell, str):
            return self._undo(cell)
        return cell

    def _by(self, table: str, name: str) -> int:
        own = table if self.column.get(table) == name else _POINTS.get((table, name), "")
        return self.by.get(own, 0)

    def _read_window(self, name: str, cell: str) -> str:
        """Return what a consolidation reads, with its numbers moved."""
        if name == "items":
            by = self.by.get("memory_item", 0)
            items = msgspec.json.decode(cell, type=list[int])
            return to_json([item + by for item in items]).decode()
        if name in _STRETCHES:
            by = self.by.get(_STRETCHES[name], 0)
            ends = msgspec.json.decode(cell, type=dict[str, int])
            # 0 is before all there are.
            moved = {end: number and number + by for end, number in ends.items()}
            return to_json(moved).decode()
        return cell

    def _undo(self, cell: str) -> str:
        """Return what takes a transaction back, with the numbers in it moved."""
        undo = {
            table: {
                what: [self._undone(table, what, one) for one in found]
                for what, found in of.items()
            }
            for table, of in _UNDO.decode(cell).items()
        }
        self._carry(undo)
        return to_json(undo).decode()

    def _carry(self, undo: dict[str, dict[str, list[list[Any]]]]) -> None:
        """Let what a rewind left say by how much its messages moved, should they come again."""
        said, by = undo.get("message", {}), self.by.get("message", 0)
        left = [values for _, values in (*said.get("changed", ()), *said.get("gone", ()))]
        left = [one for one in left if "seq" in one and not left_by_rewind(one["agent"])]
        if not by or not left:
            return
        last = max(left, key=lambda one: int(one["seq"]))
        carried = undo.setdefault("carried", {})
        known = [key[1] for key, _ in (*carried.get("changed", ()), *carried.get("gone", ()))]
        if last["seq"] > max(known, default=0):
            row = {"agent": last["agent"], "upto": last["seq"], "moved": by}
            carried.setdefault("gone", []).append([[row["agent"], row["upto"]], row])

    def _undone(self, table: str, what: str, one: list[Any]) -> list[Any]:
        """Return one row of an undo: its key, or its key and old values."""
        if what == "made":
            return self._key(table, one)
        key, values = one
        return [self._key(table, key), self._values(table, values)]

    def _key(self, table: str, key: list[Cell]) -> list[Cell]:
        """Return a key; those that are numbers of rows have but one column."""
        column = self.column.get(table)
        if table == "consolidation_ahead":
            return [key[0], self._cell(table, "item", key[1])]
        return key if column is None else [self._cell(table, column, one) for one in key]

    def _values(self, table: str, values: Mapping[str, Cell]) -> dict[str, Cell]:
        return {name: self._cell(table, name, cell) for name, cell in values.items()}
