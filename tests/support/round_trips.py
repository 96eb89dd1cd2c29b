"""How often a store waits for its server: each message to it is a way there and back.

For the answer to what is posted it does not wait.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from psycopg.pq import Trace

from mindpipe.store.postgres.store import PostgresStore

if TYPE_CHECKING:
    from mindpipe.store.postgres.connection import ServerConnection

_ANSWERED, _PREPARED = b"\tReadyForQuery", b"\tParse\t"


class RoundTrips:
    """The messages that were answered while a block lasted, and the statements that were parsed."""

    def __init__(self) -> None:
        self.count = self.parsed = 0


@contextlib.contextmanager
def round_trips(store: PostgresStore) -> Iterator[RoundTrips]:
    """Count the ways to the server and back of one connection while the block lasts."""
    found = RoundTrips()
    connection = cast("ServerConnection", store.connection)
    posted = connection.posted
    with tempfile.TemporaryFile() as written:
        connection.pgconn.trace(os.dup(written.fileno()))
        connection.pgconn.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        try:
            yield found
        finally:
            connection.settle()
            connection.pgconn.untrace()
        written.seek(0)
        for line in written:
            found.count += _ANSWERED in line
            found.parsed += _PREPARED in line
        found.count -= connection.posted - posted
