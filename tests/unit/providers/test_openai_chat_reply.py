"""What stands in a chat completion, and how it grows from the chunks of many servers."""

import json

import pytest

from mindpipe.core.messages import CallPart, OpaquePart, ReplyPart, TextPart, ThinkingPart
from mindpipe.core.models import FaultClass, Finish, ModelFault
from mindpipe.providers.openai_chat.reply import Assembler, read_reply
from mindpipe.providers.stream import ServerSentEvent
from support.tables import each_row

MISSING = object()


def parts_of(message: dict, finish: object = "stop") -> tuple[tuple[ReplyPart, ...], Finish]:
    choice = {"index": 0, "message": message}
    if finish is not MISSING:
        choice["finish_reason"] = finish
    reply = read_reply(json.dumps({"choices": [choice]}).encode())
    return reply.parts, reply.finish


def grown(*deltas: dict, finish: str = "stop") -> dict:
    """Return the message that these deltas make."""
    assembler = Assembler()
    for delta in deltas:
        chunk = {"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        assembler.feed(ServerSentEvent(text=json.dumps(chunk)))
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
    assembler.feed(ServerSentEvent(text=json.dumps(last)))
    assembler.feed(ServerSentEvent(text="[DONE]"))
    return json.loads(assembler.result())["choices"][0]["message"]


@each_row(
    ("word", "finish"),
    [
        ("stop", Finish.END),
        ("length", Finish.CUT),
        ("content_filter", Finish.REFUSAL),
        (None, Finish.CUT),
        (MISSING, Finish.CUT),
        ("eos", Finish.UNKNOWN),
    ],
)
def test_the_finish_reason_is_mapped(word: object, finish: Finish) -> None:
    assert parts_of({"content": "a"}, word) == ((TextPart(text="a"),), finish)


@each_row(
    ("message", "parts"),
    [
        ({"content": None}, ()),
        ({"content": " \n"}, ()),
        ({}, ()),
        ({"content": "a", "reasoning_content": "r"}, (ThinkingPart(text="r"), TextPart(text="a"))),
        ({"content": "a", "reasoning": "r"}, (ThinkingPart(text="r"), TextPart(text="a"))),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": "r"},
                    {"type": "text", "text": "a"},
                    {"type": "text", "text": ""},
                    {"type": "image_url"},
                ]
            },
            (
                ThinkingPart(text="r"),
                TextPart(text="a"),
                OpaquePart(provider="openai", kind="image_url"),
            ),
        ),
        ({"audio": {"id": "x"}}, (OpaquePart(provider="openai", kind="audio"),)),
    ],
)
def test_content_comes_in_many_shapes(message: dict, parts: tuple[ReplyPart, ...]) -> None:
    assert parts_of(message) == (parts, Finish.END)


def test_a_refusal_is_text_and_an_end_of_its_own() -> None:
    assert parts_of({"content": None, "refusal": "No."}) == (
        (TextPart(text="No."),),
        Finish.REFUSAL,
    )


@each_row("word", ["stop", "tool_calls"])
def test_calls_are_calls_whatever_the_word_for_the_end(word: str) -> None:
    called = {"id": "1", "type": "function", "function": {"name": "x", "arguments": "{}"}}
    custom = {"id": "2", "type": "custom", "custom": {"name": "y", "input": "z"}}
    old = {"name": "w", "arguments": '{"a":1}'}
    message = {"content": None, "tool_calls": [called, custom], "function_call": old}
    parts, finish = parts_of(message, word)
    assert finish is Finish.CALLS
    assert parts == (
        CallPart(id="1", tool="x", args={}, args_text="{}"),
        OpaquePart(provider="openai", kind="custom"),
        CallPart(id="", tool="w", args={"a": 1}, args_text='{"a":1}'),
    )


def test_tokens_of_the_cache_are_taken_out_of_the_input() -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 5,
        "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
    }
    choices = [{"message": {"content": "a"}, "finish_reason": "stop"}]
    found = read_reply(json.dumps({"choices": choices, "usage": usage}).encode()).usage
    assert (found.input_tokens, found.output_tokens) == (30, 5)
    assert (found.cache_read_tokens, found.cache_write_tokens) == (60, 10)


def call(index: int | None, name: str | None, arguments: str | None, id_: str | None) -> dict:
    """Return a delta of one call; None leaves a field out."""
    function = {"name": name, "arguments": arguments}
    told = {"function": {key: value for key, value in function.items() if value is not None}}
    told |= {key: value for key, value in (("index", index), ("id", id_)) if value is not None}
    return {"tool_calls": [told]}


WANTED = [("1", "x", '{"a":1}'), ("2", "y", '{"b":2}')]


@each_row(
    "deltas",
    [
        [
            call(0, "x", "", "1"),
            call(0, None, '{"a"', None),
            call(0, None, ":1}", None),
            call(1, "y", '{"b":2}', "2"),
        ],
        [
            call(0, "x", '{"a"', "1"),
            call(0, "x", ":1}", "1"),
            call(1, "y", '{"b"', "2"),
            call(1, "y", ":2}", "2"),
        ],
        [
            call(0, "x", '{"a":', "1"),
            call(1, "y", '{"b"', "2"),
            call(0, None, "1}", None),
            call(1, None, ":2}", None),
        ],
        [call(0, "x", '{"a":1}', "1"), call(0, "y", '{"b":2}', "2")],
        [call(None, "x", '{"a":1}', "1"), call(None, "y", '{"b":2}', "2")],
        [
            call(None, "x", '{"a"', "1"),
            call(None, None, ":1}", None),
            call(None, "y", '{"b":2}', "2"),
        ],
    ],
)
def test_calls_grow_alike_whichever_server_streams_them(deltas: list[dict]) -> None:
    calls = grown(*deltas, finish="tool_calls")["tool_calls"]
    found = [(one["id"], one["function"]["name"], one["function"]["arguments"]) for one in calls]
    assert found == WANTED
    assert all("index" not in one for one in calls)


def test_a_message_keeps_what_its_server_adds() -> None:
    message = grown(
        {"role": "assistant", "content": "a"},
        {"role": "assistant", "content": "\ud83d", "reasoning_content": "r"},
        {"content": "\ude00", "annotations": [1], "extra": {"signature": "s", "n": 1}},
        {"content": None, "annotations": [2], "extra": {"signature": "t", "n": 2}},
    )
    assert message == {
        "role": "assistant",
        "content": "a😀",
        "reasoning_content": "r",
        "annotations": [1, 2],
        "extra": {"signature": "st", "n": 2},
    }


@each_row(
    "ends",
    [
        [],
        ["[DONE]"],
        ['{"choices":[{"delta":{},"finish_reason":"stop"}]}'],
    ],
)
def test_a_stream_ends_with_its_mark_and_a_reason(ends: list[str]) -> None:
    assembler = Assembler()
    for data in ['{"choices":[{"delta":{"content":"a"}}]}', *ends]:
        assembler.feed(ServerSentEvent(text=data))
    with pytest.raises(ModelFault) as caught:
        assembler.result()
    assert caught.value.fault is FaultClass.TRANSIENT


@each_row("octets", [b'{"choices":[]}', b'{"error":{"message":"no"}}', b"[]"])
def test_no_completion_is_no_reply(octets: bytes) -> None:
    with pytest.raises(ModelFault):
        read_reply(octets)
