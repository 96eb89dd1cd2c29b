"""One connection to a server: how it is made and kept, and the server's errors in our words."""

import contextlib
import logging
import re
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self, TypeVar, cast

import psycopg
from psycopg import errors, generators
from psycopg.abc import PQGen, PQGenConn
from psycopg.adapt import AdaptersMap
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from mindpipe.core.errors import (
    MindError,
    RefusedError,
    StoreBusyError,
    UnavailableError,
    UnfitRowError,
    UsageError,
)
from mindpipe.core.ports import Row
from mindpipe.store.address import Address
from mindpipe.store.postgres.messages import Connection, Kind
from mindpipe.store.postgres.refusal import connecting
from mindpipe.store.postgres.rows import adapters

# What the driver has to say goes with our own words; without this, Python prints it beside them.
logging.getLogger("psycopg").addHandler(logging.NullHandler())
T = TypeVar("T")
LEAST_VERSION = 150_000
"""PostgreSQL 15: what statements and roles here need."""
_LOOK_SECONDS = 0.1
SILENT_SECONDS = 30
"""After so long without an answer it is asked by another connection whether the server is there."""
_NAME = "mindpipe"
# What an address may say otherwise. A server that went without a word is found out after half a
# minute, not two hours.
_DEFAULTS: dict[str, str | int] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_NAMES: dict[Address, str] = {}
# What the driver itself finds, before a server has said a word: it does so in English.
_MISNAMED = re.compile(r"invalid \S+ value|invalid port|definition of service")
_WITHOUT, _NO_PASSWORD = "no password supplied", "28P01"
_UNTRUSTED = re.compile(r"certificate|SSL was required|does not support SSL|private key")
# The class of SQLSTATE for what is too large or too deep, and so is the next time.
_TOO_LARGE = "54"
# Classes of SQLSTATE that pass: connection, rollback, resources, operator, system, internal.
_PASSING = ("08", "40", "53", "57", "58", "XX")

# The server finds out as soon that we went, and lets go of what was under way. A pooler has
# connections of its own to the server, whose process is not the one that answered us.
_NOTICES = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_NOTICED = (
    "SELECT CASE WHEN pg_backend_pid() = %s THEN (SELECT count(set_config(name, value, false)) "
    "FROM unnest(%s::text[], %s::text[]) AS told(name, value)) END, "
    "EXISTS(SELECT FROM pg_get_keywords() WHERE word = %s AND catcode IN ('R', 'T'))"
)


class _Context(NamedTuple):
    """How values go to a server and come from it, as the driver wants to be told."""

    adapters: AdaptersMap
    connection: None = None


class ServerConnection(psycopg.Connection[Row]):
    """A connection that ends where its server stands still; one that only takes long goes on.

    `posted` counts what was sent for whose answer nobody waited. `prepared` are the statements that
    are prepared, None where a pooler is between.
    """

    prepared: dict[Kind, bytes] | None
    posted = 0
    _is_posted = False

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Self]:
        """Connect; an error has the code with which the server refused."""
        opened = yield from connecting(conninfo)
        return cls(opened)  # pyright: ignore[reportArgumentType]  # its rows are tuples

    def wait(
        self, gen: PQGen[T], interval: float = _LOOK_SECONDS, timeout: float | None = None
    ) -> T:
        """Wait for an answer, once that to what was posted is read."""
        self.settle()
        return super().wait(self._watched(gen), interval, timeout)

    def post(self, text: bytes) -> None:
        """Send what nobody waits for, nor for what is wrong with it; see `post`."""
        self.settle()
        self.pgconn.send_query(text)
        self.pgconn.flush()
        self._is_posted = True
        self.posted += 1

    def settle(self) -> None:
        """Read the answer to what was posted, if that was not read yet."""
        if self._is_posted:
            self._is_posted = False
            try:
                super().wait(self._watched(generators.execute(self.pgconn)), _LOOK_SECONDS)
            except BaseException:
                self.close()
                raise
            if self.closed:
                raise psycopg.OperationalError("the connection was lost")

    def _watched(self, gen: PQGen[T]) -> PQGen[T]:
        """Go on with what waits for an answer, as long as there is a server."""
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    heard = now
                elif now - heard > SILENT_SECONDS:
                    heard = now
                    if self._stands_still():
                        self.close()
                        raise psycopg.OperationalError("the server gives no answer")
                wanted = gen.send(ready)
        except StopIteration as end:
            return cast("T", end.value)

    def _stands_still(self) -> bool:
        """Tell whether nobody answers who connects."""
        try:
            psycopg.connect(self.info.dsn, password=self.info.password or None).close()
        except errors.ConnectionTimeout:
            return True
        except psycopg.OperationalError:
            # Whoever refuses is there.
            return False
        return False


