"""A long life of kills, rewinds, folded windows and strangers comes out the same, every cycle."""

import contextlib
import random
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.records import Compaction
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.store.access import open_store
from support.full_lives import FullLife
from support.life import AGENT, KilledError
from support.replays import replayed

DEATHS = (
    *("claim.after_commit", "reserve.after_commit", "ask.before_send", "ask.after_reply"),
    *("record.before_commit", "record.after_commit", "act.after_started", "act.after_effect"),
    *("act.before_done", "turn.before_commit", "turn.after_commit"),
)
FORKS = 5


class RoughLife(FullLife):
    """A life in which chance decides what goes wrong; the same seed is the same life."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance_of_test = random.Random(seed)
        super().__init__(folder)
        with self.open() as store:
            agents.new(store, self.clock, self.chance, name="ben")

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
            super().live(cycles, dies=dies, **fields)

    def fold(self, **changed: object) -> Compaction | None:  # type: ignore[override] # may not be
        """Fold the window, unless a cycle was left open or nothing is to be folded."""
        with contextlib.suppress(TemporaryError, NothingToDoError):
            return super().fold(**changed)
        return None

    def day(self, *_: object) -> None:
        """Live a day, after which people may do something to it."""
        super().day()
        draw = self.chance_of_test
        with self.open() as store, contextlib.suppress(MindError):
            if draw.random() < 1 / 20:
                style = draw.choice(("timeline", "continuous"))
                change = AgentChange(style=style)
                agents.set_(store, name=AGENT, change=change)
            if draw.random() < 1 / 25:
                rewinds.rewind(store, self.revoker, agent=AGENT)
            left = rewinds.list_(store, agent=AGENT)
            if draw.random() < 1 / 40 and left:
                rewinds.rewind(store, self.revoker, agent=AGENT, branch=left[-1].number)


@pytest.mark.parametrize("days", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_it_is_lived_again_forked_and_proved(tmp_path: Path, days: int) -> None:
    life = RoughLife(tmp_path / "life", seed=days)
    for _ in range(days):
        life.day()
    for _ in range(2):
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
