"""Lives in which chance decides what goes wrong: kills, rewinds, strangers, stops, other people."""

import contextlib
import functools
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.records import Compaction
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.events import NewEvent
from mindpipe.core.models import ModelRequest
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.records.journal import Ticket
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.worker.interrupts import StoppedError
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.observers.records import ObserverStep
from mindpipe.observers.verbs import steps
from mindpipe.recall.verbs import reindex
from mindpipe.store.access import open_store
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.sqlite import SqliteStore
from mindpipe.tasks.records import Report, TaskState
from mindpipe.tasks.verbs import task as tasks
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT, KilledError, MortalStore
from support.loopback.turns import Turn
from support.scripted_model import Scripted, call, calls
from support.windows import LOOK

DEATHS = (
    *("claim.after_commit", "reserve.after_commit", "ask.before_send", "ask.after_reply"),
    *("record.before_commit", "record.after_commit", "act.after_started", "act.after_effect"),
    *("act.before_done", "turn.before_commit", "turn.after_commit"),
)

PAY = ToolManifest(
    name="pay", description="Pay.", command=("keyed",), effect="keyed", approval="always"
)
DELEGATED = tuple(call("delegate", to="ben", text=text) for text in ("Count.", "Count again."))
PLAYS = (
    (calls(call("pay", amount=5)), Turn(text="It waits for a person.")),
    (
        calls(call("send_message", text="Are you there?", space="family", wait=True)),
        Turn(text="I waited."),
    ),
    (calls(*DELEGATED), Turn(text="Ben counts.")),
    (calls(call("pay", amount=6), call("look", at="1")), Turn(text="I looked, too.")),
)
"""What a model does at times: it asks a person, waits for an answer, gives work to another."""
FULL_DAY = 8
"""In one of so many days all stands around the cycle that can."""
SHORT_DAY = 0.6
"""In so many of all cycles one word is answered by another, so that a long life takes less time."""
PLACED = ("task", "decision", "escalation")
"""Tables whose rows have a place that is in no column, that VACUUM may change: so does each day."""
INTERRUPTED_DAY = 12
"""In one of so many cycles something that does not wait comes while the model is asked."""


