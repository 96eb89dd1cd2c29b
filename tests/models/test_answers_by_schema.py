"""Each API is asked for an answer by a JSON Schema in its own way, and the answer is the same."""

import json
from typing import Any

import pytest

from mindpipe.core.errors import ExitStatus
from support.command import Mind
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.tables import each_row

AGE = {
    "type": "object",
    "properties": {"age": {"type": "integer"}},
    "required": ["age"],
    "additionalProperties": False,
}
LIST = {"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}
WRAPPED = {
    "type": "object",
    "properties": {"value": {"type": "array", "items": {"$ref": "#/$defs/n"}}},
    "required": ["value"],
    "additionalProperties": False,
    "$defs": {"n": {"type": "integer"}},
}
MESSAGES = "anthropic/claude-haiku-4-5"
MODELS = (MESSAGES, "openai/gpt-4o", "openai-responses/gpt-4o")


@pytest.fixture(name="asking")
def _asking(mind: Mind, provider: Provider) -> Mind:
    mind.environment |= {
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "OPENAI_BASE_URL": provider.openai_url,
    }
    return mind


def answering(model: str, value: object) -> Turn:
    """Return how a model of an API gives an answer."""
    written = json.dumps(value)
    if model != MESSAGES:
        return Turn(text=written)
    return Turn(calls=(Call("call_1", "answer_by_schema", written),), finish="calls")


def form_of(body: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a request names, and whether it is strict; both forms of OpenAI."""
    if "response_format" in body:
        assert body["response_format"]["type"] == "json_schema"
        form = body["response_format"]["json_schema"]
    else:
        form = body["text"]["format"]
        assert form["type"] == "json_schema"
    assert form["name"] == "answer"
    return {"schema": form["schema"], "strict": form["strict"]}


@each_row(
    ("schema", "sent", "given", "expected"),
    [(AGE, AGE, {"age": 7}, {"age": 7}), (LIST, WRAPPED, {"value": [1, 2]}, [1, 2])],
)
def test_an_answer_fits(
    asking: Mind,
    provider: Provider,
    schema: object,
    sent: object,
    given: object,
    expected: object,
) -> None:
    for model in MODELS:
        provider.reset()
        provider.answers(answering(model, given))
        ran = asking("complete", "How old?", "--model", model, "--schema", json.dumps(schema))
        answer = json.loads(ran.stdout)
        assert (answer["json"], json.loads(answer["text"])) == (expected, expected)
        assert (answer["tool_calls"], answer["stop_reason"]) == ([], "end")
        (seen,) = provider.requests
        body = seen.json()
        if model == MESSAGES:
            assert [tool["input_schema"] for tool in body["tools"]] == [sent]
            assert body["tool_choice"] == {"type": "tool", "name": "answer_by_schema"}
        else:
            assert form_of(body) == {"schema": sent, "strict": True}


def test_what_openai_does_not_know_is_not_strict(asking: Mind, provider: Provider) -> None:
    loose = {**AGE, "minProperties": 1}
    for model in MODELS[1:]:
        provider.reset()
        provider.answers(answering(model, {"age": 7}))
        asking("complete", "How old?", "--model", model, "--schema", json.dumps(loose))
        assert form_of(provider.requests[0].json()) == {"schema": loose, "strict": False}


@pytest.mark.parametrize("model", MODELS)
def test_what_does_not_fit_is_asked_for_once_more(
    asking: Mind, provider: Provider, model: str
) -> None:
    provider.answers(answering(model, {"age": "old"}), answering(model, {"age": 7}))
    line = ("complete", "How old?", "--model", model, "--schema", json.dumps(AGE))
    answer = json.loads(asking(*line).stdout)
    assert answer["json"] == {"age": 7}
    assert answer["usage"] == {"input_tokens": 22, "output_tokens": 14}
    again = provider.requests[1].body.decode()
    assert "is not of type 'integer'" in again
    assert "old" in again
    provider.reset()
    provider.answers(*[answering(model, {"age": "old"})] * 2)
    ran = asking.run(*line)
    assert ran.status == ExitStatus.BAD_DATA
    assert b"TEXT:1: the answer does not fit the schema: $.age: 'old'" in ran.stderr
    assert len(provider.requests) == 2


@pytest.mark.parametrize("model", MODELS)
def test_tools_of_the_request_can_be_called_first(
    asking: Mind, provider: Provider, model: str
) -> None:
    provider.answers(Turn(calls=(Call("call_1", "look", '{"at": "x"}'),), finish="calls"))
    tool = {"name": "look", "description": "Look.", "input_schema": {"type": "object"}}
    parts = [{"type": "text", "text": "How old?"}]
    request = {"messages": [{"role": "user", "parts": parts}], "tools": [tool], "schema": AGE}
    ran = asking("complete", "--model", model, stdin=json.dumps(request))
    answer = json.loads(ran.stdout)
    assert answer["tool_calls"] == [{"name": "look", "arguments": {"at": "x"}}]
    assert "json" not in answer
    if model == MESSAGES:
        assert provider.requests[0].json()["tool_choice"] == {"type": "any"}


@pytest.mark.parametrize("model", MODELS)
def test_a_stream_is_printed_as_it_comes(asking: Mind, provider: Provider, model: str) -> None:
    provider.answers(Turn(text="Hello there."))
    assert asking("complete", "Say hi", "--model", model, "--stream").stdout == b"Hello there.\n"
    assert provider.requests[0].json()["stream"] is True
