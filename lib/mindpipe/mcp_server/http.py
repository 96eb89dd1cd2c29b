"""Serve clients over streamable HTTP on loopback, each known by its token."""

import hashlib
import hmac
import socket
from collections.abc import Mapping

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


def serve_http(offer: Offer, clients: Mapping[str, ClientName], *, port: int) -> None:
    """Serve until a signal ends it; `clients` are who they are by token, port 0 is any free one.

    Requests of another Host or of a web page elsewhere (Origin) are refused. No request needs
    anything of an earlier one, in the older protocol neither.

    Raises:
        UnavailableError: somebody else listens there.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        # Who reads that it is served may connect at once.
        listening.listen()
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
    offer.tell(f"serves {offer.agent} at http://{HOST}:{port}{PATH}")
    uvicorn.Server(config).run(sockets=[listening])
