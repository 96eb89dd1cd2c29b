"""Questions in PostgreSQL's SQL to a store on a server, which can only read.

A question is a cursor of a transaction that only reads, which is never committed: so it is one
statement that gives rows, and what a function of it would write is refused by the server. It is
asked as the store's reader where that role is there, and by a superuser at least as one who reads.
"""

import contextlib
import threading
from collections.abc import Iterator, Mapping, Sequence

import psycopg
from psycopg import RawServerCursor, errors

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Row
from mindpipe.core.records import to_json
from mindpipe.core.text import did_you_mean
from mindpipe.store.address import Address
from mindpipe.store.postgres import roles
from mindpipe.store.postgres.connection import connect, first_line, raise_ours
from mindpipe.store.postgres.messages import Connection
from mindpipe.store.postgres.schema import version_of
from mindpipe.store.records import Plain, QueryRow
from mindpipe.store.statements import asked_text

QUERY_SECONDS = 60
"""So long a question may take to the next thousand of its rows."""
_PIECE = 1000
_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_ONLY_READS = "a query only reads this store; change it with the other commands."
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY tablename"
_IS_SUPER = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"
_READS_ALL = "SET LOCAL ROLE pg_read_all_data"
_READING = ("SELECT", "WITH", "VALUES", "TABLE", "(")
_PLAIN = (int, float, str, bytes)


def query(address: Address, sql: str, *, values: Mapping[str, str]) -> QueryRow:
    """Run one statement; `values` fill its named parameters (`:name`).

    Raises:
        UsageError: the server does not understand it, or it would write.
        UnavailableError: there is no store.
    """
    text, names = asked_text(sql.strip().rstrip(";"))
    if absent := [name for name in names if name not in values]:
        raise UsageError(f"SQL: nothing is given for :{absent[0]} (-p {absent[0]} VALUE).")
    return _asked(address, text.decode(), [values[name] for name in names])


def export(address: Address, table: str) -> QueryRow:
    """Return the rows of a table.

    Raises:
        UsageError: there is no such table; names those there are.
    """
    with contextlib.closing(connect(address)) as connection, _errors(address):
        names = _tables(connection, address)
    if table not in names:
        raise UsageError(f'no table "{table}"; there are {", ".join(names)}.')
    quoted = table.replace('"', '""')
    return _asked(address, f'SELECT * FROM {address.schema}."{quoted}"', [])


def _asked(address: Address, text: str, given: Sequence[str]) -> QueryRow:
    """Ask, and return the columns and the rows as they are read."""
    rows = _rows(address, text, given)
    columns = tuple(str(name) for name in next(rows))
    return QueryRow(columns=columns, rows=(dict(zip(columns, row, strict=True)) for row in rows))


def _rows(address: Address, text: str, given: Sequence[str]) -> Iterator[list[Plain]]:
    """Yield the names of the columns, and then every row."""
    with contextlib.closing(connect(address)) as connection, _errors(address):
        _begin(connection, address)
        try:
            with contextlib.closing(RawServerCursor(connection, "asked")) as cursor:
                with _timed(connection):
                    cursor.execute(text.encode(), given)
                yield [column.name for column in cursor.description or ()]
                while piece := _next(connection, cursor):
                    yield from ([_plain(cell) for cell in row] for row in piece)
        except errors.UndefinedTable as error:
            connection.execute("ROLLBACK")
            raise _no_table(error, _tables(connection, address)) from None
        except errors.SyntaxError as error:
            if not text.lstrip().upper().startswith(_READING):
                raise UsageError(f"SQL: {_ONLY_READS}") from None
            raise _misread(error) from None


def _next(connection: Connection, cursor: RawServerCursor[Row]) -> list[Row]:
    """Return the next rows."""
    with _timed(connection):
        return cursor.fetchmany(_PIECE)


@contextlib.contextmanager
def _timed(connection: Connection) -> Iterator[None]:
    """Cancel what takes too long, whatever it has set for itself."""
    timer = threading.Timer(QUERY_SECONDS, connection.cancel)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def _begin(connection: Connection, address: Address) -> None:
    """Begin to read, with no more rights than that takes."""
    version_of(connection, address)
    connection.execute(_BEGIN)
    connection.execute(f"SET LOCAL search_path = {address.schema}, pg_catalog".encode())
    connection.execute(f"SET LOCAL statement_timeout = '{QUERY_SECONDS}s'".encode())
    is_super = connection.execute(_IS_SUPER).fetchone() == (1,)
    if not roles.take(connection, address, "reader") and is_super:
        connection.execute(_READS_ALL)


def _tables(connection: Connection, address: Address) -> list[str]:
    """Return the names of all tables of a store."""
    version_of(connection, address)
    return [str(name) for (name,) in connection.execute(_TABLES, [address.schema])]


def _plain(cell: object) -> Plain:
    """Return a value as it can be printed; of what PostgreSQL alone knows, its text."""
    if cell is None or isinstance(cell, _PLAIN):
        return cell
    return to_json(cell).decode() if isinstance(cell, dict | list) else str(cell)


@contextlib.contextmanager
def _errors(address: Address) -> Iterator[None]:
    """Turn the errors of a statement that somebody typed into ours."""
    try:
        yield
    except errors.QueryCanceled:
        raise UsageError(f"SQL: it took longer than {QUERY_SECONDS} seconds.") from None
    except (errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege) as error:
        raise UsageError(f"SQL: {_ONLY_READS} ({first_line(error)})") from None
    except psycopg.OperationalError as error:
        raise_ours(address, error)
        raise
    except psycopg.Error as error:
        raise _misread(error) from None


def _no_table(error: psycopg.Error, names: Sequence[str]) -> UsageError:
    """Return the error for a table that is not there, with those there are."""
    named = first_line(error).partition('"')[2].partition('"')[0]
    hint = did_you_mean(named, names) or f"there are {', '.join(names)}."
    return UsageError(f"SQL: no table {named}; {hint.rstrip()}")


def _misread(error: psycopg.Error) -> UsageError:
    return UsageError(f"SQL: {first_line(error)}")
