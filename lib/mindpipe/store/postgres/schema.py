"""Make the schema of a store on a server, and require that it is ours."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from psycopg import errors

from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Cell, Chance, Clock
from mindpipe.store.address import Address
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.postgres.connection import connect, no_store, server_errors
from mindpipe.store.postgres.messages import Connection
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.schema import give_identity, newer_schema

_FOLDER = Path(__file__).parent
SCRIPTS = tuple(_FOLDER / f"{name}.sql" for name in ("functions", "schema", "numbers", "give_back"))
"""What all migrations come to."""
AS_WRITTEN = "SET LOCAL quote_all_identifiers = off; SET LOCAL plpgsql.extra_errors = 'none'"
"""Lets statements that make a schema mean what they say, whatever a role or a database has."""
# Others have a table of that name, too.
_IS_OURS = (
    "SELECT to_regclass(%(store)s) IS NOT NULL AND EXISTS(SELECT FROM pg_attribute "
    "WHERE attrelid = to_regclass(%(known)s) AND attname = 'position' "
    "AND atttypid = 'pg_catalog.int8'::regtype)"
)
_CLASSES = "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s)"


def open_store(address: Address, *, moving: bool = False) -> PostgresStore:
    """Open the store of an address; who is `moving` it also where it is not, or not yet, used.

    Raises:
        UnavailableError: there is none, its schema is another version's, or the server does not
            speak UTF-8.
        TemporaryError: the server cannot be reached.
    """
    with contextlib.ExitStack() as left:
        wanted = None if moving else len(SCHEMA)
        store = left.enter_context(contextlib.closing(PostgresStore(address, version=wanted)))
        with server_errors(address):
            version = version_of(store.connection, address)
        if version > len(SCHEMA):
            raise newer_schema(path_version=version, ours=len(SCHEMA))
        if version < len(SCHEMA):
            raise UnavailableError(
                f"the store has schema {version}, this program wants {len(SCHEMA)}. "
                "Run mind store migrate."
            )
        left.pop_all()
        return store


def version_of(connection: Connection, address: Address) -> int:
    """Return how many migrations a store has.

    Raises:
        UnavailableError: there is no store in the schema.
    """
    with server_errors(address):
        version = _version(connection, address.schema)
    if version is None:
        raise no_store(address)
    return version


def _version(connection: Connection, schema: str) -> int | None:
    """Return how many migrations a store has, or None where there is none in the schema."""
    table = f"{schema}.migration"
    sql = f"SELECT ({_IS_OURS}), (SELECT max(position)::text FROM {table})"
    asked = {"store": f"{schema}.store", "known": table}
    try:
        found = connection.execute(sql.encode(), asked).fetchone()
    except (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction):
        return None
    is_ours, version = found or (False, None)
    return int(str(version)) if is_ours and version is not None else None


def make_store(
    address: Address,
    clock: Clock,
    chance: Chance,
    *,
    begin: Callable[[PostgresStore], None] | None = None,
) -> PostgresStore:
    """Make a new store and open it; see `make_schema`."""
    make_schema(address, clock, chance, begin=begin)
    return open_store(address)


def make_schema(
    address: Address,
    clock: Clock,
    chance: Chance,
    *,
    begin: Callable[[PostgresStore], None] | None = None,
) -> None:
    """Make the schema, the store in it and what `begin` does there in one transaction.

    Raises:
        RefusedError: there is a store already, or the schema has tables of something else.
        UnavailableError: the database is not in UTF-8.
    """
    store = PostgresStore(address)
    # Two that make a store at once come one after the other: its lock is that of the name.
    with contextlib.closing(store), server_errors(address), store.write() as rows:
        _make(address, store.connection)
        identity = chance.new_id("s", address.schema)
        give_identity(rows, identity=identity, created=clock.now())
        if begin is not None:
            begin(store)
        reach("init.before_commit")


def _make(address: Address, connection: Connection) -> None:
    """Make the schema and its tables in the open transaction."""
    schema = address.schema
    if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
        raise UnavailableError("the database is not in UTF8; make one that is.")
    _require_empty(address, connection)
    connection.execute(AS_WRITTEN)
    connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
    for script in SCRIPTS:
        connection.execute(script.read_bytes())


def require_empty(address: Address) -> None:
    """Require that a schema has nothing in it, or is not there.

    Raises:
        RefusedError: it has.
    """
    with server_errors(address), connect(address) as connection:
        _require_empty(address, connection)


def _require_empty(address: Address, connection: Connection) -> None:
    schema = address.schema
    if connection.execute(_CLASSES, [schema]).fetchone() == (0,):
        return
    if _version(connection, schema) is not None:
        raise RefusedError(
            f"schema {schema} is a store already; mind agent new makes an agent in it, "
            "?schema=NAME another store."
        )
    raise RefusedError(f"schema {schema} is not empty; name a new one (?schema=).")


def index_takes(address: Address, words: Sequence[Cell]) -> bool:
    """Tell whether a row can be found by these words, which an index keeps as short as it can."""
    names = [f"w{place}" for place in range(len(words))]
    columns = ", ".join(f'{name} TEXT COLLATE "C"' for name in names)
    marks = ", ".join(["%s"] * len(words))
    with (
        server_errors(address),
        connect(address) as connection,
        connection.transaction(force_rollback=True),
    ):
        connection.execute(f"CREATE TEMPORARY TABLE tried({columns})".encode())
        connection.execute(f"CREATE INDEX ON tried({', '.join(names)})".encode())
        try:
            connection.execute(f"INSERT INTO tried VALUES({marks})".encode(), words)
        except errors.ProgramLimitExceeded:
            return False
    return True


def remove_store(address: Address) -> None:
    """Take a store away, with all that is in its schema."""
    with server_errors(address), connect(address) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {address.schema} CASCADE".encode())
