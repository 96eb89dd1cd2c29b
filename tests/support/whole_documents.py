"""Whole conversations as documents of other programs, and what these do not hold."""

from typing import NamedTuple

from mindpipe.core.messages import Conversation
from mindpipe.providers.exporter import export_chunks
from mindpipe.providers.records import Loss, RenderOptions


class Exported(NamedTuple):
    """A document in the pieces in which it is written, and what it does not hold."""

    chunks: tuple[bytes, ...]
    losses: tuple[Loss, ...]


def export_document(conversation: Conversation, *, format: str, options: RenderOptions) -> Exported:
    """Export a conversation; raises UsageError where there is no such format."""
    losses: list[Loss] = []
    chunks = export_chunks(
        conversation.head,
        conversation.messages,
        format=format,
        options=options,
        blobs=conversation.blobs,
        report=losses.append,
    )
    return Exported(tuple(chunks), tuple(losses))
