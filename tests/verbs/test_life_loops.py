"""What is done by rules alone is done again, and one changed row that it wrote is reported."""

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs import trust
from mindpipe.core.records import Record
from mindpipe.decisions.bands import DecisionRules
from mindpipe.engine.cycle import postconditions
from mindpipe.engine.dependencies import NoRules, RulePorts
from mindpipe.engine.records.attention import ConcernTrigger, ReflectionRules
from mindpipe.engine.verbs import act, reflect
from mindpipe.engine.worker import checkpoints
from mindpipe.engine.worker.modes import ModeRules
from mindpipe.inbox.verbs import inbox
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs import observation
from mindpipe.knowledge.verbs.consolidate import ConsolidateOptions
from mindpipe.knowledge.verbs.observation import RevalidationDue
from mindpipe.life.operations import (
    ARCHIVE,
    DUE,
    EXTRACT,
    RETRACT,
    REVALIDATE,
    REVOKE,
    ArchiveAsked,
    ExtractAsked,
    RetractAsked,
    RevokeAsked,
)
from mindpipe.life.verbs.consolidating import consolidate_recorded
from mindpipe.life.verbs.rules_again import OPERATIONS, extracted
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import NewPlan
from support.attention import Mulling
from support.command import make_private
from support.histories import PROGRAM
from support.life import AGENT, MortalStore
from support.loopback.turns import Call, Turn
from support.replays import replayed
from support.scripted_model import Scripted, calls


def _proposed(confidence: float) -> Call:
    """Return the proposal of a call, as an agent makes it."""
    asked = {"tool": "set_memory", "arguments": {"key": f"k{confidence}", "value": "v"}}
    made = {"kind": "note", **asked, "confidence": confidence, "importance": 0.9, "reason": "So."}
    return Call(id="", tool="propose", arguments=json.dumps(made))


PROPOSES = (
    calls(*(_proposed(confidence) for confidence in (0.95, 0.6, 0.2))),
    Turn(text="Proposed."),
)
NONE = NoRules()
RULES = DecisionRules(escalate=("bell",))


class Ruled(Mulling):
    """An agent of which all is done that is done by rules alone."""

    @contextlib.contextmanager
    def by_rules(
        self, store: MortalStore, kind: str, asked: Record = NONE, rules: Record = NONE
    ) -> Iterator[RulePorts]:
        """Give ports that are recorded."""
        ports = RulePorts(store, self.clock, self.chance, self._mirror(store).deliver)
        with self.recorder(store).by_rules(
            ports, agent=AGENT, kind=kind, asked=asked or NONE, rules=rules
        ) as found:
            yield found

    def live_by_rules(self) -> None:
        """Live some iterations in several modes, and do all else."""
        with self.open() as store:
            agents.set_(store, name=AGENT, change=AgentChange(preset="full"))
        self.modes = ModeRules(overload_queue=3, overload_ends=2)
        self.concern("mail", share=0.3, trigger=ConcernTrigger(every=2, idle_seconds=30))
        self.push(*[f"Letter {number}." for number in range(6)], source="mail")
        self.push("Something.", source="door")
        self.live(2)
        self.clock.pass_time(100.0)
        self._mull()
        self._decide()
        self._plan()
        self._believe()
        self._forget()

    def _forget(self) -> None:
        with self.open() as store:
            for number, sources in enumerate(((), ("web",))):
                said = NewItem(
                    id=f"it_{number}", text="It rains.", origin="operator", sources=sources
                )
                memory.add(store, self.clock, self.chance, agent=AGENT, given=[said])
            with self.by_rules(store, RETRACT, RetractAsked(ids=("it_0",))) as ports:
                revoker = trust.Revoker(ports.clock, ports.chance)
                trust.retract(ports.store, revoker, agent=AGENT, ids=["it_0"])
            with self.by_rules(store, REVOKE, RevokeAsked(source="web")) as ports:
                revoker = trust.Revoker(ports.clock, ports.chance)
                trust.revoke(ports.store, revoker, source="web", agent=AGENT)

    def _mull(self) -> None:
        with self.open() as store:
            session = checkpoints.load_checkpoint(store, agent=AGENT)
            assert session is not None
            seen = self.seen[-1].attended
            seen = replace(seen, events=(), at=self.clock.now())
            asked = reflect.IdleAsked(attended=seen, session=session)
            with self.by_rules(store, reflect.IDLE, asked, ReflectionRules()) as ports:
                mirror = reflect.Reflector(*ports, ReflectionRules())
                assert reflect.trigger_idle(mirror, attended=seen, session=session)

    def _decide(self) -> None:
        self.push("Propose.")
        self.clock.pass_time(10.0)
        self.think(Scripted(PROGRAM, {}, otherwise=PROPOSES))
        with self.open() as store:
            with self.by_rules(store, act.DECIDE, rules=RULES) as ports:
                assert len(act.decide(ports, agent=AGENT, rules=RULES)) == 3
            deps = self.dependencies(store, self.model)
            act.act(deps, agent=AGENT, rules=RULES)
            with self.by_rules(store, reflect.REFLECT, rules=ReflectionRules()) as ports:
                reflect.reflect(reflect.Reflector(*ports, ReflectionRules()), agent=AGENT)
            self.clock.pass_time(10.0)
            with self.by_rules(store, reflect.REFLECT_DAY) as ports:
                reflect.day(ports.store, ports.clock, ports.chance, agent=AGENT)

    def _plan(self) -> None:
        with self.open() as store:
            wanted = NewPlan(title="Write", after="1m", expects=("note:there",))
            plans.add(store, self.clock, self.chance, agent=AGENT, new=wanted)
            self.clock.pass_time(120.0)
            with self.by_rules(store, DUE) as ports:
                plans.due_push(ports.store, ports.clock, deliver=ports.deliver, agent=AGENT)
            ((event,),) = self.rows("SELECT id FROM event ORDER BY seq DESC LIMIT 1")
            inbox.dead(store, id=event, reason="Nobody has time.")
            deps = self.dependencies(store, self.model)
            with deps.recording(
                deps, agent=AGENT, kind=postconditions.JUDGE, asked=NoRules()
            ) as recorded:
                postconditions.judge(recorded, agent=AGENT)

    def _believe(self) -> None:
        with self.open() as store:
            ports = (store, self.clock, self.chance)
            said = NewItem(id="it_x", text="I live in Lisbon.", speaker="jo", origin="human")
            memory.add(*ports, agent=AGENT, given=[said])
            options = ConsolidateOptions(rules=SlotRules())
            list(
                consolidate_recorded(self.recorder(store), self.clock, agent=AGENT, options=options)
            )
            self.clock.pass_time(400 * 86400.0)
            due = RevalidationDue(every=True)
            with self.by_rules(store, REVALIDATE, due) as given:
                observation.revalidate(
                    given.store, given.clock, agent=AGENT, due=due, rules=SlotRules()
                )
            with self.by_rules(store, ARCHIVE, ArchiveAsked(below=0.9)) as given:
                memory.archive(given.store, given.clock, agent=AGENT, below=0.9)
            asked = ExtractAsked(since_cycle=1, least=0.0, trusted=())
            with self.by_rules(store, EXTRACT, asked) as given:
                list(extracted(given, agent=AGENT, asked=asked))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Ruled:
    life = Ruled(tmp_path_factory.mktemp("ruled") / "life", threshold=0.0)
    life.live_by_rules()
    return life


