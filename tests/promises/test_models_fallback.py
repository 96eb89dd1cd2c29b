"""Promise 22, with a fallback: it is asked where the model is failing, in the tries of a turn."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import ModelBusyError
from mindpipe.core.ports import Model
from mindpipe.engine.dependencies import Dependencies
from mindpipe.spending.records import Caps
from red import fallback_beyond_the_tries
from support.broken_builds import broken
from support.command import Mind, Ran
from support.life import AGENT
from support.loopback.asking import KEY, model_at
from support.loopback.life import CLAUDE, OnlineLife
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn
from support.proofs import proved, turned_red
from support.validation import faults_of

MOST_TRIES = 6
GPT = "openai/gpt-4o"
OTHERS = ("anthropic/claude-sonnet-4-5", GPT, "openai-responses/gpt-5")
WORKING = Turn(
    thinking="Let me look.", calls=(Call("call_1", "pure", '{"query": "x"}'),), finish="calls"
)
SLOWLY = {"retry-after": "20"}
TOMORROW = {"retry-after": "86400"}


class FallingLife(OnlineLife):
    """A life whose workers have two models at the provider on loopback."""

    def __init__(self, folder: Path, fallback: Model | None) -> None:
        super().__init__(folder)
        self.fallback = fallback
        self.said: list[str] = []

    def dependencies(self, store: object, model: Model, caps: Caps | None = None) -> Dependencies:
        """Return dependencies with both."""
        made = super().dependencies(store, model, caps)
        replace = msgspec.structs.replace
        models = replace(made.models, fallback=self.fallback)
        return replace(made, models=models, holder=replace(made.holder, tell=self.said.append))

    def asked(self) -> list[tuple]:
        """Return cycle, turn, attempt, model and state of every call of a model."""
        return self.rows(
            "SELECT cycle, turn, attempt, model, state FROM ledger ORDER BY cycle, turn, attempt"
        )

    def models(self) -> list[str]:
        """Return the model that each cycle names."""
        return [model for (model,) in self.rows("SELECT model FROM cycle ORDER BY cycle")]

    def changes(self) -> list[str]:
        """Return what was said of a change of models."""
        return [words for words in self.said if "instead" in words]


def only(name: str) -> str:
    """Return a model's name without its provider."""
    return name.rpartition("/")[2]


def without_claude(body: bytes) -> int | None:
    """Let all requests for one model fail."""
    return 503 if only(CLAUDE).encode() in body else None


@pytest.mark.parametrize("other", OTHERS)
def test_the_fallback_is_asked_where_the_model_is_failing_and_no_longer(
    tmp_path: Path, provider: Provider, other: str
) -> None:
    second, model = model_at(provider, other), model_at(provider, CLAUDE)
    life, label = FallingLife(tmp_path / "life", second), second.target.label()
    provider.answers(WORKING)
    life.push("Hello!")
    assert life.think(model).model == CLAUDE
    provider.follows(without_claude)
    for _ in range(2):
        provider.answers(WORKING)
        life.push("Hello again!")
        assert life.think(model).model == label
    # Five tries open the breaker; while it is open only the other one is asked.
    assert life.asked()[2:] == [
        *[(2, 1, attempt, CLAUDE, "lost") for attempt in range(1, MOST_TRIES)],
        (2, 1, MOST_TRIES, label, "settled"),
        *[(cycle, turn, 1, label, "settled") for cycle, turn in ((2, 2), (3, 1), (3, 2))],
    ]
    assert life.changes() == [f"{CLAUDE} is failing; {label} is asked instead."] * 2
    assert life.segments() == ["begin", "fallback"]
    provider.reset()
    life.clock.pass_time(60.0)
    life.push("And again!")
    assert life.think(model).model == CLAUDE
    assert life.models() == [CLAUDE, label, label, CLAUDE]
    assert faults_of(life.where) == []
    proved(22, cycles_of_a_fallback=2)


@pytest.mark.parametrize("other", OTHERS)
def test_a_cycle_that_is_under_way_goes_on_with_the_fallback(
    tmp_path: Path, provider: Provider, other: str
) -> None:
    second = model_at(provider, other)
    life, label = FallingLife(tmp_path / "life", second), second.target.label()
    provider.answers(WORKING)
    for _ in range(MOST_TRIES - 1):
        # So slow that the breaker stays closed.
        provider.fails(529, "Overloaded", headers=SLOWLY)
    provider.answers(WORKING)
    life.push("Hello!")
    report = life.think(model_at(provider, CLAUDE))
    assert (report.outcome, report.turns, report.model) == ("done", 3, label)
    assert [model for *_, model, _ in life.asked()] == [*[CLAUDE] * MOST_TRIES, label, label]
    assert life.segments() == ["begin", "fallback"]
    assert faults_of(life.where) == []
    proved(22, cycles_of_a_fallback=1)


