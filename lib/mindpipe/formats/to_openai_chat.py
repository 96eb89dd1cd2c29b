"""Canonical conversation to the OpenAI Chat Completions form."""

import re
from collections.abc import Iterable, Iterator

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
from mindpipe.formats import raw_replies
from mindpipe.formats.files import chat_file, named_file
from mindpipe.formats.records import Rendered, RenderOptions
from mindpipe.formats.rendering import HEAD, Form, RawSource, Rendering, is_instruction, render_form
from mindpipe.formats.wording import NO_TEXT, arguments_text, call_name, marked_result_text

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


def _calls(calls: list[CallPart]) -> bytes | None:
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
    return _Said(role="assistant", pieces=pieces, calls=_calls(calls))


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


def _content(said: _Said, *, strict: bool) -> bytes:
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
    octets += b',"content":' + _content(said, strict=strict)
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
