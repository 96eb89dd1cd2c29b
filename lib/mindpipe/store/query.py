"""Questions in SQL to a store, and its tables as lines."""

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from sqlite_utils import Database

from mindpipe.core.errors import (
    DamagedError,
    InputOutputError,
    MindError,
    StoreBusyError,
    UsageError,
)
from mindpipe.core.text import did_you_mean
from mindpipe.store import media, place
from mindpipe.store.records import Plain, QueryRow
from mindpipe.store.sqlite_utils_plugin import prepare_connection

_BUSY_SECONDS = 30.0
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_reading(store: Path) -> Database:
    """Open the store so that nothing can be written.

    Raises:
        UnavailableError: there is no store.
        RefusedError: it lies where others could read or replace it.
    """
    place.check_file(store)
    place.check_folder(store.absolute())
    with asked_errors(store):
        living = f"file:{quote(str(store.absolute()))}?mode=ro"
        uri = media.frozen_uri(store) if media.is_read_only(store) else living
        connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)
        prepare_connection(connection)
        connection.set_authorizer(_refuse_other_files)
        return Database(connection, execute_plugins=False)


def answer_of(store: Path, cursor: sqlite3.Cursor) -> QueryRow:
    """Return the columns of an executed statement, and its rows as they are read."""
    columns = tuple(column[0] for column in cursor.description or ())
    return QueryRow(columns=columns, rows=_rows(store, cursor, columns))


def _refuse_other_files(action: int, *_names: str | None) -> int:
    """Deny what opens or makes a second file (ATTACH, VACUUM INTO)."""
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_ATTACH else sqlite3.SQLITE_OK


def _rows(
    store: Path, cursor: sqlite3.Cursor, columns: tuple[str, ...]
) -> Iterator[dict[str, Plain]]:
    """Yield each row by the names of its columns."""
    with asked_errors(store):
        for row in cursor:
            yield dict(zip(columns, row, strict=True))


@contextlib.contextmanager
def asked_errors(store: Path) -> Iterator[None]:
    """Turn the errors of a statement that somebody typed into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _error_of(store, error) from None
    except sqlite3.Warning as warning:
        raise UsageError(f"SQL: {warning}") from None


def _error_of(store: Path, error: sqlite3.Error) -> MindError:
    """Return our error for one of SQLite's: damage, a lock, or a wrong statement."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED:
        words = f"{store.name} fails its check ({error}). Run mind store recover."
        return DamagedError(words, store=store)
    if code == sqlite3.SQLITE_IOERR:
        return InputOutputError(f"{store.name} cannot be read: {error}. Run mind store recover.")
    if code in _BUSY:
        return StoreBusyError("the store is busy. Try again.")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_AUTH):
        return UsageError("SQL: a query only reads this store; change it with the other commands.")
    return UsageError(f"SQL: {error}")


_ABSENT = "no such table: "


def _require_tables(database: Database, error: sqlite3.Error) -> None:
    """Raise UsageError where a statement names a table that is not there, with those there are."""
    named = str(error).removeprefix(_ABSENT)
    if named != str(error):
        names = [name for (name,) in database.execute(_NAMES)]
        hint = did_you_mean(named, names) or f"there are {', '.join(names)}."
        raise UsageError(f"SQL: no table {named}; {hint.rstrip()}") from None


def query(store: Path, sql: str, *, values: Mapping[str, str]) -> QueryRow:
    """Run one statement; `values` fill its named parameters (`:name`).

    Raises:
        UsageError: SQLite does not understand it, or it would write.
    """
    database = open_reading(store)
    with asked_errors(store):
        try:
            return answer_of(store, database.execute(sql, dict(values)))
        except sqlite3.OperationalError as error:
            _require_tables(database, error)
            raise


# What an index keeps for itself (shadow tables) is nobody's reading, and one without content has
# nothing to give.
_NAMES = (
    "SELECT name FROM pragma_table_list WHERE schema='main' AND type != 'shadow' "
    "AND name NOT LIKE 'sqlite_%' AND name NOT IN "
    "(SELECT name FROM sqlite_schema WHERE sql LIKE '%content=''''%') ORDER BY name"
)


def columns_of(store: Path) -> dict[str, list[str]]:
    """Return the columns of every table and view, those of an index among them."""
    database = open_reading(store)
    with asked_errors(store):
        found = database.execute(
            "SELECT made.name, part.name FROM pragma_table_list AS made, "
            "pragma_table_info(made.name) AS part WHERE made.schema='main' "
            "AND made.type != 'shadow' AND made.name NOT LIKE 'sqlite_%' ORDER BY 1, part.cid"
        )
        columns: dict[str, list[str]] = {}
        for table, column in found:
            columns.setdefault(table, []).append(column)
        return columns


def export(store: Path, table: str) -> QueryRow:
    """Return the rows of a table or view.

    Raises:
        UsageError: there is no such table; names those there are.
    """
    database = open_reading(store)
    with asked_errors(store):
        names = [name for (name,) in database.execute(_NAMES)]
        if table not in names:
            raise UsageError(f'no table "{table}"; there are {", ".join(names)}.')
        quoted = table.replace('"', '""')
        return answer_of(store, database.execute(f'SELECT * FROM "{quoted}"'))
