"""Promise 13: a clock that jumps by seconds, an hour or a year lets nothing run twice or stick."""

import contextlib
import datetime
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.instants import later
from mindpipe.inbox.records import Release
from mindpipe.inbox.verbs import inbox
from mindpipe.io.chance import SeededChance
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from mindpipe.store.sqlite import SqliteStore
from red import lease_on_wall_clock, lease_without_epoch
from support.broken_builds import broken
from support.command import Mind, looked_into
from support.fakes import FixedClock
from support.histories import PROGRAM
from support.life import KilledError, Life
from support.loopback.turns import Turn
from support.proofs import proved, turned_red
from support.scripted_model import Scripted
from support.stores import store_at

HOUR, YEAR = 3600, 31_536_000
JUMPS = (YEAR, -YEAR, HOUR, -HOUR, 30, -30)
BUSY = 75
FINE = Turn(text="All fine.")
MODEL = """#!/bin/sh
echo '{"text": "All fine."}'
"""


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(tmp_path / "life")


def jump(clock: FixedClock, seconds: int) -> None:
    """Move the wall clock alone."""
    clock.instant = later(clock.instant, seconds=seconds)


def talker() -> Scripted:
    return Scripted(PROGRAM, {}, otherwise=(FINE,))


def overtake(life: Life, seconds: int) -> tuple[bool, bool]:
    """Let the wall clock jump while a model is asked, and another worker try to get in.

    Return whether it got in, and whether the first one wrote anything after it had.
    """
    got_in: list[dict[str, list[tuple]]] = []
    model = talker()

    def listen(_: object) -> None:
        jump(life.clock, seconds)
        with contextlib.suppress(TemporaryError):
            life.think(talker())
            got_in.append(life.everything())

    model.listen = listen
    life.push("Hello!")
    with contextlib.suppress(MindError):
        life.think(model)
    return bool(got_in), bool(got_in) and life.everything() != got_in[0]


def test_nobody_gets_in_while_a_lease_holds(life: Life) -> None:
    for seconds in JUMPS:
        assert overtake(life, seconds) == (False, False)
    assert life.states("event") == ["done"] * len(JUMPS)
    said = life.value("SELECT count(*) FROM message WHERE role = 'assistant'")
    assert said == len(JUMPS)
    proved(13, jumps=len(JUMPS), double_commits=0)


def left_behind(life: Life, seconds: int) -> bool:
    """Kill a worker, let its lease end and the wall clock jump; tell whether its event sticks."""
    life.push("Hello!")
    with pytest.raises(KilledError):
        life.think(talker(), dies=("ask.before_send", 1))
    jump(life.clock, seconds)
    with contextlib.suppress(TemporaryError, NothingToDoError):
        life.think(talker())
    return set(life.states("event")) != {"done"}


def test_what_a_dead_worker_held_is_taken_over(life: Life) -> None:
    assert [left_behind(life, seconds) for seconds in JUMPS] == [False] * len(JUMPS)
    proved(13, jumps=len(JUMPS), stuck=0)


def test_what_was_given_back_for_a_while_comes_due(life: Life) -> None:
    for seconds in JUMPS:
        life.push("Hello!")
        with life.open() as store:
            (held,) = inbox.claim(store, life.clock, agent="ava", owner="one")
            how = Release(reason="busy", wait=100.0)
            inbox.release(store, life.clock, life.chance, id=held.id, epoch=held.epoch, how=how)
        jump(life.clock, seconds)
        life.clock.pass_time(100.0)
        assert life.think(talker()).outcome == "done"
    proved(13, jumps=len(JUMPS), stuck=0)


