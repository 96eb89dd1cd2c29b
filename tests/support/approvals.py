"""A life whose calls a person is asked about, and what that person does."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from mindpipe.agents.records import AgentChange
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.core.tools import ToolManifest
from mindpipe.engine.records.journal import Ticket
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import deliverer
from support.histories import PROGRAM
from support.life import AGENT, Life, Sink
from support.scripted_model import Play, Scripted, call, calls

EFFECTS = ("idempotent", "keyed", "unsafe")
PERSON = tickets.TicketVerdict("husam")


@dataclass
class Hearing(Sink):
    """Programs that remember with which arguments they ran."""

    heard: list[object] = field(default_factory=list)

    def run(self, call: ProgramCall) -> ProgramRun:
        """Note the effect of one run and its arguments."""
        self.heard.append(json.loads(call.stdin))
        return super().run(call)


def tool(name: str, **fields: object) -> ToolManifest:
    """Return a tool that is asked about every time."""
    told = {"description": "A tool.", "command": (name,), "approval": "always", **fields}
    return ToolManifest(name=name, **told)


def one_call(name: str, **args: object) -> Play:
    """Return a play: one call, then an end."""
    return (calls(call(name, **args)), calls(call("done", summary="Asked.")))


class Asking(Life):
    """A life with tools, each a play of its own name, and a person who decides."""

    def __init__(self, folder: Path, *tools: ToolManifest, **change: object) -> None:
        super().__init__(folder, AgentChange(tools=tools, **change))
        self.sink = Hearing()
        plays = {one.name: one_call(one.name, amount=5, to="Ada") for one in tools}
        self.model = Scripted(PROGRAM, plays, otherwise=(calls(call("done", summary="Heard.")),))

    def ask(self, name: str) -> Ticket:
        """Let the agent want to call a tool; return the ticket that comes of it."""
        self.push(f"play {name}")
        assert self.think(self.model).outcome == "done"
        return self.all_tickets()[-1]

    def all_tickets(self) -> list[Ticket]:
        """Return all tickets, oldest first."""
        with self.open() as store:
            order = {id_: place for place, (id_,) in enumerate(self.rows(_IN_ORDER))}
            return sorted(
                tickets.list_(store, self.clock, every=True), key=lambda one: order[one.id]
            )

    def state(self, ticket: Ticket) -> str:
        """Return the state that a ticket's row holds."""
        return str(self.value(f"SELECT state FROM ticket WHERE id='{ticket.id}'"))

    def approve(
        self,
        ticket: Ticket,
        *,
        sha256: str | None = None,
        arguments: dict[str, object] | None = None,
    ) -> Ticket:
        """Approve a ticket, with other arguments if any are given."""
        with self.open() as store:
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            return tickets.approve(
                store,
                self.clock,
                deliver,
                ticket=ticket.id,
                sha256=sha256 or str(ticket.sha256),
                verdict=PERSON,
                arguments=arguments,
            )

    def deny(self, ticket: Ticket) -> Ticket:
        """Deny a ticket."""
        with self.open() as store:
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            return tickets.deny(store, self.clock, deliver, ticket=ticket.id, verdict=PERSON)

    def settle(
        self, ticket: Ticket, found: tickets.TicketFinding, text: str | None = None
    ) -> Ticket:
        """Settle a ticket."""
        verdict = tickets.TicketVerdict("husam", text)
        with self.open() as store:
            deliver = deliverer(store, self.clock, self.chance, bounds=Bounds())
            return tickets.settle(
                store, self.clock, deliver, ticket=ticket.id, found=found, verdict=verdict
            )

    def told(self, ticket: Ticket) -> list[str]:
        """Return the keys of the events by which the agent heard of a ticket."""
        found = self.rows(
            f"SELECT key FROM event WHERE agent='{AGENT}' AND source='ticket' "
            f"AND priority=1 AND key LIKE '{ticket.id}:%' ORDER BY seq"
        )
        return [key.partition(":")[2] for (key,) in found]

    def results(self, name: str) -> list[tuple[str, str]]:
        """Return states and answers of the calls of a tool."""
        return self.rows(
            "SELECT state, result ->> '$.text' FROM call "
            f"WHERE tool='{name}' ORDER BY cycle, turn, position"
        )


_IN_ORDER = "SELECT id FROM ticket ORDER BY created, (SELECT cycle FROM call WHERE id=ticket.call)"
