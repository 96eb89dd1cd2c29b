"""One schema of a PostgreSQL server as a Store: its transactions, and what holds them apart.

A transaction that may write takes its locks before it reads anything: the store's, alone or as one
of many, and those of the agents whose rows it writes. It reads what is committed (READ COMMITTED),
as the snapshot of any other level could be older than its locks. One that only reads sees one state
(REPEATABLE READ) and waits for nobody.
"""

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import NamedTuple

import psycopg
from psycopg import errors

from mindpipe.core.errors import (
    MindError,
    RefusedError,
    UnavailableError,
)
from mindpipe.core.ports import Given, HeldKind, Row
from mindpipe.store.address import Address
from mindpipe.store.changes import columns_of, listed
from mindpipe.store.engine import EngineStore
from mindpipe.store.holding import Holding
from mindpipe.store.move_mark import AWAY, require_here
from mindpipe.store.postgres import clock, watch
from mindpipe.store.postgres.connection import (
    connect,
    is_pooled,
    post,
    raise_ours,
    server_errors,
    settle,
    takes_nothing,
)
from mindpipe.store.postgres.hearing import FORGET, TriggerHearing
from mindpipe.store.postgres.locks import lock_number
from mindpipe.store.postgres.messages import Connection, SentStatement
from mindpipe.store.postgres.mirror import Mirror, mirror_file
from mindpipe.store.postgres.rows import PostgresRows
from mindpipe.store.postgres.sent_commit import BEGAN, NUMBER, SentCommit, nothing_kept
from mindpipe.store.sqlite import SqliteStore

BUSY_SECONDS = 30
"""So long a transaction waits for the store's lock before it says that the store is busy."""
IDLE_SECONDS = 300
"""A transaction in which nothing is done for so long is ended, as it holds up all who write."""
_FRACTION = psycopg.postgres.types["float8"].oid
_BEGIN = {
    "writes": b"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
    "reads": b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
}
_SET_HERE = (
    b"SELECT count(set_config(name, value, true)) FROM unnest($1::text[], $2::text[]) "
    b"AS told(name, value)"
)
_LOCK = b"SELECT pg_advisory_xact_lock($1)"
_LOCK_SHARED = b"SELECT pg_advisory_xact_lock_shared($1)"
_OTHERS = (
    "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(%s) AND relkind = 'r' "
    "AND NOT pg_has_role(relowner, 'USAGE')"
)
# Else no trigger hears what is written, and no link is held.
_HEARS = "current_setting('session_replication_role') <> 'replica'"
_STANDING = (
    "version, away.* FROM (SELECT max(position) FROM migration) "
    f"AS known(version) LEFT JOIN ({AWAY}) AS away ON true"
)
# What is under way is in it, as its end is news, and since when the server runs, as numbers may
# come again after a crash.
_STAMP = f"SELECT pg_current_snapshot()::text, {BEGAN}::text"
_STARTED = f"SELECT extract(epoch FROM {BEGAN})::float8"
_LAST = "SELECT max(number) FROM change"
_TABLES = "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = %s"


class _Told(NamedTuple):
    """A statement, and what it is given."""

    text: bytes
    given: Sequence[Given] = ()


