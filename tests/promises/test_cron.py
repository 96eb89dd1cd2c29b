"""Promise 18: overlapping cron runs do the work once; missed windows run once."""

import collections
import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.events import NewEvent
from mindpipe.io.chance import make_chance
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.store.access import open_where
from red import plan_without_claims
from support.broken_builds import broken
from support.command import BIN, NOW, clean_environment, looked_into, make_private
from support.fakes import FixedClock
from support.processes import Newborn, Nursery
from support.proofs import proved, turned_red
from support.server_stores import ON_SERVER, make_at, named_at, where_at

STARTS = 20
THEN = "2026-11-24T20:00:00Z"
LAST_WINDOW = "2026-11-24T09:00:00Z"
DAILY = NewPlan(title="Daily", cron="0 9 * * *")
EACH = NewPlan(title="Each", cron="30 9 * * *", catch_up="all")
MISSED = ("2026-11-22T09:30:00Z", "2026-11-23T09:30:00Z", "2026-11-24T09:30:00Z")

# Its claim ends with the boot of its machine; a server has one clock for all boots.
OVER = "UPDATE plan_window SET " + ("seconds = 0" if ON_SERVER else "boot = 'another boot'")


@dataclass
class Cron:
    """A store with an agent, and processes that start when three windows have been missed."""

    folder: Path
    store: Path
    nursery: Nursery | None = None
    born: int = 0
    chance: object = field(default_factory=lambda: make_chance(18))

    def plan(self, new: NewPlan) -> str:
        """Make a plan three days ago and return its id."""
        with contextlib.closing(open_where(where_at(self.store))) as store:
            made = plans.add(store, FixedClock(instant=NOW), self.chance, agent="ava", new=new)
        return made.id

    def start(self, *more: str, fails: str = "") -> Newborn:
        """Start a process that looks what has come."""
        assert self.nursery is not None
        self.born += 1
        environment = self.environment()
        if fails:
            environment |= {"MIND_TESTING": "1", "MIND_FAIL": fails}
        out = self.folder / f"{self.store.stem}-{self.born}"
        return self.nursery.start(("plan", "due", *more), out, environment)

    def environment(self) -> dict[str, str]:
        """Return when and where a process lives."""
        return {"MIND_NOW": THEN, "MIND_STORE": named_at(self.store)}

    def start_at_once(self) -> tuple[collections.Counter[str], list[int]]:
        """Start 20 processes at once; return how often each key was printed, and the statuses."""
        running = [self.start() for _ in range(STARTS)]
        statuses = [one.status() for one in running]
        keys = [one["key"] for born in running for one in born.records()]
        return collections.Counter(keys), statuses

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with looked_into(self.store.parent, self.store.name) as store:
            return list(store.execute(sql))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_private(tmp_path_factory.mktemp("cron") / "life")


@pytest.fixture(scope="module")
def nursery(folder: Path) -> Iterator[Nursery]:
    with contextlib.closing(Nursery(folder)) as made:
        yield made


def store_in(folder: Path, name: str) -> Cron:
    """Make a store with an agent."""
    path, clock, chance = folder / f"{name}.db", FixedClock(instant=NOW), make_chance(1)
    with contextlib.closing(make_at(path, clock, chance)) as store:
        agents.new(store, clock, chance, name="ava", change=AgentChange())
    return Cron(folder, path)


@pytest.fixture
def idle(folder: Path, request: pytest.FixtureRequest) -> Cron:
    """Give a store in which no process has anything to do."""
    return store_in(folder, request.node.originalname[-20:])


@pytest.fixture
def cron(idle: Cron, nursery: Nursery) -> Cron:
    idle.nursery = nursery
    return idle


def test_twenty_starts_print_each_window_once(cron: Cron) -> None:
    once, each = cron.plan(DAILY), cron.plan(EACH)
    printed, statuses = cron.start_at_once()
    missed = {f"plan:{each}:{window}": 1 for window in MISSED}
    assert printed == {f"plan:{once}:{LAST_WINDOW}": 1} | missed
    assert sorted(statuses) == [0] + [3] * (STARTS - 1)
    daily = cron.rows("SELECT last, next FROM plan ORDER BY number LIMIT 1")
    assert daily == [(LAST_WINDOW, "2026-11-25T09:00:00Z")]
    proved(18, starts=STARTS, windows=len(printed), windows_twice=0, slept_through=3)


def look(cron: Cron) -> list[str]:
    """Look what has come, as a process does, and return the keys of its events."""
    found: list[str] = []

    def keep(events: list[NewEvent]) -> None:
        found.extend(str(one.key) for one in events)

    with (
        contextlib.closing(open_where(where_at(cron.store))) as store,
        contextlib.suppress(NothingToDoError),
    ):
        plans.due(store, FixedClock(instant=THEN), hand_over=keep)
    return found


def test_a_build_that_keeps_no_row_for_a_window_prints_it_more_than_once(idle: Cron) -> None:
    key = f"plan:{idle.plan(DAILY)}:{LAST_WINDOW}"
    with broken(plan_without_claims.PATCHES):
        printed = [*look(idle), *look(idle)]
    assert printed == [key, key]
    assert [look(idle), look(idle)] == [[key], []]
    turned_red(18, "plan_without_claims", windows_twice=1)


@pytest.mark.long
def test_twenty_starts_of_a_build_that_keeps_no_row_print_more_than_once(
    idle: Cron, folder: Path
) -> None:
    plan = idle.plan(DAILY)
    with contextlib.closing(Nursery(folder, "plan_without_claims")) as idle.nursery:
        printed, _ = idle.start_at_once()
    assert printed[f"plan:{plan}:{LAST_WINDOW}"] > 1
    turned_red(18, "plan_without_claims", runs_of_one_window=printed.total())


def test_a_reader_that_left_loses_no_window(cron: Cron) -> None:
    key = f"plan:{cron.plan(DAILY)}:{LAST_WINDOW}"
    reading, writing = os.pipe()
    os.close(reading)
    left = subprocess.run(
        [BIN / "mind", "plan", "due"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=cron.folder,
        env={
            **clean_environment(cron.folder),
            "MIND_NOW": THEN,
            "MIND_STORE": named_at(cron.store),
        },
        check=False,
    )
    os.close(writing)
    assert (left.returncode, left.stderr) == (141, b"")
    again = cron.start()
    assert again.status() == 0
    assert [one["key"] for one in again.records()] == [key]


def test_a_process_that_dies_before_it_printed_loses_no_window(cron: Cron) -> None:
    key = f"plan:{cron.plan(DAILY)}:{LAST_WINDOW}"
    killed = cron.start(fails="print.before_flush:kill")
    assert (killed.status(), killed.records()) == (-9, [])
    assert cron.start().status() == 3
    kept = cron.rows("SELECT window, state, attempts FROM plan_window ORDER BY window DESC")
    assert kept[0] == (LAST_WINDOW, "claimed", 1)
    assert {state for _, state, _ in kept[1:]} == {"skipped"}
    with looked_into(cron.store.parent, cron.store.name) as store:
        store.execute(OVER)
    again = cron.start()
    assert again.status() == 0
    assert [one["key"] for one in again.records()] == [key]
    proved(18, killed=1, windows_lost=0)


def test_pushing_twice_leaves_one_event(cron: Cron) -> None:
    cron.plan(DAILY)
    assert cron.start("--push", fails="print.before_flush:kill").status() == -9
    assert cron.start("--push").status() == 3
    assert cron.rows("SELECT type, state FROM event") == [("plan", "ready")]
