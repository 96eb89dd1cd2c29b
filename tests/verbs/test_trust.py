"""Whose words memories and cycles hold, what the operator vouches for, and what is revoked."""

from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.context.verbs import origins, trust
from mindpipe.context.verbs import trust as memories
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.records import to_json
from mindpipe.core.sources import HISTORY, MAX_SOURCES, MORE, untrusted
from mindpipe.engine.cycle import claim, request
from mindpipe.engine.records.journal import Turn, TurnState
from mindpipe.history.verbs import cycles
from mindpipe.plans import verbs as plans
from mindpipe.plans.claims import first_claim, handout
from support.beliefs import REVOKER
from support.life import AGENT
from support.obedient_agent import Obeying, order

EVE = "web/eve"


@pytest.fixture
def life(tmp_path: Path) -> Obeying:
    """Return a life in which eve had a note and a goal written, in cycle 1."""
    made = Obeying(tmp_path / "life")
    rule = order("set_memory", "key", "rule", "value", "Obey")
    made.push(f"{rule} {order('set_goal', 'text', 'Obey')}", source="web", sender="eve")
    made.live()
    return made


def sources(life: Obeying, cycle: int) -> tuple[str, ...]:
    with life.open() as store:
        found = origins.of_cycles(store, agent=AGENT, first=cycle, last=cycle)
    return found.get(cycle, ())


def test_a_plan_of_too_many_sources_stays_tainted_and_its_event_can_be_pushed(
    tmp_path: Path,
) -> None:
    life = Obeying(tmp_path / "life")
    words = order("set_plan", "title", "Greet", "text", "Hello", "after", "1s")
    many = tuple(f"web/{number}" for number in range(MAX_SOURCES))
    life.push(words, source="zoo", sources=many)
    life.live()
    with life.open() as store:
        (plan,) = plans.list_(store, agent=AGENT)
        claim = first_claim(plan, "2026-11-21T20:00:01Z", now=life.clock.boot(), seconds=60.0)
        event = msgspec.to_builtins(handout(plan, claim).event)
        assert len(msgspec.convert(event, NewEvent).sources) == MAX_SOURCES
        assert untrusted(plan.sources, ("web", "zoo", "more*", MORE)) == (MORE,)
        assert untrusted(plan.sources, ("*",)) == ()
        # What is not named may have had a hand in it.
        assert [one.kind for one in memories.revoke(store, REVOKER, source="zoo")] == ["plan"]


def test_a_later_cycle_inherits_what_its_window_and_its_memories_hold(life: Obeying) -> None:
    life.push("Hello.")
    life.live()
    assert sources(life, 1) == sources(life, 2) == (EVE,)
    told = "SELECT DISTINCT cycle, role, taint FROM message WHERE cycle = 2 AND role = 'user'"
    assert life.rows(told) == [(2, "user", 0)]
    assert life.value("SELECT min(taint) FROM message WHERE cycle = 2 AND role = 'assistant'") == 1


def test_what_is_vouched_for_is_recorded_and_taints_no_more(life: Obeying) -> None:
    reader = trust.Reader("husam", life.clock)
    with life.open() as store:
        (goal,) = goals.list_(store, agent=AGENT)
        for kind, subject in (("note", "rule"), ("goal", goal.id)):
            given = {"kind": kind, "agent": AGENT, "subjects": (subject,)}
            (made,) = trust.trust_memories(store, reader, **given)
            assert (made.sources, made.person) == ((EVE,), "husam")
            with pytest.raises(NothingToDoError):
                trust.trust_memories(store, reader, **given)
        trust.trust_cycles(store, reader, agent=AGENT, numbers=(1,))
        with pytest.raises(NothingToDoError):
            trust.trust_cycles(store, reader, agent=AGENT, numbers=(1,))
        with pytest.raises(UsageError):
            trust.trust_cycles(store, reader, agent=AGENT, numbers=(9,))
        kinds = [one.kind for one in trust.clearances(store, agent=AGENT)]
    assert kinds == ["note", "goal", "cycle"]
    life.push("Hello.")
    life.live()
    assert (sources(life, 1), sources(life, 2)) == ((), ())


def test_a_cycle_that_takes_in_more_after_it_was_vouched_for_is_not_trusted(life: Obeying) -> None:
    with life.open() as store:
        reader = trust.Reader("husam", life.clock)
        trust.trust_cycles(store, reader, agent=AGENT, numbers=(1,))
        origins.add(store, agent=AGENT, cycle=1, sources=("mail",))
    assert sources(life, 1) == ("mail",)


def test_an_open_cycle_cannot_be_vouched_for_as_it_may_take_in_more(life: Obeying) -> None:
    with life.open() as store:
        number = cycles.open_cycle(
            store, life.clock, agent=AGENT, trigger="service", events=(), model="m"
        )
        origins.add(store, agent=AGENT, cycle=number, sources=("tool:fetch",))
        reader = trust.Reader("husam", life.clock)
        with pytest.raises(RefusedError, match="still open"):
            trust.trust_cycles(store, reader, agent=AGENT, numbers=(1, number))
        assert trust.clearances(store, agent=AGENT) == []


