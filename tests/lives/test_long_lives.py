"""A long life of kills, rewinds, folded windows and strangers comes out the same, every cycle."""

import contextlib
import functools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.records import Compaction
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.records.journal import Ticket
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.store.access import open_store
from mindpipe.store.sqlite import SqliteStore
from support.full_lives import FullLife
from support.histories import PROGRAM
from support.life import AGENT, KilledError, MortalStore
from support.loopback.turns import Turn
from support.replays import replayed
from support.scripted_model import Scripted, call, calls
from support.windows import LOOK

DEATHS = (
    *("claim.after_commit", "reserve.after_commit", "ask.before_send", "ask.after_reply"),
    *("record.before_commit", "record.after_commit", "act.after_started", "act.after_effect"),
    *("act.before_done", "turn.before_commit", "turn.after_commit"),
)
FORKS = 5


PAY = ToolManifest(
    name="pay", description="Pay.", command=("keyed",), effect="keyed", approval="always"
)
PLAYS = (
    (calls(call("pay", amount=5)), Turn(text="It waits for a person.")),
    (calls(call("send_message", text="Are you there?", space="family", wait=True)),),
    (calls(call("delegate", to="ben", text="Count.")), Turn(text="Ben counts.")),
    (calls(call("pay", amount=6), call("look", at="1")), Turn(text="I looked, too.")),
)
"""What a model does at times: it asks a person, waits for an answer, gives work to another."""
FULL_DAY = 8
"""In one of so many days all stands around the cycle that can."""


class RoughLife(FullLife):
    """A life in which chance decides what goes wrong; the same seed is the same life.

    Its store is opened once; a worker that dies leaves it to the next one.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance_of_test = random.Random(seed)
        self._kept: SqliteStore | None = None
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
        if draw.random() < 1 / 10:
            fields["source"] = "web"
        if draw.random() < 1 / 20:
            fields["priority"] = 1
        if draw.random() < 1 / 8:
            dies = (draw.choice(DEATHS), draw.choice((1, 1, 2)))
        with contextlib.suppress(KilledError):
            if draw.random() < 1 / 8:
                self.push("Do it.", **fields)
                self.clock.pass_time(60.0)
                play = draw.choice(PLAYS)
                self.think(Scripted(PROGRAM, {}, otherwise=play), dies=dies)
            else:
                super().live(cycles, dies=dies, **fields)

    def fold(self, **changed: object) -> Compaction | None:  # type: ignore[override] # may not be
        """Fold the window, unless a cycle was left open or nothing is to be folded."""
        with contextlib.suppress(TemporaryError, NothingToDoError):
            return super().fold(**changed)
        return None

    def day(self, *_: object) -> None:
        """Live a day, after which people may do something to it."""
        draw = self.chance_of_test
        if draw.random() < 1 / FULL_DAY:
            super().day()
        else:
            self.live()
        with self.open() as store, contextlib.suppress(MindError):
            for ticket in tickets.list_(store, self.clock, agent=AGENT):
                self._answer(store, ticket)
            if draw.random() < 1 / 20:
                style = draw.choice(("timeline", "continuous"))
                change = AgentChange(style=style)
                agents.set_(store, name=AGENT, change=change)
            if draw.random() < 1 / 25:
                rewinds.rewind(store, self.revoker, agent=AGENT)
            left = rewinds.list_(store, agent=AGENT)
            if draw.random() < 1 / 40 and left:
                rewinds.rewind(store, self.revoker, agent=AGENT, branch=left[-1].number)

    def _answer(self, store: MortalStore, ticket: Ticket) -> None:
        """Say as a person whether a call may be made."""
        deps = self.dependencies(store, Scripted(PROGRAM, {}))
        verdict = tickets.TicketVerdict("husam")
        decide = functools.partial(tickets.approve, sha256=str(ticket.sha256))
        if self.chance_of_test.random() < 1 / 3:
            decide = tickets.deny
        decide(store, self.clock, deps.tools.deliver, ticket=ticket.id, verdict=verdict)


@pytest.mark.parametrize(
    ("days", "times"), [(200, 1), pytest.param(1000, 2, marks=pytest.mark.long)]
)
def test_it_is_lived_again_forked_and_proved(tmp_path: Path, days: int, times: int) -> None:
    life = RoughLife(tmp_path / "life", seed=days)
    for _ in range(days):
        life.day()
    for _ in range(times):
        found, verdict = replayed(life.path)
        assert found == []
        assert verdict.equal
        assert verdict.lived >= days
    with contextlib.closing(open_store(life.path)) as store:
        check = lives.verify(
            lives.export(store, life.clock, agent=AGENT), name="ava.life", rules=SlotRules()
        )
        assert list(check.wrong()) == []
        known = life.rows(f"SELECT cycle FROM cycle_change WHERE agent = '{AGENT}'")
        for number, (cycle,) in enumerate(random.Random(days).sample(known, FORKS)):
            into = tmp_path / f"eva{number}.db"
            lives.fork(
                store,
                life.clock,
                life.chance,
                agent=AGENT,
                cycle=cycle,
                into=into,
                change=AgentChange(),
            )
            with (
                lives.picture(store, agent=AGENT, cycle=cycle) as then,
                contextlib.closing(open_store(into)) as other,
                lives.picture(other, agent=AGENT, cycle=cycle) as now,
            ):
                assert list(lives.diff(then, now)) == []
