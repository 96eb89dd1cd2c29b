"""What stands in a message of the Messages API, and how it grows from a stream."""

import json

import pytest

from mindpipe.core.messages import CallPart, OpaquePart, TextPart, ThinkingPart
from mindpipe.core.models import FaultClass, Finish, ModelFault, ModelReply
from mindpipe.providers.anthropic.reply import Assembler, read_reply
from mindpipe.providers.stream import ServerSentEvent
from support.tables import each_row


def body(*blocks: dict, stop: str | None = "end_turn", **more: object) -> bytes:
    told = {"type": "message", "role": "assistant", "content": blocks, "stop_reason": stop, **more}
    return json.dumps(told).encode()


def streamed(*events: dict) -> Assembler:
    assembler = Assembler()
    for event in events:
        assembler.feed(ServerSentEvent(name=event["type"], text=json.dumps(event)))
    return assembler


def block(index: int, start: dict, *deltas: dict) -> list[dict]:
    grown = [{"type": "content_block_delta", "index": index, "delta": one} for one in deltas]
    begun = {"type": "content_block_start", "index": index, "content_block": start}
    return [begun, *grown, {"type": "content_block_stop", "index": index}]


def message(*events: dict, stop: str = "end_turn") -> ModelReply:
    start = {"type": "message", "role": "assistant", "model": "m", "content": []}
    return streamed(
        {"type": "message_start", "message": {**start, "usage": {"input_tokens": 3}}},
        *events,
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ).reply()


@each_row(
    ("word", "finish"),
    [
        ("end_turn", Finish.END),
        ("stop_sequence", Finish.END),
        ("pause_turn", Finish.PAUSE),
        ("max_tokens", Finish.CUT),
        ("model_context_window_exceeded", Finish.CUT),
        ("refusal", Finish.REFUSAL),
        ("a_new_word", Finish.UNKNOWN),
        (None, Finish.UNKNOWN),
    ],
)
def test_the_stop_reason_is_mapped(word: str | None, finish: Finish) -> None:
    reply = read_reply(body({"type": "text", "text": "a"}, stop=word))
    assert (reply.finish, reply.provider_finish) == (finish, word or "")


def test_every_kind_of_block_has_its_part() -> None:
    octets = body(
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": ""},
        {"type": "text", "text": "\n "},
        {"type": "text", "text": "Hello."},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "something_new"},
        {"type": "tool_use", "id": "toolu_1", "name": "recall", "input": {"a": 1}},
        stop="tool_use",
        usage={
            "input_tokens": 5,
            "cache_read_input_tokens": 7,
            "cache_creation_input_tokens": 11,
            "output_tokens": 13,
        },
    )
    reply = read_reply(octets)
    assert reply.parts == (
        ThinkingPart(text="Hm."),
        ThinkingPart(),
        ThinkingPart(),
        TextPart(text="Hello."),
        OpaquePart(provider="anthropic", kind="server_tool_use"),
        OpaquePart(provider="anthropic", kind="web_search_tool_result"),
        OpaquePart(provider="anthropic", kind="something_new"),
        CallPart(id="toolu_1", tool="recall", args={"a": 1}, args_text='{"a": 1}'),
    )
    assert reply.finish is Finish.CALLS
    assert reply.raw == octets
    usage = reply.usage
    assert (usage.input_tokens, usage.output_tokens) == (5, 13)
    assert (usage.cache_read_tokens, usage.cache_write_tokens) == (7, 11)


def test_the_argument_text_is_that_of_the_body() -> None:
    octets = b'{"content":[{"type":"tool_use","id":"","name":"x","input":{ "a" :1.0, "b":[ ] }}]}'
    (part,) = read_reply(octets.replace(b"}]}", b'}],"stop_reason":"tool_use"}')).parts
    assert isinstance(part, CallPart)
    assert part.args_text == '{ "a" :1.0, "b":[ ] }'


def test_a_streamed_input_stands_in_the_message_byte_for_byte() -> None:
    written = '{"a" : 1.0, "ü": "\\u00fc"}'
    deltas = [{"type": "input_json_delta", "partial_json": one} for one in ("", *written)]
    start = {"type": "tool_use", "id": "t", "name": "x", "input": {}}
    reply = message(*block(0, start, *deltas), stop="tool_use")
    (part,) = reply.parts
    assert isinstance(part, CallPart)
    assert (part.args_text, part.args) == (written, {"a": 1.0, "ü": "ü"})
    assert f'"input":{written}}}'.encode() in reply.raw


@each_row("written", ['{"path": "/etc/ho', "[1]", "nothing"])
def test_a_broken_streamed_input_is_kept_beside_a_message_that_can_be_sent(written: str) -> None:
    delta = {"type": "input_json_delta", "partial_json": written}
    start = {"type": "tool_use", "id": "t", "name": "x", "input": {}}
    reply = message(*block(0, start, delta), stop="tool_use")
    (part,) = reply.parts
    assert isinstance(part, CallPart)
    assert (part.args, part.args_text) == (None, written)
    assert json.loads(reply.raw)["content"][0]["input"] == {}


def test_a_block_grows_by_the_rules_of_the_api() -> None:
    thinking = {"type": "thinking", "thinking": ""}
    text = {"type": "text", "text": "", "citations": []}
    reply = message(
        *block(
            0,
            thinking,
            {"type": "thinking_delta", "thinking": "I ", "estimated_tokens": 5},
            {"type": "thinking_delta", "thinking": "see."},
            {"type": "signature_delta", "signature": "c2ln"},
        ),
        *block(
            1,
            text,
            {"type": "text_delta", "text": "a\ud83d"},
            {"type": "text_delta", "text": "\ude00b"},
            {"type": "citations_delta", "citation": {"n": 1}},
            {"type": "citations_delta", "citation": {"n": 2}},
            {"type": "delta_of_tomorrow", "what": "ever"},
        ),
        *block(
            2, {"type": "compaction", "content": None}, {"type": "compaction_delta", "content": "S"}
        ),
    )
    told = json.loads(reply.raw)
    assert told["content"] == [
        {"type": "thinking", "thinking": "I see.", "signature": "c2ln"},
        {"type": "text", "text": "a😀b", "citations": [{"n": 1}, {"n": 2}]},
        {"type": "compaction", "content": "S"},
    ]
    assert told["usage"] == {"input_tokens": 3, "output_tokens": 9}
    assert told["stop_reason"] == "end_turn"


def test_half_a_character_becomes_a_mark_in_the_text() -> None:
    reply = message(
        *block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "a\ud83d"})
    )
    assert reply.parts == (TextPart(text="a\ufffd"),)


@each_row(
    "events",
    [
        [],
        [{"type": "message_start", "message": {"id": "m", "content": []}}],
        [{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}],
        [{"type": "message_stop"}],
    ],
)
def test_without_its_end_mark_there_is_no_reply(events: list[dict]) -> None:
    with pytest.raises(ModelFault) as caught:
        streamed(*events).result()
    assert caught.value.fault is FaultClass.TRANSIENT


def test_events_that_nobody_knows_are_passed_over() -> None:
    whole = block(0, {"type": "text", "text": "a"})
    assert message({"type": "ping"}, *whole, {"type": "event_of_tomorrow"}).parts


@each_row("data", ["{", "[]", "null", '{"type": "content_block_delta", "index": 3}'])
def test_an_event_that_makes_no_sense_is_a_failed_attempt(data: str) -> None:
    with pytest.raises(ModelFault, match="no valid reply"):
        Assembler().feed(ServerSentEvent(name="x", text=data))
