"""Make the schema of a store on a server, and require that it is ours."""

from pathlib import Path

from mindpipe.core.errors import RefusedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Chance, Clock
from mindpipe.store.address import Address
from mindpipe.store.migrations import SCHEMA
from mindpipe.store.postgres.connection import connect, no_store, server_errors
from mindpipe.store.postgres.rows import Connection, PostgresRows
from mindpipe.store.postgres.store import PostgresStore
from mindpipe.store.schema import give_identity, newer_schema

_FOLDER = Path(__file__).parent
_SCRIPTS = (_FOLDER / "functions.sql", _FOLDER / "schema.sql")
_GATE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"


def open_store(address: Address) -> PostgresStore:
    """Open the store of an address.

    Raises:
        UnavailableError: there is none, its schema is another version's, or the server does not
            speak UTF-8.
        TemporaryError: the server cannot be reached.
    """
    store = PostgresStore(address)
    with server_errors(address):
        version = version_of(store.connection, address)
    if version > len(SCHEMA):
        raise newer_schema(path_version=version, ours=len(SCHEMA))
    if version < len(SCHEMA):
        raise UnavailableError(
            f"the store has schema {version}, this program wants {len(SCHEMA)}. "
            "Run mind store migrate."
        )
    return store


def version_of(connection: Connection, address: Address) -> int:
    """Return how many migrations a store has.

    Raises:
        UnavailableError: there is no store in the schema.
    """
    table = f"{address.schema}.migration"
    if connection.execute("SELECT to_regclass(%s) IS NOT NULL", [table]).fetchone() != (1,):
        raise no_store(address)
    found = connection.execute(f"SELECT max(position) FROM {table}".encode()).fetchone()
    return int(str(found[0])) if found else 0


def make_store(address: Address, clock: Clock, chance: Chance) -> PostgresStore:
    """Make the schema, and the store in it, in one transaction.

    Raises:
        RefusedError: there is a store already, or the schema has tables of something else.
        UnavailableError: the database is not in UTF-8.
    """
    connection = connect(address)
    schema = address.schema
    with server_errors(address), connection, connection.transaction():
        # Two that make the same store at once come one after the other.
        connection.execute(_GATE, [address.schema])
        if connection.execute("SHOW server_encoding").fetchone() != ("UTF8",):
            raise UnavailableError("the database is not in UTF8; make one that is.")
        found = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s)",
            [schema],
        ).fetchone()
        if found != (0,):
            raise RefusedError(f"schema {schema} is not empty; name a new one (?schema=).")
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
        connection.execute(f"SET LOCAL search_path = {schema}, pg_catalog".encode())
        for script in _SCRIPTS:
            connection.execute(script.read_bytes())
        rows = PostgresRows(lambda: connection)
        give_identity(rows, identity=chance.new_id("s", address.schema), created=clock.now())
        reach("init.before_commit")
    return open_store(address)
