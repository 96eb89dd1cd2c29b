"""The exact bodies that are sent, and the keys of recorded turns."""

import hashlib

import msgspec
import pytest

from mindpipe.core.errors import UsageError
from mindpipe.core.json import load_json
from mindpipe.core.messages import Conversation, Head, ResultStatus, ThinkingPart
from mindpipe.core.models import RequestOptions, Target
from mindpipe.providers.model_names import is_openai_reasoning, takes_budget, takes_temperature
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import canonical_request, canonical_sha256, make_request
from support.histories import (
    ANTHROPIC,
    CHAT,
    RESPONSES,
    TOOL,
    call,
    conversation,
    note,
    raw_of,
    result,
    said,
    tool,
    user,
)
from support.tables import each_row

TALK = conversation(user("Hello"), head=Head(system="Be Ada.", tools=(TOOL,)))


def named(target: Target, model: str) -> Target:
    return msgspec.structs.replace(target, model=model)


def fields_of(target: Target, talk: Conversation = TALK, **options: object) -> dict[str, object]:
    """Return a body without what the renderer wrote."""
    request = make_request(talk, target, RequestOptions(**options), RenderOptions())
    body = load_json(request.body, source="body")
    assert isinstance(body, dict)
    written = {"messages", "input", "system", "instructions", "tools"}
    return {name: value for name, value in body.items() if name not in written}


EPHEMERAL = {"cache_control": {"type": "ephemeral"}}


@each_row(
    ("model", "options", "expected"),
    [
        ("claude-haiku-4-5", {}, {"max_tokens": 4096, "stream": True}),
        (
            "claude-haiku-4-5",
            {"stream": False, "temperature": 0.0, "max_tokens": 9},
            {"max_tokens": 9, "temperature": 0.0},
        ),
        (
            "claude-sonnet-4-5-20250929",
            {"stream": False, "temperature": 0.5, "thinking_tokens": 2000},
            {"max_tokens": 4096, "thinking": {"type": "enabled", "budget_tokens": 2000}},
        ),
        (
            "claude-opus-5",
            {"stream": False, "temperature": 0.5, "thinking_tokens": 9000},
            {"max_tokens": 4096, "thinking": {"type": "adaptive"}},
        ),
        ("claude-opus-5", {"stream": False, "temperature": 0.5}, {"max_tokens": 4096}),
        (
            "qwen3",
            {"stream": False, "temperature": 0.5},
            {"max_tokens": 4096, "temperature": 0.5},
        ),
    ],
)
def test_fields_of_the_messages_api(
    model: str, options: dict[str, object], expected: dict[str, object]
) -> None:
    assert fields_of(named(ANTHROPIC, model), **options) == {
        "model": model,
        **EPHEMERAL,
        **expected,
    }


@each_row(
    ("model", "options", "expected"),
    [
        (
            "gpt-4o",
            {"temperature": 0.5},
            {
                "max_tokens": 4096,
                "temperature": 0.5,
                "stream": True,
                "stream_options": {"include_usage": True},
            },
        ),
        ("llama3.2", {"stream": False, "thinking_tokens": 5000}, {"max_tokens": 4096}),
        (
            "gpt-5.4-mini",
            {"stream": False, "temperature": 0.5},
            {"max_completion_tokens": 4096},
        ),
        (
            "openai/o4-mini",
            {"stream": False, "thinking_tokens": 2048},
            {"max_completion_tokens": 4096, "reasoning_effort": "medium"},
        ),
    ],
)
def test_fields_of_chat(
    model: str, options: dict[str, object], expected: dict[str, object]
) -> None:
    assert fields_of(named(CHAT, model), **options) == {"model": model, **expected}


@each_row(
    ("model", "options", "expected"),
    [
        ("gpt-4.1", {"temperature": 0.5}, {"temperature": 0.5, "stream": True}),
        (
            "gpt-5",
            {"stream": False, "temperature": 0.5, "thinking_tokens": 100},
            {"include": ["reasoning.encrypted_content"], "reasoning": {"effort": "low"}},
        ),
        ("gpt-6-sol", {"stream": False}, {"include": ["reasoning.encrypted_content"]}),
    ],
)
def test_fields_of_responses(
    model: str, options: dict[str, object], expected: dict[str, object]
) -> None:
    assert fields_of(named(RESPONSES, model), **options) == {
        "model": model,
        "store": False,
        "max_output_tokens": 4096,
        **expected,
    }


@each_row("thinking_tokens", [1023, 4096, 5000])
def test_a_budget_that_does_not_fit_is_refused(thinking_tokens: int) -> None:
    with pytest.raises(UsageError, match="limit of 4096"):
        fields_of(ANTHROPIC, thinking_tokens=thinking_tokens)


@each_row(
    ("target", "end"),
    [(ANTHROPIC, b'"messages":['), (CHAT, b'"messages":['), (RESPONSES, b'"input":[')],
)
def test_the_messages_are_last_and_the_hash_is_that_of_the_body(target: Target, end: bytes) -> None:
    request = make_request(TALK, target, RequestOptions(), RenderOptions(), 12.5)
    fields, _, messages = request.body.partition(end)
    assert b"Hello" in messages and messages.endswith(b"]}") and b"tools" in fields
    assert request.sha256 == hashlib.sha256(request.body).hexdigest()
    assert (request.target, request.conversation, request.seconds) == (target, TALK, 12.5)


# --- thinking in an open tool loop -----------------------------------------------------------

THOUGHT = (
    b'{"content":[{"type":"thinking","thinking":"Hm","signature":"E"},'
    b'{"type":"tool_use","id":"t1","name":"recall","input":{}}]}'
)
PLAIN = b'{"content":[{"type":"tool_use","id":"t2","name":"recall","input":{}}]}'


