"""What iterations leave behind, the modes and pauses of a loop, and agents that take turns."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import NothingToDoError, RefusedError, TemporaryError
from mindpipe.core.events import NewEvent, Priority
from mindpipe.engine.records.attention import Attended, AttentionRules
from mindpipe.engine.records.journal import CycleReport, EventChoice
from mindpipe.engine.verbs import concern, run
from mindpipe.engine.worker import checkpoints, log
from mindpipe.engine.worker import log as worker_log
from mindpipe.engine.worker.modes import HOLDING
from mindpipe.engine.worker.phases import Phases, Worker
from mindpipe.history.records import CycleEnd, CycleOutcome
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Bounds as Room
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.io.chance import make_chance
from mindpipe.store.access import make_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers.records import (
    Checkpoint,
    LoopMode,
    WorkerBounds,
    WorkerSession,
    WorkerSessionState,
)
from support.fakes import FixedClock

REPORT = CycleReport(
    agent="ava",
    cycle=1,
    outcome="done",
    events=(),
    turns=1,
    calls=0,
    model="m",
    input_tokens=0,
    cached_tokens=0,
    output_tokens=0,
    cost_micros=0,
    milliseconds=200,
    summary="",
)


class House:
    """A store with agents whose cycles take up and acknowledge what they are given."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.chance = FixedClock(), make_chance(1)
        self.store: SqliteStore = make_store(folder / "mind.db", self.clock, self.chance)
        self.deliver = deliverer(self.store, self.clock, self.chance, bounds=Room())
        self.thought: list[tuple[float, str, tuple[str, ...]]] = []
        self.said: list[str] = []
        self.beats: list[str] = []

    def push(self, agent: str, count: int = 1, priority: int = Priority.NORMAL) -> None:
        """Push events."""
        self.deliver(
            [NewEvent(agent=agent, text=f"event {at}", priority=priority) for at in range(count)]
        )

    def worker(self, agent: str, *, mending: bool = False) -> Worker:
        """Return an agent's worker; the agent is made if it is not there."""
        if agent not in {one.name for one in agents.list_(self.store)}:
            agents.new(self.store, self.clock, self.chance, name=agent, change=AgentChange())
        return Worker(
            store=self.store,
            clock=self.clock,
            chance=self.chance,
            deliver=self.deliver,
            life=WorkerSession(
                id=f"r_{agent}",
                agent=agent,
                state=WorkerSessionState.RUNNING,
                pid=1,
                born="1",
                boot="boot-1",
                program="0",
                schema=1,
                started=self.clock.now(),
            ),
            phases=Phases(
                observe=lambda session, limits: self._observe(agent, session, limits),
                think=lambda choice: self._think(agent, choice),
                consolidate=lambda: self.beats.append("consolidate") or "",
                develop=lambda: self.beats.append("develop") or "",
            ),
            mending=mending,
            wait=self.clock.pass_time,
            check=lambda: None,
            tell=self.said.append,
        )

    def live(self, *workers: Worker, seconds: float) -> list[CycleReport]:
        """Live for so long."""
        until = FixedClock(self.clock.instant)
        until.pass_time(seconds)
        return list(run.run(workers, bounds=WorkerBounds(until=until.instant)))

    def modes(self, agent: str) -> list[tuple[LoopMode, str]]:
        """Return into which modes an agent went, and by whom."""
        return [(one.after, one.by) for one in worker_log.list_changes(self.store, agent=agent)]

    def _observe(self, agent: str, session: Checkpoint, limits: AttentionRules) -> Attended:
        return concern.attend(self.store, self.clock, agent=agent, session=session, limits=limits)

    def _think(self, agent: str, choice: EventChoice) -> CycleReport:
        taken = inbox.claim_only(
            self.store, self.clock, agent=agent, ids=choice.only or (), owner="me"
        )
        if not taken:
            raise NothingToDoError("nothing")
        for event in taken:
            inbox.ack(self.store, id=event.id, epoch=event.epoch)
        self.clock.pass_time(0.2)
        self.thought.append((self.clock.seconds, agent, tuple(event.id for event in taken)))
        return msgspec.structs.replace(
            REPORT, agent=agent, cycle=len(self.thought), events=choice.only or ()
        )


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Return a house; its store is closed at the end."""
    folder = tmp_path / "house"
    folder.mkdir(mode=0o700)
    made = House(folder)
    yield made
    made.store.close()


def test_an_iteration_leaves_one_row_and_waiting_leaves_none(house: House) -> None:
    worker = house.worker("ava")
    house.push("ava", 3)
    house.live(worker, seconds=100)
    (row,) = log.list_iterations(house.store, agent="ava")
    assert (row.number, row.mode, row.cycle, row.events, row.queue) == (1, LoopMode.NORMAL, 1, 3, 3)
    assert (row.life, row.outcome, row.think_ms) == ("r_ava", "done", 200.0)
    saved = checkpoints.load_checkpoint(house.store, agent="ava")
    assert saved is not None
    assert (saved.iteration, saved.mean_queue, saved.mean_seconds) == (1, 3.0, pytest.approx(0.2))


def test_a_number_goes_on_over_lives(house: House) -> None:
    for _ in range(3):
        worker = house.worker("ava")
        house.push("ava")
        house.live(worker, seconds=30)
    rows = log.list_iterations(house.store, agent="ava")
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))


def test_what_is_urgent_waits_for_no_pause_and_the_rest_does(house: House) -> None:
    worker = house.worker("ava")
    house.push("ava")

    def wait(seconds: float) -> None:
        house.clock.pass_time(min(seconds, 0.1))
        if len(house.thought) == 1 and house.clock.seconds > 1000.5 and not pushed:
            pushed.append(house.clock.seconds)
            house.push("ava", priority=Priority.URGENT)
        if len(house.thought) == 2 and len(pushed) == 1:
            pushed.append(house.clock.seconds)
            house.push("ava")

    import msgspec

    pushed: list[float] = []
    patient = msgspec.structs.replace(worker, wait=wait)
    list(run.run([patient], bounds=WorkerBounds(cycles=3)))
    assert len(house.thought) == 3
    assert house.thought[1][0] - pushed[0] == pytest.approx(0.2)
    assert house.thought[2][0] - pushed[1] > 1.0


def test_many_events_bring_overload_which_drains_without_a_pause(house: House) -> None:
    worker = house.worker("ava")
    house.push("ava", 100)
    house.live(worker, seconds=60)
    assert house.modes("ava") == [(LoopMode.OVERLOAD, "loop"), (LoopMode.NORMAL, "loop")]
    rows = log.list_iterations(house.store, agent="ava")
    assert sum(row.events for row in rows) == 100
    shallow = [row for row in rows if row.mode is LoopMode.OVERLOAD]
    assert {row.events for row in shallow} == {3}
    gaps = [
        after[0] - before[0]
        for before, after in zip(house.thought, house.thought[1 : len(shallow)], strict=False)
    ]
    assert max(gaps) == pytest.approx(0.2)


def test_idle_time_brings_exploration_consolidation_and_sleep_and_a_message_wakes(
    house: House,
) -> None:
    worker = house.worker("ava")
    house.push("ava")
    house.live(worker, seconds=2000)
    assert house.beats == ["consolidate"]
    assert [mode for mode, _ in house.modes("ava")] == [LoopMode.EXPLORATION, LoopMode.SLEEP]
    house.push("ava", priority=Priority.BACKGROUND)
    assert house.live(worker, seconds=60) == []
    house.push("ava")
    (woken,) = house.live(worker, seconds=60)
    assert len(woken.events) == 2
    assert house.modes("ava")[2] == (LoopMode.NORMAL, "loop")


@pytest.mark.long
def test_a_day_brings_development(house: House) -> None:
    house.live(house.worker("ava"), seconds=86_500)
    assert house.beats == ["develop"]
    assert [row.outcome for row in log.list_iterations(house.store, agent="ava")] == ["developed"]


def test_a_day_of_short_lives_brings_development_too(house: House) -> None:
    for _ in range(3):
        house.live(house.worker("ava"), seconds=10)
        house.clock.pass_time(36_000)
    assert house.beats == []
    house.live(house.worker("ava"), seconds=10)
    assert house.beats == ["develop"]


def test_slow_rhythms_come_although_something_always_waits(house: House) -> None:
    worker = house.worker("ava")

    def think(choice: EventChoice) -> CycleReport:
        house.push("ava", len(choice.only or ()))
        return worker.phases.think(choice)

    busy = msgspec.structs.replace(worker.phases, think=think)
    house.push("ava", 12)
    house.clock.pass_time(86_390)
    before = house.live(msgspec.structs.replace(worker, phases=busy), seconds=90)
    assert house.beats == ["consolidate"] * (len(before) // 20)
    assert len(before) >= 40
    house.clock.pass_time(86_400)
    house.live(msgspec.structs.replace(worker, phases=busy), seconds=5)
    assert house.beats.count("develop") == 1


def test_neither_comes_before_what_is_urgent_nor_in_overload(house: House) -> None:
    worker = house.worker("ava")
    house.push("ava", 200, priority=Priority.URGENT)
    house.push("ava", 200)
    house.live(worker, seconds=300)
    cycle_at = [row.cycle is not None for row in log.list_iterations(house.store, agent="ava")]
    assert cycle_at.index(False) > 80


def test_in_a_sleep_that_a_person_began_only_what_is_urgent_is_taken_up(house: House) -> None:
    worker = house.worker("ava")
    worker_log.change_mode(
        house.store, house.clock, agent="ava", after=LoopMode.SLEEP, by="operator", reason="night"
    )
    house.push("ava", 6)
    assert house.live(worker, seconds=60) == []
    house.push("ava", priority=Priority.URGENT)
    assert len(house.live(worker, seconds=60)) == 1
    worker_log.change_mode(
        house.store, house.clock, agent="ava", after=LoopMode.NORMAL, by="operator", reason="day"
    )
    assert sum(len(one.events) for one in house.live(worker, seconds=60)) == 6


def order(house: House, mode: LoopMode) -> None:
    worker_log.change_mode(
        house.store, house.clock, agent="ava", after=mode, by="operator", reason="asked to"
    )


@pytest.mark.parametrize("before", [LoopMode.SLEEP, LoopMode.OVERLOAD, LoopMode.NORMAL])
@pytest.mark.parametrize("mode", sorted(HOLDING))
def test_a_mode_that_a_person_sets_holds_whatever_was_before_it(
    house: House, before: LoopMode, mode: LoopMode
) -> None:
    worker = house.worker("ava")
    if before is not LoopMode.NORMAL:
        worker_log.change_mode(
            house.store, house.clock, agent="ava", after=before, by="loop", reason="by itself"
        )
    order(house, mode)
    with pytest.raises(NothingToDoError):
        order(house, mode)
    for _ in range(3):
        house.live(worker, seconds=20)
        house.clock.pass_time(2000)
        house.push("ava", 60)
        assert house.modes("ava")[-1] == (mode, "operator")


def test_normal_that_a_person_sets_on_an_idle_loop_holds_as_long_as_after_a_cycle(
    house: House,
) -> None:
    worker = house.worker("ava")
    began = house.clock.seconds

    def wait(seconds: float) -> None:
        house.clock.pass_time(seconds)
        if (LoopMode.NORMAL, "operator") in house.modes("ava"):
            return
        if house.clock.seconds - began > 2000:
            order(house, LoopMode.NORMAL)

    worker = msgspec.structs.replace(worker, wait=wait)
    house.live(worker, seconds=2280)
    assert house.modes("ava")[-2:] == [(LoopMode.SLEEP, "loop"), (LoopMode.NORMAL, "operator")]
    house.live(worker, seconds=60)
    assert house.modes("ava")[-1] == (LoopMode.EXPLORATION, "loop")


def test_a_mode_that_holds_is_waited_in_without_haste(house: House) -> None:
    worker = house.worker("ava")
    order(house, LoopMode.EXPLORATION)
    house.clock.pass_time(4000)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        house.clock.pass_time(seconds)

    house.live(msgspec.structs.replace(worker, wait=wait), seconds=60)
    assert len(waits) < 60


def test_a_life_after_a_crash_begins_in_recovery(house: House) -> None:
    house.live(house.worker("ava", mending=True), seconds=5)
    assert house.modes("ava") == [(LoopMode.RECOVERY, "loop"), (LoopMode.NORMAL, "loop")]
    with pytest.raises(RefusedError, match="ends by itself"):
        worker_log.change_mode(
            house.store, house.clock, agent="ava", after=LoopMode.RECOVERY, by="operator", reason=""
        )


def test_a_crash_that_somebody_else_put_right_is_made_good_first_too(house: House) -> None:
    worker = house.worker("ava")
    worker_log.change_mode(
        house.store, house.clock, agent="ava", after=LoopMode.RECOVERY, by="loop", reason="a crash"
    )
    opened = cycles.open_cycle(
        house.store, house.clock, agent="ava", trigger="test", events=(), model="m"
    )
    house.push("ava")
    lived: list[tuple[LoopMode, bool]] = []

    def think(choice: EventChoice) -> CycleReport:
        lived.append(
            (
                worker_log.mode_of(worker_log.last_change(house.store, agent="ava")),
                bool(choice.only),
            )
        )
        if cycles.open_one(house.store, agent="ava") is None:
            return worker.phases.think(choice)
        end = CycleEnd(outcome=CycleOutcome.SKIPPED)
        cycles.close_cycle(house.store, house.clock, agent="ava", cycle=opened, end=end)
        return REPORT

    phases = msgspec.structs.replace(worker.phases, think=think)
    house.live(msgspec.structs.replace(worker, phases=phases), seconds=30)
    assert lived == [(LoopMode.RECOVERY, False), (LoopMode.NORMAL, True)]


def test_who_does_not_get_the_agent_changes_nothing_of_its_loop(house: House) -> None:
    worker = house.worker("ava", mending=True)
    house.push("ava", 60)
    worker_log.change_mode(
        house.store, house.clock, agent="ava", after=LoopMode.RECOVERY, by="loop", reason="a crash"
    )

    def refused(_: EventChoice) -> CycleReport:
        leases.acquire(house.store, house.clock, agent="ava", owner="second", seconds=60.0)
        raise AssertionError

    leases.acquire(house.store, house.clock, agent="ava", owner="first", seconds=60.0)
    phases = msgspec.structs.replace(worker.phases, think=refused)
    second = msgspec.structs.replace(worker, phases=phases)
    with pytest.raises(TemporaryError):
        list(run.run([second], bounds=WorkerBounds(once=True)))
    assert house.modes("ava") == [(LoopMode.RECOVERY, "loop")]
    assert checkpoints.load_checkpoint(house.store, agent="ava") is None


def test_agents_of_one_process_take_turns(house: House) -> None:
    workers = [house.worker(name) for name in ("ava", "bea", "cleo")]
    for name in ("ava", "bea", "cleo"):
        house.push(name, 80)
    house.live(*workers, seconds=120)
    first = [agent for _, agent, _ in house.thought[:12]]
    assert first == ["ava", "bea", "cleo"] * 4
    assert {len(ids) for _, _, ids in house.thought} <= set(range(1, 11))
    assert sum(len(ids) for _, _, ids in house.thought) == 240


def test_old_iterations_are_not_kept_for_ever(house: House) -> None:
    house.worker("ava")
    house.live(house.worker("ava"), seconds=1)
    house.push("ava", 5)
    house.live(house.worker("ava"), seconds=30)
    (row,) = log.list_iterations(house.store, agent="ava")
    import msgspec

    for number in range(2, 20):
        log.add_iteration(house.store, msgspec.structs.replace(row, number=number), keep=5)
    kept = [one.number for one in log.list_iterations(house.store, agent="ava")]
    assert kept == [15, 16, 17, 18, 19]
