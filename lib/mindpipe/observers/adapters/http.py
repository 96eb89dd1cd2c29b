"""An HTTP endpoint on the loopback: signed requests become events, answered after the commit."""

import collections
import contextlib
import http.client
import http.server
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    MindError,
    RefusedError,
    TemporaryError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.instants import parse_instant
from mindpipe.core.ports import Clock
from mindpipe.inbox.records import Receipt
from mindpipe.inbox.wire import lines_of
from mindpipe.io.files import read_if_there, require_private
from mindpipe.observers import signatures
from mindpipe.observers.adapters.lines import LineTaker
from mindpipe.observers.records import Endpoint

if TYPE_CHECKING:
    from io import BufferedIOBase

ADDRESS = "127.0.0.1"
PATH = "/events"
_PATIENCE_SECONDS = 10
_TAKEN_SECONDS = 60.0
_MOST_READ = 64
_MOST_TAKEN = 64
_MOST_THREADS = 192
_MOST_REFUSED = 64
_MOST_HEAD = 16 << 10
_MOST_LINES = 1000
_TURN_SECONDS = 0.2
_RETRY_SECONDS = "5"
_NO_ROOM = (
    b"HTTP/1.0 503 Service Unavailable\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\nRetry-After: 5\r\n\r\n"
    b'{"error":"too many at once; send it again."}\n'
)
_Answer = tuple[int, dict[str, object]]
_Connection = socket.socket | tuple[bytes, socket.socket]


def secret_of(entry: Endpoint, folder: Path, environment: Mapping[str, str]) -> bytes:
    """Return the secret with which requests are signed.

    Raises:
        UnavailableError: it is not there.
        RefusedError: it is too short, or others may read its file.
    """
    if entry.secret_env is not None:
        where, octets = entry.secret_env, environment.get(entry.secret_env, "").encode()
    else:
        path = folder / (entry.secret_file or "")
        where, found = str(path), read_if_there(str(path))
        octets = b"" if found is None else found.strip()
        if found is not None:
            require_private(where)
    if not octets:
        raise UnavailableError(f"there is no secret in {where}; put one there.")
    if len(octets) < signatures.LEAST_SECRET:
        raise RefusedError(
            f"the secret in {where} is shorter than {signatures.LEAST_SECRET} bytes."
        )
    return octets


class _Asked(NamedTuple):
    """The lines of a sound request, its key, and where what became of them is told."""

    lines: list[tuple[int, bytes]]
    key: str
    told: Future[list[Receipt]]


