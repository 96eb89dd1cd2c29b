"""The OpenAI Responses API as its server writes it: bodies, events and errors."""

import json
from collections.abc import Iterator
from typing import Any

from support.loopback.turns import Turn, halves
from support.loopback.wire_chat import error

__all__ = ["FORMAT", "PATH", "body", "error", "error_event", "events"]

PATH = "/v1/responses"
FORMAT = "openai-responses"


def body(turn: Turn, model: str) -> dict[str, Any]:
    """Return a whole response."""
    cut = turn.finish == "cut"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1795000000,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "model": model,
        "output": [item for item, _ in _items(turn)],
        "usage": {
            "input_tokens": turn.input_tokens,
            "input_tokens_details": {"cached_tokens": turn.cached_tokens},
            "output_tokens": turn.output_tokens,
            "total_tokens": turn.input_tokens + turn.output_tokens,
        },
    }


def events(turn: Turn, model: str) -> list[bytes]:
    """Return a streamed response as events."""
    return [
        _event({**told, "sequence_number": number})
        for number, told in enumerate(_told(turn, model))
    ]


def error_event(kind: str, message: str) -> bytes:
    """Return an error that comes inside a stream."""
    return _event({"type": "error", "code": kind, "message": message, "param": None})


def _told(turn: Turn, model: str) -> Iterator[dict[str, Any]]:
    whole = body(turn, model)
    started = {**whole, "status": "in_progress", "output": [], "usage": None}
    yield {"type": "response.created", "response": started}
    yield {"type": "response.in_progress", "response": started}
    for place, (item, (kind, pieces)) in enumerate(_items(turn)):
        yield {"type": "response.output_item.added", "output_index": place, "item": _empty(item)}
        for piece in pieces:
            yield {"type": kind, "output_index": place, "item_id": item["id"], "delta": piece}
        yield {"type": "response.output_item.done", "output_index": place, "item": item}
    yield {"type": f"response.{whole['status']}", "response": whole}


def _empty(item: dict[str, Any]) -> dict[str, Any]:
    emptied = {"content": [], "summary": [], "arguments": "", "status": "in_progress"}
    return {key: emptied.get(key, value) for key, value in item.items()}


def _items(turn: Turn) -> list[tuple[dict[str, Any], tuple[str, list[str]]]]:
    items: list[tuple[dict[str, Any], tuple[str, list[str]]]] = []
    if turn.thinking:
        told = [{"type": "summary_text", "text": turn.thinking}]
        item = {"id": "rs_1", "type": "reasoning", "summary": told, "encrypted_content": "gAAAA"}
        items.append((item, ("response.reasoning_summary_text.delta", halves(turn.thinking))))
    if turn.text:
        declined = turn.finish == "refusal"
        said = {"type": "refusal", "refusal": turn.text}
        if not declined:
            said = {"type": "output_text", "text": turn.text, "annotations": []}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [said],
        }
        kind = "response.refusal.delta" if declined else "response.output_text.delta"
        items.append((message, (kind, halves(turn.text))))
    for number, call in enumerate(turn.calls, start=1):
        item = {
            "id": f"fc_{number}",
            "type": "function_call",
            "call_id": call.id,
            "name": call.tool,
            "arguments": call.arguments,
            "status": "completed",
        }
        kind = "response.function_call_arguments.delta"
        items.append((item, (kind, halves(call.arguments))))
    return items


def _event(told: dict[str, Any]) -> bytes:
    return f"event: {told['type']}\ndata: {json.dumps(told)}\n\n".encode()
