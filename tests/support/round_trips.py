"""How often a store waits for its server: each message to it is a way there and back."""

import contextlib
import os
import tempfile
from collections.abc import Iterator

from psycopg.pq import Trace

from mindpipe.store.postgres.store import PostgresStore

_ANSWERED = b"\tReadyForQuery"


class RoundTrips:
    """The messages that were answered while a block lasted."""

    def __init__(self) -> None:
        self.count = 0


@contextlib.contextmanager
def round_trips(store: PostgresStore) -> Iterator[RoundTrips]:
    """Count the ways to the server and back of one connection while the block lasts."""
    found = RoundTrips()
    connection = store.connection.pgconn
    with tempfile.TemporaryFile() as written:
        connection.trace(os.dup(written.fileno()))
        connection.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
        try:
            yield found
        finally:
            connection.untrace()
        written.seek(0)
        found.count = sum(_ANSWERED in line for line in written)
