"""What every Model adapter does, whoever answers behind it."""

import json
from pathlib import Path

import pytest

from conformance.stages import STAGES, Stage
from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import Finish, ModelFault, ModelReply, Target
from mindpipe.core.records import to_json
from support.loopback.asking import Heard, asking
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn

CALLS = (Call("call_1", "recall", '{"query": "a"}'), Call("call_2", "recall", '{"query": "b"}'))


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, provider: Provider, tmp_path: Path) -> Stage:
    return STAGES[request.param](provider, tmp_path)


def test_it_names_its_target(stage: Stage) -> None:
    assert isinstance(stage.model.target, Target)
    assert stage.model.target.model


@pytest.mark.parametrize("how", ["streamed", "whole"])
def test_a_text_is_one_part_and_an_end(stage: Stage, how: str) -> None:
    request = asking(stage.model.target, stream=how == "streamed")
    stage.will_answer(request, Turn(text='Grüße, "Ada"\n😀 \\ end'))
    reply = stage.model.reply(request)
    assert reply.parts == (TextPart(text='Grüße, "Ada"\n😀 \\ end'),)
    assert reply.finish is Finish.END


def test_calls_come_in_order_with_arguments_and_their_text(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_answer(request, Turn(text="Wait.", calls=CALLS, finish="calls"))
    reply = stage.model.reply(request)
    assert reply.finish is Finish.CALLS
    calls = [part for part in reply.parts if isinstance(part, CallPart)]
    assert [call.args for call in calls] == [{"query": "a"}, {"query": "b"}]
    for call in calls:
        assert (call.tool, call.invalid) == ("recall", None)
        assert json.loads(call.args_text) == call.args


def test_a_cut_reply_has_no_call_that_may_run(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_answer(request, Turn(text="Wait.", calls=CALLS, finish="cut"))
    reply = stage.model.reply(request)
    assert reply.finish is Finish.CUT
    calls = [part for part in reply.parts if isinstance(part, CallPart)]
    assert [(call.args, call.invalid) for call in calls] == [(None, "cut off")] * 2


def test_an_empty_reply_is_a_reply_without_parts(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_answer(request, Turn())
    reply = stage.model.reply(request)
    assert (reply.parts, reply.finish) == ((), Finish.END)


def test_a_preview_hears_what_the_reply_says(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_answer(request, Turn(text="In two pieces.", calls=CALLS, finish="calls"))
    heard = Heard()
    reply = stage.model.reply(request, heard)
    told = "".join(part.text for part in reply.parts if isinstance(part, TextPart))
    assert "".join(heard.texts) == told == "In two pieces."
    assert heard.calls == ["recall", "recall"]


def test_a_failure_is_a_model_fault_after_one_attempt(stage: Stage) -> None:
    stage.will_fail()
    with pytest.raises(ModelFault) as caught:
        stage.model.reply(asking(stage.model.target))
    assert str(caught.value)
    assert stage.attempts() == 1


def test_after_a_failure_it_can_be_asked_again(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_fail()
    with pytest.raises(ModelFault):
        stage.model.reply(request)
    stage.will_answer(request, Turn(text="Better now."))
    assert stage.model.reply(request).parts == (TextPart(text="Better now."),)


def test_a_reply_can_be_written_down_and_its_raw_bytes_are_json(stage: Stage) -> None:
    request = asking(stage.model.target)
    stage.will_answer(request, Turn(text="Grüße", calls=CALLS, finish="calls"))
    reply = stage.model.reply(request)
    assert isinstance(reply, ModelReply)
    assert to_json(reply)
    assert reply.raw == b"" or isinstance(json.loads(reply.raw), dict)
