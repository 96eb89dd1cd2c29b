"""Canonical conversation to the Anthropic Messages form."""

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Literal

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
)
from mindpipe.core.models import Target
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import is_blank
from mindpipe.formats import raw_replies
from mindpipe.formats.files import anthropic_file, named_file
from mindpipe.formats.records import Rendered, RenderOptions
from mindpipe.formats.rendering import Form, RawSource, Rendering, is_instruction, render_form
from mindpipe.formats.wording import FAILED, NO_TEXT, REFUSED_MARK, call_name, result_text

_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class _Blocks(Record):
    """One or more content blocks, comma-joined, and where they go in a merged message."""

    role: Literal["user", "assistant"]
    place: Literal["result", "content", "instruction"]
    octets: bytes


def head_fields(head: Head, _: Rendering) -> dict[str, bytes]:
    """Return `system` (one text block) and `tools`, each left out where it would be empty."""
    fields: dict[str, bytes] = {}
    if not is_blank(head.system):
        fields["system"] = to_json([{"type": "text", "text": head.system}])
    if head.tools:
        fields["tools"] = to_json(list(head.tools))
    return fields


def _text(text: str) -> bytes:
    return to_json({"type": "text", "text": text})


def _result(part: ResultPart, rendering: Rendering) -> bytes:
    text = result_text(part)
    block: dict[str, object] = {"type": "tool_result", "tool_use_id": rendering.sent_id(part.call)}
    if part.status is ResultStatus.REFUSED:
        text = REFUSED_MARK + text
    block["content"] = text
    if part.status is ResultStatus.REFUSED or part.status in FAILED:
        block["is_error"] = True
    return to_json(block)


def _call(part: CallPart) -> bytes:
    return to_json(
        {"type": "tool_use", "id": part.id, "name": call_name(part), "input": part.args or {}}
    )


def _user_part(part: Part, message: Message, rendering: Rendering) -> bytes:
    if isinstance(part, FilePart):
        shown = anthropic_file(part, rendering, message=message.id)
        return _text(shown) if isinstance(shown, str) else to_json(shown)
    if isinstance(part, TextPart):
        return _text(part.text)
    rendering.lose(message.id, part=type(part).__name__, why="a user message cannot hold it")
    return _text(NO_TEXT)


def _user_like(message: Message, rendering: Rendering) -> Iterator[_Blocks]:
    instruction = is_instruction(message, rendering)
    for part in message.parts:
        if isinstance(part, ResultPart):
            yield _Blocks(role="user", place="result", octets=_result(part, rendering))
        else:
            yield _Blocks(
                role="user",
                place="instruction" if instruction and isinstance(part, TextPart) else "content",
                octets=_user_part(part, message, rendering),
            )


def user_content(message: Message, rendering: Rendering) -> bytes:
    """Return the content blocks of one user-like message, comma-joined, results first."""
    blocks = list(_user_like(message, rendering))
    first = [one.octets for one in blocks if one.place == "result"]
    return b",".join(first + [one.octets for one in blocks if one.place != "result"])


def reply_from_parts(message: Message, rendering: Rendering) -> bytes:
    """Return the content blocks of a reply, comma-joined, as its readable parts give them."""
    rendering.send_ids({})
    blocks: list[bytes] = []
    for part in message.parts:
        if isinstance(part, TextPart):
            blocks.append(_text(part.text))
        elif isinstance(part, CallPart):
            blocks.append(_call(part))
        elif isinstance(part, FilePart):
            blocks.append(_text(named_file(part, rendering, message=message.id)))
        elif isinstance(part, ThinkingPart | OpaquePart):
            kind = "thinking" if isinstance(part, ThinkingPart) else part.kind
            rendering.lose(message.id, part=kind, why="only its own model's raw reply carries it")
    return b",".join(blocks or [_text(NO_TEXT)])


def reply_as_received(message: Message, rendering: Rendering) -> bytes | None:
    """Return the content blocks of a reply as the provider wrote them, comma-joined.

    Blank text blocks alone are cut out. None where the reply cannot be sent as it came: other
    model family, bytes gone, calls that are no valid calls, or call ids that were used before.
    """
    found = raw_replies.received(message, rendering, pattern=_ID, kind="Anthropic message")
    if found is None:
        return None
    ids = found.ids.values()
    if not found.inner or not raw_replies.agree(found.blocks, ids, kind="tool_use", name="id"):
        return None
    rendering.send_ids(found.ids)
    rendering.use(ids)
    return found.inner


def _blocks(head: Head, messages: Iterable[Message], rendering: Rendering) -> Iterator[_Blocks]:
    if head.summary is not None and not is_blank(head.summary):
        yield _Blocks(role="user", place="content", octets=_text(head.summary))
    for message in messages:
        if message.role is Role.ASSISTANT:
            octets = reply_as_received(message, rendering) or reply_from_parts(message, rendering)
            yield _Blocks(role="assistant", place="content", octets=octets)
        else:
            yield from _user_like(message, rendering)


def _message(role: str, blocks: Iterable[_Blocks]) -> bytes:
    content = b",".join(one.octets for one in blocks)
    return b'{"role":"%s","content":[%s]}' % (role.encode(), content)


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield messages whose roles alternate: all user-like ones in a row are one, results first."""
    blocks = _blocks(head, messages, rendering)
    for role, run in itertools.groupby(blocks, key=lambda one: one.role):
        held = list(run)
        own = [one for one in held if one.place == "result"]
        own += [one for one in held if one.place == "content"]
        instructions = [one for one in held if one.place == "instruction"]
        if not own:
            own, instructions = instructions, []
        yield _message(role, own)
        if instructions:
            yield _message("system", instructions)


FORM = Form(
    list_name="messages",
    native=RawSource(provider="anthropic", api="messages"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, target: Target, options: RenderOptions) -> Rendered:
    """Write a conversation for the Messages API."""
    return render_form(FORM, conversation, options=options, target=target)
