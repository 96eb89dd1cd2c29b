"""Statements that go to a server as one message, and what it answers to each.

Each message is a way to the server and back; what prepares a statement for the next time goes along
with it. A message is made of the driver's connection and of how that gives and takes values: its
cursors, one for each statement, take several times what the statements do.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, cast

import psycopg
from psycopg import errors, generators
from psycopg.abc import PQGen
from psycopg.adapt import PyFormat, Transformer
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

from mindpipe.core.ports import Given, Row

Connection = psycopg.Connection[Row]
PREPARED = 1000
"""So many statements stay prepared on a connection; what comes behind them is not."""
Kind = tuple[bytes, tuple[int, ...]]
"""A statement and the types of what it is given, by the server's numbers of them."""


class Preparing(Protocol):
    """What a connection knows of its statements."""

    prepared: dict[Kind, bytes] | None
    """Under which name each is prepared; None where none may be."""

    def settle(self) -> None:
        """Read the answer to what was posted."""
        ...


class SentStatement:
    """A statement that is sent with others, and, once it was, the rows that it gave.

    Raises:
        psycopg.DataError, UnicodeEncodeError: it is given what no server takes.
    """

    def __init__(self, connection: Connection, text: bytes, given: Sequence[Given] = ()) -> None:
        self.text = text
        self._values = Transformer(connection)
        self._given = self._values.dump_sequence(given, [PyFormat.AUTO] * len(given))
        self._types = self._values.types or ()
        self._formats = self._values.formats
        self._result: PGresult | None = None
        self._read = 0

    @property
    def kind(self) -> Kind:
        """Return by what it is known whether it is prepared."""
        return self.text, self._types

    @property
    def octets(self) -> int:
        """Return how many octets it is given."""
        return sum(len(one) for one in self._given if one is not None)

    @property
    def was_sent(self) -> bool:
        """Tell whether it was answered."""
        return self._result is not None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the columns of its rows."""
        found = self._result
        return () if found is None else tuple(_name(found, place) for place in range(found.nfields))

    @property
    def rowcount(self) -> int:
        """Return how many rows it gave, or changed; 0 where it does neither."""
        found = self._result
        if found is None:
            return 0
        return found.ntuples if found.status == ExecStatus.TUPLES_OK else found.command_tuples or 0

    def fetchone(self) -> Row | None:
        """Return the next row, or None."""
        return next(iter(self._rows(1)), None)

    def fetchall(self) -> list[Row]:
        """Return all rows that are left."""
        return self._rows(self.rowcount)

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows that are left."""
        return iter(self.fetchall())

    def _rows(self, most: int) -> list[Row]:
        found = self._result
        if found is None or found.status != ExecStatus.TUPLES_OK:
            return []
        first, self._read = self._read, min(found.ntuples, self._read + most)
        return self._values.load_rows(first, self._read, tuple)

    def put(self, server: PGconn, name: bytes | None) -> None:
        """Put it into the message that is to be sent, by its name where it is prepared."""
        if name is None:
            server.send_query_params(self.text, self._given, self._types, self._formats)
        else:
            server.send_query_prepared(name, self._given, self._formats)

    def answered(self, found: PGresult) -> None:
        """Take what the server answered."""
        self._result = found
        self._values.set_pgresult(found)


def send(connection: Connection, statements: Sequence[SentStatement]) -> None:
    """Send statements as one message, and wait until each is answered.

    Raises:
        psycopg.Error: the first that went wrong did so; those behind it were not looked at.
    """
    server, known = connection.pgconn, cast("Preparing", connection)
    # What is on its way stays by itself.
    known.settle()
    server.enter_pipeline_mode()
    found: list[PGresult] = []
    try:
        new = _put(server, statements, known.prepared)
        server.pipeline_sync()
        connection.wait(_answers(server, found))
        server.exit_pipeline_mode()
    except BaseException as error:
        # What is still to come belongs to nothing any more.
        connection.close()
        if isinstance(error, psycopg.Error):
            _require_none_wrong(found)
        raise
    _give(statements, found, new, known.prepared)
    _require_none_wrong(found)


def _put(
    server: PGconn, statements: Sequence[SentStatement], prepared: dict[Kind, bytes] | None
) -> dict[Kind, bytes]:
    """Put statements into a message, and return those that it prepares, with their names."""
    new: dict[Kind, bytes] = {}
    for one in statements:
        name = None
        if prepared is not None:
            name = prepared.get(one.kind) or new.get(one.kind)
            if name is None and len(prepared) + len(new) < PREPARED:
                name = new[one.kind] = b"m%d" % (len(prepared) + len(new))
                server.send_prepare(name, *one.kind)
        one.put(server, name)
    return new


def _answers(server: PGconn, found: list[PGresult]) -> PQGen[None]:
    """Wait for all answers to a message."""
    yield from generators.send(server)
    while True:
        came = yield from generators.fetch_many(server)
        if came and came[-1].status == ExecStatus.PIPELINE_SYNC:
            return
        found += came


def _give(
    statements: Sequence[SentStatement],
    found: Sequence[PGresult],
    new: dict[Kind, bytes],
    prepared: dict[Kind, bytes] | None,
) -> None:
    """Give each statement its answer, and note what is prepared now."""
    left = iter(found)
    for one in statements:
        name = new.pop(one.kind, None)
        is_there = name is not None and next(left).status == ExecStatus.COMMAND_OK
        if prepared is not None and name is not None and is_there:
            prepared[one.kind] = name
        one.answered(next(left))


def _require_none_wrong(found: Sequence[PGresult]) -> None:
    """Raise what went wrong first."""
    for one in found:
        if one.status == ExecStatus.FATAL_ERROR:
            raise errors.error_from_result(one) from None


def _name(found: PGresult, place: int) -> str:
    return (found.fname(place) or b"").decode()