def kinds(life: Ruled) -> set[str]:
    return {one for (one,) in life.rows("SELECT body ->> '$.kind' FROM operation")}


def test_what_is_done_by_rules_is_done_again(lived: Ruled) -> None:
    assert kinds(lived) >= {*OPERATIONS, act.ACT, act.CALL, postconditions.JUDGE}
    found, verdict = replayed(lived.path)
    assert found == []
    assert verdict.equal
    # What people did, what came, how the worker's session was saved as it ended.
    people = {"agent", "concern", "event", "memory_item", "plan", "plan_count", "session"}
    assert set(verdict.given_rows) <= people, verdict.given_rows


CHANGED = {
    "iteration": "significance = 9.5 WHERE number = 1",
    "iteration_reflection": "body = json_set(body, '$.significance', 9.5) WHERE number = 1",
    "mode_change": "reason = 'a whim'",
    "attention_turn": "turns = turns + 1",
    "familiar": "met = met + 1",
    "decision": "body = json_set(body, '$.why', 'a whim')",
    "escalation": "body = json_set(body, '$.text', 'a whim')",
    "ticket": "reason = 'a whim'",
    "plan": "state = 'active', next = created",
    "plan_window": "state = 'lost'",
    "plan_outcome": "why = 'a whim'",
    "event": "text = 'a whim' WHERE source = 'plan'",
    "observation": "confidence = confidence / 2",
    "observation_standing": "standing = json_set(standing, '$.confidence', 0.5) WHERE number = 1",
    "observation_evidence": "weight = weight + 1",
    "reflection": "body = json_set(body, '$.text', 'a whim')",
    "memory_item": "archived = '2020-01-01T00:00:00Z' WHERE archived IS NOT NULL",
    "segment": "first_cycle = 2",
    "cycle": "input_tokens = input_tokens + 1",
    "turn": "first_seconds = first_seconds + 1",
    "call": "result = json_set(result, '$.text', 'a whim')",
    "ledger": "micros = micros + 1",
    "note": "value = 'a whim' WHERE key = 'k0.95'",
    "message": "parts = replace(parts, 'Proposed', 'A whim') WHERE role = 'assistant'",
}
"""What rows of each table are changed to."""


@pytest.mark.parametrize("table", CHANGED)
def test_a_changed_row_is_reported(lived: Ruled, tmp_path: Path, table: str) -> None:
    path = make_private(tmp_path / "changed") / "mind.db"
    shutil.copyfile(lived.path, path)
    path.chmod(0o600)
    with contextlib.closing(apsw.Connection(str(path))) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.execute(f"UPDATE {table} SET {CHANGED[table]}")
        assert connection.changes()
    found, verdict = replayed(path)
    assert not verdict.equal
    assert [one.table for one in found] == [table]
