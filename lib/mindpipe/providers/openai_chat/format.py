"""Conversations as Chat Completions has them: read and written."""

import re
from collections.abc import Iterable, Iterator
from typing import cast

import msgspec

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.providers import raw_replies
from mindpipe.providers.documents import Document, Element
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    Members,
    SeenCall,
    SeenPart,
    SeenResult,
    ShapeError,
    arguments_of,
    file_at,
    file_part,
    item_of,
    items_from,
    joined_text,
    list_at,
    marked_output,
    object_at,
    read_tools,
    reply_of,
    stand_in,
    text_at,
    word,
)
from mindpipe.providers.records import Rendered, RenderOptions
from mindpipe.providers.rendering import (
    HEAD,
    Form,
    RawSource,
    Rendering,
    is_instruction,
    render_form,
)
from mindpipe.providers.slices import members_of, object_of
from mindpipe.providers.words import (
    NO_TEXT,
    arguments_text,
    call_name,
    chat_file,
    marked_result_text,
    named_file,
)

_ID = re.compile(r".{1,40}")

Piece = str | dict[str, object]


class _Said(msgspec.Struct):
    """One chat message before it is encoded; `exact` is content as the provider wrote it."""

    role: str
    pieces: list[Piece]
    message: str = HEAD
    calls: bytes | None = None
    call_id: str | None = None
    exact: bytes | None = None


def head_fields(head: Head, _: Rendering) -> dict[str, bytes]:
    """Return `tools`, or nothing where there are none; system text is the first message."""
    if not head.tools:
        return {}
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tool in head.tools
    ]
    return {"tools": to_json(tools)}


def _head(head: Head, rendering: Rendering) -> Iterator[_Said]:
    if not is_blank(head.system):
        yield _Said(role=rendering.options.system_role, pieces=[head.system])
    if head.summary is not None and not is_blank(head.summary):
        yield _Said(role="user", pieces=[head.summary])


def _results_and_rest(message: Message, rendering: Rendering) -> Iterator[_Said]:
    pieces: list[Piece] = []
    for part in message.parts:
        if isinstance(part, ResultPart):
            yield _Said(
                role="tool",
                pieces=[marked_result_text(part)],
                call_id=rendering.sent_id(part.call),
            )
        elif isinstance(part, TextPart):
            pieces.append(part.text)
        elif isinstance(part, FilePart):
            pieces.append(chat_file(part, rendering, message=message.id))
        else:
            rendering.lose(message.id, part=type(part).__name__, why="a user cannot say it")
            pieces.append(NO_TEXT)
    if pieces:
        strict = rendering.options.strict_roles
        instruction = not strict and is_instruction(message, rendering)
        role = "developer" if instruction else "user"
        yield _Said(role=role, pieces=pieces, message=message.id)


def _written_calls(calls: list[CallPart]) -> bytes | None:
    if not calls:
        return None
    return to_json(
        [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call_name(call), "arguments": arguments_text(call)},
            }
            for call in calls
        ]
    )


def _from_parts(message: Message, rendering: Rendering) -> _Said:
    rendering.send_ids({})
    pieces: list[Piece] = []
    calls: list[CallPart] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            pieces.append(part.text)
        elif isinstance(part, CallPart):
            calls.append(part)
        elif isinstance(part, FilePart):
            pieces.append(named_file(part, rendering, message=message.id))
        elif isinstance(part, ThinkingPart | OpaquePart):
            kind = "thinking" if isinstance(part, ThinkingPart) else part.kind
            rendering.lose(message.id, part=kind, why="a chat message has no place for it")
    if not pieces and not calls:
        pieces.append(NO_TEXT)
    return _Said(role="assistant", pieces=pieces, calls=_written_calls(calls))


def _exact(message: Message, rendering: Rendering) -> tuple[bytes, bytes | None] | None:
    """Return content and tool calls as the provider wrote them, or None: then parts give them.

    Nothing else of the provider's message is sent: what a vendor adds to a reply (reasoning,
    annotations, audio) other servers refuse.
    """
    if not raw_replies.wants_raw(message, rendering):
        return None
    ids = raw_replies.provider_ids(message, pattern=_ID)
    spans = raw_replies.raw_spans(message, rendering)
    parts_are_better = any(
        isinstance(part, CallPart) and is_blank(part.args_text) for part in message.parts
    )
    if ids is None or spans is None or len(spans) != 1 or parts_are_better:
        return None
    try:
        members = raw_replies.first_choice(spans[0])
        sent = _raw_ids(members)
    except (msgspec.DecodeError, KeyError, IndexError):
        rendering.lose(message.id, part="raw", why="its bytes are no chat completion")
        return None
    content = bytes(members.get("content", b"null"))
    if sent != list(ids.values()) or (not sent and content[:1] != b'"'):
        return None
    if content[:1] == b'"' and not sent and is_blank(raw_replies.text_member(members, "content")):
        return None
    rendering.send_ids(ids)
    return content, bytes(members["tool_calls"]) if sent else None