class RoughLife(FullLife):
    """A life in which chance decides what goes wrong; the same seed is the same life.

    Its store is opened once; a worker that dies leaves it to the next one.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance_of_test = random.Random(seed)
        self._kept: SqliteStore | None = None
        self.styles: set[str] = set()
        self.lived = 0
        super().__init__(folder)
        with self.open() as store:
            agents.set_(store, name=AGENT, change=AgentChange(preset="full", tools=(PAY, LOOK)))
            agents.new(store, self.clock, self.chance, name="ben")

    @contextlib.contextmanager
    def open(self) -> Iterator[MortalStore]:
        """Give the store to one worker."""
        if self._kept is None:
            self._kept = open_store(self.path)
            self._kept.connection.execute("PRAGMA synchronous=OFF")
        yield MortalStore(self._kept.connection, self.path)

    def live(
        self, cycles: int = 1, *, dies: tuple[str, int] | None = None, **fields: object
    ) -> None:
        """Live a cycle; in one of eight the worker is killed, and another goes on."""
        draw = self.chance_of_test
        if draw.random() < 1 / INTERRUPTED_DAY:
            self._interrupted()
            return
        if draw.random() < 1 / 10:
            fields["source"] = "web"
        if draw.random() < 1 / 20:
            fields["priority"] = 1
        if draw.random() < 1 / 8:
            dies = (draw.choice(DEATHS), draw.choice((1, 1, 2)))
        with contextlib.suppress(KilledError):
            if draw.random() < SHORT_DAY:
                self.push("It is fine.", **fields)
                self.clock.pass_time(60.0)
                # Another may have died in this cycle, after some turns of it.
                said = (Turn(text="Good."),) * 4
                self.think(Scripted(PROGRAM, {}, otherwise=said), dies=dies)
            elif draw.random() < 1 / 4:
                self.push("Do it.", **fields)
                self.clock.pass_time(60.0)
                play = draw.choice(PLAYS)
                self.think(Scripted(PROGRAM, {}, otherwise=play), dies=dies)
            else:
                super().live(cycles, dies=dies, **fields)

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query, without opening the store again."""
        with self.open() as store:
            return list(store.connection.execute(sql))

    @property
    def cycles(self) -> int:
        """How many cycles the life has; what rewinds left is not counted."""
        return int(self.value(f"SELECT coalesce(max(cycle), 0) FROM cycle WHERE agent = '{AGENT}'"))

    def _interrupted(self) -> None:
        """Live a cycle into which an emergency comes, or that is told to stop, as it is asked."""
        ends = self.chance_of_test.choice((EmergencyError, StoppedError))
        left = [self.chance_of_test.choice((1, 2))]

        def hear(_: ModelRequest) -> None:
            left[0] -= 1
            if left[0] == 0:
                if ends is EmergencyError:
                    self.push("Fire!", priority=0)
                raise ends

        self.push("Do it.")
        self.clock.pass_time(60.0)
        play = (calls(call("look", at="1")), Turn(text="I looked."))
        with contextlib.suppress(StoppedError):
            self.think(Scripted(PROGRAM, {}, otherwise=play, listen=hear))

    def _move_rows(self, store: MortalStore) -> None:
        """Let the newest row of each table be where the oldest was."""
        for table in PLACED:
            last = self.value(f"SELECT coalesce(max(rowid), 0) FROM {table}")
            for place in ("-rowid", f"rowid + {last} + 1"):
                store.connection.execute(f"UPDATE {table} SET rowid = {place}").fetchall()

    def _observed(self, store: MortalStore, deliver: Callable[[list[NewEvent]], object]) -> None:
        """Let an observer tell of a file, and keep what it has seen."""
        told = NewEvent(agent=AGENT, source="file/notes.md", text=f"day {self.days}: changed")
        mark = {"seen": str(self.days)}
        before = steps.load(store, observer="files").marks
        step = ObserverStep(observer="files", events=(told,), marks=mark, marks_before=before)
        steps.keep(store, step=step, deliver=deliver)

    def _work(self, store: MortalStore, deliver: Callable[[list[NewEvent]], object]) -> None:
        """Let ben do what was given to him, or fail at it."""
        for task in tasks.given(store, worker="ben"):
            if task.state is TaskState.CREATED:
                with store.write() as rows:
                    tasks.send(rows, self.clock, task, anew=True, retry=None)
            done = self.chance_of_test.choice((Report(result="42"), Report(error="I cannot.")))
            tasks.report(store, self.clock, deliver, task=task.id, report=done)

    def fold(self, **changed: object) -> Compaction | None:  # type: ignore[override] # may not be
        """Fold the window, unless a cycle was left open or nothing is to be folded."""
        with contextlib.suppress(TemporaryError, NothingToDoError):
            return super().fold(**changed)
        return None

    def day(self, *_: object) -> None:
        """Live a day, after which people may do something to it."""
        self.lived += 1
        draw = self.chance_of_test
        if draw.random() < 1 / FULL_DAY:
            super().day()
        else:
            self.live()
        with self.open() as store, contextlib.suppress(MindError):
            self._move_rows(store)
            deliver = self.dependencies(store, Scripted(PROGRAM, {})).tools.deliver
            if draw.random() < 1 / 6:
                self._observed(store, deliver)
            if draw.random() < 1 / 12:
                self._work(store, deliver)
            for ticket in tickets.list_(store, self.clock, agent=AGENT):
                self._answer(store, ticket)
            if draw.random() < 1 / 20:
                style = draw.choice(("timeline", "continuous"))
                self.styles.add(style)
                change = AgentChange(style=style)
                agents.set_(store, name=AGENT, change=change)
            if draw.random() < 1 / 25:
                rewinds.rewind(store, self.revoker, agent=AGENT)
            left = rewinds.list_(store, agent=AGENT)[-3:]
            if draw.random() < 1 / 40 and left:
                rewinds.rewind(store, self.revoker, agent=AGENT, branch=draw.choice(left).number)
            if draw.random() < 1 / 20:
                reindex.reindex(store, note_all_made_anew)

    def _answer(self, store: MortalStore, ticket: Ticket) -> None:
        """Say as a person whether a call may be made."""
        deps = self.dependencies(store, Scripted(PROGRAM, {}))
        verdict = tickets.TicketVerdict("husam")
        decide = functools.partial(tickets.approve, sha256=str(ticket.sha256))
        if self.chance_of_test.random() < 1 / 3:
            decide = tickets.deny
        decide(store, self.clock, deps.tools.deliver, ticket=ticket.id, verdict=verdict)
