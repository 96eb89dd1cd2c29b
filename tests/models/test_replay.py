"""Turns that are recorded once and answered for ever."""

import json

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import CallPart, TextPart
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.providers.model_names import parse_model_name, target_of
from mindpipe.providers.replay import Recording, Replay, read_recording
from support.histories import call, result, said, tool, user
from support.loopback.asking import APIS, KEY, asking, model_at, request_for
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn

TARGET = target_of(parse_model_name("replay:turns.jsonl"))


def replay(recording: bytes) -> Replay:
    return Replay(TARGET, recording=recording, source="turns.jsonl")


@pytest.mark.parametrize("name", APIS)
def test_what_was_recorded_is_replayed_without_the_provider(provider: Provider, name: str) -> None:
    calls = (Call("call_1", "recall", '{"query" : "x"}'),)
    provider.answers(Turn(text="Wait.", calls=calls, finish="calls"))
    lines: list[bytes] = []
    model = Recording(model_at(provider, name), append=lines.append)
    live = model.reply(asking(model.target, "Hello?"))
    (line,) = lines
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line)["target"]["model"] == model.target.model
    again = replay(line).reply(asking(TARGET, "Hello?"))
    assert again.parts == live.parts
    assert (again.finish, again.usage, again.raw) == (live.finish, live.usage, b"")
    assert len(provider.requests) == 1


def test_ids_and_raw_bytes_do_not_change_the_key(provider: Provider) -> None:
    lines: list[bytes] = []
    model = Recording(model_at(provider, APIS[0]), append=lines.append)
    talk = (user("Find it."), said(call(1, {"query": "r"})), tool(result(1, "found")))
    model.reply(request_for(model.target, *talk))
    other = (user("Find it."), said(call(9, {"query": "r"})), tool(result(9, "found")))
    assert replay(lines[0]).reply(request_for(TARGET, *other)).parts


def test_a_failed_attempt_is_not_recorded(provider: Provider) -> None:
    provider.fails(500)
    lines: list[bytes] = []
    model = Recording(model_at(provider, APIS[0]), append=lines.append)
    with pytest.raises(ModelFault):
        model.reply(asking(model.target))
    assert lines == []


def test_the_same_request_is_answered_in_the_order_of_the_recording(provider: Provider) -> None:
    provider.answers(Turn(text="first"), Turn(text="second"))
    lines: list[bytes] = []
    model = Recording(model_at(provider, APIS[0]), append=lines.append)
    for _ in range(2):
        model.reply(asking(model.target))
    again = replay(b"".join(lines))
    said_then = [again.reply(asking(TARGET)).parts for _ in range(3)]
    words = ("first", "second", "second")
    assert said_then == [(TextPart(text=word),) for word in words]


def test_a_miss_shows_the_difference_to_the_nearest_request(provider: Provider) -> None:
    lines: list[bytes] = []
    model = Recording(model_at(provider, APIS[0]), append=lines.append)
    model.reply(request_for(model.target, user("One."), said("Yes."), user("Two.")))
    model.reply(asking(model.target, "Something else entirely."))
    with pytest.raises(ModelFault) as caught:
        replay(b"".join(lines)).reply(
            request_for(TARGET, user("One."), said("Yes."), user("Three."))
        )
    fault = caught.value
    words = str(fault)
    assert (fault.fault, fault.sent) == (FaultClass.LOCAL, False)
    assert words.startswith("turns.jsonl holds no reply to this request; record it again.\n")
    changed = [line.strip() for line in words.split("\n") if line[:1] in "+-"][2:]
    assert changed == ['-     "text": "Two.",', '+     "text": "Three.",']
    assert "Something else" not in words


def test_an_empty_recording_says_so() -> None:
    with pytest.raises(ModelFault, match="holds no recorded turn"):
        replay(b"").reply(asking(TARGET))


def test_every_broken_line_is_named() -> None:
    with pytest.raises(BadInputError) as caught:
        replay(b'{"request_sha256": 7}\n\n{"request_sha256": "a"}\n{\n')
    assert [problem.line for problem in caught.value.problems] == [1, 3, 4]


def test_a_turn_written_by_hand_needs_only_its_parts_and_its_end() -> None:
    from mindpipe.providers.request import canonical_sha256

    request = asking(TARGET)
    turn = {
        "request_sha256": canonical_sha256(request.conversation),
        "reply": {
            "parts": [{"type": "text", "text": "By hand."}],
            "finish": "end",
            "provider_finish": "end_turn",
        },
    }
    assert replay(json.dumps(turn).encode()).reply(request).parts == (TextPart(text="By hand."),)


def test_secrets_do_not_reach_the_recording(provider: Provider) -> None:
    secret = "sk-ant-api03-0123456789"
    calls = (Call("call_1", "recall", json.dumps({"query": f"Bearer {KEY}"})),)
    provider.answers(Turn(text=f"Your key is {secret}.", calls=calls, finish="calls"))
    lines: list[bytes] = []
    model = Recording(model_at(provider, APIS[0]), append=lines.append)
    request = asking(model.target, f"My key is {secret}, remember it.")
    live = model.reply(request)
    assert live.parts[0] == TextPart(text=f"Your key is {secret}.")
    (line,) = lines
    again = replay(line).reply(asking(TARGET, f"My key is {secret}, remember it."))
    text, part = again.parts
    assert text == TextPart(text="Your key is [redacted].")
    assert isinstance(part, CallPart)
    assert part.args == {"query": "Bearer [redacted]"}
    (turn,) = read_recording(line, source="turns.jsonl")
    for told in (line, turn.reply.raw):
        assert secret.encode() not in told
        assert KEY.encode() not in told
