"""Agents, goals, notes and leases as their rows keep them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.agents.records import Agent, AgentChange, GoalState
from mindpipe.agents.settings import read_agent_file
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import lease as leases
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import FencedError, RefusedError, TemporaryError, UsageError
from mindpipe.core.ports import Chance
from mindpipe.core.records import to_json
from mindpipe.core.tools import ToolManifest
from mindpipe.io.chance import SeededChance
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.stores import store_at

TOOL = ToolManifest(name="look", description="Look.", command=("look",))


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


@pytest.fixture
def ava(store: SqliteStore, clock: FixedClock, chance: Chance) -> Agent:
    change = AgentChange(title="Ava", tools=(TOOL,), cycle_micros=500)
    return agents.new(store, clock, chance, name="ava", change=change)


def test_an_agent_is_kept_as_it_was_made(store: SqliteStore, ava: Agent) -> None:
    assert agents.show(store, name="ava") == ava
    assert agents.list_(store) == [ava]
    assert ava.entity.startswith("n_")


def test_an_agent_is_made_once(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    with pytest.raises(RefusedError, match="mind agent set ava"):
        agents.new(store, clock, chance, name="ava")
    assert agents.list_(store) == [ava]


def test_a_fork_has_all_but_the_place_in_the_world(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    goals.add(store, clock, chance, agent="ava", text="Help.", state=GoalState.LONG_TERM)
    notes.set_(store, clock, agent="ava", key="k", value="v")
    agents.set_(store, name="ava", change=AgentChange(paused="tired"))
    clock.pass_time(5)
    bea = agents.fork(store, clock, chance, name="ava", copy="bea")
    assert (bea.title, bea.tools, bea.cycle_micros, bea.paused) == ("Ava", (TOOL,), 500, None)
    assert bea.entity != ava.entity
    (goal,) = goals.list_(store, agent="bea")
    assert (goal.text, goal.state) == ("Help.", GoalState.LONG_TERM)
    assert goal.id != goals.list_(store, agent="ava")[0].id
    assert [note.value for note in notes.list_(store, agent="bea")] == ["v"]
    with pytest.raises(RefusedError):
        agents.fork(store, clock, chance, name="ava", copy="bea")


def test_an_exported_agent_is_read_back_equal(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    goals.add(store, clock, chance, agent="ava", text="Help.")
    notes.set_(store, clock, agent="ava", key="k", value="v")
    found = agents.export_(store, name="ava")
    assert read_agent_file(to_json(found), source="ava.json") == found
    assert found.agent == ava


def test_an_agent_of_a_file_is_settled_as_it_was(
    store: SqliteStore, clock: FixedClock, chance: Chance, tmp_path: Path, ava: Agent
) -> None:
    goals.add(store, clock, chance, agent=ava.name, text="Help.")
    notes.set_(store, clock, agent="ava", key="k", value="v")
    portrait = agents.export_(store, name="ava")
    with pytest.raises(RefusedError):
        agents.settle(store, clock, chance, portrait=portrait)
    other = store_at(tmp_path / "other.db")
    clock.pass_time(5)
    assert agents.settle(other, clock, chance, portrait=portrait) == ava
    assert agents.export_(other, name="ava") == portrait
    other.close()


def test_what_a_file_leaves_out_is_filled_in(
    store: SqliteStore, clock: FixedClock, chance: Chance
) -> None:
    document = b'{"agent":{"name":"a"},"goals":[{"text":"x"}],"notes":[{"key":"k","value":"v"}]}'
    portrait = read_agent_file(document, source="a.json")
    agent = agents.settle(store, clock, chance, portrait=portrait)
    assert (agent.title, agent.created) == ("a", clock.now())
    assert agent.entity.startswith("n_")
    (goal,) = goals.list_(store, agent="a")
    assert goal.id.startswith("g_")
    assert (goal.agent, goal.created, goal.updated) == ("a", clock.now(), clock.now())
    (note,) = notes.list_(store, agent="a")
    assert (note.agent, note.updated) == ("a", clock.now())


def test_goal_ids_are_never_given_again(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    first = goals.add(store, clock, chance, agent=ava.name, text="One.")
    goals.remove(store, agent="ava", goal=first.id)
    second = goals.add(store, clock, chance, agent="ava", text="Two.")
    assert second.id != first.id
    assert goals.list_(store, agent="ava") == [second]


def test_a_goal_changes_and_can_be_asked_for_by_state(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    one = goals.add(store, clock, chance, agent=ava.name, text="One.")
    two = goals.add(store, clock, chance, agent="ava", text="Two.")
    clock.pass_time(5)
    done = goals.set_(store, clock, agent="ava", goal=one.id, state=GoalState.DONE)
    assert (done.text, done.created, done.updated) == ("One.", one.created, clock.now())
    again = goals.set_(store, clock, agent="ava", goal=one.id, state=GoalState.DONE, text="1.")
    assert goals.list_(store, agent="ava") == [again, two]
    assert goals.list_(store, agent="ava", state=GoalState.ACTIVE) == [two]
    with pytest.raises(UsageError, match="nothing to change"):
        goals.set_(store, clock, agent="ava", goal=one.id)


def test_the_goals_of_others_are_not_found(
    store: SqliteStore, clock: FixedClock, chance: Chance, ava: Agent
) -> None:
    agents.new(store, clock, chance, name="bea")
    goal = goals.add(store, clock, chance, agent=ava.name, text="One.")
    with pytest.raises(UsageError, match="agent bea has no goal"):
        goals.remove(store, agent="bea", goal=goal.id)


def test_one_worker_at_a_time_thinks_for_an_agent(
    store: SqliteStore, clock: FixedClock, ava: Agent
) -> None:
    assert leases.acquire(store, clock, agent=ava.name, owner="one") == 1
    with pytest.raises(TemporaryError, match="another worker"):
        leases.acquire(store, clock, agent="ava", owner="two")
    leases.check(store, agent="ava", owner="one", epoch=1)
    clock.seconds += 59
    leases.renew(store, clock, agent="ava", owner="one", epoch=1)
    clock.seconds += 59
    with pytest.raises(TemporaryError):
        leases.acquire(store, clock, agent="ava", owner="two")
    clock.seconds += 1
    assert leases.acquire(store, clock, agent="ava", owner="two") == 2
    for fenced in (leases.check, leases.release):
        with pytest.raises(FencedError):
            fenced(store, agent="ava", owner="one", epoch=1)
    with pytest.raises(FencedError):
        leases.renew(store, clock, agent="ava", owner="one", epoch=1)
    leases.release(store, agent="ava", owner="two", epoch=2)
    with pytest.raises(FencedError):
        leases.check(store, agent="ava", owner="two", epoch=2)
    assert leases.acquire(store, clock, agent="ava", owner="one") == 3


@pytest.mark.parametrize("name", ["nobody", "../x", "\udcff"])
def test_no_lease_on_an_agent_that_is_not_there(
    store: SqliteStore, clock: FixedClock, ava: Agent, name: str
) -> None:
    assert ava.name == "ava"
    with pytest.raises(UsageError):
        leases.acquire(store, clock, agent=name, owner="one")


def test_odd_words_reach_no_row(store: SqliteStore, clock: FixedClock, ava: Agent) -> None:
    for key, value in (("\udcff", "v"), ("k", "\udcff"), ("k", "a\x00"), ("a\nb", "v"), ("k", "")):
        with pytest.raises(UsageError):
            notes.set_(store, clock, agent=ava.name, key=key, value=value)
    for ask in (notes.get, notes.delete):
        with pytest.raises(UsageError):
            ask(store, agent="ava", key="\udcff")
    assert notes.list_(store, agent="ava") == []
