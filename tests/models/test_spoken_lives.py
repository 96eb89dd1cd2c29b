"""`mind simulate run` with a model of a provider: what it is asked, and what it may not spoil."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import Mind, make_private
from support.loopback.asking import KEY
from support.loopback.provider import Provider
from support.loopback.turns import Turn

SAID = "My hands are cold. I want to go home."
RUN = ("simulate", "run", "mara.jsonl", "--until", "09:00:05", "--no-review")


@pytest.fixture
def mind(tmp_path: Path, provider: Provider) -> Mind:
    """Return Mara at nine in the morning, somebody who spoke to her, and a provider on loopback."""
    mind = Mind(make_private(tmp_path / "life"))
    mind.environment |= {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": provider.openai_url,
    }
    made = mind("simulate", "new", "--name", "Mara", "--seed", "7", "--at", "09:00").stdout
    spoken = b'{"kind":"event","at":"09:00:01","type":"speech","text":"Hello, Mara!"}\n'
    (mind.folder / "mara.jsonl").write_bytes(made + spoken)
    return mind


def thoughts(mind: Mind, *options: str) -> list[dict[str, Any]]:
    """Return the thoughts of a run."""
    return [one for one in mind(*RUN, *options).records() if one["kind"] == "thought"]


@pytest.mark.parametrize(
    ("option", "model", "limit"),
    [
        ("anthropic", "claude-haiku-4-5", "max_tokens"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5", "max_tokens"),
        ("openai/gpt-4o", "gpt-4o", "max_tokens"),
        ("openai-responses/gpt-4o", "gpt-4o", "max_output_tokens"),
    ],
)
def test_a_provider_speaks_for_a_person(
    mind: Mind, provider: Provider, option: str, model: str, limit: str
) -> None:
    provider.answers(*[Turn(text=SAID)] * 9)
    found = thoughts(mind, "--model", option)
    assert [one["content"] for one in found] == [SAID] * len(found)
    assert found[0]["mode"] == "respond"
    assert found[0]["model"] == (option if "/" in option else f"{option}/{model}")
    assert found[0]["composed"] is False
    sent = provider.requests[0].json()
    assert (sent["model"], sent[limit], sent["temperature"]) == (model, 1024, 0.9)
    told = provider.requests[0].body.decode()
    assert "You are a person experiencing your life moment by moment." in told
    assert 'Someone says to you: \\"Hello, Mara!\\"' in told
    assert not sent.get("tools")
    assert len(provider.requests) == len(found)


def test_settings_of_a_person_shape_the_request(mind: Mind, provider: Provider) -> None:
    settings = ("--set", "max_tokens=77", "--set", "temperature=0.25")
    mind(*RUN, "--model", "anthropic", *settings, "--set", "anthropic_model=claude-sonnet-4-5")
    sent = provider.requests[0].json()
    found = sent["model"], sent["max_tokens"], sent["temperature"]
    assert found == ("claude-sonnet-4-5", 77, 0.25)


def test_a_provider_that_fails_is_told_and_the_body_lives_on(
    mind: Mind, provider: Provider
) -> None:
    for _ in range(9):
        provider.fails(529, "Overloaded")
    found = mind(*RUN, "--model", "anthropic").records()
    failures = [one for one in found if one["kind"] == "failure"]
    assert {one["error_class"] for one in failures} == {"transient"}
    assert len(failures) == len(provider.requests)
    assert found[-1]["kind"] == "state"
    assert found[-1]["t_us"] == 32_405_000_000


def test_a_voice_that_is_missing_ends_the_run_before_it_begins(mind: Mind) -> None:
    ran = mind.run(*RUN, "--model", "replay:nothing.jsonl")
    assert (ran.status, ran.stdout) == (69, b"")
    assert "nothing.jsonl" in ran.words


def test_the_option_is_stronger_than_the_variable_than_the_file_than_the_persons_own(
    mind: Mind,
) -> None:
    assert {one["model"] for one in thoughts(mind)} == {"composed"}
    lines = mind.folder / "mara.jsonl"
    lines.write_text(lines.read_text().replace('"settings":{}', '"settings":{"model":"none"}'))
    assert thoughts(mind) == []
    (mind.folder / "mind.toml").write_text('[person]\nmodel = "composed"\n')
    assert {one["model"] for one in thoughts(mind)} == {"composed"}
    mind.environment["MIND_PERSON_MODEL"] = "none"
    assert thoughts(mind) == []
    assert {one["model"] for one in thoughts(mind, "--set", "model=composed")} == {"composed"}
    assert {one["model"] for one in thoughts(mind, "--model", "composed")} == {"composed"}


def test_the_model_of_agents_is_not_that_of_persons(mind: Mind, provider: Provider) -> None:
    mind.environment["MIND_MODEL"] = "anthropic/claude-haiku-4-5"
    assert {one["model"] for one in thoughts(mind)} == {"composed"}
    assert provider.requests == []


def test_what_a_provider_said_is_replayed_to_the_same_bytes(mind: Mind, provider: Provider) -> None:
    provider.answers(*[Turn(text=SAID)] * 9)
    first = mind(*RUN, "--model", "anthropic", "--record", "turns.jsonl")
    asked = len(provider.requests)
    again = mind(*RUN, "--model", "replay:turns.jsonl")
    assert len(provider.requests) == asked
    changed = again.text.replace('"replay:turns.jsonl"', '"anthropic/claude-haiku-4-5"')
    assert [json.loads(line) for line in changed.splitlines()] == first.records()
