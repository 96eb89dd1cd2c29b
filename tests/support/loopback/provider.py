"""A provider of models on loopback: three wire formats, the rules of pairing, and mishaps at will.

Requests are judged by the independent validator; one that breaks a rule is refused as the real API
refuses it. What a good request gets is scripted: turns and mishaps are served in order, and when
none is left, a plain greeting.
"""

import collections
import contextlib
import gzip
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.turns import Turn
from support.patience import LONGEST

WIRES: dict[str, ModuleType] = {
    wire.PATH: wire for wire in (wire_anthropic, wire_chat, wire_responses)
}
GREETING = Turn(text="Hello there.")
MEBIBYTE = b"x" * (1 << 20)
# Nobody waits this long: tests let go of what hangs when they end.
_STATUS_OF_REFUSAL = 400


@dataclass(frozen=True)
class Seen:
    """A request as it arrived, and when, in seconds of a steady clock."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.monotonic)

    def json(self) -> Any:
        """Return the body as plain JSON."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Asked:
    """What a mishap needs to know of the request that it befalls."""

    wire: ModuleType
    model: str
    streamed: bool


Step = Callable[[Asked], Response]
Rule = Callable[[bytes], Turn | int | None]


def _no_rule(_body: bytes) -> None:
    """Leave every request to the script."""


class Provider:
    """The server; `requests` holds what arrived since the last `reset`."""

    def __init__(self, server: HTTPServer) -> None:
        self._server = server
        self._steps: collections.deque[Step] = collections.deque()
        self._let_go = threading.Event()
        self.requests: list[Seen] = []
        self.flooded = 0
        self._rule: Rule = _no_rule
        server.expect_request(re.compile("/.*"), method="POST").respond_with_handler(self._serve)

    @property
    def anthropic_url(self) -> str:
        """Return the base URL for the Messages API."""
        return self._server.url_for("").rstrip("/")

    @property
    def openai_url(self) -> str:
        """Return the base URL for the OpenAI APIs."""
        return self._server.url_for("/v1")

    def reset(self) -> None:
        """Let go of everything that hangs and forget script and requests."""
        self._let_go.set()
        self._let_go = threading.Event()
        self._steps.clear()
        self.requests.clear()
        self.flooded = 0
        self._rule = _no_rule
        self._server.clear_log()

    def answers(self, *turns: Turn) -> None:
        """Serve these turns to the next good requests."""
        for turn in turns:
            self._steps.append(lambda asked, turn=turn: _reply(asked, turn))

    def fails(
        self,
        status: int,
        message: str = "Something is wrong.",
        *,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Answer with an error of the wire format."""
        self._steps.append(
            lambda asked: _json(asked.wire.error(status, message, code), status, headers)
        )

    def follows(self, rule: Rule) -> None:
        """Until the reset, ask a rule first: the turn or error status for a body, or None."""
        self._rule = rule

    def says(self, status: int, octets: bytes, media_type: str, **headers: str) -> None:
        """Answer with these very bytes."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        self._steps.append(
            lambda _: Response(octets, status=status, content_type=media_type, headers=told)
        )

    def echoes(self, status: int) -> None:
        """Answer with an error that repeats the headers of the request in which a key stands."""

        def echo(asked: Asked) -> Response:
            sent = self.requests[-1].headers.items()
            keys = {name: told for name, told in sent if name in {"Authorization", "X-Api-Key"}}
            return _json(asked.wire.error(status, f"You sent {keys}"), status)

        self._steps.append(echo)

    def shows_page(self, status: int) -> None:
        """Answer with HTML, as gateways do."""
        self.says(status, b"<html><body>Bad Gateway</body></html>", "text/html; charset=utf-8")

    def floods(self, status: int, *, mebibytes: int, media_type: str = "application/json") -> None:
        """Answer with a body of this size; `flooded` counts the mebibytes that were taken of it."""

        def pour() -> Iterator[bytes]:
            for _ in range(mebibytes):
                self.flooded += 1
                yield MEBIBYTE

        self._steps.append(lambda _: Response(pour(), status=status, content_type=media_type))

    def bombs(self, status: int, *, mebibytes: int) -> None:
        """Answer with a small body that is huge when decompressed."""
        octets = gzip.compress(MEBIBYTE * mebibytes)
        self.says(status, octets, "application/json", Content_Encoding="gzip")

    def hangs(self) -> None:
        """Say nothing at all."""

        def hang(asked: Asked) -> Response:
            self._wait()
            return _reply(asked, GREETING)

        self._steps.append(hang)

    def stalls(self, turn: Turn, *, at: int) -> None:
        """Stream the first `at` bytes of a turn and then say nothing more."""

        def stall(asked: Asked) -> Response:
            return _stream(_then(b"".join(_events(asked, turn))[:at], self._wait))

        self._steps.append(stall)

    def cuts(self, turn: Turn, *, at: int, torn: bool = False) -> None:
        """Stream the first `at` bytes of a turn and end there.

        `torn` breaks the connection below HTTP; else the answer ends properly.
        """

        def cut(asked: Asked) -> Response:
            octets = b"".join(_events(asked, turn))
            answer = _stream(iter([octets[:at]]))
            if torn:
                answer.headers["Content-Length"] = str(len(octets) + 1)
            return answer

        self._steps.append(cut)

    def breaks(self, turn: Turn, *, after: int, kind: str, message: str = "Overloaded") -> None:
        """Stream `after` events of a turn and then an error event."""

        def fail(asked: Asked) -> Response:
            events = _events(asked, turn)[:after]
            return _stream(iter([*events, asked.wire.error_event(kind, message)]))

        self._steps.append(fail)

    def drips(self, *, comments: int) -> None:
        """Stream a greeting, with comments as signs of life before it."""
        lines = [b": still here\n\n"] * comments
        self._steps.append(lambda asked: _stream(iter([*lines, *_events(asked, GREETING)])))

    def babbles(self, octets: bytes, *, status: int = 200) -> None:
        """Stream the same few bytes for ever."""

        def babble() -> Iterator[bytes]:
            while not self._let_go.wait(0.01):
                yield octets

        self._steps.append(
            lambda _: Response(babble(), status=status, content_type="text/event-stream")
        )

    def _wait(self) -> None:
        self._let_go.wait(LONGEST)

    def _serve(self, request: Request) -> Response:
        body = request.get_data()
        self.requests.append(Seen(request.path, dict(request.headers), body))
        wire = WIRES.get(request.path)
        if wire is None:
            return _json(wire_chat.error(404, f"Unknown request URL: POST {request.path}"), 404)
        told = json.loads(body)
        refusal = _refusal(wire, told)
        if refusal is not None:
            return refusal
        asked = Asked(wire, told.get("model", ""), bool(told.get("stream")))
        ruled = self._rule(body)
        if isinstance(ruled, int):
            return _json(wire.error(ruled, "It is the rule."), ruled)
        if ruled is not None:
            return _reply(asked, ruled)
        step = self._steps.popleft() if self._steps else lambda asked: _reply(asked, GREETING)
        return step(asked)


