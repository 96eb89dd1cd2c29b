"""Canonical conversation to the lines of a Claude Code session log."""

import hashlib
from collections.abc import Iterable, Iterator

from mindpipe.core.messages import Conversation, Head, Message, Role
from mindpipe.core.models import Target
from mindpipe.core.records import to_json
from mindpipe.core.text import is_blank
from mindpipe.formats.records import Rendered, RenderOptions
from mindpipe.formats.rendering import HEAD, Form, RawSource, Rendering, render_form
from mindpipe.formats.to_anthropic import reply_as_received, reply_from_parts, user_content
from mindpipe.formats.to_program import SUMMARY_ID, with_summary

_STOPS = {"calls": "tool_use", "end": "end_turn"}


def uuid_of(text: str) -> str:
    """Return a UUID (version 8, RFC 9562) that is always the same for the same text."""
    digits = hashlib.sha256(text.encode()).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    groups = (digits[:8], digits[8:12], "8" + digits[13:16], variant + digits[17:20], digits[20:32])
    return "-".join(groups)


def head_fields(head: Head, rendering: Rendering) -> dict[str, bytes]:
    """Return nothing: a session log names neither system text nor tools, which is a loss."""
    if not is_blank(head.system):
        rendering.lose(HEAD, part="system", why="a session log has no system text")
    if head.tools:
        rendering.lose(HEAD, part="tools", why="a session log has no tool definitions")
    return {}


def _reply(message: Message, rendering: Rendering) -> bytes:
    content = reply_as_received(message, rendering) or reply_from_parts(message, rendering)
    raw = message.raw
    calls = b'"tool_use"' in content
    members = {
        "id": message.id,
        "type": "message",
        "role": "assistant",
        "model": "<synthetic>" if raw is None else raw.model,
        "stop_reason": _STOPS["calls" if calls else "end"] if raw is None else raw.finish,
        "stop_sequence": None,
    }
    return to_json(members)[:-1] + b',"content":[' + content + b"]}"


def _line(message: Message, rendering: Rendering, *, parent: str | None) -> bytes:
    is_reply = message.role is Role.ASSISTANT
    members: dict[str, object] = {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "",
        "sessionId": uuid_of(message.agent),
        "version": "mindpipe",
        "type": "assistant" if is_reply else "user",
        "uuid": uuid_of(message.id),
        "timestamp": message.at,
    }
    if message.id == SUMMARY_ID:
        members["isCompactSummary"] = True
    if is_reply:
        said = _reply(message, rendering)
    else:
        said = b'{"role":"user","content":[' + user_content(message, rendering) + b"]}"
    return to_json(members)[:-1] + b',"message":' + said + b"}"


def message_stream(
    head: Head, messages: Iterable[Message], rendering: Rendering
) -> Iterator[bytes]:
    """Yield one line per message, each naming the one before it as its parent."""
    parent: str | None = None
    for message in with_summary(head, messages):
        yield _line(message, rendering, parent=parent)
        parent = uuid_of(message.id)


FORM = Form(
    list_name="",
    native=RawSource(provider="anthropic", api="messages"),
    fields=head_fields,
    stream=message_stream,
)


def render(conversation: Conversation, _: Target, options: RenderOptions) -> Rendered:
    """Write a conversation as session log lines; `fields` is empty and the list has no name."""
    return render_form(FORM, conversation, options=options)
