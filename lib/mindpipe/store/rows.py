"""Rows of either engine as records, and what is taken out of the words that come in."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.ports import Cell, Given, HeldKind, Row, Rows, Sql
from mindpipe.core.redaction import Redactor
from mindpipe.store.holding import Holding

if TYPE_CHECKING:
    from mindpipe.store.changes import ChangesWritten

T = TypeVar("T")
_PLAIN = (int, str, float, bytes, bool)


Found = tuple[tuple[str, ...], list[Row]]
"""What a statement found: the names of its columns (none where there is no row), and rows."""
Search = Callable[[Callable[[], Found]], Found]
"""Is given what searches, and returns what was found."""
Scored = Callable[[Sequence[tuple[str, float]]], None]
"""Is told what was ranked, each with its score."""


_ENTERED = frozenset(
    {
        *("goal", "note", "plan", "plan_outcome", "task", "space", "entity", "escalation"),
        *("lesson", "lesson_outcome", "reflection", "memory_entity", "relation"),
        *("observation", "observation_standing", "observation_decision"),
    }
)
"""Tables whose words are only kept: from what is put into them secrets are taken out here.

What is hashed, held against what came before or sent on before it is kept has to be without them
already: events, posts, items of memory, history, what models and programs answered. Of an agent
only the instructions are words; its tools may need what looks like a key.
"""
_INTO = re.compile(r"\s*(?:INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE(?:\s+OR\s+\w+)?)\s+\"?(\w+)")


@functools.lru_cache(1024)
def enters(sql: Sql) -> bool:
    """Tell whether a statement puts words into a table that only keeps them."""
    found = _INTO.match(sql if isinstance(sql, str) else sql.sqlite)
    return found is not None and found[1] in _ENTERED


class Cursor(Protocol):
    """The rows that a statement gives, while they are read."""

    def fetchone(self) -> Row | None:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        ...

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are left."""
        ...


