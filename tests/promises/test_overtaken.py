"""Promises 8 and 9, wherever a worker can be overtaken: of two workers only one commits."""

import contextlib
import itertools
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import FencedError, MindError, NothingToDoError, TemporaryError
from mindpipe.core.ports import Model
from mindpipe.core.retry import ATTEMPTS
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.tables import journal
from mindpipe.spending.records import Caps
from red import lease_without_end, lease_without_epoch
from support.broken_builds import Patch, broken
from support.histories import PROGRAM
from support.life import AGENT, LEASE, KilledError, Life, MortalStore, with_holder
from support.loopback.turns import Turn
from support.proofs import proved, turned_red
from support.scripted_model import Scripted, call, calls
from support.validation import faults_of

EXPIRIES = 200
PLAYS = {
    "all": (
        calls(call("send_message", text="Hi", space="family"), call("unsafe"), call("keyed")),
        calls(call("set_goal", text="Win"), call("done", summary="Done.")),
        # Only a worker that should have been fenced comes as far as this.
        Turn(text="Once more."),
    ),
}
# Where no transaction is open, so that another worker can come.
PLACES = [
    *[(point, 1) for point in ("claim.after_commit", "turn.after_commit")],
    *itertools.product(
        ("reserve.after_commit", "ask.before_send", "ask.after_reply", "record.after_commit"),
        (1, 2),
    ),
    *itertools.product(
        ("act.before_started", "act.after_started", "act.after_effect", "act.before_done"), (1, 2)
    ),
    *itertools.product(("act.after_done",), (1, 2)),
    *itertools.product(("store_tool.after_commit",), (1, 2, 3)),
]


def overtaken(folder: Path, place: tuple[str, int]) -> tuple[Life, MindError | None]:
    """Let a worker sleep past its lease at a place while another one finishes; return its error."""
    life, model = Life(folder), Scripted(PROGRAM, PLAYS)
    life.push("play all")
    left: dict[str, object] = {}

    def other() -> None:
        assert life.think(model).outcome == "done"
        left.update(life.everything())

    woken: MindError | None = None
    try:
        life.think(model, dies=place, meanwhile=other)
    except MindError as error:
        woken = error
    assert left
    if isinstance(woken, FencedError):
        assert life.everything() == left
    return life, woken


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place[0]}-{place[1]}")
def test_a_worker_that_wakes_after_its_lease_writes_nothing_more(
    place: tuple[str, int], tmp_path: Path
) -> None:
    life, woken = overtaken(tmp_path / "life", place)
    assert isinstance(woken, FencedError)
    assert woken.status == 75
    assert life.sink.times("unsafe") <= 1
    assert life.rows("SELECT state, outcome FROM event") == [("done", "handled")]
    assert life.value("SELECT count(*) FROM goal") == 1
    assert faults_of(life.where) == []
    proved(8, fenced=1, double_commits=0)


def test_a_build_that_does_not_ask_for_the_epoch_lets_two_workers_write(tmp_path: Path) -> None:
    with broken(lease_without_epoch.PATCHES):
        life, woken = overtaken(tmp_path / "life", ("act.before_started", 1))
    assert not isinstance(woken, FencedError)
    assert life.sink.times("unsafe") == 2
    turned_red(8, "lease_without_epoch", second_runs=1)


def expiries(life: Life, times: int, seed: int) -> tuple[int, int]:
    """Let two workers take the agent from each other; return fenced writes, and double ones."""
    chance = random.Random(seed)
    fenced = double = 0
    with life.open() as store:
        workers = [life.dependencies(store, Scripted(PROGRAM, {})) for _ in range(2)]
        for number in range(times):
            old, new = chance.sample(workers, 2)
            asleep = held(life, old)
            life.clock.pass_time(LEASE + chance.random())
            awake = held(life, new)
            writes(new, awake, f"new {number}")
            try:
                writes(old, asleep, f"old {number}")
            except FencedError:
                fenced += 1
            with store.read() as rows:
                double += journal.place_of(rows, agent=AGENT) != f"new {number}"
            life.clock.pass_time(LEASE)
    return fenced, double


