"""Let a preview hear a reply that came whole, so that it hears the same of every model."""

from mindpipe.core.messages import CallPart, TextPart, ThinkingPart
from mindpipe.core.models import ModelReply
from mindpipe.core.ports import Preview


def show_whole(reply: ModelReply, preview: Preview | None) -> None:
    """Tell every part of the reply, in order."""
    if preview is None:
        return
    for part in reply.parts:
        if isinstance(part, TextPart):
            preview.text(part.text)
        elif isinstance(part, ThinkingPart) and part.text:
            preview.thinking(part.text)
        elif isinstance(part, CallPart):
            preview.call(part.tool)
