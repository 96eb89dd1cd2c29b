"""Anthropic Messages: bare lists and whole request bodies."""

from mindpipe.core.messages import Head, TextPart
from mindpipe.core.text import is_blank
from mindpipe.formats.anthropic_blocks import (
    PROVIDER,
    raw_blocks,
    raw_message,
    reply_parts,
    user_parts,
)
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.foreign_tools import read_tools
from mindpipe.formats.items import Findings, Item, Reading, ShapeError, item_of, reply_of
from mindpipe.formats.reading import object_at, text_at, word
from mindpipe.formats.slices import members_of

_FIELDS = frozenset({"role", "content"})


def _item(element: Element, findings: Findings) -> Item:
    """Return one message as a neutral item."""
    message = object_at(element.value, element.at)
    role = text_at(message, "role", element.at)
    findings.unknown(message, _FIELDS, where=f"{role} messages")
    content, at = message.get("content"), f"{element.at}.content"
    if role == "assistant":
        exact = members_of(element.octets.decode()).get("content", "null")
        return reply_of(
            element,
            parts=reply_parts(content, exact, at=at),
            raw=raw_message(raw_blocks(content, exact)),
        )
    if role not in {"user", "system"}:
        raise ShapeError(f"{element.at}.role", f"{role!r} is no role of this form")
    parts = user_parts(content, findings, at=at)
    return item_of(element, role="system" if role == "system" else "user", parts=parts)


def _system(document: Document, findings: Findings) -> str:
    """Return the system text of a request body."""
    value = document.fields.get("system")
    if value is None:
        return ""
    parts = user_parts(value, findings, at="$.system")
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    return "\n\n".join(text for text in texts if not is_blank(text))


def read_anthropic(document: Document, findings: Findings) -> Reading:
    """Read messages; a shape that the form does not have is a fault."""
    items: list[Item] = []
    system = ""
    try:
        system = _system(document, findings)
    except ShapeError as fault:
        findings.fault("shape", at=fault.at, line=document.line, what=str(fault))
    for element in document.elements:
        try:
            items.append(_item(element, findings))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))
    return Reading(
        head=Head(system=system, tools=read_tools(document.fields.get("tools"), findings)),
        items=tuple(items),
        provider=PROVIDER,
        api="messages",
        model=word(document.fields, "model"),
    )
