"""Rows of a server: its values as the tables mean them, and SQL in the open transaction."""

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

import psycopg
from psycopg import RawCursor, errors, postgres
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader

from mindpipe.core.ports import Cell, Given, HeldKind, Row, Sql
from mindpipe.store.postgres.answers import Answers, FoundRows, is_question, names_of
from mindpipe.store.rows import Cursor, EngineRows
from mindpipe.store.statements import postgres_text

Connection = psycopg.Connection[Row]
_WHOLE = postgres.types["int8"].oid
_AT_ONCE = 200
"""So many statements go at most as one message."""
_MANY = 20
"""So many that are the same are told the server as such."""
_BY_STATEMENTS: HeldKind = "row"
"""What the statements hold themselves that change it."""
_TABLE = re.compile(rb"INSERT INTO (\w+)\(")


class _Whole(Dumper):
    """Gives whole numbers and truths as columns keep them: of one type, whatever their size."""

    oid = _WHOLE

    def dump(self, obj: int) -> bytes:
        """Return the digits."""
        return b"%d" % obj

    def quote(self, obj: int) -> bytes:
        """Return the digits as a statement takes them that takes no parameters."""
        return b" %d" % obj


class _Truth(Loader):
    """Takes a condition as SQLite gives it: 1 or 0."""

    def load(self, data: Buffer) -> int:
        """Return 1 or 0."""
        return int(bytes(data) == b"t")


class _Number(Loader):
    """Takes a sum of whole numbers as a whole one, and any other as a float."""

    def load(self, data: Buffer) -> int | float:
        """Return the number."""
        digits = bytes(data).decode()
        return int(digits) if digits.lstrip("-").isdigit() else float(digits)


def _lasting(given: Given) -> Given:
    """Return what stays as it is until it is sent."""
    return given.copy() if isinstance(given, list) else given


def adapters() -> AdaptersMap:
    """Return how values go to a server and come from it: as they do with SQLite."""
    found = AdaptersMap(psycopg.adapters)
    for kind in (int, bool):
        found.register_dumper(kind, _Whole)
    found.register_loader("bool", _Truth)
    found.register_loader("numeric", _Number)
    return found


@contextlib.contextmanager
def _first_fault() -> Iterator[None]:
    """Raise what went wrong first among several statements, not what the driver says of it last."""
    try:
        yield
    except psycopg.OperationalError as error:
        first = error.__context__
        is_behind = isinstance(error, errors.PipelineAborted) and isinstance(first, psycopg.Error)
        if first is not None and (is_behind or not isinstance(first, Exception)):
            raise first from None
        raise


class _Waiting(NamedTuple):
    """A statement that is to be sent, what it is given, and where its rows are to be read."""

    text: bytes
    given: Sequence[Given]
    cursor: RawCursor[Row]

    def run(self) -> None:
        """Run it."""
        self.cursor.execute(self.text, self.given)


