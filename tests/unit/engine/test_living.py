"""A worker that stays bears what passes, says it once, and rests after errors in a row."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import (
    CapReachedError,
    InputOutputError,
    MindError,
    ModelBrokenError,
    ModelBusyError,
    RecoveryError,
    RefusedError,
    TemporaryError,
)
from mindpipe.core.events import NewEvent
from mindpipe.core.instants import later
from mindpipe.engine.records.attention import Attended, AttentionRules
from mindpipe.engine.records.journal import CycleReport, EventChoice
from mindpipe.engine.verbs import concern
from mindpipe.engine.verbs import run as living
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.worker import log
from mindpipe.engine.worker.phases import Phases, Worker
from mindpipe.inbox.records import Bounds as Room
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import deliverer
from mindpipe.io.chance import make_chance
from mindpipe.store.access import make_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import Checkpoint, WorkerBounds, WorkerSessionState
from mindpipe.workers.records import WorkerSession as Marked
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
    milliseconds=0,
    summary="",
)
RUN = Marked(
    id="r_1",
    agent="ava",
    state=WorkerSessionState.RUNNING,
    pid=1,
    born="1",
    boot="boot-1",
    program="0",
    schema=1,
    started="2026-11-21T20:00:00Z",
)


class OverError(BaseException):
    """The test has seen enough."""


class Life:
    """A worker over a real store, whose cycles end as told and whose waits only move the clock."""

    def __init__(self, folder: Path, ends: Sequence[object]) -> None:
        self.clock, self.chance = FixedClock(), make_chance(1)
        self.store: SqliteStore = make_store(folder / "mind.db", self.clock, self.chance)
        agents.new(self.store, self.clock, self.chance, name="ava", change=AgentChange())
        self.deliver = deliverer(self.store, self.clock, self.chance, bounds=Room())
        self.deliver([NewEvent(agent="ava", text="Hello")])
        self.said: list[str] = []
        self.thought: list[float] = []
        self.chosen: list[EventChoice] = []
        self._ends = iter(ends)

    def worker(self, check: Callable[[], None] = lambda: None) -> Worker:
        """Return the worker."""
        return Worker(
            store=self.store,
            clock=self.clock,
            chance=self.chance,
            deliver=self.deliver,
            life=RUN,
            phases=Phases(observe=self._observe, think=self._think),
            wait=self.clock.pass_time,
            check=check,
            tell=self.said.append,
        )

    def live(self, **bounds: object) -> list[CycleReport]:
        """Live until the ends are used up."""
        found: list[CycleReport] = []
        with contextlib.suppress(OverError):
            found.extend(living.run([self.worker()], bounds=WorkerBounds(**bounds)))
        return found

    def told(self) -> list[str | None]:
        """Return the critical events in the inbox."""
        return [e.text for e in inbox.list_(self.store, agent="ava") if e.source == "loop"]

    def _observe(self, session: Checkpoint, limits: AttentionRules) -> Attended:
        return concern.attend(self.store, self.clock, agent="ava", session=session, limits=limits)

    def _think(self, choice: EventChoice) -> CycleReport:
        self.chosen.append(choice)
        self.thought.append(self.clock.seconds)
        end = next(self._ends, OverError())
        if isinstance(end, BaseException):
            raise end
        return REPORT


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[[Sequence[object]], Life]]:
    """Return what makes a life; its store is closed at the end."""
    with contextlib.ExitStack() as stack:
        number = itertools.count()

        def made(ends: Sequence[object]) -> Life:
            folder = tmp_path / str(next(number))
            folder.mkdir(mode=0o700)
            life = Life(folder, ends)
            stack.callback(life.store.close)
            return life

        yield made


Begin = Callable[[Sequence[object]], Life]


def test_a_passing_fault_is_said_once_and_tried_again_every_second(begin: Begin) -> None:
    life = begin([TemporaryError("busy")] * 3 + [REPORT])
    assert life.live(cycles=1) == [REPORT]
    assert life.said == ["busy"]
    gaps = [after - before for before, after in itertools.pairwise(life.thought)]
    assert gaps == [living.POLL_SECONDS] * 3


def test_a_provider_that_is_down_is_seen_in_the_log(begin: Begin) -> None:
    life = begin([ModelBusyError("no answer")] * 7 + [REPORT])
    assert life.live(cycles=1) == [REPORT]
    logged = log.list_iterations(life.store, agent="ava")
    assert [one.error for one in logged] == ["no answer"] * 7 + [None]
    assert life.told() == []


def test_a_cap_is_tried_again_ever_more_seldom(begin: Begin) -> None:
    life = begin([CapReachedError("no money", scope="day")] * 9)
    life.live()
    assert life.said == ["no money"]
    gaps = [after - before for before, after in itertools.pairwise(life.thought)]
    assert gaps == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0, 60.0]


def test_a_changed_setting_ends_the_rest_after_a_refusal(begin: Begin) -> None:
    life = begin([RefusedError("no")] * 8)
    waits = itertools.count(1)

    def wait(seconds: float) -> None:
        # Whoever waits hears that the store changes.
        is_changed = next(waits) == 11
        life.clock.pass_time(min(seconds, 18.0) if is_changed else seconds)
        if is_changed:
            agents.set_(life.store, name="ava", change=AgentChange(batch=7))

    worker = life.worker()
    with contextlib.suppress(OverError):
        list(living.run([_with(worker, wait)], bounds=WorkerBounds()))
    gaps = [after - before for before, after in itertools.pairwise(life.thought)]
    assert min(gaps[6:]) < 60.0


def test_a_model_that_fails_whatever_the_event_pauses_the_agent(begin: Begin) -> None:
    life = begin([ModelBrokenError("the program failed")] * 20)
    live_through_waits(life, 500)
    gaps = [after - before for before, after in itertools.pairwise(life.thought)]
    assert gaps == [1.0] * 5 + [2.0, 4.0, 8.0, 16.0]
    assert life.told() == []
    why = "the model failed 10 times in a row, the last: the program failed"
    assert agents.show(life.store, name="ava").paused == why
    (ticket,) = tickets.list_(life.store, life.clock, agent="ava")
    assert ticket.reason == why
    logged = log.list_iterations(life.store, agent="ava")
    assert [one.error for one in logged] == ["the program failed"] * 10


def live_through_waits(life: Life, most: int) -> None:
    """Live until a worker has waited so often."""
    waits = itertools.count()

    def wait(seconds: float) -> None:
        life.clock.pass_time(seconds)
        if next(waits) > most:
            raise OverError

    with contextlib.suppress(OverError):
        list(living.run([_with(life.worker(), wait)], bounds=WorkerBounds()))


def _with(worker: Worker, wait: Callable[[float], None]) -> Worker:
    import msgspec

    return msgspec.structs.replace(worker, wait=wait)


def test_an_error_is_told_once_and_five_in_a_row_pause_the_agent(begin: Begin) -> None:
    ends: list[object] = [MindError("the model cannot"), ValueError("odd")]
    life = begin([*ends, *ends, ends[0], REPORT])
    live_through_waits(life, 500)
    assert len(life.thought) == living.MOST_ERRORS
    assert life.told() == [
        "An error in your loop: the model cannot",
        "An error in your loop: ValueError: odd",
    ]
    assert agents.show(life.store, name="ava").paused == (
        "5 errors in a row, the last: the model cannot"
    )
    (ticket,) = tickets.list_(life.store, life.clock, agent="ava")
    assert (ticket.kind, ticket.state.value) == ("escalation", "open")
    assert sum("is paused" in said for said in life.said) == 1


def test_a_cycle_between_errors_counts_them_anew(begin: Begin) -> None:
    life = begin([*[MindError("no")] * 4, REPORT, *[MindError("no")] * 4, REPORT])
    assert len(life.live(cycles=2)) == 2
    assert agents.show(life.store, name="ava").paused is None


@pytest.mark.parametrize("end", [RecoveryError("in RECOVERY"), InputOutputError("no space left")])
def test_what_no_waiting_mends_ends_the_worker(end: MindError, begin: Begin) -> None:
    life = begin([end])
    with pytest.raises(type(end)):
        life.live()


@pytest.mark.parametrize("end", [TemporaryError("busy"), RefusedError("no"), ValueError("odd")])
def test_with_once_nothing_is_waited_out(end: Exception, begin: Begin) -> None:
    life = begin([end])
    with pytest.raises(type(end)):
        life.live(once=True)
    assert life.told() == []


def test_bounds_end_a_worker(begin: Begin) -> None:
    assert len(begin([REPORT] * 9).live(cycles=3)) == 3
    assert begin([REPORT] * 9).live(until="2026-11-21T20:00:00Z") == []
    life = begin([])
    life.store.connection.execute("DELETE FROM event")
    assert life.live(once=True) == []
    assert life.live(until="2026-11-21T20:00:30Z") == []
    assert life.clock.seconds == 1030.0


YEAR = 31_536_000
SET_IT = "the clock shows {}; set it, times in the store come from it."


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-YEAR, ["the clock moved by -31536000 s."]),
        (3700, ["the clock moved by 3700 s."]),
        (3500, []),
        (-3500, []),
        (
            -20 * YEAR,
            ["the clock moved by -630720000 s.", SET_IT.format("2006-11-26T20:00:02Z")],
        ),
    ],
)
def test_a_wall_clock_that_jumps_is_told_once_and_the_work_goes_on(
    seconds: int, said: list[str], begin: Begin
) -> None:
    life = begin([TemporaryError("busy"), TemporaryError("busy"), REPORT])
    waits = itertools.count(1)

    def wait(pause: float) -> None:
        life.clock.pass_time(pause)
        if next(waits) == 2:
            life.clock.instant = later(life.clock.instant, seconds=seconds)

    assert list(living.run([_with(life.worker(), wait)], bounds=WorkerBounds(cycles=1))) == [REPORT]
    assert life.said == ["busy", *said]


def test_a_wall_clock_that_nobody_ever_set_is_told_at_once(begin: Begin) -> None:
    life = begin([TemporaryError("busy"), REPORT, REPORT])
    life.clock.instant = "1970-01-01T00:00:07Z"
    assert len(life.live(cycles=2)) == 2
    assert life.said == [SET_IT.format("1970-01-01T00:00:07Z"), "busy"]


def test_a_life_ends_once(begin: Begin) -> None:
    life = begin([])
    workers.begin(life.store, RUN)
    assert [run.id for run in workers.running(life.store)] == ["r_1"]
    workers.end(life.store, life.clock, run=RUN)
    assert workers.running(life.store) == []
    assert life.store.connection.execute("SELECT state, ended FROM run").fetchall() == [
        ("clean", life.clock.now())
    ]
