"""What a stream assembler is to everyone who feeds one, and the previews it gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from mindpipe.core.models import FaultClass, ModelFault, ModelReply
from mindpipe.formats.replies.sse import Event


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a reply that is still being written; `text` of a call is its tool's name."""

    kind: Literal["text", "thinking", "call"]
    text: str


class Assembler(Protocol):
    """Put a reply together from its events; nothing of it counts before the end mark."""

    @property
    def ended(self) -> bool:
        """Tell whether the end mark has come."""
        ...

    def feed(self, event: Event) -> Sequence[Piece]:
        """Take one event; raises ModelFault for an error event and for one that is no JSON."""
        ...

    def result(self) -> bytes:
        """Return the provider's message, encoded once; raises ModelFault before the end mark."""
        ...

    def reply(self) -> ModelReply:
        """Return the reply, read from the result; raises ModelFault before the end mark."""
        ...


def torn_stream() -> ModelFault:
    """Return the fault of a stream that stopped before its end mark."""
    return ModelFault(
        "the provider's stream stopped before its end mark", fault=FaultClass.TRANSIENT
    )


def no_reply(what: str) -> ModelFault:
    """Return the fault of an answer that is no reply of this API."""
    return ModelFault(f"the provider gave no valid reply ({what})", fault=FaultClass.TRANSIENT)