class EndpointObserver:
    """Listen on the loopback alone; a request is POST /events with events as lines of JSON.

    Requests are read side by side, but only the thread that runs it stores anything.
    """

    def __init__(
        self,
        entry: Endpoint,
        secret: Callable[[], bytes],
        taker: LineTaker,
        *,
        clock: Clock,
        tell: Callable[[str], None],
    ) -> None:
        self._entry = entry
        self._find_secret = secret
        self._secret = b""
        self._taker = taker
        self._clock = clock
        self.tell = tell
        self._places = threading.BoundedSemaphore(_MOST_TAKEN)
        self._asked: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self.name = f"http:{entry.observer}"

    def run(self, stop: threading.Event) -> None:
        """Answer requests until `stop` is set.

        Raises:
            UnavailableError: the port is taken, or there is no secret.
            RefusedError: the secret is no good one.
        """
        self._secret = self._find_secret()
        try:
            server = _Server((ADDRESS, self._entry.port), _Request, self)
        except OSError as error:
            raise UnavailableError(
                f"{ADDRESS}:{self._entry.port} cannot be listened on ({error.strerror})."
            ) from None
        with server:
            self.tell(f"listening on http://{ADDRESS}:{server.server_port}{PATH}.")
            threading.Thread(target=self._end, args=(stop,), daemon=True).start()
            serving = threading.Thread(target=server.serve_forever, args=(_TURN_SECONDS,))
            serving.start()
            try:
                self._take_in()
            finally:
                server.shutdown()
                serving.join()

    def most_bytes(self) -> int:
        """Return how long a request may be."""
        return self._entry.max_bytes

    def most_seconds(self) -> float:
        """Return how long a request may take to come."""
        return self._entry.request_seconds

    def answer(self, request: signatures.SignedRequest) -> _Answer:
        """Return status and content of the answer to a request; 200 says that it is committed."""
        gap = signatures.gap_of(request)
        if gap is not None:
            return 400, {"error": gap}
        now = parse_instant(self._clock.now()).timestamp()
        fault = signatures.fault_of(request, self._secret, now=now, skew=self._entry.skew_seconds)
        if fault is not None:
            return 401, {"error": fault}
        lines = [(at, line) for at, line in enumerate(lines_of(request.body), 1) if line.strip()]
        if not lines or len(lines) > _MOST_LINES:
            return 400, {"error": f"send 1 to {_MOST_LINES} events, one on each line."}
        if not self._places.acquire(blocking=False):
            return 503, {"error": "too many at once; send it again."}
        try:
            return self._taken(_Asked(lines, request.key, Future()))
        finally:
            self._places.release()

    def _taken(self, asked: _Asked) -> _Answer:
        """Have a sound request stored, and return the answer to it."""
        self._asked.put(asked)
        try:
            receipts = asked.told.result(_TAKEN_SECONDS)
        except MindError as error:
            return _refusal(error)
        except TimeoutError:
            return 503, {"error": "it was not stored in time; send it again."}
        return 200, {"receipts": [msgspec.to_builtins(one) for one in receipts]}

    def _take_in(self) -> None:
        """Store what is asked, one request after the other, until told to end."""
        while (asked := self._asked.get()) is not None:
            try:
                asked.told.set_result(self._taker.take(asked.lines, key=asked.key, bad_lines=None))
            except Exception as error:
                asked.told.set_exception(error)

    def _end(self, stop: threading.Event) -> None:
        """Let nothing more be stored once `stop` is set."""
        stop.wait()
        self._asked.put(None)


def _refusal(error: MindError) -> _Answer:
    """Return the answer to a request of which nothing was kept."""
    if isinstance(error, BadInputError):
        problems = [one.line_of_text() for one in error.problems]
        is_known = any("is the key of another event" in one for one in problems)
        return 409 if is_known else 400, {"error": "nothing was taken.", "problems": problems}
    status = 503 if isinstance(error, RefusedError | TemporaryError) else 500
    return 400 if isinstance(error, UsageError) else status, {"error": str(error)}


class _Server(http.server.ThreadingHTTPServer):
    """A server with a thread for each connection, and a bound on how many are read at once.

    Where more come, the one that has been read for longest makes room: a sound request is here
    within milliseconds, and one that drips is not.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        kind: type[http.server.BaseHTTPRequestHandler],
        observer: EndpointObserver,
    ) -> None:
        self.observer = observer
        self._one_by_one = threading.Lock()
        self._reading: dict[_Request, None] = {}
        self._answering = 0
        self._refused: collections.deque[socket.socket] = collections.deque()
        super().__init__(address, kind)

    def process_request(self, request: _Connection, client_address: object) -> None:
        """Answer in a thread; where there are too many of them, say so without one."""
        with self._one_by_one:
            room = self._answering < _MOST_THREADS
            self._answering += room
        if not room:
            self._refuse(cast("socket.socket", request))
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:
            self._answering -= 1
            self._refuse(cast("socket.socket", request))

    def process_request_thread(self, request: _Connection, client_address: object) -> None:
        """Answer, in a thread of its own."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._one_by_one:
                self._answering -= 1

    def begin_reading(self, request: "_Request") -> None:
        """Count a request among those that are read, of which the oldest may have to make room."""
        with self._one_by_one:
            self._reading[request] = None
            oldest = next(iter(self._reading)) if len(self._reading) > _MOST_READ else None
            if oldest is not None:
                del self._reading[oldest]
        if oldest is not None:
            oldest.cut_off("too many at once; send it again.")

    def end_reading(self, request: "_Request") -> None:
        """Take a request that is here whole, or is gone, from those that are read."""
        with self._one_by_one:
            self._reading.pop(request, None)

    def service_actions(self) -> None:
        """Cut off, after each look for connections, what takes too long to come."""
        now = time.monotonic()
        with self._one_by_one:
            late = [one for one in self._reading if one.deadline <= now]
        for one in late:
            self.end_reading(one)
            one.cut_off("")

    def handle_error(self, request: object, client_address: object) -> None:
        """Pass over whoever is gone; tell of anything else in one line."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.observer.tell(f"a request failed ({type(error).__name__}: {error}).")

    def server_close(self) -> None:
        """Listen no more."""
        super().server_close()
        while self._refused:
            self._refused.popleft().close()

    def _refuse(self, connection: socket.socket) -> None:
        """Answer that there is no room, and close later, so that the answer is read before."""
        with contextlib.suppress(OSError):
            connection.settimeout(0)
            connection.send(_NO_ROOM)
            connection.shutdown(socket.SHUT_WR)
        self._refused.append(connection)
        if len(self._refused) > _MOST_REFUSED:
            self._refused.popleft().close()


class _HeadReader:
    """A connection to read from, whose lines together may not be longer than a head may be."""

    def __init__(self, inner: "BufferedIOBase") -> None:
        self._inner = inner
        self._left = _MOST_HEAD

    def readline(self, size: int) -> bytes:
        """Return the next line; raises LineTooLong where the head is too long."""
        line = self._inner.readline(min(size, self._left + 1))
        self._left -= len(line)
        if self._left < 0:
            raise http.client.LineTooLong("head")
        return line

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end."""
        return self._inner.read(size)

    def close(self) -> None:
        """Read no more."""
        self._inner.close()


