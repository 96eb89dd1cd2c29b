"""A session that is restored, or made anew from the log, is the one that was lived."""

import contextlib
import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.events import NewEvent
from mindpipe.engine.worker import checkpoints, log
from mindpipe.engine.worker import checkpoints as sessions
from mindpipe.engine.worker import log as worker_log
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.io.chance import make_chance
from mindpipe.store.access import make_store, open_store
from mindpipe.store.sqlite import SqliteStore
from mindpipe.workers.records import Checkpoint, Iteration, LoopMode
from support.command import make_private
from support.draws import tries
from support.fakes import FixedClock

WEIGHT, EVERY, SECONDS = 0.3, 10, 300.0
Begin = Callable[[], tuple[SqliteStore, FixedClock]]
CALM = [mode for mode in LoopMode if mode is not LoopMode.RECOVERY]


class Step(msgspec.Struct, frozen=True):
    """What one iteration was like: how it ended, which mode follows it, how long it was till it."""

    seconds: float
    milliseconds: float
    queue: int
    outcome: str
    concern: str | None
    mode: LoopMode | None
    significance: float


steps = st.builds(
    Step,
    seconds=st.sampled_from([0.0, 2.0, 60.0, 400.0]),
    milliseconds=st.floats(0.0, 1e5),
    queue=st.integers(0, 10_000),
    outcome=st.sampled_from(["done", "done", "idle", "failed", "consolidated", "developed"]),
    concern=st.sampled_from([None, "kant", "mail"]),
    mode=st.sampled_from([None, None, None, *CALM]),
    significance=st.sampled_from([1.0, 1.0, 8.0]),
)


class Loop:
    """A loop that writes what loops write, over a real store; it may write no checkpoints."""

    def __init__(self, store: SqliteStore, clock: FixedClock, *, keeps: bool = True) -> None:
        self.store, self.clock, self.keeps = store, clock, keeps
        self.session = Checkpoint(agent="ava", at=clock.now())
        self._saved: Checkpoint | None = None
        self._cycle = 0

    def live(self, step: Step) -> None:
        """Go through one iteration, each of its transactions whole."""
        self.clock.pass_time(step.seconds)
        cycle = None
        if step.outcome in {"done", "failed"}:
            self._cycle += 1
            cycle = self._cycle
        iteration = Iteration(
            agent="ava",
            number=self.session.iteration + 1,
            life="r_1",
            at=self.clock.now(),
            mode=self.session.mode,
            concern=step.concern,
            cycle=cycle,
            outcome=step.outcome,
            queue=step.queue,
            think_ms=step.milliseconds,
            error="no" if step.outcome == "failed" else None,
        )
        after = checkpoints.after(self.session, iteration, weight=WEIGHT)
        with self.store.write():
            log.add_iteration(self.store, iteration)
            self._keep(after, significant=step.significance > 7)
        self.session = after
        if step.mode is not None and step.mode in after.mode.successors():
            self._shift(step.mode)

    def _shift(self, mode: LoopMode) -> None:
        changed = msgspec.structs.replace(self.session, mode=mode, at=self.clock.now())
        with self.store.write():
            worker_log.change_mode(
                self.store, self.clock, agent="ava", after=mode, by="loop", reason="a test"
            )
            self._keep(changed)
        self.session = changed

    def _keep(self, session: Checkpoint, *, significant: bool = False) -> None:
        due = checkpoints.is_due(
            session, self._saved, every=EVERY, seconds=SECONDS, significant=significant
        )
        if due and self.keeps:
            sessions.save_checkpoint(self.store, session)
            self._saved = session


@pytest.fixture
def begin(tmp_path: Path) -> Begin:
    """Return what makes a store with one agent."""
    numbers = itertools.count()

    def made() -> tuple[SqliteStore, FixedClock]:
        clock, chance = FixedClock(), make_chance(1)
        folder = make_private(tmp_path / str(next(numbers)))
        store = make_store(folder / "mind.db", clock, chance)
        store.connection.execute("PRAGMA synchronous=OFF")
        agents.new(store, clock, chance, name="ava", change=AgentChange())
        return store, clock

    return made


def restored(store: SqliteStore, clock: FixedClock) -> Checkpoint:
    """Return what a worker that comes after a kill begins with."""
    with contextlib.closing(open_store(store.path)) as other:
        return sessions.restore_checkpoint(other, clock, agent="ava", weight=WEIGHT)


