"""What a provider reported beside what we counted: the calibration, and the share of the cache."""

import json
from pathlib import Path

import pytest

from living import AGENT
from loopback import wire_chat
from loopback.asking import model_at
from loopback.provider import Provider
from loopback.turns import Call, Turn
from mindpipe.context.verbs import origins
from mindpipe.spending import verbs as spending
from online import CLAUDE, EVERY, OnlineLife

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
