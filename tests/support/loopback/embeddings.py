"""A server of embeddings on loopback: vectors are the fake's, and mishaps come at will."""

import json
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from support.fakes import WordEmbedder

_LEAST_ERROR = 400


class Embeddings:
    """The server; `requests` are the bodies that came, `keys` their keys."""

    def __init__(self, server: HTTPServer) -> None:
        self.base_url = server.url_for("/v1")
        self.requests: list[dict[str, object]] = []
        self.keys: list[str] = []
        self._says: tuple[int, bytes] | None = None
        server.expect_request("/v1/embeddings", method="POST").respond_with_handler(self._serve)

    def says(self, status: int, octets: bytes) -> None:
        """Answer every request with these bytes."""
        self._says = (status, octets)

    def _serve(self, request: Request) -> Response:
        told = json.loads(request.get_data())
        self.requests.append(told)
        self.keys.append(request.headers.get("Authorization", ""))
        if self._says is not None:
            status, octets = self._says
            return Response(octets, status=status, content_type="application/json")
        if any(not text for text in told["input"]):
            return Response(b'{"error": {"message": "empty"}}', status=_LEAST_ERROR)
        vectors = WordEmbedder().vectors(told["input"])
        found = [
            {"object": "embedding", "index": place, "embedding": vector}
            for place, vector in enumerate(vectors)
        ]
        # Their order is said by the index alone.
        answer = {"object": "list", "data": found[::-1], "usage": {"prompt_tokens": 3}}
        return Response(json.dumps(answer), content_type="application/json")


@pytest.fixture
def embeddings(httpserver: HTTPServer) -> Iterator[Embeddings]:
    """Return the server."""
    yield Embeddings(httpserver)
