"""Serve one client over stdin and stdout, which has started this program."""

import asyncio
import contextvars
import io
import signal
import sys
from abc import ABC, abstractmethod
from types import TracebackType
from typing import BinaryIO, Self, TextIO, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError

from mindpipe.mcp_server.protocol import Offer, Tell, server_of
from mindpipe.mcp_server.records import ClientName

MOST_BYTES = 4 << 20
"""The longest message that is read, as over HTTP."""
_NO_MESSAGE = "{\n"


class MessageLines(io.TextIOBase):
    """The lines of a stream but blank ones; one that is too long is passed over, and never held."""

    def __init__(self, octets: BinaryIO, tell: Tell, *, limit: int = MOST_BYTES) -> None:
        self._octets = octets
        self._tell = tell
        self._limit = limit

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]  # always whole
        """Return the next line, one that is no message in the place of one that is too long."""
        line = self._octets.readline(self._limit + 1)
        while line.isspace():
            line = self._octets.readline(self._limit + 1)
        if len(line) <= self._limit:
            return line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = self._octets.readline(self._limit)
        self._tell(f"a message of more than {self._limit} bytes was passed over.")
        return _NO_MESSAGE


class _Closing(ABC):
    """An end of a stream, which is closed behind the block that works with it."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close the stream."""

    async def __aenter__(self) -> Self:
        """Return this end."""
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        """Close the stream."""
        await self.aclose()


class OpenRequests(_Closing):
    """What a client asked and has no answer yet; where answers are written it gets none else."""

    def __init__(self, writing: WriteStream[SessionMessage]) -> None:
        self._writing = writing
        self._open: set[str | int] = set()
        self._all_answered = anyio.Event()

    def hear(self, said: JSONRPCMessage) -> None:
        """Remember a request; one that is cancelled is waited for no more."""
        if isinstance(said, JSONRPCRequest):
            self._open.add(said.id)
        elif isinstance(said, JSONRPCNotification) and said.method == "notifications/cancelled":
            self._answered((said.params or {}).get("requestId"))

    async def answered(self) -> None:
        """Return once every request has its answer."""
        while self._open:
            self._all_answered = anyio.Event()
            await self._all_answered.wait()

    async def send(self, item: SessionMessage, /) -> None:
        """Write a message, which may be an answer."""
        await self._writing.send(item)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._answered(item.message.id)

    def _answered(self, request: object) -> None:
        self._open = {one for one in self._open if one != request}
        self._all_answered.set()

    async def aclose(self) -> None:
        """Write no more."""
        await self._writing.aclose()


class ClientMessages(_Closing):
    """What a client says, as the SDK reads it; what is no message is answered and passed over.

    They end once all that was asked has its answer.
    """

    def __init__(
        self, reading: ReadStream[SessionMessage | Exception], requests: OpenRequests
    ) -> None:
        self._reading = reading
        self._requests = requests

    @property
    def last_context(self) -> contextvars.Context | None:
        """Return the context in which the last message was read."""
        found: contextvars.Context | None = getattr(self._reading, "last_context", None)
        return found

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message; raises anyio.EndOfStream where there is none."""
        try:
            while isinstance(item := await self._reading.receive(), Exception):
                await self._requests.send(SessionMessage(fault_of_message(item)))
        except anyio.EndOfStream:
            # Who has said all may still listen.
            await self._requests.answered()
            raise
        self._requests.hear(item.message)
        return item

    async def aclose(self) -> None:
        """Read no more."""
        await self._reading.aclose()

    def __aiter__(self) -> Self:
        """Give the messages."""
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


def fault_of_message(fault: Exception) -> JSONRPCError:
    """Return the answer to what is no JSON, or no message (JSON-RPC 2.0, section 5.1)."""
    kinds = {one["type"] for one in fault.errors()} if isinstance(fault, ValidationError) else set()
    if "json_invalid" in kinds:
        error = ErrorData(code=PARSE_ERROR, message="Parse error: this is no JSON.")
    else:
        error = ErrorData(code=INVALID_REQUEST, message="Invalid request: this is no message.")
    return JSONRPCError(jsonrpc="2.0", id=None, error=error)


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
        requests = OpenRequests(writing)
        said = ClientMessages(reading, requests)
        await server.run(said, requests, server.create_initialization_options())