def test_both_models_share_the_tries_of_a_turn(tmp_path: Path, provider: Provider) -> None:
    life = FallingLife(tmp_path / "life", model_at(provider, GPT))
    for _ in range(2 * MOST_TRIES):
        provider.fails(529, "Overloaded", headers=SLOWLY)
    life.push("Hello!")
    with pytest.raises(ModelBusyError):
        life.think(model_at(provider, CLAUDE))
    assert [model for *_, model, _ in life.asked()] == [*[CLAUDE] * (MOST_TRIES - 1), GPT]
    assert life.event()[:2] == ("ready", 1)
    proved(22, turns=1, most_tries=MOST_TRIES)


def tries_where_the_fallback_came_late(folder: Path, provider: Provider) -> int:
    """Let a model use up its tries before a fallback is there; return how often both are tried."""
    life, model = FallingLife(folder / "life", None), model_at(provider, CLAUDE)
    provider.answers(WORKING)
    for _ in range(2 * MOST_TRIES):
        provider.fails(503, "Not now.")
    life.push("Hello!")
    for fallback in (None, model_at(provider, GPT)):
        life.fallback = fallback
        with pytest.raises(ModelBusyError):
            life.think(model)
        life.clock.pass_time(60.0)
    return int(life.value("SELECT max(attempt) FROM ledger"))


def test_a_turn_without_a_try_left_is_not_tried_with_the_fallback(
    tmp_path: Path, provider: Provider
) -> None:
    assert tries_where_the_fallback_came_late(tmp_path, provider) == MOST_TRIES


def test_a_build_whose_fallback_has_tries_of_its_own_asks_more_than_six_times(
    tmp_path: Path, provider: Provider
) -> None:
    with broken(fallback_beyond_the_tries.PATCHES):
        tries = tries_where_the_fallback_came_late(tmp_path, provider)
    assert tries > MOST_TRIES
    turned_red(22, "fallback_beyond_the_tries", tries_of_one_turn=tries)


def live(life: OnlineLife, provider: Provider, *command: str, fallback: str | None = GPT) -> Ran:
    """Live in a real process with an agent whose model, CLAUDE, asks for a day's rest."""
    given = {
        "ANTHROPIC_BASE_URL": provider.anthropic_url,
        "OPENAI_BASE_URL": provider.openai_url,
        "ANTHROPIC_API_KEY": KEY,
        "OPENAI_API_KEY": KEY,
        "MIND_TESTING": "1",
    }
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(model=CLAUDE, fallback=fallback))
    provider.fails(429, "Come back tomorrow.", headers=TOMORROW)
    life.push("Hello!")
    return Mind(life.path.parent, given).run(*command, "--agent", AGENT)


@pytest.mark.parametrize("command", [("think",), ("run", "--once")])
def test_a_real_process_says_once_that_it_asks_the_fallback(
    tmp_path: Path, provider: Provider, command: tuple[str, ...]
) -> None:
    life = OnlineLife(tmp_path / "life")
    ran = live(life, provider, *command)
    assert ran.status == 0
    assert ran.record()["model"] == GPT
    assert ran.words == f"mind {command[0]}: {CLAUDE} is failing; {GPT} is asked instead.\n"
    assert [seen.path for seen in provider.requests] == ["/v1/messages", "/v1/chat/completions"]
    proved(22, cycles_of_a_fallback=1, processes=1)


@pytest.mark.parametrize(
    ("command", "fallback"),
    [(("think",), None), (("think",), CLAUDE), (("think", "--model", CLAUDE), GPT)],
    ids=["no fallback", "the model itself", "a model that was asked for"],
)
def test_nothing_else_is_asked_without_the_setting(
    tmp_path: Path, provider: Provider, command: tuple[str, ...], fallback: str | None
) -> None:
    life = OnlineLife(tmp_path / "life")
    ran = live(life, provider, *command, fallback=fallback)
    assert ran.status == 75
    assert ran.words.endswith(": Come back tomorrow. Try again.\n")
    assert "instead" not in ran.words
    assert [seen.path for seen in provider.requests] == ["/v1/messages"]
