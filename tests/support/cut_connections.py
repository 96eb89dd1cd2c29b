"""A server behind a door that cuts commits off from their answers, or lets nothing through."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, Self

Cut = Literal["before", "after", "last words"]
"""Whether the server gets the commit whose answer nobody hears, or hears last words instead."""
_LAST_WORDS = b"SPANIC\0VPANIC\0C53100\0Mcould not write to a file: No space left on device\0\0"
_OCTETS = 65_536
_NAME = ".s.PGSQL.5432"
# Text of a statement ends so; the level that each transaction names has the word, too.
_COMMIT = b"COMMIT\0"


class CuttingDoor:
    """Hand on what goes between clients and a server, but for commits that are to be cut.

    `came` counts the connections, `cut` the commits that were cut.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self._server = server / _NAME
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / _NAME))
        self._door.listen()
        self._cuts: list[Cut] = []
        self._dying: set[socket.socket] = set()
        self._is_open = threading.Event()
        self._is_open.set()
        self._sockets = [self._door]
        self._threads: list[threading.Thread] = []
        self.cut = self.came = 0
        self._begin(self._open)

    def __enter__(self) -> Self:
        """Give the door."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Let nobody in any more, and end what goes on."""
        self._is_open.set()
        for one in list(self._sockets):
            _end(one)
        for thread in list(self._threads):
            thread.join()
        for one in list(self._sockets):
            one.close()

    def cut_next(self, when: Cut) -> None:
        """Cut the next commit."""
        self._cuts.append(when)

    @contextlib.contextmanager
    def shut(self) -> Iterator[None]:
        """Let nothing through, in either direction, while the block lasts; it comes afterwards."""
        self._is_open.clear()
        try:
            yield
        finally:
            self._is_open.set()

    def _begin(self, live: object, *given: object) -> None:
        thread = threading.Thread(target=live, args=given)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _open(self) -> None:
        while True:
            try:
                client, _ = self._door.accept()
            except OSError:
                return
            self.came += 1
            server = socket.socket(socket.AF_UNIX)
            self._sockets += [client, server]
            self._begin(self._serve, client, server)

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        """Hand on what goes both ways, until both have ended."""
        with client, server:
            # A server that is away lets nobody in.
            with contextlib.suppress(OSError):
                server.connect(str(self._server))
                answering = threading.Thread(target=self._answer, args=(server, client))
                answering.start()
                self._ask(client, server)
                answering.join()
            self._sockets.remove(client)
            self._sockets.remove(server)

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        """Hand on what a client asks, until a commit is cut."""
        while octets := _heard(client):
            self._is_open.wait()
            if _COMMIT in octets and self._cuts:
                when = self._cuts.pop()
                self.cut += 1
                if when == "last words":
                    self._dying.add(client)
                else:
                    _end(client)
                if when != "before":
                    _say(server, octets)
                break
            _say(server, octets)
        _end(server, socket.SHUT_WR)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        """Hand on what the server says, as long as the client hears it."""
        while octets := _heard(server):
            self._is_open.wait()
            if client in self._dying:
                _say(client, b"E" + (len(_LAST_WORDS) + 4).to_bytes(4, "big") + _LAST_WORDS)
                break
            _say(client, octets)
        _end(client)


def _say(one: socket.socket, octets: bytes) -> None:
    with contextlib.suppress(OSError):
        one.sendall(octets)


def _heard(one: socket.socket) -> bytes:
    try:
        return one.recv(_OCTETS)
    except OSError:
        return b""


def _end(one: socket.socket, how: int = socket.SHUT_RDWR) -> None:
    """End a connection for all threads that wait for it."""
    with contextlib.suppress(OSError):
        one.shutdown(how)
