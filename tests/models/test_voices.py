"""Voices of persons over every kind of model: one call for a thought, and faults as failures."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mindpipe.core.errors import UnavailableError, UsageError
from mindpipe.io.clock import make_clock
from mindpipe.model_access import ModelCatalog, VoiceAccess
from mindpipe.person.records.person import Person, PersonSettings, model_of
from mindpipe.person.records.thought import ThoughtMoment, VoiceError, VoiceRequest
from mindpipe.person.voice.composed import composed
from mindpipe.person.voice.models import Voices
from mindpipe.settings import Settings
from support.loopback.asking import KEY
from support.loopback.provider import Provider
from support.loopback.turns import Turn

ANN = Person(person="ann", name="Ann", seed=7)


def asked(t_us: int = 0) -> VoiceRequest:
    moment = ThoughtMoment(
        person="ann", seed=7, t_us=t_us, mode="react", codes=("P1",), trigger="pain+"
    )
    user = f"Something just changed at {t_us}."
    return VoiceRequest(
        system="You are Ann.", user=user, max_tokens=64, temperature=0.5, moment=moment
    )


class Stage:
    """Voices in a folder, under an environment, and what they told."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.folder = folder
        self._environment = {"HOME": str(folder), **(environment or {})}

    def shop(self) -> ModelCatalog:
        settings = Settings(options={}, environment=self._environment)
        return ModelCatalog(
            settings=settings, environment=self._environment, clock=make_clock(None)
        )

    def voices(
        self, *, record: Path | None = None, cap: int | None = None, budget: int | None = None
    ) -> Voices:
        return Voices(VoiceAccess(self.shop, record=record, cap=cap, budget=budget))

    def program(self, script: str) -> str:
        path = self.folder / "answer"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o700)
        return f"program:{path}"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def failure(speak: Callable[[VoiceRequest], str] | None) -> VoiceError:
    assert speak is not None
    with pytest.raises(VoiceError) as caught:
        speak(asked())
    return caught.value


def said(voices: Voices, model: str, t_us: int = 0) -> str:
    speak = voices.of(model)
    assert speak is not None
    return speak(asked(t_us))


def test_the_composed_voice_needs_no_shop_and_none_has_no_voice(stage: Stage) -> None:
    voices = stage.voices()
    assert said(voices, "composed") == composed(asked())
    assert voices.of("none") is None


def test_a_name_is_the_one_asked_for_or_the_persons_own() -> None:
    own = Person(person="ann", settings=PersonSettings(model="none", anthropic_model="claude-x"))
    assert model_of(ANN) == "composed"
    assert model_of(own) == "none"
    assert model_of(own, asked="anthropic") == "anthropic/claude-x"
    assert model_of(ANN, asked="anthropic") == "anthropic/claude-haiku-4-5"
    assert model_of(own, asked="openai/gpt-4o") == "openai/gpt-4o"


def test_a_program_reads_the_prompt_and_its_text_is_the_thought(stage: Stage) -> None:
    told = r'{"text": "It hurts so.\nAll of it."}'
    (stage.folder / "told").write_text(told)
    model = stage.program(f"cat > {stage.folder}/request; cat {stage.folder}/told")
    assert said(stage.voices(), model) == "It hurts so.\nAll of it."
    request = json.loads((stage.folder / "request").read_bytes())
    assert request["system"] == "You are Ann."
    assert request["messages"][0]["parts"] == [{"type": "text", "text": asked().user}]
    assert (request["tools"], request["max_tokens"], request["temperature"]) == ([], 64, 0.5)


def test_a_program_is_asked_once_and_its_failure_is_one(stage: Stage) -> None:
    model = stage.program(f"echo asked >> {stage.folder}/calls; echo no >&2; exit 75")
    fault = failure(stage.voices().of(model))
    assert fault.error_class == "transient"
    assert "exit status 75" in str(fault)
    assert (stage.folder / "calls").read_text() == "asked\n"


def test_a_program_that_went_away_is_a_failure(stage: Stage) -> None:
    speak = stage.voices().of(stage.program("echo"))
    (stage.folder / "answer").unlink()
    assert failure(speak).error_class == "unavailable"


