"""Rows of a server: its values as the tables mean them, and SQL in the open transaction."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, cast

import psycopg
from psycopg import postgres
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Dumper, Loader

from mindpipe.core.ports import Cell, Given, HeldKind, Sql
from mindpipe.store.postgres.answers import Answers, FoundRows, is_question
from mindpipe.store.postgres.messages import Connection, SentStatement, send
from mindpipe.store.rows import Cursor, EngineRows
from mindpipe.store.statements import postgres_text

_WHOLE = postgres.types["int8"].oid
_AT_ONCE = 200
"""So many statements go at most as one message."""
_OCTETS = 1 << 20
"""A message is sent once statements of it are given so much."""
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


def adapters() -> AdaptersMap:
    """Return how values go to a server and come from it: as they do with SQLite."""
    found = AdaptersMap(psycopg.adapters)
    for kind in (int, bool):
        found.register_dumper(kind, _Whole)
    found.register_loader("bool", _Truth)
    found.register_loader("numeric", _Number)
    return found


class Opening(Protocol):
    """What begins a transaction, and hears once that was sent."""

    def sent(self) -> None:
        """Hear that it has begun."""
        ...

    def refused(self, error: psycopg.Error) -> None:
        """Raise our error where the server began none, or one for which what followed is unfit."""
        ...


class PostgresRows(EngineRows):
    """Rows of one schema of a server.

    Statements of which nothing is wanted wait here, and go to the server with the next one of which
    something is: each message there is a way to it and back. So does what begins a transaction.
    What was asked is not asked again until something is told.

    `lock_of` gives the number of a lock.
    """

    def __init__(self, lock_of: Callable[[HeldKind, str], int]) -> None:
        super().__init__()
        self._lock_of = lock_of
        self._connection: Connection | None = None
        self._waiting: list[SentStatement] = []
        self._last: dict[Sql, dict[str, tuple[Cell, ...]]] = {}
        self._octets = 0
        self._ahead: dict[SentStatement, Sequence[Given]] = {}
        self._answers = Answers()
        self._opening: Opening | None = None

    @property
    def is_open(self) -> bool:
        """Tell whether a transaction is open, also one whose connection was lost."""
        return self._connection is not None

    @property
    def is_opening(self) -> bool:
        """Tell whether a transaction is to begin with what is sent next."""
        return self._opening is not None

    @property
    def waits(self) -> int:
        """Return how many statements wait."""
        return len(self._waiting)

    def begin(self, connection: Connection, opening: Opening) -> None:
        """Go on in a transaction on a connection, which what is sent next is to open."""
        self._connection, self._opening = connection, opening
        self._answers.forget()

    def end(self) -> None:
        """Run nothing any more: the transaction is over, and what waits is forgotten."""
        self._connection = self._opening = None
        self._waiting, self._last, self._octets, self._ahead = [], {}, 0, {}

    def apart(self) -> None:
        """Send what waits: something is done now on the same connection."""
        self.send()
        self._answers.forget()

    def answered(self, question: str, cursor: SentStatement) -> None:
        """Note what a question found that came along with the begin of the transaction."""
        self._answers.keep(postgres_text(question).text, (), cursor)

    def wait_with(self, text: str | bytes, given: Sequence[Given] = ()) -> SentStatement:
        """Let a statement wait for the next one; return where its rows are to be read then."""
        assert self._connection is not None, "no transaction has begun"
        said = text.encode() if isinstance(text, str) else text
        self._answers.forget(said)
        self._ahead = {}
        waiting = SentStatement(self._connection, said, given)
        self._waiting.append(waiting)
        self._octets += waiting.octets
        if len(self._waiting) >= _AT_ONCE or self._octets >= _OCTETS:
            self.send()
        return waiting

    def send(self) -> None:
        """Send what waits, as one message."""
        waiting, self._waiting, self._octets = self._waiting, [], 0
        opening, self._opening = self._opening, None
        ahead, self._ahead = self._ahead, {}
        if not waiting or self._connection is None:
            return
        try:
            send(self._connection, waiting)
        except psycopg.Error as error:
            if opening is not None:
                opening.refused(error)
            raise
        for asked, given in ahead.items():
            self._answers.keep(asked.text, given, asked)
        if opening is not None:
            try:
                opening.sent()
            except BaseException:
                # Whoever goes on is not to do so in a transaction that should not be.
                self._connection.close()
                raise

    def ahead(self, sql: Sql, values: Mapping[str, Given] | None = None) -> None:
        """Let a question wait for what is asked next; what it found is known until then."""
        text, given = self._told(sql, values)
        assert self._connection is not None, "no transaction has begun"
        if is_question(text) and self._answers.find(text, given) is None:
            asked = SentStatement(self._connection, text, given)
            self._waiting.append(asked)
            self._ahead[asked] = given

    def run_last(self, sql: Sql, values: Iterable[tuple[Cell, ...]]) -> None:
        """Insert rows that others may be inserting, too, in the order of their keys, at the end."""
        self._last.setdefault(sql, {}).update((str(row[0]), row) for row in values)

    def insert_last(self, before: bytes | None = None) -> None:
        """Insert what was to be inserted last, if a statement names its table, or the end comes."""
        for sql in list(self._last):
            table = _TABLE.match(postgres_text(sql).text)
            if before is None or table is None or re.search(rb"\b%b\b" % table[1], before):
                found = self._last.pop(sql)
                self._change_many(sql, [found[key] for key in sorted(found)])

    def _told(self, sql: Sql, values: Mapping[str, Given] | None) -> tuple[bytes, list[Given]]:
        """Return a statement as it is sent, and what it is given, once it may be."""
        text, names = postgres_text(sql)
        if self._last:
            self.insert_last(text)
        # A statement that is given nothing is not to be taken for several.
        return text, [values[name] for name in names] if values else []

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

    def _ask(self, text: bytes, given: Sequence[Given]) -> SentStatement:
        """Send a statement with what waits."""
        if not is_question(text):
            self._answers.forget(text)
            self._ahead = {}
        assert self._connection is not None, "no transaction has begun"
        asked = SentStatement(self._connection, text, given)
        self._waiting.append(asked)
        self.send()
        return asked

    def _run(self, sql: Sql, values: Mapping[str, Given] | None) -> None:
        """Run one statement of which nothing is wanted, with the next one."""
        self.wait_with(*self._told(sql, values))

    def _names(self, cursor: Cursor) -> tuple[str, ...]:
        """Return the names of the columns."""
        return cast("SentStatement | FoundRows", cursor).names

    def _change(self, sql: Sql, values: Mapping[str, Given] | None) -> int:
        """Run one statement and return how many rows it changed."""
        return max(self._ask(*self._told(sql, values)).rowcount, 0)

    def _change_many(self, sql: Sql, values: Iterable[Sequence[Cell]]) -> None:
        """Run one statement once per sequence of positional parameters."""
        text, _ = postgres_text(sql)
        for given in values:
            self.wait_with(text, given)

    def _lock(self, kind: HeldKind, names: Sequence[str]) -> bool:
        """Keep other writers from these, in this order; another may have been there until now."""
        if kind == _BY_STATEMENTS:
            return False
        for name in names:
            self.wait_with("SELECT pg_advisory_xact_lock($1)", [self._lock_of(kind, name)])
        return True
