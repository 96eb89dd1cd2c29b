"""Statements that a model reads over the SDKs of providers: who is asked what, and the ledger."""

import json

import pytest

from support.command import Mind
from support.loopback.asking import KEY
from support.loopback.provider import Provider
from support.loopback.turns import Turn

MODELS = ("anthropic/claude-haiku-4-5", "openai/gpt-5-mini", "openai-responses/gpt-5-mini")
TOLD = (
    '{"id": "m1", "speaker": "mara", "text": "Well, my home has been Porto for a year."}\n'
    '{"id": "m2", "speaker": "husam", "text": "Mara says her home is Rome."}\n'
)


def line(quote: str, value: str) -> str:
    """Return what a model answers of the only utterance that it is shown."""
    told = {"said": 1, "quote": quote, "attribute": "residence", "value": value}
    return json.dumps({**told, "meant": "asserted"})


@pytest.fixture(name="ava")
def _ava(mind: Mind, provider: Provider) -> Mind:
    mind.environment |= {
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "OPENAI_BASE_URL": provider.openai_url,
        "ANTHROPIC_API_KEY": KEY,
        "OPENAI_API_KEY": KEY,
    }
    mind("init", "--agent", "ava")
    mind("memory", "add", "--agent", "ava", stdin=TOLD)
    return mind


@pytest.mark.parametrize("model", MODELS)
def test_each_speaker_is_read_apart_and_each_call_is_in_the_ledger(
    ava: Mind, provider: Provider, model: str
) -> None:
    provider.answers(
        Turn(text=line("Mara says her home is Rome", "Rome")),
        Turn(text=f"```json\n{line('my home has been Porto for a year', 'Porto')}\n```"),
    )
    ava("consolidate", "--agent", "ava", "--reader", f"model:{model}")
    held = ava("observation", "list", "--agent", "ava").records()
    assert [one["summary"] for one in held] == ["mara lives in Porto."]
    husams, maras = (one.body.decode() for one in provider.requests)
    assert "Porto" not in husams
    assert "Rome" not in maras
    label = model.replace("-responses", "")
    (cost,) = ava("models", "cost", "--agent", "ava").records()
    assert (cost["model"], cost["calls"], cost["output_tokens"]) == (label, 2, 14)
    (ref,) = ava("observation", "show", "--agent", "ava", held[0]["id"]).record()["evidence"]
    assert ref["reader"] == f"model/3 {label}"


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_half_applied_where_a_later_call_fails(
    ava: Mind, provider: Provider, model: str
) -> None:
    provider.answers(Turn(text="{}"))
    provider.fails(401)
    ran = ava.run("consolidate", "--agent", "ava", "--reader", f"model:{model}")
    assert (ran.status, ran.stdout) == (69, b"")
    assert "Nothing was consolidated" in ran.words
    assert ava("observation", "list", "--agent", "ava").records() == []
    ava("consolidate", "--agent", "ava")


def test_a_model_is_told_which_attributes_the_setting_adds(ava: Mind, provider: Provider) -> None:
    ava.environment["MIND_KNOWLEDGE_SLOTS"] = "world_fact.shoe_size project_state.risk.*"
    said = '{"id": "m3", "speaker": "zoe", "text": "I tried them on, so I have shoe size 42."}\n'
    told = {"said": 1, "quote": "I have shoe size 42", "attribute": "world_fact.shoe_size"}
    answer = json.dumps({**told, "value": "42", "meant": "asserted"})
    provider.answers(Turn(text=answer))
    found = ava("consolidate", "--reader", f"model:{MODELS[0]}", stdin=said).record()
    assert found["summary"] == "zoe's shoe size is 42."
    asked = provider.requests[-1].body.decode()
    assert "world_fact.shoe_size: {who}'s shoe size is {value}" in asked
    assert "project_state.risk.*: {who}'s risk is {value} (one of several at a time)" in asked
