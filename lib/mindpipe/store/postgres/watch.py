"""Hints of a server that an inbox got something: heard while one waits, told after a commit.

A hint is no more than that. It is told when the commit is over, so that nothing that is pushed
waits for it or fails with it, and may be lost with its connection; a pooler that gives a connection
away between transactions hears none. So nobody waits longer than a poll would.
"""

import contextlib
import select
import time
from collections.abc import Iterable
from typing import Self

import psycopg

from mindpipe.core.errors import MindError
from mindpipe.store.address import Address
from mindpipe.store.postgres.connection import connect, is_pooled, post
from mindpipe.store.postgres.messages import Connection

_PAUSE_SECONDS = 1.0
_LONGEST_NAME = 63


def channel(address: Address) -> str:
    """Return on which channel the hints of a store are."""
    # A longer name is cut for who listens, without a word, and refused to who tells.
    return f"mindpipe_{address.schema}"[:_LONGEST_NAME]


def tell(connection: Connection, address: Address, agents: Iterable[str]) -> None:
    """Hint that the inboxes of some agents got something, as far as that can be told."""
    named = channel(address).encode()
    quoted = psycopg.pq.Escaping(connection.pgconn).escape_literal
    with contextlib.suppress(psycopg.Error):
        post(
            connection,
            b"; ".join(b"NOTIFY %s, %s" % (named, quoted(name.encode())) for name in agents),
        )


class ServerWatch:
    """Return from a call when a hint came, or after `longest` seconds."""

    def __init__(self, address: Address, *, longest: float) -> None:
        self._address = address
        self._longest = longest
        self._open: Connection | None = None
        self._is_deaf = False

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._listen()
        return self

    def __exit__(self, *_error: object) -> None:
        """Listen no longer."""
        if self._open is not None:
            self._open.close()

    def __call__(self, seconds: float) -> None:
        """Wait for a hint, for so many seconds at the most."""
        wait = min(seconds, self._longest)
        try:
            connection = self._open if self._is_heard() else None
            if connection is None:
                self._listen_again(wait)
            elif not connection.pgconn.notifies():
                poll = select.poll()
                poll.register(connection.fileno(), select.POLLIN)
                if poll.poll(wait * 1000):
                    connection.pgconn.consume_input()
            while connection is not None and connection.pgconn.notifies():
                pass
        except psycopg.OperationalError:
            self._open = None

    def _is_heard(self) -> bool:
        return self._open is not None and not self._open.closed

    def _listen_again(self, seconds: float) -> None:
        """Return as soon as it listens again: what was told meanwhile nobody heard."""
        until = time.monotonic() + seconds
        while self._listen() is None and (left := until - time.monotonic()) > 0:
            time.sleep(left if self._is_deaf else min(left, _PAUSE_SECONDS))

    def _listen(self) -> Connection | None:
        """Return a connection that listens, made anew where it was lost; None where none can."""
        if not self._is_deaf and (self._open is None or self._open.closed):
            self._open = None
            with contextlib.suppress(MindError, psycopg.Error):
                opened = connect(self._address)
                if is_pooled(opened):
                    self._is_deaf = True
                    opened.close()
                    return None
                opened.execute(f"LISTEN {channel(self._address)}".encode())
                self._open = opened
        return self._open
