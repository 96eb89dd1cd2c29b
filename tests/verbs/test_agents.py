"""Agents, goals, notes and leases as their rows keep them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes import FixedClock
from mindpipe.agents import verbs
from mindpipe.agents.files import read_agent_file
from mindpipe.agents.records import Agent, AgentChange, GoalState
from mindpipe.agents.tables import MIGRATIONS
from mindpipe.core.errors import FencedError, RefusedError, TemporaryError, UsageError
from mindpipe.core.ports import Chance
from mindpipe.core.records import to_json
from mindpipe.core.tools import ToolManifest
from mindpipe.store.sqlite import SqliteStore
from mindpipe.wiring.chance import SeededChance
from stores import store_at

TOOL = ToolManifest(name="look", description="Look.", command=("look",))


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def chance() -> Chance:
    return SeededChance(1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db", *MIGRATIONS)
    yield opened
    opened.close()


@pytest.fixture
def ava(store: SqliteStore, clock: FixedClock, chance: Chance) -> Agent:
    change = AgentChange(title="Ava", tools=(TOOL,), cycle_micros=500)
    return verbs.new(store, clock, chance, name="ava", change=change)


def test_an_agent_is_kept_as_it_was_made(store: SqliteStore, ava: Agent) -> None:
    assert verbs.show(store, name="ava") == ava
    assert verbs.list_(store) == [ava]
    assert ava.entity.startswith("n_")


def test_an_agent_is_made_once(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    with pytest.raises(RefusedError, match="mind agent set ava"):
        verbs.new(store, clock, chance, name="ava")
    assert verbs.list_(store) == [ava]


def test_a_fork_has_all_but_the_place_in_the_world(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    verbs.goal_add(store, clock, chance, agent="ava", text="Help.", state=GoalState.LONG_TERM)
    verbs.note_set(store, clock, agent="ava", key="k", value="v")
    verbs.set_(store, name="ava", change=AgentChange(paused="tired"))
    clock.pass_time(5)
    bea = verbs.fork(store, clock, chance, name="ava", copy="bea")
    assert (bea.title, bea.tools, bea.cycle_micros, bea.paused) == ("Ava", (TOOL,), 500, None)
    assert bea.entity != ava.entity
    (goal,) = verbs.goal_list(store, agent="bea")
    assert (goal.text, goal.state) == ("Help.", GoalState.LONG_TERM)
    assert goal.id != verbs.goal_list(store, agent="ava")[0].id
    assert [note.value for note in verbs.note_list(store, agent="bea")] == ["v"]
    with pytest.raises(RefusedError):
        verbs.fork(store, clock, chance, name="ava", copy="bea")


def test_an_exported_agent_is_read_back_equal(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    verbs.goal_add(store, clock, chance, agent="ava", text="Help.")
    verbs.note_set(store, clock, agent="ava", key="k", value="v")
    found = verbs.export_(store, name="ava")
    assert read_agent_file(to_json(found), source="ava.json") == found
    assert found.agent == ava


def test_an_agent_of_a_file_is_settled_as_it_was(
    store: SqliteStore, clock: FixedClock, chance: Chance, tmp_path: Path, ava: Agent
) -> None:
    verbs.goal_add(store, clock, chance, agent=ava.name, text="Help.")
    verbs.note_set(store, clock, agent="ava", key="k", value="v")
    portrait = verbs.export_(store, name="ava")
    with pytest.raises(RefusedError):
        verbs.settle(store, clock, chance, portrait=portrait)
    other = store_at(tmp_path / "other.db", *MIGRATIONS)
    clock.pass_time(5)
    assert verbs.settle(other, clock, chance, portrait=portrait) == ava
    assert verbs.export_(other, name="ava") == portrait
    other.close()


def test_what_a_file_leaves_out_is_filled_in(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    document = b'{"agent":{"name":"a"},"goals":[{"text":"x"}],"notes":[{"key":"k","value":"v"}]}'
    portrait = read_agent_file(document, source="a.json")
    agent = verbs.settle(store, clock, chance, portrait=portrait)
    assert (agent.title, agent.created) == ("a", clock.now())
    assert agent.entity.startswith("n_")
    (goal,) = verbs.goal_list(store, agent="a")
    assert goal.id.startswith("g_")
    assert (goal.agent, goal.created, goal.updated) == ("a", clock.now(), clock.now())
    (note,) = verbs.note_list(store, agent="a")
    assert (note.agent, note.updated) == ("a", clock.now())


def test_goal_ids_are_never_given_again(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    first = verbs.goal_add(store, clock, chance, agent=ava.name, text="One.")
    verbs.goal_remove(store, agent="ava", goal=first.id)
    second = verbs.goal_add(store, clock, chance, agent="ava", text="Two.")
    assert second.id != first.id
    assert verbs.goal_list(store, agent="ava") == [second]


def test_a_goal_changes_and_can_be_asked_for_by_state(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    one = verbs.goal_add(store, clock, chance, agent=ava.name, text="One.")
    two = verbs.goal_add(store, clock, chance, agent="ava", text="Two.")
    clock.pass_time(5)
    done = verbs.goal_set(store, clock, agent="ava", goal=one.id, state=GoalState.DONE)
    assert (done.text, done.created, done.updated) == ("One.", one.created, clock.now())
    again = verbs.goal_set(store, clock, agent="ava", goal=one.id, state=GoalState.DONE, text="1.")
    assert verbs.goal_list(store, agent="ava") == [again, two]
    assert verbs.goal_list(store, agent="ava", state=GoalState.ACTIVE) == [two]
    with pytest.raises(UsageError, match="nothing to change"):
        verbs.goal_set(store, clock, agent="ava", goal=one.id)


def test_the_goals_of_others_are_not_found(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    verbs.new(store, clock, chance, name="bea")
    goal = verbs.goal_add(store, clock, chance, agent=ava.name, text="One.")
    with pytest.raises(UsageError, match="agent bea has no goal"):
        verbs.goal_remove(store, agent="bea", goal=goal.id)


def test_one_worker_at_a_time_thinks_for_an_agent(
    store: SqliteStore, clock: FixedClock, ava: Agent
) -> None:
    assert verbs.lease_acquire(store, clock, agent=ava.name, owner="one") == 1
    with pytest.raises(TemporaryError, match="another worker"):
        verbs.lease_acquire(store, clock, agent="ava", owner="two")
    verbs.lease_check(store, agent="ava", owner="one", epoch=1)
    clock.seconds += 59
    verbs.lease_renew(store, clock, agent="ava", owner="one", epoch=1)
    clock.seconds += 59
    with pytest.raises(TemporaryError):
        verbs.lease_acquire(store, clock, agent="ava", owner="two")
    clock.seconds += 1
    assert verbs.lease_acquire(store, clock, agent="ava", owner="two") == 2
    for fenced in (verbs.lease_check, verbs.lease_release):
        with pytest.raises(FencedError):
            fenced(store, agent="ava", owner="one", epoch=1)
    with pytest.raises(FencedError):
        verbs.lease_renew(store, clock, agent="ava", owner="one", epoch=1)
    verbs.lease_release(store, agent="ava", owner="two", epoch=2)
    with pytest.raises(FencedError):
        verbs.lease_check(store, agent="ava", owner="two", epoch=2)
    assert verbs.lease_acquire(store, clock, agent="ava", owner="one") == 3


@pytest.mark.parametrize("name", ["nobody", "../x", "\udcff"])
def test_no_lease_on_an_agent_that_is_not_there(
    store: SqliteStore, clock: FixedClock, ava: Agent, name: str
) -> None:
    assert ava.name == "ava"
    with pytest.raises(UsageError):
        verbs.lease_acquire(store, clock, agent=name, owner="one")


def test_odd_words_reach_no_row(store: SqliteStore, clock: FixedClock, ava: Agent) -> None:
    for key, value in (("\udcff", "v"), ("k", "\udcff"), ("k", "a\x00"), ("a\nb", "v"), ("k", "")):
        with pytest.raises(UsageError):
            verbs.note_set(store, clock, agent=ava.name, key=key, value=value)
    for ask in (verbs.note_get, verbs.note_delete):
        with pytest.raises(UsageError):
            ask(store, agent="ava", key="\udcff")
    assert verbs.note_list(store, agent="ava") == []