def _refusal(wire: ModuleType, told: Any) -> Response | None:
    """Return how the API refuses a request that breaks a rule, or None."""
    found = check(wire.FORMAT, told, profile=profile_for(told.get("model")))
    errors = [one for one in found if one.severity == "error"]
    if not errors:
        return None
    words = errors[0].provider_says or f"{errors[0].at}: {errors[0].what}"
    return _json(wire.error(_STATUS_OF_REFUSAL, words), _STATUS_OF_REFUSAL)


def _events(asked: Asked, turn: Turn) -> list[bytes]:
    return asked.wire.events(turn, asked.model)


def _reply(asked: Asked, turn: Turn) -> Response:
    if asked.streamed:
        return _stream(iter(_events(asked, turn)))
    return _json(asked.wire.body(turn, asked.model), 200)


def _stream(pieces: Iterator[bytes]) -> Response:
    return Response(pieces, content_type="text/event-stream; charset=utf-8")


def _then(octets: bytes, wait: Callable[[], None]) -> Iterator[bytes]:
    yield octets
    wait()


def _json(told: Any, status: int, headers: dict[str, str] | None = None) -> Response:
    octets = json.dumps(told).encode()
    return Response(octets, status=status, content_type="application/json", headers=headers)


@contextlib.contextmanager
def running() -> Iterator[Provider]:
    """Run a provider on a free port of loopback."""
    server = HTTPServer(host="127.0.0.1", port=0, threaded=True)
    server.start()
    provider = Provider(server)
    try:
        yield provider
    finally:
        provider.reset()
        server.stop()
