"""A stub of a store that leaves one rule out: it says some of its SQL in other words."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mindpipe.core.ports import Pair, Rows, Sql
from support.stores import store_at


class LaxRows:
    """Rows whose SQL is changed; `used` counts the statements in which something was."""

    def __init__(self, rows: Rows, changes: Mapping[str, str]) -> None:
        self._rows = rows
        self._changes = changes
        self.used = 0

    def _lax(self, sql: Sql) -> Sql:
        changed = Pair(*map(self._changed, sql)) if isinstance(sql, Pair) else self._changed(sql)
        self.used += changed != sql
        return changed

    def _changed(self, text: str) -> str:
        for strict, lax in self._changes.items():
            text = text.replace(strict, lax)
        return text

    def run(self, sql: Sql, values: Any = None) -> None:
        self._rows.run(self._lax(sql), values)

    def changed(self, sql: Sql, values: Any = None) -> int:
        return self._rows.changed(self._lax(sql), values)

    def run_many(self, sql: Sql, values: Any) -> None:
        self._rows.run_many(self._lax(sql), values)

    def run_last(self, sql: Sql, values: Any) -> None:
        self._rows.run_last(self._lax(sql), values)

    def all(self, into: Any, sql: Sql, values: Any = None) -> Any:
        return self._rows.all(into, self._lax(sql), values)

    def one(self, into: Any, sql: Sql, values: Any = None) -> Any:
        return self._rows.one(into, self._lax(sql), values)

    def value(self, into: Any, sql: Sql, values: Any = None) -> Any:
        return self._rows.value(into, self._lax(sql), values)

    def ahead(self, sql: Sql, values: Any = None) -> None:
        self._rows.ahead(self._lax(sql), values)

    def hold(self, kind: Any, *names: str) -> bool:
        return self._rows.hold(kind, *names)


KEEPS_KEYS = ") ON CONFLICT(agent, source, key) WHERE key IS NOT NULL DO NOTHING"
"""How the statement ends that passes over a key that is there; left out, the index goes too."""


class LaxStore:
    """A store with one rule left out; `rolls_back` is false for one that keeps half of its work."""

    def __init__(self, path: Path, changes: Mapping[str, str], *, rolls_back: bool = True) -> None:
        self._store = store_at(path)
        self._changes = changes
        self._rolls_back = rolls_back
        self.used = 0
        if KEEPS_KEYS in changes:
            with self._store.write() as rows:
                rows.run("DROP INDEX event_key")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextlib.contextmanager
    def read(self) -> Iterator[LaxRows]:
        """Open, or join, a transaction that only reads."""
        with self._store.read() as rows:
            yield from self._laxly(rows)

    @contextlib.contextmanager
    def write(self, *of: str) -> Iterator[LaxRows]:
        """Open, or join, a transaction."""
        failed = None
        with self._store.write(*of) as rows:
            try:
                yield from self._laxly(rows)
            except Exception as error:
                if self._rolls_back:
                    raise
                self.used += 1
                failed = error
        if failed is not None:
            raise failed

    def _laxly(self, rows: Rows) -> Iterator[LaxRows]:
        lax = LaxRows(rows, self._changes)
        try:
            yield lax
        finally:
            self.used += lax.used
