"""An HTTP endpoint on the loopback: signed requests become events, answered after the commit."""

import contextlib
import http.server
import queue
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple, cast

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
from mindpipe.io.files import read_if_there
from mindpipe.observers import signatures
from mindpipe.observers.adapters.lines import LineTaker
from mindpipe.observers.records import Endpoint

ADDRESS = "127.0.0.1"
PATH = "/events"
_PATIENCE_SECONDS = 10
_TAKEN_SECONDS = 60.0
_MOST_AT_ONCE = 16
_MOST_LINES = 1000
_TURN_SECONDS = 0.2
_RETRY_SECONDS = "5"
_OTHERS_MAY_READ = 0o077
_Answer = tuple[int, dict[str, object]]


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
        if found is not None and path.stat().st_mode & _OTHERS_MAY_READ:
            raise RefusedError(f"others may read the secret in {path}; run chmod 600 {path}.")
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
        self._tell = tell
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
            self._tell(f"listening on http://{ADDRESS}:{server.server_port}{PATH}.")
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
        now = parse_instant(self._clock.now()).timestamp()
        fault = signatures.fault_of(request, self._secret, now=now, skew=self._entry.skew_seconds)
        if fault is not None:
            return 401, {"error": fault}
        lines = [(at, line) for at, line in enumerate(lines_of(request.body), 1) if line.strip()]
        if not lines or len(lines) > _MOST_LINES:
            return 400, {"error": f"send 1 to {_MOST_LINES} events, one on each line."}
        told: Future[list[Receipt]] = Future()
        self._asked.put(_Asked(lines, request.key, told))
        try:
            receipts = told.result(_TAKEN_SECONDS)
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
    """A server that answers so many at once, each in a thread that ends with the program."""

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        address: tuple[str, int],
        kind: type[http.server.BaseHTTPRequestHandler],
        observer: EndpointObserver,
    ) -> None:
        self.observer = observer
        self.places = threading.BoundedSemaphore(_MOST_AT_ONCE)
        super().__init__(address, kind)


class _Request(http.server.BaseHTTPRequestHandler):
    """One connection, one request."""

    timeout = _PATIENCE_SECONDS
    server_version = "mind"
    sys_version = ""

    def handle(self) -> None:
        """Answer, or close at once where there are too many."""
        server = cast("_Server", self.server)
        if server.places.acquire(blocking=False):
            cut = threading.Timer(server.observer.most_seconds(), self._cut_off)
            cut.daemon = True
            cut.start()
            try:
                super().handle()
            finally:
                cut.cancel()
                server.places.release()

    def _cut_off(self) -> None:
        """Read no more of a request; what came of it is answered as one that ends too early."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RD)

    def do_POST(self) -> None:
        """Take events."""
        observer = cast("_Server", self.server).observer
        if self.path != PATH:
            return self._say(404, {"error": f"there is only POST {PATH}."})
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            return self._say(411, {"error": "Content-Length is missing."})
        if len(length) > 12 or int(length) > observer.most_bytes():
            return self._say(413, {"error": f"longer than {observer.most_bytes()} bytes."})
        body = self.rfile.read(int(length))
        if len(body) < int(length):
            return self._say(400, {"error": "the request ends before its end."})
        given = {name: self.headers.get(name, "") for name in _HEAD}
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

    def do_GET(self) -> None:
        """Refuse what is no POST."""
        self._say(405, {"error": f"there is only POST {PATH}."})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what is no HTTP as everything else is answered."""
        self._say(code, {"error": message or explain or "bad request"})

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of single requests."""

    def _say(self, status: int, content: dict[str, object]) -> None:
        """Answer with JSON and close the connection."""
        octets = msgspec.json.encode(content) + b"\n"
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(octets)))
        self.send_header("Connection", "close")
        if status == 503:
            self.send_header("Retry-After", _RETRY_SECONDS)
        self.end_headers()
        self.wfile.write(octets)


_HEAD = (signatures.TIME, signatures.KEY, signatures.SIGNATURE)
