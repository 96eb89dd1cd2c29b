"""Canonical conversation to mindpipe's own form: one canonical message per line."""

from collections.abc import Iterable, Iterator

from mindpipe.core.messages import Conversation, FilePart, Head, Message
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.formats.records import Rendered, RenderOptions
from mindpipe.formats.rendering import HEAD, Form, RawSource, Rendering, render_form


def head_fields(head: Head, rendering: Rendering) -> dict[str, bytes]:
    """Return nothing: lines of messages have no place for a head, which is a loss."""
    present = {
        "system": not is_blank(head.system),
        "tools": bool(head.tools),
        "summary": head.summary is not None,
    }
    for part, there in present.items():
        if there:
            rendering.lose(HEAD, part=part, why="lines of messages have no head")
    return {}


def message_stream(_: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[bytes]:
    """Yield each message as its canonical JSON object."""
    for message in messages:
        if message.raw is not None:
            rendering.lose(message.id, part="raw", why="the bytes go by their hash")
        for part in message.parts:
            if isinstance(part, FilePart):
                rendering.lose(message.id, part="file", why="the bytes go by their hash")
        yield to_json(message)


FORM = Form(
    list_name="",
    native=RawSource(provider="mindpipe", api="mindpipe"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, _: Target, options: RenderOptions) -> Rendered:
    """Write a conversation as rows; `fields` is empty and the list has no name."""
    return render_form(FORM, conversation, options=options)