class _Request(http.server.BaseHTTPRequestHandler):
    """One connection, one request."""

    timeout = _PATIENCE_SECONDS
    server_version = "mind"
    sys_version = ""
    requestline = command = ""
    request_version = "HTTP/1.0"
    _cut = ""
    _answered = False
    deadline = 0.0

    def handle(self) -> None:
        """Answer; say in the end what became of a request that was cut off."""
        server = cast("_Server", self.server)
        self.deadline = time.monotonic() + server.observer.most_seconds()
        self.rfile = cast("BufferedIOBase", _HeadReader(self.rfile))
        server.begin_reading(self)
        try:
            super().handle()
        except http.client.LineTooLong:
            self.send_error(431, "the head is too long.")
        finally:
            server.end_reading(self)
        if self._cut and not self._answered:
            self._say(503, {"error": self._cut})

    def cut_off(self, reason: str) -> None:
        """Read no more of a request; without a reason it is one that ends too early."""
        self._cut = reason
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def do_POST(self) -> None:
        """Take events."""
        observer = cast("_Server", self.server).observer
        if self.path != PATH:
            return self._refuse()
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            return self._say(411, {"error": "Content-Length is missing."})
        if len(length) > 12 or int(length) > observer.most_bytes():
            return self._say(413, {"error": f"longer than {observer.most_bytes()} bytes."})
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return self.send_error(400, "the request ends before its end.")
        cast("_Server", self.server).end_reading(self)
        given = {name: self.headers.get(name, "") for name in _HEAD_NAMES}
        return self._say(
            *observer.answer(
                signatures.SignedRequest(
                    time=given[signatures.TIME],
                    key=given[signatures.KEY],
                    given=given[signatures.SIGNATURE],
                    body=body,
                )
            )
        )

    def _refuse(self) -> None:
        """Refuse another path, or on ours what is no POST."""
        status = 405 if self.path == PATH else 404
        self._say(status, {"error": f"events are taken with POST {PATH} alone."})

    do_GET = do_PUT = do_PATCH = do_DELETE = _refuse

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what is no HTTP, or not all of it, as everything else is answered."""
        if self._cut:
            self._say(503, {"error": self._cut})
        else:
            self._say(code, {"error": message or explain or "bad request"})

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of single requests."""

    def _say(self, status: int, content: dict[str, object]) -> None:
        """Answer with JSON and close the connection."""
        octets = msgspec.json.encode(content) + b"\n"
        self.close_connection = self._answered = True
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.send_header("Connection", "close")
        if status == 503:
            self.send_header("Retry-After", _RETRY_SECONDS)
        self.end_headers()
        self.wfile.write(octets)


_HEAD_NAMES = (signatures.TIME, signatures.KEY, signatures.SIGNATURE)
