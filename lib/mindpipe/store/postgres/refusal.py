"""Why a server lets nobody in, by its SQLSTATE.

The driver gives only the server's words, which are in the server's language. So it notes what goes
to and fro while it connects, and the code is taken from there. The notes stay in memory: a password
may be among them.
"""

import functools
import os
import re
import sys

import psycopg
from psycopg import pq
from psycopg.abc import PQGenConn
from psycopg.pq.abc import PGconn
from psycopg.waiting import Wait

_CODE = re.compile(rb'\tErrorResponse\t.*? C "([0-9A-Z]{5})"')
_MOST = 1 << 20
_WAITS = {pq.PollingStatus.READING: Wait.R, pq.PollingStatus.WRITING: Wait.W}
# Each time that it takes notes the driver keeps some memory for good.
_LET_IN: set[str] = set()


def connecting(server: str) -> PQGenConn[PGconn]:
    """Connect to a server as the driver does, which waits for what is yielded.

    Notes are taken until a server has let this process in; where it lets it in no more, the next
    attempt tells why.

    Raises:
        OperationalError: that failed; its `sqlstate` is the server's, None where it is not known.
    """
    takes_notes = sys.platform == "linux" and server not in _LET_IN
    notes = os.memfd_create("notes") if takes_notes else None
    connection = pq.PGconn.connect_start(server.encode())
    try:
        if notes is not None and connection.status != pq.ConnStatus.BAD:
            connection.trace(notes)
        while connection.status != pq.ConnStatus.BAD:
            polled = pq.PollingStatus(connection.connect_poll())
            if polled == pq.PollingStatus.OK:
                connection.untrace()
                connection.nonblocking = 1
                _LET_IN.add(server)
                return connection
            if polled not in _WAITS:
                break
            while not (yield connection.socket, _WAITS[polled]):
                pass
        connection.untrace()
        _LET_IN.discard(server)
        said = connection.get_error_message("utf-8")
        raise _refusal(_code_in(notes))(f"connection failed: {said}")
    except BaseException:
        connection.finish()
        raise
    finally:
        if notes is not None:
            os.close(notes)


def _code_in(notes: int | None) -> str | None:
    """Return the SQLSTATE of a refusal that was noted."""
    found = None if notes is None else _CODE.search(os.pread(notes, _MOST, 0))
    return None if found is None else found[1].decode()


@functools.cache
def _refusal(code: str | None) -> type[psycopg.OperationalError]:
    """Return the class of errors with a code, which the driver makes anew for several hosts."""
    return type("RefusedConnection", (psycopg.OperationalError,), {"sqlstate": code})