def held(life: Life, deps: Dependencies) -> OpenCycle:
    """Take the agent's lease."""
    epoch = leases.acquire(
        deps.store, deps.clock, agent=AGENT, owner=deps.holder.owner, seconds=deps.holder.lease
    )
    agent = agents.show(deps.store, name=AGENT)
    return OpenCycle(
        agent=agent, epoch=epoch, cycle=1, events=(), began=life.clock.seconds, seconds=LEASE
    )


def writes(deps: Dependencies, work: OpenCycle, words: str) -> None:
    """Write as a worker does."""
    with holding(deps, work) as rows:
        journal.set_place(rows, agent=AGENT, space=words)


@pytest.mark.parametrize("times", [EXPIRIES, pytest.param(50 * EXPIRIES, marks=pytest.mark.long)])
@pytest.mark.parametrize("patches", [(), lease_without_epoch.PATCHES], ids=["build", "no epoch"])
def test_of_two_workers_only_the_one_with_the_newest_epoch_writes(
    patches: tuple[Patch, ...], times: int, tmp_path: Path
) -> None:
    with broken(patches):
        fenced, double = expiries(Life(tmp_path / "life"), times, seed=8)
    assert (fenced, double) == ((0, times) if patches else (times, 0))
    if patches:
        turned_red(8, "lease_without_epoch", double_commits=double)
    else:
        proved(8, fenced=fenced, double_commits=double)


@pytest.mark.parametrize(
    ("patches", "state"),
    [((), "done"), (lease_without_end.PATCHES, "leased")],
    ids=["the build", "no lease ends"],
)
def test_a_dead_workers_events_are_taken_over_when_its_lease_has_run_out(
    patches: tuple[Patch, ...], state: str, tmp_path: Path
) -> None:
    life, model = Life(tmp_path / "life"), Scripted(PROGRAM, PLAYS)
    life.push("play all")
    with pytest.raises(KilledError):
        life.think(model, dies=("record.after_commit", 1))
    with broken(patches):
        life.clock.pass_time(-0.1)
        with pytest.raises(TemporaryError):
            life.think(model)
        life.clock.pass_time(0.1)
        with contextlib.suppress(TemporaryError):
            life.think(model)
    assert life.value("SELECT state FROM event") == state
    if patches:
        turned_red(9, "lease_without_end", events_stuck=1)
    else:
        proved(9, takeovers=1)


@pytest.mark.parametrize(
    ("asking", "stops", "cycles"),
    [(False, 2 * ATTEMPTS, 1), (True, ATTEMPTS - 1, 1), (True, ATTEMPTS + 1, 2)],
    ids=["before a call", "in calls", "in all calls of a turn"],
)
def test_a_clean_stop_gives_the_attempt_back_and_the_next_worker_goes_on(
    stops: int, cycles: int, tmp_path: Path, *, asking: bool
) -> None:
    life, model = Stopped(tmp_path / "life"), Scripted(PROGRAM, PLAYS)
    life.push("play all")
    life.check = no_stop if asking else interrupt
    model.listen = interrupt if asking else no_stop
    for _ in range(stops):
        with pytest.raises(KeyboardInterrupt):
            life.think(model)
        assert life.rows("SELECT state, attempts FROM event") == [("ready", 0)]
        assert life.value("SELECT owner FROM agent_lease") is None
    model.listen, life.check = no_stop, no_stop
    assert life.think(model).outcome == "done"
    # What was sent counts, whoever stopped it: a turn asked in vain six times begins anew.
    assert life.value("SELECT count(*) FROM cycle") == cycles
    tries = life.rows("SELECT attempts FROM turn WHERE turn = 1 ORDER BY cycle")
    assert tries[-1] == (stops % ATTEMPTS + 1 if asking else 1,)
    with pytest.raises(NothingToDoError):
        life.think(model)


class Stopped(Life):
    """A life whose workers ask before each step whether they should stop."""

    check: Callable[..., None]

    def dependencies(
        self, store: MortalStore, model: Model, caps: Caps | None = None
    ) -> Dependencies:
        """Return what the next worker thinks with."""
        return with_holder(super().dependencies(store, model, caps), check=self.check)


def no_stop(*_: object) -> None:
    """Let it go on."""


def interrupt(*_: object) -> None:
    """Press the keys that interrupt."""
    raise KeyboardInterrupt
