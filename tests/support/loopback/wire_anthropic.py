"""The Anthropic Messages API as its server writes it: bodies, events and errors."""

import json
from typing import Any

from support.loopback.turns import Call, Turn, halves

PATH = "/v1/messages"
FORMAT = "anthropic"
_WORDS = {
    "end": "end_turn",
    "calls": "tool_use",
    "cut": "max_tokens",
    "refusal": "refusal",
    "pause": "pause_turn",
}
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def error(status: int, message: str, code: str | None = None) -> dict[str, Any]:
    """Return the body of an error."""
    kind = code or _TYPES.get(status, "api_error")
    return {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_1",
    }


def body(turn: Turn, model: str) -> dict[str, Any]:
    """Return a whole message."""
    return {**_frame(turn, model), "content": _blocks(turn), "stop_reason": _WORDS[turn.finish]}


def events(turn: Turn, model: str) -> list[bytes]:
    """Return a streamed message as events."""
    begin = {**_frame(turn, model), "content": [], "stop_reason": None}
    begin["usage"] = {**_usage(turn), "output_tokens": 1}
    told: list[dict[str, Any]] = [{"type": "message_start", "message": begin}, {"type": "ping"}]
    for index, (start, deltas) in enumerate(_streamed_blocks(turn)):
        told.append({"type": "content_block_start", "index": index, "content_block": start})
        told += [{"type": "content_block_delta", "index": index, "delta": one} for one in deltas]
        told.append({"type": "content_block_stop", "index": index})
    told.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": _WORDS[turn.finish], "stop_sequence": None},
            "usage": {"output_tokens": turn.output_tokens},
        }
    )
    told.append({"type": "message_stop"})
    return [_event(one) for one in told]


def error_event(kind: str, message: str) -> bytes:
    """Return an error that comes inside a stream."""
    return _event({"type": "error", "error": {"type": kind, "message": message}})


def _event(told: dict[str, Any]) -> bytes:
    return f"event: {told['type']}\ndata: {json.dumps(told)}\n\n".encode()


def _frame(turn: Turn, model: str) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "stop_sequence": None,
        "usage": _usage(turn),
    }


def _usage(turn: Turn) -> dict[str, int]:
    return {
        "input_tokens": turn.input_tokens - turn.cached_tokens,
        "cache_read_input_tokens": turn.cached_tokens,
        "output_tokens": turn.output_tokens,
    }


def _blocks(turn: Turn) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if turn.thinking:
        blocks.append({"type": "thinking", "thinking": turn.thinking, "signature": "c2ln"})
    if turn.text:
        blocks.append({"type": "text", "text": turn.text})
    for call in turn.calls:
        blocks.append({**_start_of(call), "input": json.loads(call.arguments)})
    return blocks


def _streamed_blocks(turn: Turn) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if turn.thinking:
        deltas = [{"type": "thinking_delta", "thinking": one} for one in halves(turn.thinking)]
        deltas.append({"type": "signature_delta", "signature": "c2ln"})
        blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, deltas))
    if turn.text:
        deltas = [{"type": "text_delta", "text": one} for one in halves(turn.text)]
        blocks.append(({"type": "text", "text": ""}, deltas))
    for call in turn.calls:
        deltas = [{"type": "input_json_delta", "partial_json": ""}]
        deltas += [
            {"type": "input_json_delta", "partial_json": one} for one in halves(call.arguments)
        ]
        blocks.append((_start_of(call), deltas))
    return blocks


def _start_of(call: Call) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.tool, "input": {}}
