"""Windows are handed over once, whatever happens between claim and settlement."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.ports import Chance
from mindpipe.core.text import UnsafeNameError
from mindpipe.io.chance import SeededChance
from mindpipe.plans import verbs
from mindpipe.plans.records import NewPlan, Plan, PlanState
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.stores import store_at

Hand = Callable[[list[NewEvent]], None]
DAILY = NewPlan(title="Daily", cron="0 9 * * *")
HOURS_13 = 46_800.0


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def chance() -> Chance:
    return SeededChance(1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def add(store: SqliteStore, clock: FixedClock, chance: Chance, new: NewPlan = DAILY) -> Plan:
    return verbs.add(store, clock, chance, agent="ava", new=new)


def handed(store: SqliteStore, clock: FixedClock, agent: str | None = None) -> list[str | None]:
    """Hand over what is due and return the events' keys; nothing due is an empty list."""
    got: list[NewEvent] = []
    try:
        count = verbs.due(store, clock, hand_over=got.extend, agent=agent)
    except NothingToDoError:
        return []
    assert count == len(got)
    return [event.key for event in got]


def key(plan: Plan, window: str) -> str:
    return f"plan:{plan.id}:{window}"


def fail(_events: list[NewEvent]) -> None:
    raise BrokenPipeError


def die(_events: list[NewEvent]) -> None:
    raise SystemExit


