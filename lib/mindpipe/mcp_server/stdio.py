"""Serve one client over stdin and stdout, which has started this program."""

import asyncio
import io
import signal
import sys
from typing import BinaryIO, TextIO, cast

import anyio
from mcp.server.stdio import stdio_server

from mindpipe.mcp_server.protocol import Offer, Tell, server_of
from mindpipe.mcp_server.records import ClientName

MOST_BYTES = 4 << 20
"""The longest message that is read, as over HTTP."""


class MessageLines(io.TextIOBase):
    """The lines of a stream; one that is too long is passed over, and never held."""

    def __init__(self, octets: BinaryIO, tell: Tell, *, limit: int = MOST_BYTES) -> None:
        self._octets = octets
        self._tell = tell
        self._limit = limit

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]  # always whole
        """Return the next line, an empty one in the place of one that is too long."""
        line = self._octets.readline(self._limit + 1)
        if len(line) <= self._limit:
            return line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = self._octets.readline(self._limit)
        self._tell(f"a message of more than {self._limit} bytes was passed over.")
        return "\n"


def serve_stdio(offer: Offer, client: ClientName) -> None:
    """Serve until stdin ends; whoever is killed meanwhile loses nothing that was answered."""
    # A reader that waits for stdin cannot be unwound.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    asyncio.run(_serve(offer, client))


async def _serve(offer: Offer, client: ClientName) -> None:
    lines = MessageLines(sys.stdin.buffer, offer.tell)
    server = server_of(offer, lambda _: client)
    async with stdio_server(stdin=anyio.wrap_file(cast("TextIO", lines))) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
