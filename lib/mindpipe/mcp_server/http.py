"""Serve clients over streamable HTTP on loopback, each known by its token."""

import contextlib
import hashlib
import hmac
import signal
import socket
from collections.abc import Iterator, Mapping
from types import FrameType

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from mindpipe.core.errors import UnavailableError
from mindpipe.mcp_server.protocol import Context, Offer, server_of
from mindpipe.mcp_server.records import ClientName

HOST = "127.0.0.1"
PATH = "/mcp"
_CLIENT = "mindpipe.client"
_GRACE_SECONDS = 5


class TokenGate:
    """Lets in whom a token names, and writes into the request who that is."""

    def __init__(self, app: ASGIApp, clients: Mapping[str, ClientName]) -> None:
        self._app = app
        self._clients = {_hash(token): client for token, client in clients.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, 401 where nobody is known by its token."""
        if scope["type"] == "http":
            client = self._client_of(scope)
            if client is None:
                headers = {"WWW-Authenticate": "Bearer"}
                words = "This server wants its token: Authorization: Bearer TOKEN.\n"
                await PlainTextResponse(words, 401, headers)(scope, receive, send)
                return
            scope[_CLIENT] = client
        await self._app(scope, receive, send)

    def _client_of(self, scope: Scope) -> ClientName | None:
        """Return who sends a request; every token is compared, each in the same time."""
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        kind, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        shown = hashlib.sha256(token.strip()).digest()
        found = None
        for known, client in self._clients.items():
            if hmac.compare_digest(shown, known):
                found = client
        return found if kind.lower() == b"bearer" else None


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _client_of(context: Context) -> ClientName:
    """Return of whom a request is, as its token said."""
    request = context.request
    assert request is not None, "over HTTP every message comes with its request"
    client: ClientName = request.scope[_CLIENT]
    return client


class _Server(uvicorn.Server):
    """A server whose signals are heard by who runs it: it would raise them again at its end."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals as they are."""
        yield


@contextlib.contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let SIGTERM and SIGINT end a server in order; SIGINT then counts as it does anywhere."""
    heard: set[int] = set()

    def hear(number: int, frame: FrameType | None) -> None:
        heard.add(number)
        server.handle_exit(number, frame)

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if signal.SIGINT in heard:
        raise KeyboardInterrupt


def serve_http(offer: Offer, clients: Mapping[str, ClientName], *, port: int) -> None:
    """Serve until a signal ends it; `clients` are who they are by token, port 0 is any free one.

    Requests of another Host or of a web page elsewhere (Origin) are refused. No request needs
    anything of an earlier one, in the older protocol neither.

    Raises:
        UnavailableError: somebody else listens there.
    """
    try:
        # Who reads that it is served may connect at once.
        listening = socket.create_server((HOST, port))
    except OSError as error:
        raise UnavailableError(
            f"cannot listen on {HOST}:{port} ({error.strerror}); give another --http PORT."
        ) from None
    port = listening.getsockname()[1]
    hosts = [f"{name}:{port}" for name in (HOST, "localhost")]
    app = server_of(offer, _client_of).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts]
        ),
    )
    config = uvicorn.Config(
        TokenGate(app, clients),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    server = _Server(config)
    with _ended_by_signals(server):
        offer.tell(f"serves {offer.agent} at http://{HOST}:{port}{PATH}")
        server.run(sockets=[listening])
