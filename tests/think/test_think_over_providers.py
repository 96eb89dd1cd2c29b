"""Whole cycles over the adapters of real SDKs: what is sent, stored and lost as providers behave."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from fakes import FixedClock
from judging import faults_of
from living import AGENT, TOOLS, Life
from logs import WordTokens
from loopback.asking import Heard, model_at
from loopback.provider import Provider
from loopback.turns import Call, Turn
from mindpipe.agents.records import AgentChange
from mindpipe.context.verbs.prompts import Ports
from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    ModelBusyError,
    UnavailableError,
)
from mindpipe.core.ports import Model
from mindpipe.spending.records import Caps
from mindpipe.think.means import Means
from mindpipe.think.records import CycleReport, Limits
from mindpipe.think.verbs import cycle, show
from running import Mind

CLAUDE = "anthropic/claude-haiku-4-5"
EVERY = (CLAUDE, "openai/gpt-4o", "openai-responses/gpt-5")
WORKING = Turn(
    text="I will look.",
    thinking="Größe first: 1.0 \\u0041 😀",
    calls=(Call("call_1", "pure", '{"query" :"Größe"}'),),
    finish="calls",
)
DONE = Turn(text="It is done.", thinking="That was all.")
BUSY = "Overloaded"


class PatientClock(FixedClock):
    """A clock that remembers how long it was asked to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    def pause(self, seconds: float) -> None:
        """Note the pause and let it pass at once."""
        self.pauses.append(seconds)
        super().pause(seconds)


class OnlineLife(Life):
    """A life whose model is an adapter at the provider on loopback."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, AgentChange(tools=TOOLS, thinking_tokens=2000))
        self.clock = PatientClock()

    def means(self, store: object, model: Model, caps: Caps | None = None) -> Means:
        """Return means with which replies are streamed."""
        return msgspec.structs.replace(super().means(store, model, caps), preview=Heard())

    def whole(self, model: Model) -> CycleReport:
        """Live one cycle whose replies are not streamed."""
        with self.open() as store:
            means = super().means(store, model)
            return cycle.think(means, agent=AGENT, limits=Limits())

    def past(self, number: int, turn: int) -> bytes:
        """Return the body of a past request, made again from rows."""
        with self.open() as store:
            ports = Ports(store, self.clock, self.chance, WordTokens())
            return show.past(ports, agent=AGENT, cycle=number, turn=turn).request.body

    def ledger(self) -> list[tuple]:
        """Return cycle, turn, attempt and state of every call of the model."""
        return self.rows("SELECT cycle, turn, attempt, state FROM ledger ORDER BY 1, 2, 3")

    def event(self) -> tuple:
        """Return state, attempts and reason of the only event."""
        ((state, attempts, reason),) = self.rows("SELECT state, attempts, reason FROM event")
        return state, attempts, reason

    def segments(self) -> list[str]:
        """Return why each segment was opened."""
        return [reason for (reason,) in self.rows("SELECT reason FROM segment ORDER BY segment")]


@pytest.fixture
def life(tmp_path: Path) -> Iterator[OnlineLife]:
    """Give a life whose history is judged in every form when the test is over."""
    lived = OnlineLife(tmp_path / "life")
    yield lived
    assert faults_of(lived.path) == []


def bodies(provider: Provider) -> list[bytes]:
    """Return what arrived, in order."""
    return [seen.body for seen in provider.requests]


def live_two_cycles(life: OnlineLife, provider: Provider, name: str) -> None:
    """Live a cycle of two turns, and one of one turn."""
    provider.answers(WORKING, DONE, DONE)
    model = model_at(provider, name)
    for words in ("Find the report.", "And now?"):
        life.push(words)
        assert life.think(model).outcome == "done"


@pytest.mark.parametrize("name", EVERY)
def test_a_life_goes_on_over_every_api(life: OnlineLife, provider: Provider, name: str) -> None:
    live_two_cycles(life, provider, name)
    assert life.sink.times("pure") == 1
    assert life.ledger() == [(1, 1, 1, "settled"), (1, 2, 1, "settled"), (2, 1, 1, "settled")]
    assert life.value("SELECT sum(micros) FROM ledger") == 3 * 18
    assert life.segments() == ["begin"]
    assert life.states("event") == ["done", "done"]
    first, second, third = bodies(provider)
    assert [life.past(1, 1), life.past(1, 2), life.past(2, 1)] == [first, second, third]
    assert b"I will look." in second
    assert b"did it" in second
    assert b"It is done." in third
