"""One request to a provider's model and its reply, whole or as a stream."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from mindpipe.core.failpoints import reach
from mindpipe.core.models import ModelReply, ModelRequest
from mindpipe.core.ports import Clock, Preview
from mindpipe.formats.replies.pieces import Assembler, Piece, torn_stream
from mindpipe.formats.replies.sse import EventReader
from mindpipe.models.limits import Limits
from mindpipe.models.transport_faults import too_slow
from mindpipe.models.whole_preview import show_whole
from mindpipe.models.wire import Send, Wire, media_type

if TYPE_CHECKING:
    import httpx2


class Form:
    """What an API's replies look like: how a whole one is read, and a streamed one assembled."""

    def __init__(
        self, *, read: Callable[[bytes], ModelReply], assembler: Callable[[], Assembler]
    ) -> None:
        self.read = read
        self.assembler = assembler


class Exchange:
    """Send requests, each over a wire of its own, and read the replies as their bytes arrive."""

    def __init__(
        self, form: Form, *, clock: Clock, limits: Limits, secrets: tuple[str, ...] = ()
    ) -> None:
        self._form = form
        self._clock = clock
        self._limits = limits
        self._secrets = secrets

    def reply(self, send: Send, request: ModelRequest, preview: Preview | None) -> ModelReply:
        """Return the complete reply.

        Raises:
            ModelFault: anything else than a complete reply.
        """
        wire = Wire(
            clock=self._clock,
            limits=self._limits,
            seconds=request.seconds,
            streamed=request.options.stream,
            secrets=self._secrets,
        )
        return wire.ask(send, request.body, lambda response: self._read(wire, response, preview))

    def _read(self, wire: Wire, response: "httpx2.Response", preview: Preview | None) -> ModelReply:
        """Read a reply by what the answer says it is."""
        if media_type(response) == "text/event-stream":
            pieces = wire.pieces(response, limit=self._limits.reply_bytes)
            return self._assemble(wire, pieces, preview)
        reply = self._form.read(wire.whole(response))
        show_whole(reply, preview)
        return reply

    def _assemble(self, wire: Wire, pieces: Iterator[bytes], preview: Preview | None) -> ModelReply:
        """Assemble a stream up to its end mark; what comes after it is left unread."""
        reader, assembler = EventReader(), self._form.assembler()
        heard = wire.now()
        for octets in pieces:
            for event in reader.feed(octets):
                heard = wire.now()
                _tell(preview, assembler.feed(event))
                reach("ask.mid_stream")
                if assembler.ended:
                    return assembler.reply()
            if wire.now() - heard > self._limits.between_events:
                raise too_slow(f"no event within {self._limits.between_events:g} s")
        raise torn_stream()


def _tell(preview: Preview | None, pieces: Sequence[Piece]) -> None:
    """Let a preview hear the pieces."""
    if preview is None:
        return
    for piece in pieces:
        getattr(preview, piece.kind)(piece.text)
