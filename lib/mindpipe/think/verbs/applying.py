"""Open the tickets by which what was decided runs, each once and with the rules of approvals."""

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import RefusedError
from mindpipe.core.instants import later
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.decisions.records import Decision
from mindpipe.decisions.verbs.queue import OpenTicket
from mindpipe.think import tables
from mindpipe.think.applicable import fault_of_action
from mindpipe.think.approval import approval_hash, version_now
from mindpipe.think.records import Ticket, TicketState


def ticketing(store: Store, clock: Clock, chance: Chance, *, hours: float) -> OpenTicket:
    """Return what opens the approved ticket of a decision; it runs within `hours` or not at all.

    What it returns raises RefusedError where the tool is gone or the arguments do not fit it.
    """

    def open_ticket(rows: Rows, decision: Decision) -> str:
        agent = agents.show(store, name=decision.agent)
        action = decision.action or decision.proposal.action()
        version = version_now(action.tool, agent)
        fault = fault_of_action(agent, action)
        if fault is not None or version is None:
            raise RefusedError(f"{decision.id} cannot be done: {fault or 'its tool is gone'}")
        now = clock.now()
        ticket = Ticket(
            id=chance.new_id("t", decision.id),
            agent=decision.agent,
            kind="approval",
            state=TicketState.APPROVED,
            cycle=decision.cycle,
            tool=action.tool,
            args=action.arguments,
            reason=f"decision {decision.id}: {decision.why or decision.proposal.reason}",
            created=now,
            tool_sha256=version,
            sha256=approval_hash(version, action.arguments),
            sources=decision.sources,
            expires=later(now, seconds=hours * 3600),
            decided=now,
            person=decision.person,
        )
        tables.save_ticket(rows, ticket)
        return ticket.id

    return open_ticket