def _raw_ids(members: raw_replies.Members) -> list[str]:
    calls = members.get("tool_calls")
    if calls is None or bytes(calls) == b"null":
        return []
    read = [raw_replies.members_of(one) for one in raw_replies.elements_of(calls)]
    return [raw_replies.text_member(one, "id") for one in read]


def _reply(message: Message, rendering: Rendering) -> _Said:
    exact = _exact(message, rendering)
    if exact is None:
        return _from_parts(message, rendering)
    pieces: list[Piece] = [part.text for part in message.parts if isinstance(part, TextPart)]
    for part in message.parts:
        if isinstance(part, ThinkingPart | OpaquePart):
            kind = "thinking" if isinstance(part, ThinkingPart) else part.kind
            rendering.lose(message.id, part=kind, why="a chat message has no place for it")
    return _Said(role="assistant", pieces=pieces, calls=exact[1], exact=exact[0])


def _said(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[_Said]:
    yield from _head(head, rendering)
    for message in messages:
        if message.role is Role.ASSISTANT:
            yield _reply(message, rendering)
        else:
            yield from _results_and_rest(message, rendering)


def _joins(last: _Said, new: _Said) -> bool:
    """Tell whether strict templates need two messages to be one."""
    if new.role == "user":
        return last.role in {"user", "tool"}
    return last.role == new.role == "assistant"


def _join(last: _Said, new: _Said, rendering: Rendering) -> None:
    pieces = new.pieces
    if last.role == "tool":
        pieces = [one for one in pieces if isinstance(one, str)]
        if len(pieces) != len(new.pieces):
            rendering.lose(new.message, part="file", why="a strict tool message holds only text")
    last.pieces = last.pieces + pieces
    last.calls = last.calls or new.calls
    last.exact = None


def _strict(said: Iterable[_Said], rendering: Rendering) -> Iterator[_Said]:
    """Join what strict templates refuse side by side, looking ahead by one message."""
    last: _Said | None = None
    for new in said:
        if last is None:
            last = new
        elif _joins(last, new):
            _join(last, new, rendering)
        else:
            yield last
            last = new
    if last is not None:
        yield last


def _written_content(said: _Said, *, strict: bool) -> bytes:
    if said.exact is not None:
        return said.exact
    texts = [piece for piece in said.pieces if isinstance(piece, str)]
    if not said.pieces:
        return b"null"
    if len(texts) == len(said.pieces) and (strict or len(texts) == 1):
        return to_json("\n\n".join(texts))
    return to_json(
        [
            {"type": "text", "text": piece} if isinstance(piece, str) else piece
            for piece in said.pieces
        ]
    )


def _encode(said: _Said, *, strict: bool) -> bytes:
    octets = b'{"role":"%s"' % said.role.encode()
    if said.call_id is not None:
        octets += b',"tool_call_id":' + to_json(said.call_id)
    octets += b',"content":' + _written_content(said, strict=strict)
    if said.calls is not None:
        octets += b',"tool_calls":' + said.calls
    return octets + b"}"


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield chat messages; with strict roles those that templates refuse in a row are joined."""
    strict = rendering.options.strict_roles
    said = _said(head, messages, rendering)
    for one in _strict(said, rendering) if strict else said:
        yield _encode(one, strict=strict)


FORM = Form(
    list_name="messages",
    native=RawSource(provider="openai", api="chat"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, target: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for the Chat Completions API."""
    return render_form(FORM, conversation, options=options, target=target)


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
    findings.count_values(text, at=at)
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


def _assistant(message: Members, element: Element, findings: Findings) -> ImportedItem:
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


def _tool(message: Members, element: Element, findings: Findings) -> ImportedItem:
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


def _item(element: Element, findings: Findings) -> ImportedItem:
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


def read_openai_chat(document: Document, findings: Findings) -> DocumentReading:
    """Read chat messages; a shape that the form does not have is a fault."""
    tools = document.fields.get("tools") or document.fields.get("functions")
    return DocumentReading(
        head=Head(system="", tools=read_tools(tools, findings)),
        items=items_from(findings, _item),
        provider="openai",
        api="chat",
        model=word(document.fields, "model"),
        joins_calls=False,
    )
