"""Small canonical histories for tests, numbered by the rules H1 to H3."""

import hashlib
import json
from collections.abc import Iterable, Mapping

import msgspec

from mindpipe.core.json import load_json
from mindpipe.core.messages import (
    CallPart,
    Conversation,
    Head,
    Message,
    Part,
    RawReply,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
    ToolSpec,
)
from mindpipe.core.models import Target

ANTHROPIC = Target(
    provider="anthropic", api="messages", model="claude-haiku-4-5", family="claude-4"
)
CHAT = Target(provider="openai", api="chat", model="gpt-4o", family="gpt-4o")
RESPONSES = Target(provider="openai", api="responses", model="gpt-5", family="gpt-5")
PROGRAM = Target(provider="program", api="program", model="./answer", family="program")
AI_SDK = PROGRAM

TOOL = ToolSpec(
    name="recall",
    description="Look something up.",
    input_schema={"type": "object", "properties": {"query": {"type": "string"}}},
)


def text(words: str) -> TextPart:
    return TextPart(text=words)


def call(
    number: int, args: dict[str, object] | None = None, *, written: str = "", tool: str = "recall"
) -> CallPart:
    """Return a call; `args` of None makes it an invalid one whose arguments are `written`."""
    return CallPart(
        id=f"c_{number:022}",
        tool=tool,
        args=args,
        args_text=written or json.dumps(args),
        invalid="json" if args is None else None,
    )


def result(
    number: int,
    words: str,
    status: ResultStatus = ResultStatus.OK,
    *,
    value: object = None,
) -> ResultPart:
    return ResultPart(call=f"c_{number:022}", status=status, text=words, json=value)


def _message(role: Role, parts: Iterable[Part], **more: object) -> Message:
    made = Message(
        id="", agent="ada", seq=0, segment=1, cycle=0, turn=0, role=role, parts=tuple(parts)
    )
    return msgspec.structs.replace(made, **more)


def user(*parts: Part | str, **more: object) -> Message:
    return _message(Role.USER, _words(parts), **more)


def note(*parts: Part | str, **more: object) -> Message:
    return _message(Role.NOTE, _words(parts), **more)


def tool(*parts: Part, **more: object) -> Message:
    return _message(Role.TOOL, parts, **more)


def said(*parts: Part | str, **more: object) -> Message:
    return _message(Role.ASSISTANT, _words(parts), **more)


def _words(parts: Iterable[Part | str]) -> list[Part]:
    return [text(part) if isinstance(part, str) else part for part in parts]


def sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


def raw_of(
    *spans: bytes, target: Target = ANTHROPIC, ids: Mapping[int, str] | None = None
) -> RawReply:
    """Return where a reply came from: spans of bytes, and provider ids by call number."""
    return RawReply(
        provider=target.provider,
        api=target.api,
        model=target.model,
        family=target.family,
        finish="stop",
        sha256=tuple(sha256(span) for span in spans),
        ids={f"c_{number:022}": one for number, one in (ids or {}).items()},
    )


def conversation(
    *messages: Message, head: Head | None = None, blobs: Iterable[bytes] = ()
) -> Conversation:
    """Return messages as a conversation, numbered: each user message opens a cycle."""
    numbered: list[Message] = []
    cycle = turn = 0
    for seq, message in enumerate(messages, start=1):
        if message.role is Role.USER:
            cycle, turn = cycle + 1, 0
        elif message.role is Role.ASSISTANT:
            turn += 1
        place = {"id": f"m_{seq:022}", "seq": seq, "cycle": cycle, "turn": turn}
        numbered.append(msgspec.structs.replace(message, at="2026-11-21T20:00:00Z", **place))
    return Conversation(
        head=head or Head(system=""),
        messages=tuple(numbered),
        blobs={sha256(blob): blob for blob in blobs},
    )


def decoded(messages: Iterable[bytes]) -> list[object]:
    """Return rendered messages as plain JSON values."""
    return [load_json(one, source="rendered") for one in messages]