class PostgresStore(EngineStore):
    """One store on a server, with one connection; one that was lost is made anew.

    `version`, where it is given, is the schema that every transaction wants to find: a program that
    goes on while another one migrates the store is refused from then on.
    """

    is_mirrored = True

    def __init__(
        self,
        address: Address,
        *,
        version: int | None = None,
        refusal: MindError | None = None,
    ) -> None:
        self._sent = PostgresRows(self.lock_of)
        super().__init__(self._sent, TriggerHearing(self._sent), refusal=refusal)
        self.address = address
        self._version = version
        self._open: Connection | None = None
        self._mirror: Mirror | None = None
        self._source: PostgresStore | None = None
        self._guarded = True

    @property
    def where(self) -> Address:
        """Return its address."""
        return self.address

    def stamp(self) -> str:
        """Return words that differ once another connection has committed something."""
        with server_errors(self.address):
            return str(self.connection.execute(_STAMP).fetchone())

    def there_since(self) -> float:
        """Return since when it runs, or answers again after it was away, as it tells itself."""
        with self.read() as rows:
            started = rows.value(float, _STARTED) or 0.0
        return max(started, clock.heard_since(self.address))

    @property
    def connection(self) -> Connection:
        """Return the open connection, made anew where it was lost, once what waits was sent."""
        self._sent.apart()
        return self._connected()

    def connect_anew(self) -> None:
        """Let the next transaction make its connection anew."""
        if not self._is_under_way():
            self._disconnect()

    def _disconnect(self) -> None:
        """Close the connection, once what was sent last was answered."""
        opened, self._open = self._open, None
        if opened is not None:
            with contextlib.suppress(psycopg.Error):
                settle(opened)
            opened.close()

    def _connected(self) -> Connection:
        if self._open is not None:
            # Where it was lost meanwhile, what comes next says so once.
            with server_errors(self.address):
                settle(self._open)
        if self._open is None or self._open.closed:
            if self._sent.is_open:
                raise nothing_kept()
            self._open = connect(self.address, self._settings())
        return self._open

    def _settings(self) -> dict[str, str]:
        """Return what a transaction needs of its connection.

        A role or a database may have others, by which numbers and words would not come back. A
        prepared statement gets one plan for all that it is given, which knows no limit and may be
        older than most rows: where there is an index it goes by that. What is costly by that rule
        is no reason to compile anything.
        """
        return {
            "enable_seqscan": "off",
            "jit": "off",
            "search_path": f"{self.address.schema}, pg_catalog",
            "extra_float_digits": "1",
            "standard_conforming_strings": "on",
            "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
        }

    @contextlib.contextmanager
    def unguarded(self) -> Iterator[None]:
        """Let no trigger refuse what becomes of rows that only ever stay."""
        self._guard(is_on=False)
        try:
            yield
        finally:
            self._guard(is_on=True)

    def _guard(self, *, is_on: bool) -> None:
        self._guarded = is_on
        if self._is_under_way():
            said = "off" if is_on else "on"
            self._sent.wait_with(f"SET LOCAL mindpipe.unguarded = {said}")

    def rows_behind(self, table: str, key: Row | None) -> Generator[Row]:
        """Yield the rows of a table in the order of its key, from behind one on, as they come."""
        columns = columns_of(self._rows, table)
        kinds = self._kinds(table, columns.all)
        keys = listed(columns.key)
        # A file keeps no zero that is negative.
        picked = ", ".join(
            f'"{name}" + 0::float8' if kind == _FRACTION else f'"{name}"'
            for name, kind in zip(columns.all, kinds, strict=True)
        )
        behind = f" WHERE ({keys}) > ({', '.join(['%s'] * len(key))})" if key else ""
        asked = f'SELECT {picked} FROM "{table}"{behind} ORDER BY {keys}'
        told = f"COPY ({asked}) TO STDOUT (FORMAT BINARY)".encode()
        with self.connection.cursor() as cursor, cursor.copy(told, key) as copy:
            copy.set_types(kinds)
            yield from copy.rows()

    def take_rows(self, table: str, rows: Iterable[Row]) -> None:
        """Put rows into a table as they are; no trigger hears or refuses them."""
        names = columns_of(self._rows, table).all
        kinds = self._kinds(table, names)
        self.connection.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER'.encode())
        told = f'COPY "{table}"({listed(names)}) FROM STDIN (FORMAT BINARY)'.encode()
        with self.connection.cursor() as cursor, cursor.copy(told) as copy:
            copy.set_types(kinds)
            for row in rows:
                copy.write_row(row)
        self.connection.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER'.encode())

    def _kinds(self, table: str, names: Sequence[str]) -> list[int]:
        """Return the types of some columns, by the server's numbers of them."""
        asked = f'SELECT {listed(names)} FROM "{table}" LIMIT 0'.encode()
        return [column.type_code for column in self.connection.execute(asked).description or ()]

    def write_anew(self) -> None:
        """Let nothing be left in the tables of what was changed or taken away.

        Raises:
            RefusedError: this user may not, as they are another's.
        """
        with server_errors(self.address):
            # The server passes over them with a warning that nobody reads.
            if self.connection.execute(_OTHERS, [self.address.schema]).fetchone() != (0,):
                raise RefusedError(
                    "what was taken out is gone from the tables, and may still lie in the server's "
                    "files, which only their owner may write anew. Let a member of "
                    f"{self.address.schema}_owner run VACUUM FULL; see mind store roles."
                )
            for (table,) in self.connection.execute(_TABLES, [self.address.schema]).fetchall():
                named = f"VACUUM FULL {self.address.schema}.{table!s}"
                self.connection.execute(named.encode())

    @property
    def searched(self) -> SqliteStore:
        """Return the file that mirrors it, brought to what is committed now."""
        if self._mirror is None:
            self._mirror = Mirror(mirror_file(self.identity))
        source = self
        if self._is_under_way() and self._rows.held is not None:
            # What is not committed yet could be taken back, and is not to be there.
            source = self._source = self._source or PostgresStore(self.address)
        with source.read() as rows:
            found = self._mirror.follow(rows, self._newest)
            if self.listener is not None:
                self.listener.mirrored(self._mirror.change)
        found.search_by(self._rows.search, self._rows.heed)
        return found

    def _newest(self) -> int:
        """Return the number of the last change that is committed now."""
        with contextlib.closing(PostgresStore(self.address)) as other, other.read() as rows:
            return rows.value(int, _LAST) or 0

    def close(self) -> None:
        """Close the connections."""
        self._disconnect()
        if self._mirror is not None:
            self._mirror.close()
        if self._source is not None:
            self._source.close()

    def opening(self, held: Holding | None) -> Iterator[_Told]:
        """Yield what begins a transaction; one that may write waits for what it is to hold."""
        yield _Told(_BEGIN["reads" if held is None else "writes"])
        # Also who only reads waits for somebody that has a table alone.
        yield _Told(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'".encode())
        if is_pooled(self._connected()):
            settings = self._settings()
            yield _Told(_SET_HERE, [list(settings), list(settings.values())])
        if not self._guarded:
            yield _Told(b"SET LOCAL mindpipe.unguarded = on")
        if held is not None:
            yield from self.locking(held)
            if held.moves:
                # What a server forgets of its end, the other end may know already.
                yield _Told(b"SET LOCAL synchronous_commit = on")

    @property
    def standing(self) -> bytes:
        """Return what asks for the server's instant, and for what is to be so in a transaction."""
        asked = f"{clock.INSTANT}, {_HEARS}"
        return (asked if self._version is None else f"{asked}, {_STANDING}").encode()

    def locking(self, held: Holding) -> Iterator[_Told]:
        """Yield what locks the whole store, or a share in it and then agents in their order."""
        if not held.waits:
            return
        lock = lock_number(self.address.schema)
        if held.agents is None:
            yield _Told(b"SET LOCAL mindpipe.whole = on")
            yield _Told(_LOCK, [lock])
            return
        yield _Told(_LOCK_SHARED, [lock])
        for name in sorted(held.agents):
            yield _Told(_LOCK, [self.lock_of("agent", name)])

    def lock_of(self, kind: HeldKind, name: str) -> int:
        """Return the number of the lock that keeps others from something of the store."""
        return lock_number(self.address.schema, kind, name)

    def require_standing(self, found: Row, held: Holding | None) -> None:
        """Require that the store has the schema that this program knows, and is here.

        It has `found` the schema's version and, where it moves or has moved, what says so; once it
        has moved it can be read.
        """
        if self._version is None:
            return
        version, *away = found
        if version != self._version:
            raise UnavailableError(
                f"the store was migrated: it has schema {version!s} now, and this program goes on "
                f"with {self._version}. Start it anew with the program that migrated it."
            )
        if away[0] == "arriving" or (away[0] is not None and held is not None and not held.moves):
            require_here(tuple(away), self.address)

    def raise_ours(self, error: BaseException) -> None:
        """Raise our error for one of the server's; return where it is none."""
        raise_ours(self.address, error)

    def _is_under_way(self) -> bool:
        """Tell whether a transaction is open, or begins with what is sent next."""
        return self._sent.is_open

    def steps(self, held: Holding | None) -> "_ServerSteps":
        """Return how a transaction begins and ends."""
        return _ServerSteps(self, self._sent, held)


def _deaf() -> RefusedError:
    """Return the error for a user of whose changes no trigger hears."""
    return RefusedError(
        "this user writes as a replica does (session_replication_role), so that what it changes "
        "would be in no log. Run ALTER ROLE … RESET session_replication_role, or name another user."
    )


class _ServerSteps:
    """How a transaction of a server begins and ends."""

    def __init__(self, store: PostgresStore, rows: PostgresRows, held: Holding | None) -> None:
        self._store = store
        self._rows = rows
        self._held = held
        self._connection = store.connection
        self._number: SentStatement | None = None
        self._standing: SentStatement | None = None
        self._asked: dict[str, SentStatement] = {}
        self._opened = 0
        self._began: Callable[[], None] = lambda: None

    def begin(self, asked: Sequence[str], began: Callable[[], None]) -> None:
        """Begin it; one that holds nobody for itself does so with the first that it asks or tells.

        What comes back last is the server's instant, and what was asked with it.
        """
        self._rows.begin(self._connection, self)
        for one in self._store.opening(self._held):
            self._rows.wait_with(one.text, one.given)
        self._standing = self._rows.wait_with(self._store.standing)
        self._asked = {one: self._rows.wait_with(one) for one in asked}
        self._opened, self._began = self._rows.waits, began
        if self._holds_alone() or not clock.is_known(self._store.address):
            self._rows.send()

    def _holds_alone(self) -> bool:
        """Tell whether something is held that others are kept from meanwhile."""
        return self._held is not None and self._held.agents != frozenset()

    def sent(self) -> None:
        """Hear that it has begun: require that the store is as it is known here."""
        self._require_standing()
        for question, cursor in self._asked.items():
            self._rows.answered(question, cursor)
        self._began()

    def refused(self, error: psycopg.Error) -> None:
        """Raise our error where it has not begun, or where that is why what came along failed.

        So a replica refuses a transaction that may write.
        """
        if self._standing is not None and self._standing.rowcount > 0:
            self._require_standing()
        elif isinstance(error, errors.FeatureNotSupported):
            raise takes_nothing() from None

    def _require_standing(self) -> None:
        instant, hears, *standing = (self._standing and self._standing.fetchone()) or (0.0, 1)
        clock.told(self._store.address, float(str(instant)))
        if self._held is not None and not hears:
            raise _deaf()
        self._store.require_standing(tuple(standing), self._held)

    def ends(self, *, is_logged: bool) -> None:
        """Ask by which number the server knows it; what is written now is the log alone.

        Where none is kept, nobody else removes what the triggers wrote down for it, and what was to
        be redacted would stay there.
        """
        self._rows.insert_last()
        if self._held is None:
            return
        if not is_logged:
            self._rows.wait_with(FORGET)
        self._number = self._rows.wait_with(NUMBER)

    def commit(self) -> bool:
        """Commit it, and tell whether it changed something; where the answer is cut off, ask."""
        is_idle = self._rows.is_opening and self._rows.waits == self._opened
        if is_idle and self._held is None and not self._asked:
            # Nothing was asked, nor told.
            self._rows.end()
            return False
        self._rows.insert_last()
        known = self._known()
        if known is not None and self._held is not None and self._held.whole:
            self._rows.wait_with("SELECT align_numbers()")
        # By itself, as of what is lost before it is sent it is known that nothing was kept.
        self._rows.send()
        self._rows.end()
        if known is None:
            # Nothing hangs on it.
            post(self._connection, b"COMMIT")
            return False
        try:
            self._connection.execute("COMMIT")
        except psycopg.OperationalError:
            if not self._connection.closed:
                raise
            known.require(lambda: self._store.connection)
        return True

    def tell(self, agents: Sequence[str]) -> None:
        """Hint that the inboxes of some agents got something."""
        watch.tell(self._connection, self._store.address, agents)

    def roll_back(self) -> None:
        """Take back what it did, if it is open still."""
        self._rows.end()
        if not self._connection.closed:
            try:
                # Also of what was to be prepared nothing is kept.
                self._connection.rollback()
            except psycopg.Error:
                # Nothing is kept of what was not committed, and the next one connects anew.
                self._connection.close()

    def _known(self) -> SentCommit | None:
        """Return by what the server knows this transaction, or None where it changed nothing."""
        if self._number is None:
            return None
        if not self._number.was_sent:
            # Nothing was heard.
            self._rows.send()
        number, *server = self._number.fetchone() or (None,)
        return None if number is None else SentCommit(str(number), server)