class PostgresRows(EngineRows):
    """Rows of one schema of a server.

    Statements of which nothing is wanted wait here, and go to the server with the next one of which
    something is: each message there is a way to it and back. What was asked is not asked again
    until something is told.

    `lock_of` gives the number of a lock.
    """

    def __init__(self, lock_of: Callable[[HeldKind, str], int]) -> None:
        super().__init__()
        self._lock_of = lock_of
        self._connection: Connection | None = None
        self._waiting: list[_Waiting] = []
        self._last: dict[Sql, dict[str, tuple[Cell, ...]]] = {}
        self._answers = Answers()

    @property
    def is_open(self) -> bool:
        """Tell whether a transaction is open, also one whose connection was lost."""
        return self._connection is not None

    def begin(self, connection: Connection) -> None:
        """Go on in the transaction that begins on a connection."""
        self._connection = connection
        self._answers.forget()

    def end(self) -> None:
        """Run nothing any more: the transaction is over, and what waits is forgotten."""
        self._connection, self._waiting, self._last = None, [], {}

    def apart(self) -> None:
        """Send what waits: something is done now on the same connection."""
        self.send()
        self._answers.forget()

    def answered(self, question: str, cursor: psycopg.Cursor[Row]) -> None:
        """Note what a question found that came along with the begin of the transaction."""
        self._answers.keep(postgres_text(question).text, (), cursor)

    def _cursor(self) -> RawCursor[Row]:
        assert self._connection is not None, "no transaction has begun"
        return RawCursor(self._connection)

    def wait_with(self, text: str | bytes, given: Sequence[Given] = ()) -> RawCursor[Row]:
        """Let a statement wait for the next one; return where its rows are to be read then."""
        self._answers.forget()
        said = text.encode() if isinstance(text, str) else text
        waiting = _Waiting(said, given, self._cursor())
        self._waiting.append(waiting)
        if len(self._waiting) >= _AT_ONCE:
            self.send()
        return waiting.cursor

    def send(self) -> None:
        """Send what waits, as one message."""
        waiting, self._waiting = self._waiting, []
        if len(waiting) == 1:
            waiting[0].run()
        elif waiting:
            with _first_fault(), waiting[0].cursor.connection.pipeline():
                for one in waiting:
                    one.run()

    def run_last(self, sql: Sql, values: Iterable[tuple[Cell, ...]]) -> None:
        """Insert rows that others may be inserting, too, in the order of their keys, at the end."""
        self._last.setdefault(sql, {}).update((str(row[0]), row) for row in values)

    def insert_last(self, before: bytes | None = None) -> None:
        """Insert what was to be inserted last, if a statement names its table, or the end comes."""
        for sql in list(self._last):
            table = _TABLE.match(postgres_text(sql).text)
            if before is None or table is None or table[1] in before:
                found = self._last.pop(sql)
                self._change_many(sql, [found[key] for key in sorted(found)])

    def _told(self, sql: Sql, values: Mapping[str, Given] | None) -> tuple[bytes, list[Given]]:
        """Return a statement as it is sent, and what it is given, once it may be."""
        text, names = postgres_text(sql)
        if self._last:
            self.insert_last(text)
        # A statement that is given nothing is not to be taken for several.
        return text, [_lasting(values[name]) for name in names] if values else []

    def _query(self, sql: Sql, values: Mapping[str, Given] | None) -> Cursor:
        """Run one statement that gives rows."""
        text, given = self._told(sql, values)
        if not is_question(text):
            return self._ask(text, given)
        found = self._answers.find(text, given)
        if found is None:
            cursor = self._ask(text, given)
            found = self._answers.keep(text, given, cursor)
            return cursor if found is None else found
        return found

    def _ask(self, text: bytes, given: Sequence[Given]) -> RawCursor[Row]:
        """Send a statement with what waits."""
        if self._waiting or not is_question(text):
            cursor = self.wait_with(text, given)
            self.send()
            return cursor
        return self._cursor().execute(text, given)

    def _run(self, sql: Sql, values: Mapping[str, Given] | None) -> None:
        """Run one statement of which nothing is wanted, with the next one."""
        self.wait_with(*self._told(sql, values))

    def _names(self, cursor: Cursor) -> tuple[str, ...]:
        """Return the names of the columns."""
        return (
            cursor.names
            if isinstance(cursor, FoundRows)
            else names_of(cast("RawCursor[Row]", cursor))
        )

    def _change(self, sql: Sql, values: Mapping[str, Given] | None) -> int:
        """Run one statement and return how many rows it changed."""
        return max(self._ask(*self._told(sql, values)).rowcount, 0)

    def _change_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        text, _ = postgres_text(sql)
        rest = iter(values)
        # What yields them may itself ask the server, which hears one thing at a time.
        while given := list(itertools.islice(rest, _AT_ONCE)):
            if len(given) < _MANY:
                for one in given:
                    self.wait_with(text, one)
            else:
                self.apart()
                with _first_fault():
                    self._cursor().executemany(text, given)

    def _lock(self, kind: HeldKind, names: Sequence[str]) -> bool:
        """Keep other writers from these, in this order; another may have been there until now."""
        if kind == _BY_STATEMENTS:
            return False
        for name in names:
            self.wait_with("SELECT pg_advisory_xact_lock($1)", [self._lock_of(kind, name)])
        return True
