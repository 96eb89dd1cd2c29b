"""Lives that are long enough to be folded: each cycle reads, calls a tool and sums itself up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from histories import PROGRAM
from living import AGENT, LEASE, KilledError, Life, MortalStore
from logs import WordTokens
from loopback.turns import Turn
from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.compaction.plans.material import Wish
from mindpipe.compaction.records import Compaction, WindowPlan
from mindpipe.compaction.verbs import applying, planning, undoing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.compaction.verbs.windows import window
from mindpipe.context.verbs import compacting
from mindpipe.core import failpoints
from mindpipe.core.records import to_json
from mindpipe.core.tools import ToolManifest
from mindpipe.history.verbs import show
from plays import Scripted, call, calls

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
    def ports(self) -> Iterator[Ports]:
        """Open the store with what a window is planned and written with."""
        with self.open() as store:
            yield compacting.ports_of(store, self.clock, WordTokens())

    def plan(self, **wished: object) -> WindowPlan:
        """Plan a window by hand."""
        with self.ports() as ports:
            return planning.plan(ports, wish=self.wish(ports.store, **wished))

    def wish(self, store: MortalStore, **wished: object) -> Wish:
        """Return what the agent's settings ask for, and what is wished beside."""
        return planning.wish_of(agents.show(store, name=AGENT))._replace(**wished)

    def fold(self, **wished: object) -> Compaction:
        """Plan a window and put it in force."""
        return self.apply(self.plan(**wished))

    def apply(self, planned: WindowPlan) -> Compaction:
        """Put a planned window in force."""
        with self.ports() as ports:
            return applying.at_once(ports, planned=planned)

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
            return b"\n".join(to_json(one) for one in show.messages(store, agent=AGENT))

    def sent(self) -> bytes:
        """Return what is sent: the summary, then the messages."""
        with self.open() as store:
            shown = window(store, agent=AGENT)
        return b"\n".join(to_json(one) for one in (shown.head.summary, *shown.messages))