def thinks(*messages: object, keep_raw: bool = True) -> bool:
    talk = conversation(*messages, blobs=(THOUGHT, PLAIN))
    options = RequestOptions(thinking_tokens=1024)
    request = make_request(talk, ANTHROPIC, options, RenderOptions(keep_raw=keep_raw))
    return b'"thinking":{"type":"enabled"' in request.body


ASK = user("Hello")
WITH = said(ThinkingPart(text="Hm"), call(1, {}), raw=raw_of(THOUGHT, ids={1: "t1"}))
WITHOUT = said(call(2, {}), raw=raw_of(PLAIN, ids={2: "t2"}))
BROKEN = said(ThinkingPart(text="Hm"), call(3, written="{"), raw=raw_of(THOUGHT, ids={3: "t1"}))
ANSWERS = [tool(result(number, "A")) for number in (1, 2, 3)]


@each_row(
    ("messages", "expected"),
    [
        ([ASK], True),
        ([ASK, WITH, ANSWERS[0]], True),
        ([ASK, WITH, ANSWERS[0], note("Noon."), WITHOUT, ANSWERS[1]], True),
        ([ASK, WITHOUT, ANSWERS[1]], False),
        ([ASK, BROKEN, ANSWERS[2]], False),
        ([ASK, WITH, ANSWERS[0], BROKEN, ANSWERS[2]], False),
        ([ASK, BROKEN, ANSWERS[2], said("Sorry."), user("Go on.")], True),
        ([ASK, WITHOUT, ANSWERS[1], said("Done."), user("More?")], True),
    ],
)
def test_thinking_is_off_while_the_open_cycle_lost_it(
    messages: list[object], expected: object
) -> None:
    assert thinks(*messages) is expected


def test_thinking_is_off_in_an_open_cycle_that_was_written_anew() -> None:
    assert not thinks(ASK, WITH, ANSWERS[0], keep_raw=False)
    assert thinks(ASK, WITH, ANSWERS[0], said("Done."), user("More?"), keep_raw=False)


def test_chat_keeps_its_effort_though_it_never_carries_thinking() -> None:
    talk = conversation(ASK, said(ThinkingPart(text="Hm"), call(1, {})), ANSWERS[0])
    fields = fields_of(named(CHAT, "gpt-5"), talk, thinking_tokens=1024)
    assert fields["reasoning_effort"] == "low"


# --- keys of recorded turns ------------------------------------------------------------------

TURN = (
    user("Hello"),
    said(ThinkingPart(text="Hm"), call(1, {"b": 1, "a": 2}), raw=raw_of(THOUGHT, ids={1: "t1"})),
    tool(result(1, "A", ResultStatus.ERROR)),
)


def test_the_key_holds_roles_and_parts_alone() -> None:
    talk = conversation(*TURN, head=Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier]"))
    assert load_json(canonical_request(talk), source="key") == {
        "system": "Be Ada.",
        "summary": "[Earlier]",
        "tools": [
            {
                "name": "recall",
                "description": "Look something up.",
                "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
            }
        ],
        "messages": [
            {"role": "user", "parts": [{"type": "text", "text": "Hello"}]},
            {
                "role": "assistant",
                "parts": [
                    {"type": "thinking", "text": "Hm"},
                    {"type": "call", "call": 1, "tool": "recall", "args": {"a": 2, "b": 1}},
                ],
            },
            {
                "role": "tool",
                "parts": [{"type": "result", "call": 1, "status": "error", "text": "A"}],
            },
        ],
    }


def test_the_key_is_the_same_for_other_ids_times_agents_and_spacing() -> None:
    other = conversation(
        user("Hello", taint=True, origin="operator"),
        said(ThinkingPart(text="Hm"), call(7, {"a": 2, "b": 1}, written='{"a":2,  "b":1}')),
        tool(result(7, "A", ResultStatus.ERROR)),
    )
    moved = tuple(
        msgspec.structs.replace(one, id=f"x{one.seq}", agent="eve", cycle=9, at="2030-01-01")
        for one in other.messages
    )
    other = msgspec.structs.replace(other, messages=moved)
    assert canonical_sha256(other) == canonical_sha256(conversation(*TURN))


@each_row(
    "messages",
    [
        (user("Hello!"), *TURN[1:]),
        (note("Hello"), *TURN[1:]),
        (TURN[0], said(call(1, {"b": 1, "a": 2})), TURN[2]),
        (*TURN[:2], tool(result(1, "A"))),
        TURN[:2],
    ],
)
def test_the_key_differs_with_what_was_said(messages: tuple[object, ...]) -> None:
    assert canonical_sha256(conversation(*messages)) != canonical_sha256(conversation(*TURN))


@each_row(
    ("model", "expected"),
    [
        ("o3-mini", True),
        ("openai/gpt-5.6-sol", True),
        ("gpt-6.2-astra", True),
        ("gpt-5-chat-latest", False),
        ("gpt-4o", False),
        ("gpt-oss-20b", False),
        ("olmo-2", False),
    ],
)
def test_reasoning_models(model: str, expected: object) -> None:
    assert is_openai_reasoning(model) is expected


@each_row(
    ("model", "expected"),
    [
        ("claude-3-7-sonnet-20250219", (True, True)),
        ("anthropic/claude-haiku-4-5-20251001", (True, True)),
        ("claude-opus-4-6", (False, True)),
        ("claude-opus-4-8", (False, False)),
        ("claude-fable-5-2", (False, False)),
    ],
)
def test_anthropic_models(model: str, expected: tuple[bool, bool]) -> None:
    assert (takes_budget(model), takes_temperature(model)) == expected
