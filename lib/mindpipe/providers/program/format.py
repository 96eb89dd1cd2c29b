"""Canonical conversation to the program protocol: canonical messages, whole, as they are stored."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.messages import (
    Conversation,
    FilePart,
    Head,
    Message,
    Part,
    Role,
    TextPart,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import Form, RawSource, Rendering, render_form

SUMMARY_ID = "m_" + "0" * 22


def head_fields(head: Head, _: Rendering) -> dict[str, bytes]:
    """Return `system` and `tools`; both are always there, also when they are empty."""
    return {"system": to_json(head.system), "tools": to_json(list(head.tools))}


def summary_message(summary: str, first: Message) -> Message:
    """Return the summary of a head as the message that stands before the first one sent."""
    return Message(
        id=SUMMARY_ID,
        agent=first.agent,
        seq=0,
        segment=first.segment,
        cycle=0,
        turn=0,
        role=Role.USER,
        parts=(TextPart(text=summary),),
        at=first.at,
    )


def with_summary(head: Head, messages: Iterable[Message]) -> Iterator[Message]:
    """Yield the head's summary as a message, where it has one, and then the messages."""
    summary = None if head.summary is None or is_blank(head.summary) else head.summary
    for message in messages:
        if summary is not None:
            yield summary_message(summary, message)
            summary = None
        yield message


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield each message as its canonical JSON object; a file has its bytes under `data`."""
    for message in with_summary(head, messages):
        if any(isinstance(part, FilePart) for part in message.parts):
            parts = [_written(part, message, rendering) for part in message.parts]
            fields = {name: getattr(message, name) for name in message.__struct_fields__}
            yield to_json({**fields, "parts": parts})
        else:
            yield to_json(message)


def _written(part: Part, message: Message, rendering: Rendering) -> Part | dict[str, object]:
    """Return a part as it is sent: of a file whose bytes are gone only its name and hash."""
    if not isinstance(part, FilePart):
        return part
    octets = rendering.file_octets(part)
    if octets is None:
        why = f"the bytes of {part.name} are no longer kept"
        rendering.lose(message.id, part="file", why=why)
        return part
    return {**msgspec.to_builtins(part), "data": octets}


FORM = Form(
    list_name="messages",
    native=RawSource(provider="program", api="program"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, target: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for a program that reads one JSON object on stdin."""
    return render_form(FORM, conversation, options=options, target=target)
