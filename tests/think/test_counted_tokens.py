"""What a provider reported beside what we counted: the calibration, and the share of the cache."""

import json
from pathlib import Path

import pytest

from mindpipe.context.verbs import origins
from mindpipe.core.ports import Model
from mindpipe.engine.dependencies import Dependencies
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import Caps
from support.life import AGENT, with_holder
from support.loopback import wire_chat
from support.loopback.asking import model_at
from support.loopback.life import CLAUDE, EVERY, OnlineLife
from support.loopback.provider import Provider
from support.loopback.turns import Call, Turn

CHAT = "openai/gpt-4o"
WORKING = Turn(calls=(Call("call_1", "pure", "{}"),), finish="calls", input_tokens=400)


@pytest.fixture
def life(tmp_path: Path) -> OnlineLife:
    """Return an agent in a store."""
    return OnlineLife(tmp_path / "life")


def calibration(life: OnlineLife, model: str) -> float | None:
    """Return what the next plan multiplies its counts by."""
    with life.open() as store:
        return spending.calibration(store, agent=AGENT, model=model)


def told(life: OnlineLife) -> list[tuple]:
    """Return input, cached and counted tokens of every call of a model."""
    sql = "SELECT input_tokens, cached_tokens, counted_tokens FROM ledger ORDER BY cycle, turn"
    return life.rows(sql)


@pytest.mark.parametrize("name", EVERY)
def test_input_is_whole_and_says_what_of_it_the_cache_held(
    life: OnlineLife, provider: Provider, name: str
) -> None:
    provider.answers(WORKING, Turn(text="Done.", input_tokens=600, cached_tokens=350))
    life.push("Find it.")
    report = life.think(model_at(provider, name))
    assert (report.input_tokens, report.cached_tokens) == (1000, 350)
    assert [row[:2] for row in told(life)] == [(400, 0), (600, 350)]
    with life.open() as store:
        (lived,) = origins.lived(store, agent=AGENT, limit=None)
        (cost,) = spending.cost(store, agent=AGENT)
    assert (lived.cached_tokens, lived.cached_share) == (350, 0.35)
    assert (cost.input_tokens, cost.cached_tokens) == (1000, 350)


def test_the_last_turn_says_how_the_provider_counts(life: OnlineLife, provider: Provider) -> None:
    assert calibration(life, CLAUDE) is None
    provider.answers(WORKING, Turn(text="Done.", input_tokens=900))
    life.push("Find it.")
    life.think(model_at(provider, CLAUDE))
    first, second = (row[2] for row in told(life))
    words_since = ("pure", "{}", "did", "it")
    assert second == first + len(words_since)
    assert calibration(life, CLAUDE) == pytest.approx(900 / second)
    assert calibration(life, CHAT) is None


@pytest.mark.parametrize("reported", [0, 1, 10**9])
def test_a_report_that_cannot_be_is_passed_over_for_the_last_one_that_can(
    life: OnlineLife, provider: Provider, reported: int
) -> None:
    provider.answers(Turn(text="Done.", input_tokens=reported))
    life.push("Hello!")
    life.think(model_at(provider, CLAUDE))
    assert calibration(life, CLAUDE) is None
    provider.answers(Turn(text="Done.", input_tokens=900), Turn(text="Yes.", input_tokens=reported))
    for _ in range(2):
        life.push("And now?")
        life.think(model_at(provider, CLAUDE))
    (_, counted, _) = (row[2] for row in told(life))
    assert calibration(life, CLAUDE) == pytest.approx(900 / counted)


def test_what_nobody_reported_calibrates_nothing(life: OnlineLife, provider: Provider) -> None:
    silent = wire_chat.body(Turn(text="Done."), "gpt-4o")
    del silent["usage"]
    provider.says(200, json.dumps(silent).encode(), "application/json")
    life.push("Hello!")
    life.whole(model_at(provider, CHAT))
    ((taken, cached, counted),) = told(life)
    assert taken > 0
    assert (cached, counted) == (0, None)
    assert calibration(life, CHAT) is None


class LoudLife(OnlineLife):
    """A life that keeps what its workers tell."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.told: list[str] = []

    def dependencies(self, store: object, model: Model, caps: Caps | None = None) -> Dependencies:
        """Return means that tell this life."""
        return with_holder(super().dependencies(store, model, caps), tell=self.told.append)


MORE = "more {kind} tokens than there can be"
NO_COUNT = "a usage that is no count of tokens"
ABSURD = (
    (10**9, MORE),
    (2**53 + 1, NO_COUNT),
    (10**20, NO_COUNT),
    (-5, NO_COUNT),
    (1.5, NO_COUNT),
    (float("nan"), NO_COUNT),
    (float("inf"), NO_COUNT),
)


@pytest.mark.parametrize(("absurd", "words"), ABSURD)
@pytest.mark.parametrize("name", EVERY)
def test_reported_tokens_that_cannot_be_are_counted_instead(
    tmp_path: Path, provider: Provider, name: str, absurd: float, words: str
) -> None:
    life = LoudLife(tmp_path / "life")
    provider.answers(
        Turn(text="Done.", output_tokens=absurd),
        Turn(text="Yes, done.", input_tokens=absurd, output_tokens=3),
        Turn(text="Whole.", input_tokens=absurd, output_tokens=3),
    )
    model = model_at(provider, name)
    label = model.target.label()
    for _ in range(2):
        life.push("Hello!")
        life.think(model)
    life.push("And whole?")
    life.whole(model)
    assert len(provider.requests) == 3
    rows = life.rows(
        "SELECT input_tokens, output_tokens, state, clamped FROM ledger ORDER BY cycle"
    )
    assert [row[2:] for row in rows] == [("settled", 1)] * 3
    assert rows[0][0] == 11
    assert 0 < rows[0][1] < 100
    assert [(0 < row[0] < 10_000, row[1]) for row in rows[1:]] == [(True, 3)] * 2
    assert life.told == [
        f"{label} reported {words.format(kind=kind)}; that counts as not reported."
        for kind in ("output", "input")
    ]
    with life.open() as store:
        (cost,) = spending.cost(store, agent=AGENT)
    assert cost.settled_micros < 1_000_000
    assert cost.clamped_calls == 3