def test_a_build_with_leases_on_the_wall_clock_commits_twice_and_sticks(tmp_path: Path) -> None:
    both = (*lease_on_wall_clock.PATCHES, *lease_without_epoch.PATCHES)
    with broken(lease_on_wall_clock.PATCHES):
        assert overtake(Life(tmp_path / "in"), YEAR) == (True, False)
        assert left_behind(Life(tmp_path / "stuck"), -YEAR)
    with broken(both):
        assert overtake(Life(tmp_path / "twice"), YEAR) == (True, True)
    turned_red(13, "lease_on_wall_clock", double_commits=1, stuck=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


class Calendar:
    """A plan and a clock; `ran` counts its windows."""

    def __init__(self, store: SqliteStore, now: str, new: NewPlan) -> None:
        self.store, self.clock = store, FixedClock(instant=now)
        self.ran: Counter[str] = Counter()
        plans.add(store, self.clock, SeededChance(1), agent="ava", new=new)

    def look(self) -> list[str]:
        """Run what has come and return its windows."""
        found: list[str] = []
        with contextlib.suppress(NothingToDoError):
            plans.due(
                self.store,
                self.clock,
                hand_over=lambda events: found.extend(str(one.body["window"]) for one in events),
            )
        self.ran.update(found)
        return found

    def live(self, seconds: int, *, step: int) -> None:
        """Let time pass and look after each step."""
        for _ in range(seconds // step):
            self.clock.pass_time(step)
            self.look()


DAILY = NewPlan(title="Daily", cron="0 9 * * *")
DAY = 86_400


@pytest.mark.parametrize("seconds", JUMPS)
def test_a_plan_runs_each_window_once_and_goes_on(store: SqliteStore, seconds: int) -> None:
    days = Calendar(store, "2026-11-21T08:59:50Z", DAILY)
    days.live(20, step=10)
    jump(days.clock, seconds)
    days.look()
    days.live(3 * DAY, step=6 * HOUR)
    jump(days.clock, -seconds)
    days.look()
    days.live(3 * DAY, step=6 * HOUR)
    assert set(days.ran.values()) == {1}
    assert days.ran.total() >= 4
    # The last day always has its run.
    assert f"{days.clock.instant[:8]}27T09:00:00Z" in days.ran
    proved(13, jumps=2, windows=days.ran.total(), windows_twice=0)


@pytest.mark.parametrize(
    ("day", "hour", "expected"),
    [
        ("2026-03-29", "2:30", "2026-03-29T01:00:00Z"),
        ("2026-10-25", "2:30", "2026-10-25T00:30:00Z"),
    ],
)
def test_an_hour_that_is_skipped_or_repeated_runs_once(
    store: SqliteStore, day: str, hour: str, expected: str
) -> None:
    hours, minutes = hour.split(":")
    new = NewPlan(title="Night", cron=f"{minutes} {hours} * * *", zone="Europe/Berlin")
    before = datetime.date.fromisoformat(day) - datetime.timedelta(days=1)
    nights = Calendar(store, f"{before}T12:00:00Z", new)
    nights.live(DAY, step=600)
    assert nights.ran == {expected: 1}
    proved(13, windows=1, windows_twice=0)


def test_processes_under_clocks_years_apart_respect_each_other(life: Life) -> None:
    life.push("Hello!")
    answer = life.path.parent / "answer"
    answer.write_text(MODEL)
    answer.chmod(0o700)
    mind = Mind(life.path.parent, {"MIND_INBOX_LEASE_SECONDS": "3600"})
    think = ("think", "--agent", "ava", "--model", "program:./answer")

    def at(year: int, **more: str) -> int:
        environment = {"MIND_NOW": f"{year}-11-21T20:00:00Z", **more}
        return mind.run(*think, environment=environment).status

    assert at(2026, **mind.failing("ask.before_send:kill")) == -9
    assert at(2028) == BUSY
    with looked_into(life.path.parent) as store:
        # As an hour of the clock since boot would.
        store.execute("UPDATE agent_lease SET seconds = seconds - 3600")
    assert at(2025) == 0
    assert life.states("event") == ["done"]
    proved(13, processes=3, double_commits=0)


def test_a_broken_build_leaves_no_broken_clock_behind() -> None:
    before = [dict(vars(kind)) for kind, _, _ in lease_on_wall_clock.PATCHES]
    with broken(lease_on_wall_clock.PATCHES):
        pass
    assert [dict(vars(kind)) for kind, _, _ in lease_on_wall_clock.PATCHES] == before
