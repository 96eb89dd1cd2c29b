"""OpenAI Chat Completions as its server writes them: bodies, events and errors."""

import json
from typing import Any

from support.loopback.turns import Turn, halves

PATH = "/v1/chat/completions"
FORMAT = "openai-chat"
_WORDS = {
    "end": "stop",
    "calls": "tool_calls",
    "cut": "length",
    "refusal": "content_filter",
    "pause": "stop",
}
_TYPES = {400: "invalid_request_error", 401: "invalid_request_error", 429: "requests"}


def error(status: int, message: str, code: str | None = None) -> dict[str, Any]:
    """Return the body of an error."""
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def body(turn: Turn, model: str) -> dict[str, Any]:
    """Return a whole completion."""
    message: dict[str, Any] = {"role": "assistant", "content": turn.text or None, "refusal": None}
    if turn.thinking:
        message["reasoning_content"] = turn.thinking
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.tool, "arguments": call.arguments},
            }
            for call in turn.calls
        ]
    choice = {
        "index": 0,
        "message": message,
        "logprobs": None,
        "finish_reason": _WORDS[turn.finish],
    }
    return {**_frame(model, "chat.completion"), "choices": [choice], "usage": _usage(turn)}


def events(turn: Turn, model: str) -> list[bytes]:
    """Return a streamed completion as events, the end mark last."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    deltas += [{"reasoning_content": one} for one in halves(turn.thinking)]
    deltas += [{"content": one} for one in halves(turn.text)]
    for index, call in enumerate(turn.calls):
        begun = {"name": call.tool, "arguments": ""}
        begin = {"index": index, "id": call.id, "type": "function", "function": begun}
        deltas.append({"tool_calls": [begin]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": one}}]}
            for one in halves(call.arguments)
        ]
    frame = _frame(model, "chat.completion.chunk")
    chunks = [
        {**frame, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas
    ]
    last = {"index": 0, "delta": {}, "finish_reason": _WORDS[turn.finish]}
    chunks.append({**frame, "choices": [last]})
    chunks.append({**frame, "choices": [], "usage": _usage(turn)})
    return [*(_event(chunk) for chunk in chunks), b"data: [DONE]\n\n"]


def error_event(kind: str, message: str) -> bytes:
    """Return an error that comes inside a stream."""
    return _event({"error": {"message": message, "type": kind, "param": None, "code": None}})


def _event(told: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(told)}\n\n".encode()


def _frame(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1795000000, "model": model}


def _usage(turn: Turn) -> dict[str, Any]:
    return {
        "prompt_tokens": turn.input_tokens,
        "completion_tokens": turn.output_tokens,
        "total_tokens": turn.input_tokens + turn.output_tokens,
        "prompt_tokens_details": {"cached_tokens": turn.cached_tokens},
    }
