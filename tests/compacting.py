"""Agents that live until their windows are folded, and a model that reports what it was sent."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from histories import PROGRAM
from living import AGENT, TOOLS, FlatPrices, Life
from logs import WordTokens
from loopback.turns import Turn
from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.compaction.parts.sizing import head_tokens
from mindpipe.compaction.records import Compaction, WindowPlan
from mindpipe.compaction.verbs import listing, planning, windows
from mindpipe.context.verbs.compacting import ports_of
from mindpipe.core.models import ModelReply, ModelRequest, Target, Usage
from mindpipe.core.ports import Embedder, Preview
from mindpipe.history.words import counted_text
from mindpipe.think.means import Means, Prices
from plays import Scripted

WORDS = " ".join(f"word{number}" for number in range(40))
ROUTINE = (Turn(text="Answered, and nothing is pending."),)


@dataclass
class Reporting(Scripted):
    """A model that reports `factor` tokens for each word that it was sent."""

    factor: float = 1.0

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return what the play says now, with what the request took."""
        said = super().reply(request, preview)
        usage = Usage(input_tokens=round(self.factor * words_in(request)), output_tokens=7)
        return msgspec.structs.replace(said, usage=usage)


class ByTheWord(FlatPrices):
    """Every word of a request may cost one micro-dollar."""

    def at_most(self, request: ModelRequest) -> int:
        """Return the most that a request can cost."""
        return words_in(request)


def words_in(request: ModelRequest) -> int:
    """Return the words of a request as they are counted for a window."""
    count = WordTokens().count
    talk = request.conversation
    told = (talk.head.summary or "", *map(counted_text, talk.messages))
    return head_tokens(talk.head, count=count) + sum(map(count, told))


def reporting(
    *, factor: float = 1.0, plays: dict | None = None, target: Target = PROGRAM
) -> Reporting:
    """Return a model that answers every event with the routine, unless it names a play."""
    return Reporting(target, plays or {}, otherwise=ROUTINE, factor=factor)


class FoldingLife(Life):
    """A life that remembers what its workers told, and knows its window."""

    def __init__(self, folder: Path, change: AgentChange) -> None:
        super().__init__(folder, change)
        self.told: list[str] = []
        self.embedder: Embedder | None = None
        self.prices: Prices = FlatPrices()

    def means(self, *given: object) -> Means:
        """Return means that remember what is told."""
        return msgspec.structs.replace(
            super().means(*given),
            tell=self.told.append,
            embedder=self.embedder,
            prices=self.prices,
        )

    def settle(self, **settings: object) -> None:
        """Change settings of the agent."""
        with self.open() as store:
            agents.set_(store, name=AGENT, change=AgentChange(**settings))

    def size(self) -> int:
        """Return the tokens of what is sent now, as the provider counts."""
        with self.open() as store:
            ports = ports_of(store, self.clock, WordTokens())
            return planning.sent_size(ports, agent=AGENT).total

    def changes(self) -> list[Compaction]:
        """Return all changes of the window."""
        with self.open() as store:
            return listing.changes(store, agent=AGENT)

    def window(self) -> WindowPlan | None:
        """Return the window in force."""
        with self.open() as store:
            return windows.in_force(store, agent=AGENT)

    def live(self, model: Scripted, cycles: int, *, words: str = WORDS) -> list[int | None]:
        """Live cycles of one turn each; return which change of the window each of them made."""
        made: list[int | None] = []
        for _ in range(cycles):
            number = self.value("SELECT count(*) FROM event")
            self.push(f"Event {number}. {words}")
            made.append(self.think(model).compacted)
        return made

    def reasons(self) -> list[str]:
        """Return why each segment was opened."""
        return [reason for (reason,) in self.rows("SELECT reason FROM segment ORDER BY segment")]


def folding_life(folder: Path, **settings: object) -> FoldingLife:
    """Return an agent whose settings are as given."""
    return FoldingLife(folder, AgentChange(**{"tools": TOOLS, **settings}))
