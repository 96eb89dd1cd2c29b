"""Why a server lets nobody in, by its SQLSTATE.

The driver gives only the server's words, which are in the server's language. So it is asked once
more, while the driver notes what goes to and fro, and the code is taken from there. The notes stay
in memory: a password may be among them.
"""

import os
import re
import select
import sys
import time

import psycopg
from psycopg import pq

SECONDS = 5
"""So long an answer is waited for."""
_CODE = re.compile(rb'\tErrorResponse\t.*? C "([0-9A-Z]{5})"')
_MOST = 1 << 20


def state_of(server: str) -> str | None:
    """Return the SQLSTATE with which a server refuses a connection, or None where it gives none."""
    if sys.platform != "linux":
        return None
    notes = os.memfd_create("notes")
    try:
        _try(server, notes)
        found = _CODE.search(os.pread(notes, _MOST, 0))
    except psycopg.Error:
        return None
    finally:
        os.close(notes)
    return None if found is None else found[1].decode()


def _try(server: str, notes: int) -> None:
    """Connect until it is known how that ends, and note what is said."""
    connection = pq.PGconn.connect_start(server.encode())
    try:
        connection.trace(notes)
        until = time.monotonic() + SECONDS
        while connection.status != pq.ConnStatus.BAD and time.monotonic() < until:
            match connection.connect_poll():
                case pq.PollingStatus.READING:
                    select.select([connection.socket], [], [], SECONDS)
                case pq.PollingStatus.WRITING:
                    select.select([], [connection.socket], [], SECONDS)
                case _:
                    break
        connection.untrace()
    finally:
        connection.finish()