class EngineRows:
    """Run SQL inside the transaction that is open on one connection of an engine.

    `search`, where there is one, stands between a statement that ranks by the words of all agents
    and what it finds. `redactor`, where there is one, takes secrets out of words that come in.
    `held` is what the open transaction holds, where it may write.
    """

    def __init__(self) -> None:
        self.search: Search | None = None
        self.heed: Scored | None = None
        self.redactor: Redactor | None = None
        self.held: Holding | None = None

    def _query(self, sql: Sql, values: Mapping[str, Given] | None) -> Cursor:
        """Run one statement that gives rows."""
        raise NotImplementedError

    def _names(self, cursor: Cursor) -> tuple[str, ...]:
        """Return the names of the columns; they are known while a row is there."""
        raise NotImplementedError

    def _change(self, sql: Sql, values: Mapping[str, Given] | None) -> int:
        """Run one statement and return how many rows it changed."""
        raise NotImplementedError

    def _run(self, sql: Sql, values: Mapping[str, Given] | None) -> None:
        """Run one statement of which nothing is wanted."""
        self._change(sql, values)

    def _change_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        raise NotImplementedError

    def run(self, sql: Sql, values: Mapping[str, Given] | None = None) -> None:
        """Run one statement, at the latest before the next one of which something is wanted."""
        self._run(sql, self._clean(sql, values))

    def ahead(self, sql: Sql, values: Mapping[str, Given] | None = None) -> None:
        """Say what will be asked; where nothing is far away, that is no use."""

    def changed(self, sql: Sql, values: Mapping[str, Given] | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        return self._change(sql, self._clean(sql, values))

    def _clean(self, sql: Sql, values: Mapping[str, Given] | None) -> Mapping[str, Given] | None:
        """Return what a statement is given, without the secrets in what is only kept."""
        if self.redactor is None or not values or not enters(sql):
            return values
        clean = self.redactor.text
        return {
            name: clean(cell) if isinstance(cell, str) else cell for name, cell in values.items()
        }

    def run_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        if self.redactor is not None and enters(sql):
            clean = self.redactor.text
            values = (
                [clean(cell) if isinstance(cell, str) else cell for cell in row] for row in values
            )
        self._change_many(sql, values)

    def run_last(self, sql: Sql, values: Iterable[tuple[Cell, ...]]) -> None:
        """Insert rows that others may be inserting, too; where one writes at a time, at once."""
        self.run_many(sql, values)

    def all(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> list[T]:
        """Return every row as `into`."""
        names, rows = self._found(sql, values)
        return list(_records(into, names, rows))

    def ranked(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> list[T]:
        """Return every row of a statement that ranks by the words of all agents."""
        if self.search is None:
            return self.all(into, sql, values)
        names, rows = self.search(functools.partial(self._found, sql, values))
        return list(_records(into, names, rows))

    def scored(self, found: Sequence[tuple[str, float]]) -> None:
        """Tell whoever keeps a record what was found by its ranks, each with its score."""
        if self.heed is not None:
            self.heed(found)

    def one(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> T | None:
        """Return the first row as `into`, or None."""
        cursor = self._query(sql, values)
        row = cursor.fetchone()
        return None if row is None else next(_records(into, self._names(cursor), [row]))

    def value(self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None) -> T | None:
        """Return the first column of the first row, or None."""
        row = self._query(sql, values).fetchone()
        if row is None or row[0] is None:
            return None
        return _plain(row[0], into)

    def each(
        self, into: type[T], sql: Sql, values: Mapping[str, Given] | None = None
    ) -> Iterator[T]:
        """Yield rows as `into` while they are read; as a tuple, they are given as they are."""
        cursor = self._query(sql, values)
        if into is tuple:
            yield from cast("Iterator[T]", cursor)
            return
        names: tuple[str, ...] | None = None
        for row in cursor:
            if into in _PLAIN:
                yield _plain(row[0], into)
                continue
            if names is None:
                names = self._names(cursor)
            yield msgspec.convert(dict(zip(names, row, strict=True)), into, strict=False)

    def hold(self, kind: HeldKind, *names: str) -> bool:
        """Keep other writers from these until the transaction ends; return whether it waited."""
        taken = [] if self.held is None else self.held.take(kind, names)
        return bool(taken) and self._lock(kind, taken)

    def _lock(self, kind: HeldKind, names: Sequence[str]) -> bool:
        """Keep other writers from these, in this order; where one writes at a time, none comes."""
        return False

    def _found(self, sql: Sql, values: Mapping[str, Given] | None) -> Found:
        """Return all that a statement finds."""
        cursor = self._query(sql, values)
        row = cursor.fetchone()
        return ((), []) if row is None else (self._names(cursor), [row, *cursor.fetchall()])


def _records(into: type[T], names: tuple[str, ...], rows: Sequence[Row]) -> Iterator[T]:
    """Yield rows as records, or their first cells."""
    if into in _PLAIN:
        yield from (_plain(row[0], into) for row in rows)
        return
    convert = msgspec.convert
    for row in rows:
        yield convert(dict(zip(names, row, strict=True)), into, strict=False)


def _plain(value: Cell, into: type[T]) -> T:
    """Return what stands in a cell, which mostly is there as it is wanted."""
    return value if type(value) is into else msgspec.convert(value, into, strict=False)


class TransactionListener(Protocol):
    """Hear of the transactions of one store, but not of blocks that join one."""

    def asks(self, *, writes: bool) -> Sequence[str]:
        """Return the questions that it asks first as one begins, as far as that is known."""
        ...

    def began(self, rows: Rows, *, writes: bool) -> None:
        """Hear that a transaction began, as its first thing, and whether it may write."""
        ...

    def asks_last(self) -> Sequence[tuple[Sql, Mapping[str, Given]]]:
        """Return the questions that it asks as one ends that changed something."""
        ...

    def ends(self, rows: Rows, written: "ChangesWritten") -> None:
        """Hear that one that changed something is about to be committed, as its last thing."""
        ...

    def lost(self, error: MindError) -> None:
        """Hear that the one that began last came to nothing, as the store was busy or lost."""
        ...

    def mirrored(self, change: int) -> None:
        """Hear up to which change of its log a copy follows that is to be searched."""
        ...
