"""mindpipe's own form: one canonical message per line, taken as it is."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Head,
    Message,
    Part,
    ResultPart,
    Role,
    TextPart,
    decode_message,
)
from mindpipe.core.text import is_blank
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.items import Findings, Item, Reading, SeenCall, SeenPart, SeenResult

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


def _item(message: Message, element: Element) -> Item:
    """Return a canonical message as a neutral item, for the checks that all imports share."""
    parts = tuple(
        _seen(part, at=f"{element.at}.parts[{index}]") for index, part in enumerate(message.parts)
    )
    is_reply = message.role is Role.ASSISTANT
    return Item(
        role="assistant" if is_reply else _OTHER_ROLES[message.role],
        parts=parts,
        at=element.at,
        sources=(element.index,),
        line=element.line,
    )


def _messages(document: Document, findings: Findings) -> Iterator[tuple[Message, Element]]:
    """Yield every line that is a canonical message; the others are faults."""
    for element in document.elements:
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
        yield message, element


def read_mindpipe(document: Document, findings: Findings) -> Reading:
    """Read canonical messages, which come back equal, with their ids; none is repaired.

    What is checked here is what all imports share: pairs, order, blank text, arguments.
    """
    read = list(_messages(document, findings))
    return Reading(
        head=Head(system=""),
        items=tuple(_item(message, element) for message, element in read),
        provider="mindpipe",
        api="history",
        kept=tuple(message for message, _ in read),
    )
