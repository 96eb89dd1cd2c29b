"""Open tickets that wait for a person, let them expire, and close them, each with one event."""

from collections.abc import Collection
from typing import Literal

import msgspec

from mindpipe.core.instants import LAST_INSTANT
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.engine.approval import event_of
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.tables import journal

_MAY_LAPSE = {TicketState.PENDING, TicketState.APPROVED}


class TicketMatter(msgspec.Struct, frozen=True):
    """What a person has to look at: an account, or a task or crashes; and since which cycle."""

    kind: Literal["account", "escalation"]
    reason: str
    cycle: int = 0


def open_matter(
    store: Store, clock: Clock, chance: Chance, *, agent: str, matter: TicketMatter
) -> Ticket:
    """Open a ticket about no call of its agent's."""
    with store.write(agent) as rows:
        made = Ticket(
            id=chance.new_id("t", agent, matter.kind, len(journal.ticket_ids(rows))),
            agent=agent,
            kind=matter.kind,
            state=TicketState.OPEN,
            cycle=matter.cycle,
            reason=matter.reason,
            created=clock.now(),
        )
        journal.save_ticket(rows, made)
    return made


def is_due(store: Store, clock: Clock, *, agent: str) -> bool:
    """Tell whether a worker would find an approved call to run, or an approval whose time is over.

    It asks without writing.
    """
    with store.read() as rows:
        if journal.next_approved(rows, agent=agent) is not None:
            return True
        return bool(journal.unsettled(rows, agent=agent, now=clock.now()))


def may_lapse(store: Store, *, agent: str) -> bool:
    """Tell whether an agent has an approval whose time may be over some day."""
    with store.read() as rows:
        return bool(journal.unsettled(rows, agent=agent, now=LAST_INSTANT))


def lapse(store: Store, clock: Clock, deliver: Deliver, *, agent: str) -> None:
    """Let an agent's approvals expire whose time is over; tell of those that a restore ended."""
    with store.read() as rows:
        if not journal.unsettled(rows, agent=agent, now=clock.now()):
            return
    with store.write(agent) as rows:
        found = journal.unsettled(rows, agent=agent, now=clock.now())
        if hold(rows, found):
            found = journal.unsettled(rows, agent=agent, now=clock.now())
        for ticket in found:
            lapse_ticket(rows, clock, deliver, ticket)


def hold(rows: Rows, found: Collection[Ticket]) -> bool:
    """Hold tickets that may end, and the tasks that end with them; return whether it had to wait.

    Whoever holds a task holds the ticket for which it waits then, which may be another by now.
    """
    waited, held = False, {one.id for one in found}
    if of := {task for one in found if (task := task_of(one)) is not None}:
        from mindpipe.tasks.verbs import task as tasks

        waited = rows.hold("task", *of)
        held |= {ticket for task in of if (ticket := tasks.known(rows, task).ticket) is not None}
    return rows.hold("ticket", *held) or waited


def task_of(ticket: Ticket) -> str | None:
    """Return the id of the task that a ticket is about, None where it is about none."""
    return str((ticket.args or {}).get("task")) if ticket.kind == "delegation" else None


def as_of(ticket: Ticket, now: str) -> Ticket:
    """Return a ticket as it is now: expired where its time is over."""
    due = ticket.state in _MAY_LAPSE and ticket.expires is not None and ticket.expires <= now
    return ticket.to(TicketState.EXPIRED) if due else ticket


def close(rows: Rows, deliver: Deliver, ticket: Ticket, *, sources: Collection[str] = ()) -> None:
    """Save what became of a ticket and let its agent hear of it, by one event per state.

    A call whose turn still waits for it gets its answer there instead. Of what was decided, the
    decision tells.
    """
    journal.save_ticket(rows, ticket)
    if ticket.kind == "approval" and ticket.call is None:
        _tell_decision(rows, deliver, ticket, sources)
    if ticket.kind == "delegation":
        _end_task(rows, deliver, ticket)
    call = journal.find_call(rows, ticket.call) if ticket.call else None
    if call is not None and call.state.answered:
        deliver([event_of(ticket, sources=sources)])


def _tell_decision(rows: Rows, deliver: Deliver, ticket: Ticket, sources: Collection[str]) -> None:
    """Let the decision that opened a ticket, if one did, end as its call did."""
    from mindpipe.decisions.records import DecisionState
    from mindpipe.decisions.verbs.outcome import RunOutcome, follow

    states = {
        TicketState.EXECUTED: DecisionState.APPLIED,
        TicketState.FAILED: DecisionState.FAILED,
        TicketState.UNKNOWN: DecisionState.UNKNOWN,
        TicketState.CANCELLED: DecisionState.REJECTED,
        TicketState.EXPIRED: DecisionState.EXPIRED,
    }
    if ticket.state in states:
        outcome = RunOutcome(states[ticket.state], ticket.result, sources)
        follow(rows, deliver, ticket=ticket.id, outcome=outcome)


def _end_task(rows: Rows, deliver: Deliver, ticket: Ticket) -> None:
    """Let a task fail that waited for a person who said no, or nothing in time."""
    from mindpipe.tasks.records import TaskState
    from mindpipe.tasks.verbs import task as tasks

    found = tasks.find(rows, str(task_of(ticket)))
    if found.ticket != ticket.id or found.state not in (TaskState.ESCALATED, TaskState.CREATED):
        return
    because = f": {ticket.result}" if ticket.result else ""
    if ticket.state is TicketState.DENIED:
        words = f"denied by {ticket.person}{because}"
    elif ticket.state is TicketState.CANCELLED:
        words = f"cancelled{because}"
    elif found.state is TaskState.CREATED:
        words = "it was approved and not sent in time"
    else:
        words = "nobody approved it in time"
    tasks.fail(rows, deliver, found, words)


def lapse_ticket(rows: Rows, clock: Clock, deliver: Deliver, ticket: Ticket) -> None:
    """Take note of an end that nobody decided."""
    ended = as_of(ticket, clock.now())
    close(rows, deliver, msgspec.structs.replace(ended, decided=clock.now()))
