"""OpenAI Chat Completions messages, and the trajectories that are written like them."""

from typing import cast

from mindpipe.core.messages import Head, TextPart, ThinkingPart
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
    file_part,
    joined_text,
    list_at,
    marked_output,
    object_at,
    stand_in,
    text_at,
    word,
)
from mindpipe.formats.slices import members_of, object_of

_KNOWN = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset(
        {"role", "content", "refusal", "tool_calls", "function_call", "reasoning_content"}
    ),
    "tool": frozenset({"role", "content", "name", "tool_call_id", "tool_call_ids"}),
}
_KINDS = {"developer": "system", "function": "tool"}
_AUDIO = {"wav": "audio/wav", "mp3": "audio/mpeg"}


def _file(block: Members, findings: Findings) -> SeenPart:
    """Return an image, sound or file part."""
    kind = word(block, "type")
    inner = block.get("file" if kind == "file" else kind)
    held = inner if isinstance(inner, dict) else {"url": inner}
    if kind == "image_url":
        return file_at(findings, word(held, "url"))
    if kind == "file" and "file_data" in held:
        return file_at(findings, word(held, "file_data"), name=word(held, "filename"))
    if kind == "input_audio":
        media_type = _AUDIO.get(word(held, "format"), "application/octet-stream")
        part = file_part(findings, word(held, "data"), media_type=media_type)
        if part is not None:
            return part
    return stand_in(findings, kind or "content", word(held, "file_id"))


def _content(value: object, findings: Findings, *, at: str) -> list[SeenPart]:
    """Return the parts of content that is null, text or a list."""
    if value is None:
        return []
    if isinstance(value, str):
        return [TextPart(text=value)]
    parts: list[SeenPart] = []
    for index, one in enumerate(list_at(value, at)):
        place = f"{at}[{index}]"
        block = object_at(one, place)
        if block.get("type") == "text":
            parts.append(TextPart(text=text_at(block, "text", place)))
        elif block.get("type") == "refusal":
            parts.append(TextPart(text=text_at(block, "refusal", place)))
        else:
            parts.append(_file(block, findings))
    return parts


def _call(value: object, findings: Findings, *, at: str, made_id: str) -> SeenCall:
    """Return one tool call; a custom tool's free text becomes its one argument `input`."""
    call = object_at(value, at)
    if call.get("type") == "custom":
        custom = object_at(call.get("custom"), f"{at}.custom")
        args: Members = {"input": text_at(custom, "input", f"{at}.custom")}
        text = to_json(args).decode()
        findings.leave_out("custom tool call, read as a call with one argument `input`")
        function = custom
    else:
        function = object_at(call.get("function"), f"{at}.function")
        text = text_at(function, "arguments", f"{at}.function")
    parsed, fault = arguments_of(text)
    return SeenCall(
        id=word(call, "id") or made_id,
        tool=text_at(function, "name", f"{at}.function"),
        args=parsed,
        args_text=text,
        fault=fault,
        at=at,
    )


def _calls(message: Members, element: Element, findings: Findings) -> list[SeenCall]:
    """Return all calls of an assistant message; missing ids are made from the position."""
    value = message.get("tool_calls")
    listed = [] if value is None else list_at(value, f"{element.at}.tool_calls")
    made = f"call_{element.index}"
    calls = [
        _call(
            one,
            findings,
            at=f"{element.at}.tool_calls[{ordinal}]",
            made_id=f"{made}_{ordinal}",
        )
        for ordinal, one in enumerate(listed)
    ]
    old = message.get("function_call")
    if isinstance(old, dict):
        calls.append(
            _call({"function": old}, findings, at=f"{element.at}.function_call", made_id=made)
        )
    return calls


def _raw(message: Members, element: Element, calls: list[SeenCall]) -> str:
    """Return the reply as it came, with calls in today's form where they had none or no ids."""
    text = element.octets.decode()
    value = message.get("tool_calls")
    listed = cast(list[Members], value) if isinstance(value, list) else []
    if [word(one, "id") for one in listed] == [call.id for call in calls]:
        return text
    members = members_of(text)
    members.pop("function_call", None)
    written = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.tool, "arguments": call.args_text},
        }
        for call in calls
    ]
    return object_of({**members, "tool_calls": to_json(written).decode()})


def _assistant(message: Members, element: Element, findings: Findings) -> Item:
    """Return an assistant message as a reply."""
    parts: list[SeenPart] = []
    reasoning = word(message, "reasoning_content")
    if not is_blank(reasoning):
        parts.append(ThinkingPart(text=reasoning))
    parts += _content(message.get("content"), findings, at=f"{element.at}.content")
    parts.append(TextPart(text=word(message, "refusal")))
    calls = _calls(message, element, findings)
    parts += calls
    return reply_of(element, parts=parts, raw=_raw(message, element, calls))


def _tool(message: Members, element: Element, findings: Findings) -> Item:
    """Return a tool or function message as a result."""
    ids = message.get("tool_call_ids")
    first = ids[0] if isinstance(ids, list) and ids else ""
    id_ = word(message, "tool_call_id") or (first if isinstance(first, str) else "")
    parts = _content(message.get("content"), findings, at=f"{element.at}.content")
    status, text = marked_output(joined_text(parts, findings))
    result = SeenResult(
        id=id_,
        status=status,
        text=text,
        at=element.at,
        tool="" if id_ else word(message, "name"),
    )
    return item_of(element, role="user", parts=[result])


def _item(element: Element, findings: Findings) -> Item:
    """Return one message as a neutral item."""
    if isinstance(element.value, str):
        return item_of(element, role="user", parts=[TextPart(text=element.value)])
    message = object_at(element.value, element.at)
    role = text_at(message, "role", element.at)
    kind = _KINDS.get(role, role)
    if kind not in _KNOWN:
        raise ShapeError(f"{element.at}.role", f"{role!r} is no role of this form")
    findings.unknown(message, _KNOWN[kind], where=f"{role} messages")
    if kind == "assistant":
        return _assistant(message, element, findings)
    if kind == "tool":
        return _tool(message, element, findings)
    parts = _content(message.get("content"), findings, at=f"{element.at}.content")
    return item_of(element, role="system" if kind == "system" else "user", parts=parts)


def read_openai_chat(document: Document, findings: Findings) -> Reading:
    """Read chat messages; a shape that the form does not have is a fault."""
    items: list[Item] = []
    for element in document.elements:
        try:
            items.append(_item(element, findings))
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))
    tools = document.fields.get("tools") or document.fields.get("functions")
    return Reading(
        head=Head(system="", tools=read_tools(tools, findings)),
        items=tuple(items),
        provider="openai",
        api="chat",
        model=word(document.fields, "model"),
        joins_calls=False,
    )
