"""What the adapters over provider SDKs send and what they make of good replies."""

import json

import pytest

from mindpipe.core.messages import CallPart, TextPart, ThinkingPart
from mindpipe.core.models import FaultClass, Finish, ModelFault
from support.histories import call, result, said, tool, user
from support.loopback import wire_anthropic, wire_chat, wire_responses
from support.loopback.asking import APIS, KEY, Heard, asking, model_at, request_for
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn

pytestmark = pytest.mark.parametrize("name", APIS)

TWO_CALLS = Turn(
    text="I will look.",
    thinking="Where was it?",
    calls=(
        Call("call_1", "recall", '{"query": "report"}'),
        Call("call_2", "recall", '{"query" :"Größe 😀"}'),
    ),
    finish="calls",
)


@pytest.mark.parametrize("how", ["streamed", "whole"])
def test_a_turn_arrives_whole(provider: Provider, name: str, how: str) -> None:
    provider.answers(TWO_CALLS)
    model = model_at(provider, name)
    reply = model.reply(asking(model.target, stream=how == "streamed"))
    assert reply.finish is Finish.CALLS
    thinking, text, first, second = reply.parts
    assert thinking == ThinkingPart(text="Where was it?")
    assert text == TextPart(text="I will look.")
    assert isinstance(first, CallPart)
    assert isinstance(second, CallPart)
    assert (first.id, first.tool, first.args) == ("call_1", "recall", {"query": "report"})
    assert (second.id, second.args, second.invalid) == ("call_2", {"query": "Größe 😀"}, None)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 7)
    assert reply.model == model.target.model
    assert json.loads(reply.raw)["id"]


def test_the_body_goes_out_byte_for_byte(provider: Provider, name: str) -> None:
    model = model_at(provider, name)
    request = asking(model.target, "Größe\u2028 1.0 \\u0041 😀")
    model.reply(request)
    (seen,) = provider.requests
    assert seen.body == request.body
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert seen.headers["Content-Type"] == "application/json"


def test_a_preview_hears_a_stream_in_pieces(provider: Provider, name: str) -> None:
    provider.answers(TWO_CALLS)
    model = model_at(provider, name)
    heard = Heard()
    model.reply(asking(model.target), heard)
    assert "".join(heard.texts) == "I will look."
    assert len(heard.texts) == 2
    assert "".join(heard.thoughts) == "Where was it?"
    assert heard.calls == ["recall", "recall"]
    assert "".join(heard.arguments) == "".join(call.arguments for call in TWO_CALLS.calls)


def test_a_preview_hears_a_whole_reply_too(provider: Provider, name: str) -> None:
    provider.answers(TWO_CALLS)
    model = model_at(provider, name)
    heard = Heard()
    model.reply(asking(model.target, stream=False), heard)
    assert (heard.texts, heard.thoughts) == (["I will look."], ["Where was it?"])
    assert heard.calls == ["recall", "recall"]
    assert [json.loads(one) for one in heard.arguments] == [
        json.loads(call.arguments) for call in TWO_CALLS.calls
    ]


@pytest.mark.parametrize("written", ['{"query": "re', "[1]", '{"query": NaN}', '{"a":1,"a":2}'])
def test_broken_arguments_are_kept_and_never_mended(
    provider: Provider, name: str, written: str
) -> None:
    provider.answers(Turn(calls=(Call("call_1", "recall", written),), finish="calls"))
    model = model_at(provider, name)
    (part,) = model.reply(asking(model.target)).parts
    assert isinstance(part, CallPart)
    assert (part.args, part.args_text) == (None, written)
    assert part.invalid is not None
    assert part.invalid.startswith("json")


@pytest.mark.parametrize("how", ["streamed", "whole"])
def test_no_call_of_a_cut_reply_may_run(provider: Provider, name: str, how: str) -> None:
    calls = (Call("call_1", "recall", '{"query": "all of it"}'),)
    provider.answers(Turn(text="Half a", calls=calls, finish="cut"))
    model = model_at(provider, name)
    reply = model.reply(asking(model.target, stream=how == "streamed"))
    assert reply.finish is Finish.CUT
    text, part = reply.parts
    assert text == TextPart(text="Half a")
    assert isinstance(part, CallPart)
    assert (part.args, part.invalid) == (None, "cut off")
    assert json.loads(part.args_text) == {"query": "all of it"}


def test_a_refusal_is_a_reply(provider: Provider, name: str) -> None:
    provider.answers(Turn(text="I would rather not.", finish="refusal"))
    model = model_at(provider, name)
    reply = model.reply(asking(model.target))
    assert reply.finish is Finish.REFUSAL
    assert reply.parts == (TextPart(text="I would rather not."),)


@pytest.mark.parametrize("turn", [Turn(), Turn(text=" \n ")])
def test_an_empty_or_blank_reply_has_no_parts(provider: Provider, name: str, turn: Turn) -> None:
    provider.answers(turn)
    model = model_at(provider, name)
    reply = model.reply(asking(model.target))
    assert (reply.parts, reply.finish) == ((), Finish.END)
    assert reply.raw


def test_a_call_and_its_result_pass_the_rules_of_pairing(provider: Provider, name: str) -> None:
    model = model_at(provider, name)
    messages = (user("Find it."), said(call(1, {"query": "report"})), tool(result(1, "found")))
    reply = model.reply(request_for(model.target, *messages))
    assert reply.finish is Finish.END


def test_a_call_without_its_result_is_refused_with_the_words_of_the_api(
    provider: Provider, name: str
) -> None:
    model = model_at(provider, name)
    messages = (user("Find it."), said(call(1, {"query": "report"})), user("And?"))
    with pytest.raises(ModelFault) as caught:
        model.reply(request_for(model.target, *messages))
    assert (caught.value.fault, caught.value.http_status) == (FaultClass.OUR_REQUEST, 400)
    words = {
        "anthropic/claude-haiku-4-5": "`tool_use` ids were found without `tool_result` blocks",
        "openai/gpt-4o": "must be followed by tool messages responding to each 'tool_call_id'",
        "openai-responses/gpt-4o": "No tool output found for function call",
    }
    assert words[name] in str(caught.value)


def test_comments_that_show_life_are_no_events(provider: Provider, name: str) -> None:
    provider.drips(comments=5)
    model = model_at(provider, name)
    assert model.reply(asking(model.target)).parts == (TextPart(text="Hello there."),)


def test_a_reply_under_another_media_type_is_a_reply(provider: Provider, name: str) -> None:
    wire = {"messages": wire_anthropic, "chat": wire_chat, "responses": wire_responses}
    model = model_at(provider, name)
    told = wire[model.target.api].body(Turn(text="Plain."), model.target.model)
    provider.says(200, json.dumps(told).encode(), "text/plain")
    assert model.reply(asking(model.target)).parts == (TextPart(text="Plain."),)
