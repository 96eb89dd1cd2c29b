"""Canonical conversation to the ModelMessage form of the AI SDK (versions 5, 6 and 7)."""

import re
from collections.abc import Iterable, Iterator

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    calls_of,
)
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.formats import raw_replies
from mindpipe.formats.files import sdk_file
from mindpipe.formats.records import Rendered, RenderOptions
from mindpipe.formats.rendering import Form, RawSource, Rendering, render_form
from mindpipe.formats.wording import FAILED, NO_TEXT, REFUSED_MARK, result_text

Block = dict[str, object]

_ID = re.compile(r".+")
# The parts that an assistant message may hold, by version.
_KINDS_OF_5 = frozenset({"text", "file", "reasoning", "tool-call", "tool-result"})
_KINDS_OF_6 = _KINDS_OF_5 | {"tool-approval-request"}
_KINDS = {5: _KINDS_OF_5, 6: _KINDS_OF_6, 7: _KINDS_OF_6 | {"custom", "reasoning-file"}}


def head_fields(head: Head, rendering: Rendering) -> dict[str, bytes]:
    """Return the system text (`instructions` in 7, `system` before) and the tools by name.

    The SDK takes tools as code; names and schemas are for the caller to make it from.
    """
    fields: dict[str, bytes] = {}
    if not is_blank(head.system):
        fields["instructions" if rendering.options.sdk == 7 else "system"] = to_json(head.system)
    if head.tools:
        fields["tools"] = to_json(
            {
                tool.name: {"description": tool.description, "inputSchema": tool.input_schema}
                for tool in head.tools
            }
        )
    return fields


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _output(part: ResultPart, rendering: Rendering) -> Block:
    text = result_text(part)
    if part.status is ResultStatus.REFUSED:
        if rendering.options.sdk == 5:
            return {"type": "error-text", "value": REFUSED_MARK + text}
        return {"type": "execution-denied", "reason": text}
    if part.status in FAILED:
        return {"type": "error-text", "value": text}
    if part.status is ResultStatus.OK and part.json is not None:
        return {"type": "json", "value": part.json}
    return {"type": "text", "value": text}


def _result(part: ResultPart, rendering: Rendering, *, tool: str) -> Block:
    return {
        "type": "tool-result",
        "toolCallId": rendering.sent_id(part.call),
        "toolName": tool,
        "output": _output(part, rendering),
    }


def _call(part: CallPart) -> Block:
    return {
        "type": "tool-call",
        "toolCallId": part.id,
        "toolName": part.tool,
        "input": part.args or {},
    }


def _said(part: Part, message: Message, rendering: Rendering) -> Block | None:
    """Return a text, file or call part, or None and a loss."""
    if isinstance(part, TextPart):
        return _text(part.text)
    if isinstance(part, CallPart):
        return _call(part)
    if isinstance(part, FilePart):
        shown = sdk_file(part, rendering, message=message.id)
        return _text(shown) if isinstance(shown, str) else shown
    if isinstance(part, ThinkingPart | OpaquePart):
        kind = part.kind if isinstance(part, OpaquePart) else "thinking"
        rendering.lose(message.id, part=kind, why="only the SDK's own reply carries it")
    return None


def _from_parts(message: Message, rendering: Rendering) -> bytes:
    rendering.send_ids({})
    said = [_said(part, message, rendering) for part in message.parts]
    return to_json([part for part in said if part is not None] or [_text(NO_TEXT)])


def _own_calls(blocks: list[raw_replies.Members]) -> list[raw_replies.Members]:
    """Return the blocks without the calls that the provider ran itself."""
    ran = {
        raw_replies.text_member(block, "toolCallId")
        for block in blocks
        if raw_replies.text_member(block, "type") == "tool-result"
    }
    return [
        block
        for block in blocks
        if bytes(block.get("providerExecuted", b"")) != b"true"
        and raw_replies.text_member(block, "toolCallId") not in ran
    ]


def _as_received(message: Message, rendering: Rendering) -> bytes | None:
    """Return the content of a reply as the SDK gave it, or None: then its parts give it."""
    found = raw_replies.received(message, rendering, pattern=_ID, kind="message of the SDK")
    if found is None:
        return None
    kinds = {raw_replies.text_member(block, "type") for block in found.blocks}
    ids = found.ids.values()
    calls = _own_calls(found.blocks)
    agree = raw_replies.agree(calls, ids, kind="tool-call", name="toolCallId")
    if not agree or not kinds <= _KINDS[rendering.options.sdk]:
        return None
    rendering.send_ids(found.ids)
    rendering.use(ids)
    return b"[" + found.inner + b"]" if found.inner else None


def _user_like(message: Message, rendering: Rendering, *, tools: dict[str, str]) -> Iterator[bytes]:
    results: list[Block] = []
    content: list[Block] = []
    for part in message.parts:
        if isinstance(part, ResultPart):
            tool = tools.get(part.call, "unnamed")
            results.append(_result(part, rendering, tool=tool))
        else:
            said = _said(part, message, rendering)
            content.append(_text(NO_TEXT) if said is None else said)
    if results:
        yield to_json({"role": "tool", "content": results})
    if content:
        yield to_json({"role": "user", "content": content})


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield ModelMessages; none are merged, and system text is never among them."""
    if head.summary is not None and not is_blank(head.summary):
        yield to_json({"role": "user", "content": [_text(head.summary)]})
    tools: dict[str, str] = {}
    for message in messages:
        if message.role is Role.ASSISTANT:
            tools = {call.id: call.tool for call in calls_of(message)}
            content = _as_received(message, rendering) or _from_parts(message, rendering)
            yield b'{"role":"assistant","content":' + content + b"}"
        else:
            yield from _user_like(message, rendering, tools=tools)


FORM = Form(
    list_name="messages",
    native=RawSource(provider="ai-sdk", api="ai-sdk"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, _: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for `generateText` and `streamText` of the AI SDK."""
    return render_form(FORM, conversation, options=options)
