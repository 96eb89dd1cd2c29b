"""A stub of a store that leaves one rule out: it says some of its SQL in other words."""

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mindpipe.core.ports import Rows
from mindpipe.store.sqlite import SqliteRows, SqliteStore
from support.stores import store_at


class LaxRows(SqliteRows):
    """Rows whose SQL is changed; `used` counts the statements in which something was."""

    changes: Mapping[str, str] = {}
    used = 0

    def _lax(self, sql: str) -> str:
        changed = sql
        for strict, lax in self.changes.items():
            changed = changed.replace(strict, lax)
        self.used += changed != sql
        return changed

    def run(self, sql: str, values: Any = None) -> int:
        return super().run(self._lax(sql), values)

    def run_many(self, sql: str, values: Any) -> None:
        super().run_many(self._lax(sql), values)

    def all(self, into: Any, sql: str, values: Any = None) -> Any:
        return super().all(into, self._lax(sql), values)

    def one(self, into: Any, sql: str, values: Any = None) -> Any:
        return super().one(into, self._lax(sql), values)

    def value(self, into: Any, sql: str, values: Any = None) -> Any:
        return super().value(into, self._lax(sql), values)


KEEPS_KEYS = ") ON CONFLICT(agent, source, key) WHERE key IS NOT NULL DO NOTHING"
"""How the statement ends that passes over a key that is there; left out, the index goes too."""


class LaxStore(SqliteStore):
    """A store with one rule left out; `rolls_back` is false for one that keeps half of its work."""

    def __init__(self, path: Path, changes: Mapping[str, str], *, rolls_back: bool = True) -> None:
        made = store_at(path)
        super().__init__(made.connection, path)
        made.connection.execute("DROP INDEX event_key")
        self.rows = LaxRows(made.connection)
        if KEEPS_KEYS not in changes:
            sql = "CREATE UNIQUE INDEX event_key ON event(agent, source, key) WHERE key IS NOT NULL"
            made.connection.execute(sql)
        self.rows.changes = changes
        self._rows = self.rows
        self._rolls_back = rolls_back

    @contextlib.contextmanager
    def write(self) -> Iterator[Rows]:
        """Open, or join, a transaction."""
        if self._rolls_back or self.connection.in_transaction:
            with super().write() as rows:
                yield rows
            return
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.rows
        finally:
            self.rows.used += 1
            self.connection.execute("COMMIT")