def test_a_window_is_handed_over_once(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    plan = add(store, clock, chance)
    assert handed(store, clock) == []
    clock.pass_time(HOURS_13)
    assert handed(store, clock) == [key(plan, "2026-11-22T09:00:00Z")]
    clock.pass_time(3600)
    assert handed(store, clock) == []
    (moved,) = verbs.list_(store)
    assert (moved.last, moved.next) == ("2026-11-22T09:00:00Z", "2026-11-23T09:00:00Z")


def test_events_come_in_the_order_of_their_windows(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    late = add(store, clock, chance)
    first = add(store, clock, chance, NewPlan(title="x", after="1h"))
    clock.pass_time(HOURS_13)
    assert handed(store, clock) == [
        key(first, "2026-11-21T21:00:00Z"),
        key(late, "2026-11-22T09:00:00Z"),
    ]


def test_a_window_whose_hand_over_failed_is_due_at_once_and_never_lost(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    for _ in range(7):
        with pytest.raises(BrokenPipeError):
            verbs.due(store, clock, hand_over=fail)
    assert handed(store, clock) == [key(plan, "2026-11-22T09:00:00Z")]
    assert handed(store, clock) == []


def test_a_claim_of_a_dead_process_is_taken_over_when_its_lease_ends(
    store: SqliteStore, clock: FixedClock, chance: Chance, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    die_while_handing_over(store, clock, monkeypatch)
    clock.seconds += 59.9
    assert handed(store, clock) == []
    clock.seconds += 0.1
    assert handed(store, clock) == [key(plan, "2026-11-22T09:00:00Z")]
    clock.seconds += 600
    assert handed(store, clock) == []


def test_a_claim_from_before_a_restart_is_taken_over(
    store: SqliteStore, clock: FixedClock, chance: Chance, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    die_while_handing_over(store, clock, monkeypatch)
    clock.boot_id, clock.seconds = "boot-2", 1.0
    assert handed(store, clock) == [key(plan, "2026-11-22T09:00:00Z")]


def test_a_window_is_given_up_after_five_attempts_and_the_plan_says_so(
    store: SqliteStore, clock: FixedClock, chance: Chance, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, clock, chance, NewPlan(title="x", after="1h"))
    clock.pass_time(HOURS_13)
    for _ in range(5):
        die_while_handing_over(store, clock, monkeypatch)
        clock.seconds += 60
    assert handed(store, clock) == []
    (plan,) = verbs.list_(store)
    assert (plan.lost, plan.state) == (1, PlanState.DONE)


def die_while_handing_over(
    store: SqliteStore, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claim what is due like a process that is killed while it prints: nothing is given back."""
    with monkeypatch.context() as patch:
        patch.setattr("mindpipe.plans.claims.given_back", lambda claim: claim)
        with pytest.raises(SystemExit):
            verbs.due(store, clock, hand_over=die)


def test_push_and_settlement_are_one_step(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    with pytest.raises(SystemExit):
        verbs.due_push(store, clock, deliver=die)
    delivered: list[NewEvent] = []
    events = verbs.due_push(store, clock, deliver=delivered.extend)
    assert events == delivered
    assert [event.key for event in events] == [key(plan, "2026-11-22T09:00:00Z")]
    with pytest.raises(NothingToDoError):
        verbs.due_push(store, clock, deliver=fail)


def test_each_agent_can_be_asked_for_alone(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    add(store, clock, chance)
    bea = verbs.add(store, clock, chance, agent="bea", new=DAILY)
    clock.pass_time(HOURS_13)
    assert handed(store, clock, "bea") == [key(bea, "2026-11-22T09:00:00Z")]
    assert handed(store, clock, "nobody") == []
    assert len(handed(store, clock)) == 1


@pytest.mark.parametrize("jump", [365 * 86_400.0, -365 * 86_400.0])
def test_a_jump_of_the_wall_clock_neither_repeats_nor_stops_a_plan(
    store: SqliteStore, clock: FixedClock, chance: Chance, jump: float
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    assert handed(store, clock) == [key(plan, "2026-11-22T09:00:00Z")]
    before = clock.instant
    clock.pass_time(jump)
    in_jump = handed(store, clock)
    assert len(in_jump) == (1 if jump > 0 else 0)
    clock.instant = before
    assert handed(store, clock) == []
    clock.pass_time(86_400)
    assert handed(store, clock) == [key(plan, "2026-11-23T09:00:00Z")]
    clock.pass_time(365 * 86_400)
    assert set(handed(store, clock)).isdisjoint(in_jump)


def test_a_change_counts_from_now_and_wakes_a_plan_that_was_done(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    once = add(store, clock, chance, NewPlan(title="x", after="1h"))
    clock.pass_time(HOURS_13)
    assert len(handed(store, clock)) == 1
    changed = verbs.set_(store, clock, plan=once.id, new=NewPlan(title="y", cron="0 12 * * *"))
    assert (changed.id, changed.title, changed.state) == (once.id, "y", PlanState.ACTIVE)
    assert changed.created == once.created
    assert changed.next == "2026-11-22T12:00:00Z"
    assert verbs.list_(store) == [changed]
    clock.pass_time(HOURS_13)
    assert handed(store, clock) == [key(once, "2026-11-22T12:00:00Z")]


def test_a_removed_plan_is_gone_and_its_id_is_not_given_again(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    plan = add(store, clock, chance)
    clock.pass_time(HOURS_13)
    assert len(handed(store, clock)) == 1
    with pytest.raises(UsageError, match="no plan"):
        verbs.remove(store, plan=plan.id, agent="bea")
    assert verbs.remove(store, plan=plan.id, agent="ava").id == plan.id
    with pytest.raises(UsageError, match="no plan"):
        verbs.remove(store, plan=plan.id)
    assert add(store, clock, chance).id != plan.id


def test_a_plan_of_a_file_is_settled_as_it_was(
    store: SqliteStore, clock: FixedClock, chance: Chance, tmp_path: Path
) -> None:
    plan = add(store, clock, chance)
    other = store_at(tmp_path / "other.db")
    assert verbs.settle(other, plan=plan) == plan
    assert verbs.list_(other) == [plan]
    for broken in ({"cron": None}, {"cron": "x"}, {"after": 5}, {"zone": "Mars"}, {"since": ""}):
        with pytest.raises(UsageError):
            verbs.settle(other, plan=msgspec.structs.replace(plan, id="p_2", **broken))
    other.close()


def test_odd_names_reach_no_row(store: SqliteStore, clock: FixedClock, chance: Chance) -> None:
    for name in ("../x", "\udcff", ""):
        with pytest.raises(UnsafeNameError):
            verbs.add(store, clock, chance, agent=name, new=DAILY)
        with pytest.raises(UnsafeNameError):
            verbs.list_(store, agent=name)
        with pytest.raises(UnsafeNameError):
            verbs.due(store, clock, hand_over=fail, agent=name)
    with pytest.raises(UsageError):
        verbs.remove(store, plan="\udcff")