def named_as(address: Address, name: str | None) -> None:
    """Let the connections that this process makes to a store from now on have a name, or none."""
    _NAMES.pop(address, None)
    if name is not None:
        _NAMES[address] = name


def _conninfo(address: Address) -> str:
    """Return an address with what it does not say itself."""
    given = conninfo_to_dict(address.server)
    usual = {**_DEFAULTS, "application_name": _NAMES.get(address, _NAME)}
    others = {name: value for name, value in usual.items() if name not in given}
    return make_conninfo(address.server, **others, client_encoding="UTF8")


def connect(address: Address, settings: Mapping[str, str] | None = None) -> Connection:
    """Connect to the server of a store; `settings` last as long, but where a pooler is between.

    The driver finds host, user and password where PostgreSQL's own programs do: in the address, in
    PGHOST and its like, in a service file and in ~/.pgpass.

    Raises:
        StoreBusyError: the server cannot be reached, or takes nobody now.
        UnavailableError: it lets this user not in, has no such database, cannot be trusted, or is
            older than PostgreSQL 15.
        RefusedError: this user has no right to the database.
        UsageError: the address has options that no server takes.
    """
    with server_errors(address), _refused():
        connection = ServerConnection.connect(
            _conninfo(address), autocommit=True, context=_Context(adapters())
        )
    try:
        with server_errors(address):
            _make_ready(connection, address, settings or {})
    except BaseException:
        connection.close()
        raise
    return connection


def _make_ready(
    connection: ServerConnection, address: Address, settings: Mapping[str, str]
) -> None:
    """Require a server that is new enough, and a schema that can be one; make settings there."""
    version = connection.info.server_version
    if version < LEAST_VERSION:
        raise UnavailableError(
            f"the server is PostgreSQL {version // 10_000}; mindpipe needs 15 or newer."
        )
    told_once = {**_NOTICES, **settings}
    named = [list(told_once), list(told_once.values())]
    given = [connection.info.backend_pid, *named, address.schema]
    noticed, is_keyword = connection.execute(_NOTICED, given).fetchone() or (None, 0)
    if is_keyword:
        raise UsageError(f"{address.schema} is a word of SQL; name another schema (?schema=).")
    # By messages alone: what the driver prepares it takes back in between, with all others. What is
    # prepared behind a pooler would be of whoever has that connection next.
    connection.prepare_threshold = None
    connection.prepared = {} if noticed is not None else None


def post(connection: Connection, text: bytes) -> None:
    """Send statements for whose answer nobody waits: it is read before anything else is sent.

    What is wrong with them nobody is told; where the connection is lost, the next one finds that.

    Raises:
        psycopg.OperationalError: it is lost already.
    """
    cast("ServerConnection", connection).post(text)


def settle(connection: Connection) -> None:
    """Read the answer to what was posted.

    Raises:
        psycopg.OperationalError: the connection is lost.
    """
    cast("ServerConnection", connection).settle()


def is_pooled(connection: Connection) -> bool:
    """Tell whether a pooler gives the connection to somebody else between transactions."""
    return cast("ServerConnection", connection).prepared is None