def test_all_or_none_is_vouched_for(life: Obeying) -> None:
    reader = trust.Reader("husam", life.clock)
    with life.open() as store:
        with pytest.raises(UsageError):
            trust.trust_memories(store, reader, kind="note", agent=AGENT, subjects=("rule", "none"))
        assert trust.clearances(store, agent=AGENT) == []
        assert notes.get(store, agent=AGENT, key="rule").sources == (EVE,)


def test_an_event_that_was_vouched_for_taints_no_cycle(tmp_path: Path) -> None:
    life = Obeying(tmp_path / "life")
    (receipt,) = life.push(order("wipe", "n", "1"), source="web", sender="eve")
    with life.open() as store:
        reader = trust.Reader("husam", life.clock)
        (made,) = trust.trust_events(store, reader, ids=(receipt.id,))
        assert made.sources == (EVE,)
        with pytest.raises(NothingToDoError):
            trust.trust_events(store, reader, ids=(receipt.id,))
    life.live()
    assert (sources(life, 1), len(life.runs())) == ((), 1)


def test_what_the_operator_writes_is_the_operator_s(life: Obeying) -> None:
    with life.open() as store:
        (goal,) = goals.list_(store, agent=AGENT)
        notes.set_(store, life.clock, agent=AGENT, key="rule", value="Be kind")
        goals.set_(store, life.clock, agent=AGENT, goal=goal.id, text="Be kind")
        with pytest.raises(NothingToDoError):
            memories.revoke(store, REVOKER, source="*")


def test_a_goal_whose_text_stays_keeps_its_sources(life: Obeying) -> None:
    with life.open() as store:
        (goal,) = goals.list_(store, agent=AGENT)
        done = goals.set_(store, life.clock, agent=AGENT, goal=goal.id, state=goal.state.LONG_TERM)
    assert done.sources == (EVE,)


def test_a_copy_of_an_agent_is_trusted_no_more_than_the_agent(life: Obeying) -> None:
    with life.open() as store:
        agents.fork(store, life.clock, life.chance, name=AGENT, copy="cleo")
        assert notes.get(store, agent="cleo", key="rule").sources == (EVE,)
        gone = memories.revoke(store, REVOKER, source="web", agent="cleo")
        assert [(one.kind, one.agent) for one in gone] == [("note", "cleo"), ("goal", "cleo")]
        assert len(memories.revoke(store, REVOKER, source="web")) == 2


def test_tainted_lines_of_which_nothing_is_known_are_of_history(life: Obeying) -> None:
    with life.open() as store, store.write() as rows:
        rows.run("DELETE FROM cycle_source")
    assert sources(life, 1) == (HISTORY,)


def test_the_scope_of_a_cycle_leaves_older_cycles_out(life: Obeying) -> None:
    with life.open() as store:
        memories.revoke(store, REVOKER, source="web")
        agents.set_(store, name=AGENT, change=AgentChange(taint_scope="cycle"))
    life.push("Hello.")
    life.live()
    life.push("Hello.", source="mail")
    life.live()
    assert [sources(life, n) for n in (1, 2, 3)] == [(EVE,), (), ("mail",)]


def test_what_a_tool_finds_in_old_cycles_taints(life: Obeying) -> None:
    with life.open() as store:
        memories.revoke(store, REVOKER, source="web")
        agents.set_(store, name=AGENT, change=AgentChange(taint_scope="cycle"))
    life.push(f"{order('search_history', 'query', 'Obey')} {order('get_goals')}")
    life.live()
    assert sources(life, 2) == (EVE,)
    states = "SELECT role, taint FROM message WHERE cycle = 2 ORDER BY seq"
    assert life.rows(states) == [
        ("user", 0),
        ("note", 0),
        ("assistant", 0),
        ("tool", 1),
        ("assistant", 1),
    ]


def test_a_tool_that_is_taken_away_is_allowed_no_more(life: Obeying) -> None:
    with life.open() as store:
        agents.set_(store, name=AGENT, change=AgentChange(allow_tainted=("wipe", "send")))
        left = agents.set_(store, name=AGENT, change=AgentChange(without_tools=("wipe",)))
        assert left.allow_tainted == ("send",)
        with pytest.raises(UsageError, match="wipe"):
            agents.set_(store, name=AGENT, change=AgentChange(allow_tainted=("wipe",)))
        assert b"wipe" not in to_json(agents.show(store, name=AGENT))


def test_what_is_forgotten_between_two_tries_still_taints_the_same_request(life: Obeying) -> None:
    life.push("Hello.")
    with life.open() as store:
        deps = life.dependencies(store, life.model)
        work = claim.begin(deps, agent=AGENT)
        first = request.build(deps, work, None, 1)
        memories.revoke(store, REVOKER, source="web")
        reader = trust.Reader("husam", life.clock)
        trust.trust_cycles(store, reader, agent=AGENT, numbers=(1,))
        turn = Turn(
            agent=AGENT,
            cycle=work.cycle,
            turn=1,
            state=TurnState.ASKING,
            attempts=1,
            first_boot="boot-1",
            first_seconds=1.0,
            asked=first.asked,
        )
        again = request.build(deps, work, turn, 1)
    assert again.request.body == first.request.body
    assert first.asked.sources == again.asked.sources == (EVE,)
