"""A life whose agent proposes, and what is decided and done for it by workers that may die."""

import functools
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.core.tools import ToolManifest
from mindpipe.decisions.bands import DecisionRules
from mindpipe.decisions.records import Decision, Proposal
from mindpipe.decisions.verbs import decision as decisions
from mindpipe.decisions.verbs import proposal as proposals
from mindpipe.decisions.verbs.decision import Approval
from mindpipe.engine.cycle.approved_calls import open_tickets
from mindpipe.engine.dependencies import RulePorts
from mindpipe.engine.records.phases import Acted
from mindpipe.engine.tools.versions import version_now
from mindpipe.engine.verbs import act
from mindpipe.engine.verbs import act as deciding
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from support.histories import PROGRAM
from support.life import AGENT, LEASE, KilledError, Life, Sink
from support.scripted_model import Scripted, call, calls

SURE, UNSURE = 0.95, 0.6


@dataclass
class Called(Sink):
    """Programs that note with what on their stdin they ran."""

    heard: list[bytes] = field(default_factory=list)

    def run(self, call: ProgramCall) -> ProgramRun:
        """Note one run."""
        self.heard.append(call.stdin)
        return super().run(call)


def tool(name: str, **fields: object) -> ToolManifest:
    """Return a tool that its agent may call unasked."""
    return ToolManifest(name=name, **{"description": "A tool.", "command": (name,), **fields})


class Deciding(Life):
    """A life in which proposals are put down, judged, decided and done."""

    def __init__(self, folder: Path, *tools: ToolManifest, **change: object) -> None:
        super().__init__(folder, AgentChange(tools=tools, **change))
        self.sink = Called()
        self.rules = DecisionRules()
        self.model = Scripted(PROGRAM, {}, otherwise=(calls(call("done", summary="Heard.")),))
        self.made = 0

    def propose(self, tool: str, confidence: float = SURE, **fields: object) -> str:
        """Let the agent propose; return the id of the decision."""
        self.made += 1
        sources = fields.pop("sources", ())
        asked = {"kind": "deed", "tool": tool, "confidence": confidence, **fields}
        origin = proposals.ProposalOrigin(1, f"c_{self.made}", sources)
        with self.open() as store:
            who = agents.show(store, name=AGENT)
            return proposals.propose(
                store,
                self.clock,
                self.chance,
                agent=AGENT,
                proposal=msgspec.convert(asked, Proposal),
                origin=origin,
                version_of=functools.partial(version_now, agent=who),
            ).id

    def decide(self, *, dies: tuple[str, int] | None = None) -> list[Decision]:
        """Judge what was proposed; raises KilledError where the worker dies."""
        with self.open() as store, self._failing(store, dies, None):
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            ports = RulePorts(store, self.clock, self.chance, deliver)
            return deciding.decide(ports, agent=AGENT, rules=self.rules)

    def act(self, *, dies: tuple[str, int] | None = None) -> Acted:
        """Do what was decided; raises KilledError where the worker dies."""
        with self.open() as store, self._failing(store, dies, None):
            try:
                return act.act(self.dependencies(store, self.model), agent=AGENT, rules=self.rules)
            except KilledError:
                self.clock.pass_time(LEASE)
                raise

    def go_on(self) -> None:
        """Let another worker decide and act, and another after it."""
        for _ in range(2):
            self.decide()
            self.act()

    def approve(self, decision: str, *, dies: tuple[str, int] | None = None, **how: object) -> None:
        """Let a person approve, under the hash that is shown where none is given."""
        how = {"sha256": self.shown(decision).sha256, **how}
        with self.open() as store, self._failing(store, dies, None):
            opening = open_tickets(store, self.clock, self.chance, hours=24)
            approval = Approval("husam", **how)
            decisions.approve(store, self.clock, opening, decision=decision, approval=approval)

    def reject(self, decision: str, *, dies: tuple[str, int] | None = None) -> None:
        """Let a person reject."""
        with self.open() as store, self._failing(store, dies, None):
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            decisions.reject(
                store, self.clock, deliver, decision=decision, person="husam", note="No."
            )

    def undo(self, decision: str, **how: object) -> Decision:
        """Let a person take back what was done."""
        with self.open() as store:
            opening = open_tickets(store, self.clock, self.chance, hours=24)
            return decisions.undo(
                store,
                self.clock,
                self.chance,
                opening,
                decision=decision,
                approval=Approval("husam", **how),
            )

    def shown(self, decision: str) -> Decision:
        """Return a decision as it is now."""
        with self.open() as store:
            return decisions.show(store, self.clock, decision=decision)

    def put(self, decision: str, state: str, body: str) -> None:
        """Put a decision's row as somebody could who writes to the file."""
        with self.open() as store, store.write() as rows:
            rows.run(
                "UPDATE decision SET state=:state, body=:body WHERE id=:id",
                {"id": decision, "state": state, "body": body},
            )

    def state(self, decision: str) -> str:
        """Return the state that a decision's row holds."""
        return str(self.value(f"SELECT state FROM decision WHERE id='{decision}'"))

    def told(self, decision: str) -> list[str]:
        """Return the states of a decision that its agent heard of."""
        found = self.rows(
            f"SELECT key FROM event WHERE agent='{AGENT}' AND source='decision' "
            f"AND key LIKE '{decision}:%' ORDER BY seq"
        )
        return [key.partition(":")[2] for (key,) in found]
