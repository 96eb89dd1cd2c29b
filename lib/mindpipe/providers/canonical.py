"""The canonical messages of mindpipe itself as a format: read and written."""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    Part,
    ResultPart,
    Role,
    TextPart,
    decode_message,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers.documents import Document, Element
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    SeenCall,
    SeenPart,
    SeenResult,
)
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import HEAD, Form, RawSource, Rendering, render_form


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


_OTHER_ROLES: dict[Role, Literal["user", "system"]] = {
    Role.USER: "user",
    Role.TOOL: "user",
    Role.NOTE: "system",
}


def _seen(part: Part, *, at: str) -> SeenPart:
    """Return a canonical part as the builder's checks know it."""
    if isinstance(part, CallPart):
        broken = (part.args is None) != (part.invalid is not None)
        fault = "args is null exactly when the call is invalid" if broken else None
        return SeenCall(
            id=part.id, tool=part.tool, args=part.args, args_text=part.args_text, at=at, fault=fault
        )
    if isinstance(part, ResultPart):
        return SeenResult(
            id=part.call,
            status=part.status,
            text=part.text,
            json=part.json,
            ticket=part.ticket,
            at=at,
        )
    return part


def _is_said(part: Part) -> bool:
    """Tell whether a part says anything."""
    return not (isinstance(part, TextPart) and is_blank(part.text))


def _item(message: Message, element: Element) -> ImportedItem:
    """Return a canonical message as a neutral item, for the checks that all imports share."""
    parts = tuple(
        _seen(part, at=f"{element.at}.parts[{index}]") for index, part in enumerate(message.parts)
    )
    is_reply = message.role is Role.ASSISTANT
    return ImportedItem(
        role="assistant" if is_reply else _OTHER_ROLES[message.role],
        parts=parts,
        at=element.at,
        sources=(element.index,),
        line=element.line,
    )


def _items(findings: Findings) -> Iterator[ImportedItem]:
    """Yield every line that is a canonical message; the others are faults."""
    for element in findings.elements():
        try:
            message = decode_message(element.octets)
        except (msgspec.ValidationError, msgspec.DecodeError) as fault:
            findings.fault("shape", at=element.at, line=element.line, what=str(fault))
            continue
        if not all(_is_said(part) for part in message.parts):
            what = "a text part is blank"
            findings.fault("empty_message", at=element.at, line=element.line, what=what)
        if message.raw is not None:
            findings.leave_out("raw bytes of a reply, which the file names by their hash alone")
        for part in message.parts:
            if isinstance(part, FilePart):
                findings.leave_out(f"bytes of the file {part.name!r}")
        findings.canonical[element.index] = message
        yield _item(message, element)


def read_mindpipe(document: Document, findings: Findings) -> DocumentReading:
    """Read canonical messages, which come back equal, with their ids; none is repaired.

    What is checked here is what all imports share: pairs, order, blank text, arguments.
    """
    return DocumentReading(
        head=Head(system=""),
        items=_items(findings),
        provider="mindpipe",
        api="history",
        is_canonical=True,
    )