def as_lived(session: Checkpoint, clock: FixedClock) -> Checkpoint:
    """Return a session as another life begins with it, its averages left out."""
    return msgspec.structs.replace(
        session, began=clock.now(), at="", mean_seconds=None, mean_queue=None, active=""
    )


SLOW = settings(
    max_examples=tries(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@SLOW
@given(st.lists(steps, max_size=60))
def test_whenever_a_life_is_killed_the_next_begins_with_its_session(
    begin: Begin, lived: list[Step]
) -> None:
    store, clock = begin()
    loop = Loop(store, clock)
    for step in lived:
        loop.live(step)
    found = restored(store, clock)
    assert as_lived(found, clock) == as_lived(loop.session, clock)
    assert (found.mean_seconds, found.mean_queue) == (
        pytest.approx(loop.session.mean_seconds),
        pytest.approx(loop.session.mean_queue),
    )
    assert found.active == loop.session.active
    store.close()


@SLOW
@given(lived=st.lists(steps, min_size=1, max_size=60), broken=st.booleans())
def test_without_a_checkpoint_that_can_be_read_it_is_made_anew_from_the_log(
    begin: Begin, lived: list[Step], *, broken: bool
) -> None:
    store, clock = begin()
    loop = Loop(store, clock, keeps=broken)
    for step in lived:
        loop.live(step)
    if broken:
        store.connection.execute("UPDATE session SET body = '{}'")
    found = restored(store, clock)
    assert as_lived(found, clock) == as_lived(loop.session, clock)
    assert found.mean_seconds == pytest.approx(loop.session.mean_seconds)
    assert found.mean_queue == pytest.approx(loop.session.mean_queue)
    store.close()


def test_a_stale_checkpoint_is_left_aside_for_the_log(begin: Begin) -> None:
    store, clock = begin()
    loop = Loop(store, clock)
    calm = Step(1.0, 100.0, 5, "done", "kant", None, 1.0)
    for _ in range(3):
        loop.live(calm)
    loop.keeps = False
    for number in range(3, 3 + checkpoints.STALE_AFTER):
        # The only checkpoint is that of the first iteration.
        assert sessions.is_checkpoint_stale(store, agent="ava") is (
            number - 1 > checkpoints.STALE_AFTER
        )
        loop.live(calm)
    # A checkpoint that far behind is not gone on from, whatever it says.
    saved = sessions.load_checkpoint(store, agent="ava")
    assert saved is not None
    sessions.save_checkpoint(store, msgspec.structs.replace(saved, mean_queue=1e9, errors=7))
    for _ in range(checkpoints.STALE_AFTER):
        loop.live(calm)
    assert sessions.is_checkpoint_stale(store, agent="ava")
    found = restored(store, clock)
    assert (found.mean_queue, found.errors, found.focus) == (pytest.approx(5.0), 0, "kant")
    assert (found.iteration, found.since_consolidation) == (23, 23)
    store.close()


def test_what_waits_now_is_in_it(begin: Begin) -> None:
    store, clock = begin()
    chance = make_chance(2)
    event = NewEvent(agent="ava", text="Hello")
    (receipt,) = push_events(store, clock, chance, events=[event], bounds=Bounds())
    assert restored(store, clock).queue == (receipt.id,)
    store.close()


@pytest.mark.parametrize(
    ("iteration", "at", "mode", "significant", "due"),
    [
        (11, "2026-11-21T20:00:10Z", LoopMode.NORMAL, False, False),
        (19, "2026-11-21T20:04:59Z", LoopMode.NORMAL, False, False),
        (20, "2026-11-21T20:00:10Z", LoopMode.NORMAL, False, True),
        (11, "2026-11-21T20:05:00Z", LoopMode.NORMAL, False, True),
        (11, "2026-11-21T19:59:59Z", LoopMode.NORMAL, False, True),
        (11, "2026-11-21T20:00:10Z", LoopMode.SLEEP, False, True),
        (11, "2026-11-21T20:00:10Z", LoopMode.NORMAL, True, True),
    ],
)
def test_when_a_checkpoint_is_due(
    iteration: int, at: str, mode: LoopMode, *, significant: bool, due: bool
) -> None:
    saved = Checkpoint(agent="ava", at="2026-11-21T20:00:00Z", iteration=10)
    now = Checkpoint(agent="ava", at=at, iteration=iteration, mode=mode)
    found = checkpoints.is_due(now, saved, every=10, seconds=300.0, significant=significant)
    assert found is due
    assert checkpoints.is_due(now, None, every=10, seconds=300.0)
