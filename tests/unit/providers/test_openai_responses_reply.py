"""What stands in a response, and how it is taken out of its stream."""

import json

import pytest

from mindpipe.core.messages import CallPart, OpaquePart, TextPart, ThinkingPart
from mindpipe.core.models import FaultClass, Finish, ModelFault
from mindpipe.providers.openai_responses.reply import Assembler, read_reply
from mindpipe.providers.stream import ServerSentEvent
from support.tables import each_row


def body(*items: dict, status: str = "completed", **more: object) -> bytes:
    return json.dumps({"object": "response", "status": status, "output": items, **more}).encode()


def said(text: str, kind: str = "output_text") -> dict:
    key = "refusal" if kind == "refusal" else "text"
    return {"type": "message", "content": [{"type": kind, key: text}]}


def called(call_id: str = "call_1", arguments: str = "{}") -> dict:
    return {
        "type": "function_call",
        "id": "fc_1",
        "call_id": call_id,
        "name": "x",
        "arguments": arguments,
    }


def test_every_kind_of_item_has_its_part() -> None:
    octets = body(
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "g"},
        {"type": "reasoning", "summary": [{"text": "One."}, {"text": "Two."}]},
        said("Hello."),
        said(" \n"),
        {"type": "web_search_call", "id": "ws_1"},
        called(arguments='{"a" :1}'),
        usage={
            "input_tokens": 100,
            "input_tokens_details": {"cached_tokens": 40},
            "output_tokens": 9,
        },
    )
    reply = read_reply(octets)
    assert reply.parts == (
        ThinkingPart(),
        ThinkingPart(text="One.\nTwo."),
        TextPart(text="Hello."),
        OpaquePart(provider="openai", kind="web_search_call"),
        CallPart(id="call_1", tool="x", args={"a": 1}, args_text='{"a" :1}'),
    )
    assert (reply.finish, reply.provider_finish) == (Finish.CALLS, "completed")
    assert reply.raw == octets
    assert (reply.usage.input_tokens, reply.usage.cache_read_tokens) == (60, 40)


@each_row(
    ("more", "finish", "word"),
    [
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            Finish.CUT,
            "incomplete: max_output_tokens",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            Finish.REFUSAL,
            "incomplete: content_filter",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "steered"}},
            Finish.UNKNOWN,
            "incomplete: steered",
        ),
        ({"status": "resting"}, Finish.UNKNOWN, "resting"),
    ],
)
def test_an_incomplete_response_has_no_call_that_may_run(
    more: dict, finish: Finish, word: str
) -> None:
    reply = read_reply(body(said("a"), called(), **more))
    assert (reply.finish, reply.provider_finish) == (finish, word)
    call = reply.parts[1]
    assert isinstance(call, CallPart)
    assert call.args is None


def test_a_refusal_is_text_and_an_end_of_its_own() -> None:
    reply = read_reply(body(said("No.", "refusal")))
    assert (reply.parts, reply.finish) == ((TextPart(text="No."),), Finish.REFUSAL)


@each_row(
    ("octets", "fault"),
    [
        (body(status="failed", error={"code": "server_error", "message": "x"}), "TRANSIENT"),
        (body(status="failed", error={"code": "invalid_prompt", "message": "x"}), "OUR_REQUEST"),
        (body(status="cancelled"), "TRANSIENT"),
        (body(status="queued"), "TRANSIENT"),
        (body(status="in_progress"), "TRANSIENT"),
        (b'{"object": "response"}', "TRANSIENT"),
        (b"7", "TRANSIENT"),
    ],
)
def test_what_failed_or_goes_on_is_no_reply(octets: bytes, fault: str) -> None:
    with pytest.raises(ModelFault) as caught:
        read_reply(octets)
    assert caught.value.fault is FaultClass[fault]


def fed(*events: str) -> Assembler:
    assembler = Assembler()
    for data in events:
        assembler.feed(ServerSentEvent(text=data))
    return assembler


@each_row("kind", ["completed", "incomplete"])
def test_the_last_event_holds_the_response_byte_for_byte(kind: str) -> None:
    whole = '{ "status":"' + kind + '", "output" : [ ], "n":1.0, "t":"\\u00fc"}'
    assembler = fed(f'{{"type":"response.{kind}","response": {whole} ,"sequence_number":3}}')
    assert assembler.ended
    assert assembler.result() == whole.encode()


def test_items_told_before_stand_in_for_an_empty_output() -> None:
    item = json.dumps(said("Hello."))
    assembler = fed(
        f'{{"type":"response.output_item.done","output_index":0,"item":{item}}}',
        '{"type":"response.completed","response":{"status":"completed","output":[]}}',
    )
    assert assembler.reply().parts == (TextPart(text="Hello."),)


def test_a_failed_response_inside_a_stream_has_its_class() -> None:
    event = {
        "type": "response.failed",
        "response": {"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "x"}},
    }
    with pytest.raises(ModelFault) as caught:
        fed(json.dumps(event))
    assert caught.value.fault is FaultClass.TRANSIENT


def test_without_its_end_mark_there_is_no_reply() -> None:
    assembler = fed('{"type":"response.created","response":{}}')
    for asked in (assembler.result, assembler.reply):
        with pytest.raises(ModelFault) as caught:
            asked()
        assert caught.value.fault is FaultClass.TRANSIENT