def test_a_recorded_run_is_replayed(stage: Stage) -> None:
    record = stage.folder / "turns.jsonl"
    model = stage.program('cat >/dev/null; echo \'{"text": "Hm."}\'')
    recorded = stage.voices(record=record)
    first = [said(recorded, model), said(recorded, "composed", 5)]
    again = stage.voices()
    replay = f"replay:{record}"
    assert [said(again, replay), said(again, replay, 5)] == first == ["Hm.", composed(asked(5))]


def test_what_was_never_recorded_is_a_miss_with_a_diff(stage: Stage) -> None:
    record = stage.folder / "turns.jsonl"
    said(stage.voices(record=record), "composed", 5)
    fault = failure(stage.voices().of(f"replay:{record}"))
    assert fault.error_class == "replay_miss"
    assert "changed at 0" in str(fault)


def test_a_call_above_the_cap_is_refused_and_not_made(provider: Provider, tmp_path: Path) -> None:
    stage = Stage(tmp_path, _keys(provider))
    fault = failure(stage.voices(cap=1).of("anthropic/claude-haiku-4-5"))
    assert fault.error_class == "refused"
    assert "cap per call of 1 micro-dollars" in str(fault)
    assert provider.requests == []


def test_all_calls_together_stay_below_a_budget(provider: Provider, tmp_path: Path) -> None:
    """Given room for one call and not for two, each counted as the most that it may cost."""
    stage = Stage(tmp_path, _keys(provider))
    voices = stage.voices(budget=500)
    assert said(voices, "anthropic/claude-haiku-4-5")
    fault = failure(voices.of("anthropic/claude-haiku-4-5"))
    assert fault.error_class == "budget"
    assert len(provider.requests) == 1


def test_a_name_that_is_none_and_a_missing_key_end_the_run(stage: Stage) -> None:
    with pytest.raises(UsageError, match='"gpt" is no model'):
        stage.voices().of("gpt")
    with pytest.raises(UnavailableError, match="ANTHROPIC_API_KEY"):
        stage.voices().of("anthropic/claude-haiku-4-5")


@pytest.mark.parametrize(
    "model", ["anthropic/claude-haiku-4-5", "openai/gpt-4o", "openai-responses/gpt-4o"]
)
def test_a_provider_is_asked_over_its_own_sdk(
    provider: Provider, tmp_path: Path, model: str
) -> None:
    stage = Stage(tmp_path, _keys(provider))
    provider.answers(Turn(text="The pain fills everything."))
    assert said(stage.voices(), model) == "The pain fills everything."
    (seen,) = provider.requests
    sent = seen.json()
    assert asked().user in json.dumps(sent)
    assert 64 in sent.values()
    assert sent["temperature"] == 0.5


def test_a_provider_that_is_overloaded_is_a_failure(provider: Provider, tmp_path: Path) -> None:
    stage = Stage(tmp_path, _keys(provider))
    provider.fails(529)
    fault = failure(stage.voices().of("anthropic/claude-haiku-4-5"))
    assert fault.error_class == "transient"
    assert len(provider.requests) == 1


def _keys(provider: Provider) -> dict[str, str]:
    """Return the addresses and keys under which the provider on loopback is reached."""
    return {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": provider.openai_url,
    }


def test_an_answer_without_words_is_a_failed_call(stage: Stage) -> None:
    model = stage.program('cat >/dev/null; echo \'{"text": " "}\'')
    error = failure(stage.voices().of(model))
    assert (error.error_class, str(error)) == ("empty", f"{model} gave no words")


def test_a_program_that_is_not_there_is_told_before_it_is_asked(stage: Stage) -> None:
    with pytest.raises(UnavailableError, match="no program that can be started"):
        stage.voices().of(f"program:{stage.folder}/none")


def test_the_name_of_no_model_is_told_with_the_nearest(stage: Stage) -> None:
    with pytest.raises(
        UsageError, match=r"did you mean composed\? write composed, none, anthropic"
    ):
        stage.voices().of("compsed")
