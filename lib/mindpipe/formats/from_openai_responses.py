"""OpenAI Responses: the items of a request, a text alone, or a whole request body."""

import msgspec

from mindpipe.core.messages import Head, OpaquePart, TextPart, ThinkingPart
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.foreign_tools import read_tools
from mindpipe.formats.items import (
    Findings,
    Item,
    Reading,
    SeenCall,
    SeenPart,
    SeenResult,
    ShapeError,
    item_of,
    reply_of,
)
from mindpipe.formats.reading import (
    Members,
    arguments_of,
    file_at,
    joined_text,
    list_at,
    marked_output,
    object_at,
    stand_in,
    text_at,
    word,
)

PROVIDER = "openai"

_FIELDS = frozenset({"type", "role", "content", "call_id", "output", "id", "status"})
_TEXTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = {"function_call_output", "custom_tool_call_output"}
_CHAINS = ("previous_response_id", "conversation")


def _content(value: object, findings: Findings, *, at: str) -> list[SeenPart]:
    """Return the parts of content or output that is text or a list."""
    if isinstance(value, str):
        return [TextPart(text=value)]
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(value, at)):
        place = f"{at}[{index}]"
        block = object_at(one, place)
        kind = text_at(block, "type", place)
        address = word(block, "image_url") or word(block, "file_data") or word(block, "file_url")
        if kind in _TEXTS:
            parts.append(TextPart(text=text_at(block, _TEXTS[kind], place)))
        elif address:
            parts.append(file_at(findings, address, name=word(block, "filename")))
        else:
            parts.append(stand_in(findings, kind, word(block, "file_id")))
    return parts


def _call(item: Members, findings: Findings, *, at: str) -> SeenCall:
    """Return a function call; a custom tool's free text becomes its one argument `input`."""
    kind = word(item, "type")
    text = text_at(item, _CALLS[kind], at)
    if kind == "custom_tool_call":
        text = to_json({"input": text}).decode()
        findings.leave_out("custom tool call, read as a call with one argument `input`")
    args, fault = arguments_of(text)
    return SeenCall(
        id=text_at(item, "call_id", at),
        tool=text_at(item, "name", at),
        args=args,
        args_text=text,
        fault=fault,
        at=at,
    )


def _thought(item: Members) -> ThinkingPart:
    """Return a reasoning item with what can be read of it."""
    texts: list[str] = []
    for name in ("summary", "content"):
        listed = item.get(name)
        for one in listed if isinstance(listed, list) else []:
            texts.append(word(one, "text") if isinstance(one, dict) else "")
    said = "\n".join(text for text in texts if not is_blank(text))
    return ThinkingPart(text=said or None)


def _reply_parts(item: Members, findings: Findings, *, at: str) -> list[SeenPart] | None:
    """Return what an item of a reply holds, or None for what comes from the other side."""
    kind = word(item, "type") or "message"
    if kind == "message":
        role = text_at(item, "role", at)
        if role != "assistant":
            return None
        return _content(item.get("content"), findings, at=f"{at}.content")
    if kind in _OUTPUTS:
        return None
    if kind in _CALLS:
        return [_call(item, findings, at=at)]
    if kind == "reasoning":
        return [_thought(item)]
    return [OpaquePart(provider=PROVIDER, kind=kind)]


def _other(item: Members, element: Element, findings: Findings) -> Item:
    """Return an item that is no part of a reply: words, instructions or a result."""
    findings.unknown(item, _FIELDS, where="items")
    at = element.at
    if word(item, "type") in _OUTPUTS:
        parts = _content(item.get("output"), findings, at=f"{at}.output")
        status, text = marked_output(joined_text(parts, findings))
        id_ = text_at(item, "call_id", at)
        result = SeenResult(id=id_, status=status, text=text, at=at)
        return item_of(element, role="user", parts=[result])
    role = text_at(item, "role", at)
    if role not in {"user", "system", "developer"}:
        raise ShapeError(f"{at}.role", f"{role!r} is no role of this form")
    parts = _content(item.get("content"), findings, at=f"{at}.content")
    return item_of(element, role="user" if role == "user" else "system", parts=parts)


def _item(element: Element, findings: Findings) -> Item:
    """Return one item of the list as a neutral item."""
    if isinstance(element.value, str):
        return item_of(element, role="user", parts=[TextPart(text=element.value)])
    item = object_at(element.value, element.at)
    parts = _reply_parts(item, findings, at=element.at)
    if parts is None:
        return _other(item, element, findings)
    return reply_of(element, parts=parts, raw=element.octets.decode())


def _grouped(items: list[Item]) -> tuple[Item, ...]:
    """Join the items of one response, which stand side by side, into one reply."""
    grouped: list[Item] = []
    for item in items:
        last = grouped[-1] if grouped else None
        if item.role == "assistant" and last is not None and last.role == "assistant":
            grouped[-1] = msgspec.structs.replace(
                last,
                parts=last.parts + item.parts,
                sources=last.sources + item.sources,
                raw=(last.raw or b"") + b"," + (item.raw or b""),
            )
        else:
            grouped.append(item)
    return tuple(
        msgspec.structs.replace(item, raw=b'{"output":[' + item.raw + b"]}")
        if item.raw is not None
        else item
        for item in grouped
    )


def read_openai_responses(document: Document, findings: Findings) -> Reading:
    """Read input items; a shape that the form does not have is a fault."""
    items: list[Item] = []
    for element in document.elements:
        try:
            items.append(_item(element, findings))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))
    for name in _CHAINS:
        if document.fields.get(name):
            findings.leave_out(f"earlier messages that the provider keeps ({name})")
    return Reading(
        head=Head(
            system=word(document.fields, "instructions"),
            tools=read_tools(document.fields.get("tools"), findings),
        ),
        items=_grouped(items),
        provider=PROVIDER,
        api="responses",
        model=word(document.fields, "model"),
        ordered=False,
    )
