"""Connections of an HTTP client that can be shut from outside while an SDK waits for them."""

import contextlib
import errno
import os
import select
import socket
import time
from collections.abc import Iterable

import httpcore2
import httpx2

# httpcore2 exports no stream over a socket of one's own.
from httpcore2._backends.sync import SyncStream

from mindpipe.io.open_calls import OpenCalls

_LOOK_MILLISECONDS = 50
_UNDER_WAY = {errno.EINPROGRESS, errno.EWOULDBLOCK, errno.EALREADY}

Address = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class KnownConnections(httpcore2.SyncBackend):
    """Connect, and let each connection be shut with `calls` until `ended` is closed.

    A second descriptor of the same connection is what is shut, so that it is reached in whatever
    state it is: while TLS shakes hands, while a request is written, while an answer is awaited.
    """

    def __init__(self, calls: OpenCalls, ended: contextlib.ExitStack) -> None:
        super().__init__()
        self._calls = calls
        self._ended = ended

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Option] | None = None,
    ) -> httpcore2.NetworkStream:
        """Return a connection to the first address that answers, each within the time-out."""
        try:
            made = self._first(host, port, timeout, local_address)
            for option in socket_options or ():
                if len(option) == 4:
                    made.setsockopt(option[0], option[1], None, option[3])
                else:
                    made.setsockopt(option[0], option[1], option[2])
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        return SyncStream(made)

    def _first(
        self, host: str, port: int, timeout: float | None, local: str | None
    ) -> socket.socket:
        """Connect to one address after the other."""
        fault = OSError(f"{host} has no address")
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host, port, 0, socket.SOCK_STREAM
        ):
            made = socket.socket(family, kind, protocol)
            try:
                if local is not None:
                    made.bind((local, 0))
                self._connect(made, address, timeout)
            except OSError as error:
                made.close()
                fault = error
            else:
                return made
        raise fault

    def _connect(self, made: socket.socket, address: Address, timeout: float | None) -> None:
        """Connect, looking again and again whether it was closed: before, there is none to shut."""
        until = None if timeout is None else time.monotonic() + timeout
        made.settimeout(0.0)
        ready = select.poll()
        ready.register(made, select.POLLOUT)
        number = made.connect_ex(address)
        while number in _UNDER_WAY and not self._calls.closed:
            if until is not None and time.monotonic() > until:
                raise TimeoutError("timed out")
            if ready.poll(_LOOK_MILLISECONDS):
                number = made.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if self._calls.closed:
            number = errno.ECONNABORTED
        if number:
            raise OSError(number, os.strerror(number))
        known = self._ended.enter_context(contextlib.closing(made.dup()))
        self._ended.enter_context(self._calls.open(lambda: known.shutdown(socket.SHUT_RDWR)))


def give_connections(client: httpx2.Client, connections: KnownConnections) -> None:
    """Let a client connect by these, also to its proxies; httpx2 has no argument for that."""
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx2.HTTPTransport):
            transport._pool._network_backend = connections
