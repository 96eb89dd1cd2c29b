"""Lives that are long enough to be folded, and a model that reports what it was sent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.records import Compaction, WindowPlan
from mindpipe.compaction.sizes import head_tokens
from mindpipe.compaction.verbs import compact, windows
from mindpipe.compaction.verbs import compact as listing
from mindpipe.compaction.verbs import compact as planning
from mindpipe.compaction.verbs import compact as undoing
from mindpipe.compaction.verbs.material import MaterialPorts, sent_size
from mindpipe.compaction.verbs.windows import window
from mindpipe.context.verbs import origins
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core import failpoints
from mindpipe.core.models import ModelReply, ModelRequest, Target, Usage
from mindpipe.core.ports import Embedder, Preview
from mindpipe.core.records import to_json
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.dependencies import Dependencies, Prices
from mindpipe.history.rows import counted_text
from mindpipe.history.verbs import history
from support.histories import PROGRAM
from support.life import AGENT, LEASE, TOOLS, FlatPrices, KilledError, Life, MortalStore
from support.loopback.turns import Turn
from support.scripted_model import Scripted, call, calls
from support.stores import WordTokens

WORDS = 60
LOOK = ToolManifest(name="look", description="Look.", command=("pure",), effect="pure")


class Long(Life):
    """A life of some cycles, each with a call, its result and a closing summary."""

    def __init__(self, folder: Path, cycles: int, change: AgentChange | None = None) -> None:
        super().__init__(folder, change or AgentChange(tools=(LOOK,)))
        self.live(cycles)

    def live(
        self, cycles: int = 1, *, dies: tuple[str, int] | None = None, **fields: object
    ) -> None:
        """Live some more cycles, each of an event with these fields, until the worker dies."""
        for _ in range(cycles):
            (receipt,) = self.push(" ".join(["Pay the bill", *["now"] * WORDS]), **fields)
            self.clock.pass_time(60.0)
            first = calls(call("look", at=receipt.id), text="I look it up.")
            closing = Turn(text=f"Paid the bill of {receipt.id}. Nothing is left to do.")
            self.think(Scripted(PROGRAM, {}, otherwise=(first, closing)), dies=dies)

    @contextmanager
    def ports(self) -> Iterator[MaterialPorts]:
        """Open the store with what a window is planned and written with."""
        with self.open() as store:
            yield origins.material_ports(store, self.clock, WordTokens())

    def plan(self, **changed: object) -> WindowPlan:
        """Plan a window by hand."""
        with self.ports() as ports:
            return planning.plan(ports, options=self.options(ports.store, **changed))

    def options(self, store: MortalStore, **changed: object) -> PlanOptions:
        """Return what the agent's settings ask for, and what is wished beside."""
        return planning.plan_options(agents.show(store, name=AGENT))._replace(**changed)

    def fold(self, **changed: object) -> Compaction:
        """Plan a window and put it in force."""
        return self.apply(self.plan(**changed))

    def apply(self, planned: WindowPlan) -> Compaction:
        """Put a planned window in force."""
        with self.ports() as ports:
            return compact.compact(ports, planned=planned)

    def undo(self) -> Compaction:
        """Bring the window back that was before."""
        with self.ports() as ports:
            return undoing.undo(ports, agent=AGENT)

    def dying(self, point: str | None, does: Callable[[], object]) -> None:
        """Do something by hand and be killed at a failpoint; the lease has run out since."""

        def hook(name: str) -> None:
            if name == point:
                self.clock.pass_time(LEASE)
                raise KilledError(name)

        failpoints.install(hook)
        try:
            does()
        finally:
            failpoints.install(lambda _: None)

    def log(self) -> bytes:
        """Return all messages of the log as lines of JSON."""
        with self.open() as store:
            return b"\n".join(to_json(one) for one in history.messages(store, agent=AGENT))

    def sent(self) -> bytes:
        """Return what is sent: the summary, then the messages."""
        with self.open() as store:
            shown = window(store, agent=AGENT)
        return b"\n".join(to_json(one) for one in (shown.head.summary, *shown.messages))


REQUEST = " ".join(f"word{number}" for number in range(40))
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

    def dependencies(self, *given: object) -> Dependencies:
        """Return dependencies that remember what is told."""
        made = super().dependencies(*given)
        replace = msgspec.structs.replace
        models = replace(made.models, embedder=self.embedder, prices=self.prices)
        holder = replace(made.holder, tell=self.told.append)
        return replace(made, models=models, holder=holder)

    def settle(self, **settings: object) -> None:
        """Change settings of the agent."""
        with self.open() as store:
            agents.set_(store, name=AGENT, change=AgentChange(**settings))

    def size(self) -> int:
        """Return the tokens of what is sent now, as the provider counts."""
        with self.open() as store:
            ports = material_ports(store, self.clock, WordTokens())
            return sent_size(ports, agent=AGENT).total

    def changes(self) -> list[Compaction]:
        """Return all changes of the window."""
        with self.open() as store:
            return listing.list_(store, agent=AGENT)

    def window(self) -> WindowPlan | None:
        """Return the window in force."""
        with self.open() as store:
            return windows.in_force(store, agent=AGENT)

    def live(self, model: Scripted, cycles: int, *, words: str = REQUEST) -> list[int | None]:
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