@contextlib.contextmanager
def _refused() -> Iterator[None]:
    """Raise our error where it is no matter of time that nobody is let in."""
    try:
        yield
    except psycopg.ProgrammingError as error:
        raise UsageError(f"the store's address: {first_line(error)}.") from None
    except psycopg.OperationalError as error:
        said = first_line(error)
        if _MISNAMED.search(said):
            raise UsageError(f"the store's address: {said}.") from None
        if _UNTRUSTED.search(said):
            raise UnavailableError(
                f"the server cannot be trusted as asked: {said}. See sslmode and sslrootcert."
            ) from None
        state = _NO_PASSWORD if _WITHOUT in said else error.sqlstate
        if state == errors.InsufficientPrivilege.sqlstate:
            raise RefusedError(f"{said}. See mind store roles.") from None
        if state is not None and not state.startswith(_PASSING):
            raise UnavailableError(f"the server refuses: {said}. {_advice(state)}") from None
        raise


def _advice(state: str) -> str:
    """Return what to do where a server refuses for such a reason."""
    if state.startswith("28"):
        return "Name a user that it knows, with a password from ~/.pgpass, a service or PGPASSWORD."
    if state.startswith("3D"):
        return "Make the database, or name another."
    return "Ask whoever runs it."


@contextlib.contextmanager
def server_errors(address: Address) -> Iterator[None]:
    """Turn the server's errors into ours, each with what to try."""
    try:
        yield
    except psycopg.Error as error:
        raise_ours(address, error)
        raise


def raise_ours(address: Address, error: BaseException) -> None:
    """Raise our error for one of the server's; return where it is none."""
    match error:
        case errors.LockNotAvailable() | errors.DeadlockDetected() | errors.SerializationFailure():
            raise StoreBusyError("the store is busy. Try again.") from None
        case (
            errors.QueryCanceled()
            | errors.IdleInTransactionSessionTimeout()
            | errors.TransactionTimeout()
        ):
            raise StoreBusyError(
                f"the server ended the transaction: {first_line(error)}. Try again."
            ) from None
        case errors.UndefinedTable() | errors.UndefinedFunction() | errors.InvalidSchemaName():
            raise no_store(address) from error
        case errors.InsufficientPrivilege():
            raise RefusedError(
                f"the server lets this user not do that: {first_line(error)}. See mind store roles."
            ) from None
        case errors.DiskFull():
            raise StoreBusyError(
                "no space left on the server. Nothing of the last transaction was kept. Try again "
                "when it has some."
            ) from None
        case errors.ReadOnlySqlTransaction():
            raise takes_nothing() from None
        case errors.IntegrityError() | errors.DataError():
            raise UnfitRowError(f"the store refused a row: {first_line(error)}") from error
        case psycopg.Error() if (error.sqlstate or "").startswith(_TOO_LARGE):
            raise UnfitRowError(f"this is more than a server takes: {first_line(error)}") from error
        case psycopg.OperationalError() | psycopg.InterfaceError():
            raise StoreBusyError(
                f"the server cannot be reached: {first_line(error)}. Try again."
            ) from None
        case psycopg.Error() if (error.sqlstate or "").startswith((*_PASSING, "25", "55")):
            raise StoreBusyError(f"the server said: {first_line(error)}. Try again.") from None
        case psycopg.Error():
            raise MindError(f"the server said: {first_line(error)} ({error.sqlstate}).") from error
        case _:
            return


def takes_nothing() -> UnavailableError:
    """Return the error for a server that can only be read."""
    return UnavailableError(
        "the server takes nothing: it is a replica, or read-only. Name the primary "
        "(target_session_attrs=read-write)."
    )


def no_store(address: Address) -> UnavailableError:
    """Return the error for a schema that is no store."""
    return UnavailableError(f"no store in schema {address.schema}. Run mind init.")


def first_line(error: BaseException) -> str:
    """Return what a server says first; what follows repeats the statement with its values."""
    return (str(error).strip().splitlines() or ["no reason given"])[0].rstrip(".")
