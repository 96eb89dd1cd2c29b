"""Rendered conversations to the exact bodies that are sent, and to the keys of recorded turns."""

import importlib
from collections.abc import Callable, Sequence
from typing import cast

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.messages import (
    CallPart,
    Conversation,
    FilePart,
    Message,
    OpaquePart,
    Part,
    Role,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.models import ModelRequest, RequestOptions, Target
from mindpipe.core.records import to_json
from mindpipe.providers.answer_schema import answer_tool, schema_fields
from mindpipe.providers.model_names import is_openai_reasoning, takes_budget, takes_temperature
from mindpipe.providers.records import Rendered, RenderOptions

Renderer = Callable[[Conversation, Target, RenderOptions], Rendered]
Fields = dict[str, object]

# Where the renderer of each API is; only those that are asked for are loaded.
_RENDERERS = {
    "messages": "mindpipe.providers.anthropic.format",
    "chat": "mindpipe.providers.openai_chat.format",
    "responses": "mindpipe.providers.openai_responses.format",
    "program": "mindpipe.providers.program.format",
}

SMALLEST_BUDGET = 1024
# Efforts by the thinking tokens that are asked for, largest first.
EFFORTS = ((4096, "high"), (2048, "medium"), (1, "low"))


class _Block(msgspec.Struct):
    """The type of one content block."""

    type: str


class _Said(msgspec.Struct):
    """An Anthropic message: who speaks, and the types of the blocks."""

    role: str
    content: list[_Block]


def renderer_of(target: Target) -> Renderer:
    """Return what writes conversations for the API of a model."""
    return cast("Renderer", importlib.import_module(_RENDERERS[target.api]).render)


def _loop_begins_with_thinking(messages: tuple[bytes, ...]) -> bool:
    """Tell whether the open tool loop, if there is one, begins with a reply's thinking."""
    first: _Said | None = None
    for octets in reversed(messages):
        said = msgspec.json.decode(octets, type=_Said)
        if said.role == "user" and all(block.type != "tool_result" for block in said.content):
            break
        first = said if said.role == "assistant" else first
    return first is None or first.content[0].type in {"thinking", "redacted_thinking"}


def _thinking(rendered: Rendered, target: Target, options: RequestOptions) -> Fields:
    if not options.thinking_tokens:
        return {}
    if not takes_budget(target.model):
        return {"thinking": {"type": "adaptive"}}
    if not SMALLEST_BUDGET <= options.thinking_tokens < options.max_tokens:
        raise UsageError(
            f"{target.model} cannot think with {options.thinking_tokens} tokens under a limit of "
            f"{options.max_tokens}; give it {SMALLEST_BUDGET} or more, and a limit above that."
        )
    if not _loop_begins_with_thinking(rendered.messages):
        return {}
    return {"thinking": {"type": "enabled", "budget_tokens": options.thinking_tokens}}


def _messages_fields(rendered: Rendered, target: Target, options: RequestOptions) -> Fields:
    thinking = _thinking(rendered, target, options)
    fields: Fields = {"max_tokens": options.max_tokens, **thinking}
    if options.temperature is not None and not thinking and takes_temperature(target.model):
        fields["temperature"] = options.temperature
    # One mark for the whole request: the API moves it along, so earlier bytes never change.
    fields["cache_control"] = {"type": "ephemeral"}
    return fields


def _effort(options: RequestOptions) -> str | None:
    return next((name for least, name in EFFORTS if options.thinking_tokens >= least), None)


def _chat_fields(_: Rendered, target: Target, options: RequestOptions) -> Fields:
    fields: Fields = {}
    if is_openai_reasoning(target.model):
        fields["max_completion_tokens"] = options.max_tokens
        effort = _effort(options)
        if effort is not None:
            fields["reasoning_effort"] = effort
    else:
        fields["max_tokens"] = options.max_tokens
        if options.temperature is not None:
            fields["temperature"] = options.temperature
    if options.stream:
        fields["stream_options"] = {"include_usage": True}
    return fields


def _responses_fields(_: Rendered, target: Target, options: RequestOptions) -> Fields:
    fields: Fields = {"store": False, "max_output_tokens": options.max_tokens}
    if is_openai_reasoning(target.model):
        fields["include"] = ["reasoning.encrypted_content"]
        effort = _effort(options)
        if effort is not None:
            fields["reasoning"] = {"effort": effort}
    elif options.temperature is not None:
        fields["temperature"] = options.temperature
    return fields


FIELDS: dict[str, Callable[[Rendered, Target, RequestOptions], Fields]] = {
    "messages": _messages_fields,
    "chat": _chat_fields,
    "responses": _responses_fields,
}


def request_body(
    rendered: Rendered, target: Target, options: RequestOptions, *, own_tools: bool = False
) -> bytes:
    """Return the exact bytes that are sent: all fields, and the messages last.

    Without its closing `]}` the body is a byte prefix of the next request of its segment, as long
    as the options are the same. A thinking budget is left off where the open tool loop does not
    begin with thinking. A temperature is not sent to models that refuse one: with thinking, to
    reasoning models, to the newer ones of Anthropic. `own_tools` tells whether the conversation has
    tools beside that of an answer by a schema.

    Raises:
        UsageError: the thinking budget does not fit below `max_tokens`.
    """
    members: list[tuple[str, bytes]] = []
    if target.api == "program":
        members += rendered.fields.items()
        members.append(("max_tokens", to_json(options.max_tokens)))
        members.append(("temperature", to_json(options.temperature)))
        if options.schema is not msgspec.UNSET:
            members.append(("schema", to_json(options.schema)))
    else:
        fields = FIELDS[target.api](rendered, target, options)
        if options.stream:
            fields["stream"] = True
        if options.schema is not msgspec.UNSET:
            fields |= schema_fields(target.api, options.schema, own_tools=own_tools)
        members.append(("model", to_json(target.model)))
        members += [(name, to_json(value)) for name, value in fields.items()]
        members += rendered.fields.items()
    head = b"".join(to_json(name) + b":" + value + b"," for name, value in members)
    messages = b",".join(rendered.messages)
    return b"{" + head + to_json(rendered.list_name) + b":[" + messages + b"]}"


def _open_cycle_lost_thinking(conversation: Conversation, rendered: Rendered) -> bool:
    """Tell whether a reply of the cycle that goes on is sent without the thinking it had."""
    lost = {loss.message for loss in rendered.losses if loss.part == "thinking"}
    for message in reversed(conversation.messages):
        if message.role is Role.USER:
            return False
        if message.id in lost:
            return True
    return False


def make_request(
    conversation: Conversation,
    target: Target,
    options: RequestOptions,
    render_options: RenderOptions,
    seconds: float = 600.0,
) -> ModelRequest:
    """Render a conversation for a model and return the request with its body and hash.

    Where the Messages API gets a reply of the open cycle without its thinking, thinking is off
    until the cycle ends; the request's own options stay as given.

    Raises:
        UsageError: the thinking budget does not fit below `max_tokens`.
    """
    rendered = renderer_of(target)(_asking(conversation, target, options), target, render_options)
    sent = options
    if target.api == "messages" and _open_cycle_lost_thinking(conversation, rendered):
        sent = msgspec.structs.replace(options, thinking_tokens=0)
    body = request_body(rendered, target, sent, own_tools=bool(conversation.head.tools))
    return ModelRequest(
        target=target,
        conversation=conversation,
        options=options,
        body=body,
        sha256=_sha256(body),
        seconds=seconds,
    )


def _asking(conversation: Conversation, target: Target, options: RequestOptions) -> Conversation:
    """Return what is written for an API; one gives answers by a schema as a tool's arguments."""
    if options.schema is msgspec.UNSET or target.api != "messages":
        return conversation
    head = conversation.head
    tools = (*head.tools, answer_tool(options.schema))
    return msgspec.structs.replace(conversation, head=msgspec.structs.replace(head, tools=tools))


def _neutral_part(part: Part, ordinals: dict[str, int]) -> Fields:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    if isinstance(part, FilePart):
        return {"type": "file", "sha256": part.sha256, "media_type": part.media_type}
    if isinstance(part, ThinkingPart):
        return {"type": "thinking", "text": part.text}
    if isinstance(part, OpaquePart):
        return {"type": "opaque", "kind": part.kind}
    if isinstance(part, CallPart):
        number = ordinals.setdefault(part.id, len(ordinals) + 1)
        # How a provider spaces JSON is its own affair, so only broken arguments count as text.
        args = part.args_text if part.args is None else part.args
        return {"type": "call", "call": number, "tool": part.tool, "args": args}
    return {
        "type": "result",
        "call": ordinals.setdefault(part.call, len(ordinals) + 1),
        "status": part.status.value,
        "text": part.text,
    }


def _neutral_messages(messages: Sequence[Message]) -> list[Fields]:
    ordinals: dict[str, int] = {}
    return [
        {
            "role": message.role.value,
            "parts": [_neutral_part(part, ordinals) for part in message.parts],
        }
        for message in messages
    ]


def canonical_request(conversation: Conversation) -> bytes:
    """Return a conversation without everything that differs from run to run or API to API.

    Left are system text, summary, tools, roles and parts, as JSON with sorted keys; calls are
    numbered in order. It is the same whatever ids, times, agent, raw bytes and model there were.
    """
    head = conversation.head
    neutral = {
        "system": head.system,
        "summary": head.summary,
        "tools": list(head.tools),
        "messages": _neutral_messages(conversation.messages),
    }
    return msgspec.json.encode(neutral, order="sorted")


def canonical_sha256(conversation: Conversation) -> str:
    """Return the hash under which a recorded turn is found again."""
    return _sha256(canonical_request(conversation))


def _sha256(octets: bytes) -> str:
    """Return the SHA-256 of octets; hashlib brings OpenSSL, which a filter without input spares."""
    import hashlib

    return hashlib.sha256(octets).hexdigest()
