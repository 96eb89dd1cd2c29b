"""A whole agent whose model is an adapter over a real SDK, at the provider on loopback."""

from pathlib import Path

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.core.ports import Model
from mindpipe.engine.dependencies import Dependencies
from mindpipe.engine.records.journal import CycleLimits, CycleReport
from mindpipe.engine.verbs import context, think
from mindpipe.spending.records import Caps
from support.fakes import FixedClock
from support.life import AGENT, TOOLS, Life
from support.loopback.asking import Heard
from support.stores import WordTokens

CLAUDE = "anthropic/claude-haiku-4-5"
EVERY = (CLAUDE, "openai/gpt-4o", "openai-responses/gpt-5")


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

    def dependencies(self, store: object, model: Model, caps: Caps | None = None) -> Dependencies:
        """Return dependencies with which replies are streamed."""
        made = super().dependencies(store, model, caps)
        models = msgspec.structs.replace(made.models, preview=Heard())
        return msgspec.structs.replace(made, models=models)

    def whole(self, model: Model) -> CycleReport:
        """Live one cycle whose replies are not streamed."""
        with self.open() as store:
            deps = super().dependencies(store, model)
            return think.think(deps, agent=AGENT, limits=CycleLimits())

    def past(self, number: int, turn: int) -> bytes:
        """Return the body of a past request, made again from rows."""
        with self.open() as store:
            ports = PromptPorts(store, self.clock, self.chance, WordTokens())
            return context.past(ports, agent=AGENT, cycle=number, turn=turn).request.body

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
