"""Read the tickets that wait for a person, and decide them, each once."""

from collections.abc import Collection
from typing import Literal, NamedTuple

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Chance, Clock, Deliver, Rows, Store
from mindpipe.decisions.records import DecisionState
from mindpipe.decisions.verbs.following import Outcome, follow
from mindpipe.think import tables
from mindpipe.think.approval import event_of, fault_of
from mindpipe.think.records import (
    WAITING,
    CallState,
    Ticket,
    TicketKind,
    TicketState,
    TurnState,
)
from mindpipe.think.verbs.journal import with_call_state

Finding = Literal["was-done", "was-not-done", "resolved", "dismissed"]
_FINDINGS: dict[TicketKind, tuple[Finding, ...]] = {
    "approval": ("was-done", "was-not-done"),
    "doubt": ("was-done", "was-not-done", "dismissed"),
    "account": ("resolved", "dismissed"),
    "escalation": ("resolved", "dismissed"),
}
_FOUND = {"was-done": TicketState.EXECUTED, "was-not-done": TicketState.FAILED}
_HOLDS = {
    TicketState.EXECUTED: ResultStatus.OK,
    TicketState.WAS_DONE: ResultStatus.OK,
    TicketState.FAILED: ResultStatus.ERROR,
    TicketState.WAS_NOT_DONE: ResultStatus.ERROR,
}
_DECISIONS = {
    TicketState.EXECUTED: DecisionState.APPLIED,
    TicketState.FAILED: DecisionState.FAILED,
    TicketState.UNKNOWN: DecisionState.UNKNOWN,
    TicketState.CANCELLED: DecisionState.REJECTED,
    TicketState.EXPIRED: DecisionState.EXPIRED,
}
_MAY_LAPSE = {TicketState.PENDING, TicketState.APPROVED}


class Verdict(NamedTuple):
    """Who decides, and in which words."""

    person: str
    text: str | None = None


class Matter(NamedTuple):
    """What a person has to look at: an account, or a task or crashes; and since which cycle."""

    kind: Literal["account", "escalation"]
    reason: str
    cycle: int = 0


def list_(
    store: Store, clock: Clock, *, agent: str | None = None, every: bool = False
) -> list[Ticket]:
    """Return the tickets of one agent or of all that wait for a person, or every one.

    One whose time is over is shown as expired, although nobody has taken note of that yet.
    """
    with store.read() as rows:
        states = tuple(TicketState) if every else WAITING
        found = tables.tickets(rows, agent=agent, states=states)
    return [as_of(ticket, clock.now()) for ticket in found]


def show(store: Store, clock: Clock, *, ticket: str) -> Ticket:
    """Return one ticket; raises UsageError if there is none of this id."""
    with store.read() as rows:
        return as_of(_find(rows, ticket), clock.now())


def approve(
    store: Store, clock: Clock, deliver: Deliver, *, ticket: str, sha256: str, verdict: Verdict
) -> Ticket:
    """Let the next worker run exactly the call whose hash is given, once.

    Raises:
        RefusedError: decided before, too late, another hash, or the call or tool was changed.
        UsageError: there is no such ticket.
    """
    _lapse_one(store, clock, deliver, ticket)
    with store.write() as rows:
        found = _open(rows, ticket, TicketState.APPROVED)
        if sha256 != found.sha256:
            raise RefusedError(
                f"that is not the hash of {ticket}. Read mind ticket show {ticket}, and give its."
            )
        fault = fault_of(found, agents.show(store, name=found.agent))
        if fault is not None:
            raise RefusedError(f"{fault} Deny {ticket}; {found.agent} can ask again.")
        made = _decided(found.to(TicketState.APPROVED), clock, verdict)
        tables.save_ticket(rows, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def deny(store: Store, clock: Clock, deliver: Deliver, *, ticket: str, verdict: Verdict) -> Ticket:
    """Let a call never run; its agent hears of it.

    Raises:
        RefusedError: decided before, or too late.
        UsageError: there is no such ticket.
    """
    _lapse_one(store, clock, deliver, ticket)
    with store.write() as rows:
        found = _open(rows, ticket, TicketState.DENIED)
        made = _decided(found.to(TicketState.DENIED, result=verdict.text), clock, verdict)
        close(rows, deliver, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def settle(
    store: Store, clock: Clock, deliver: Deliver, *, ticket: str, found: Finding, verdict: Verdict
) -> Ticket:
    """Say what a person found out of a call with unknown outcome, or that a matter is over.

    The call itself is answered with it as long as its turn is not in history.

    Raises:
        RefusedError: settled before, or a ticket of this kind cannot be settled so.
        UsageError: there is no such ticket.
    """
    with store.write() as rows:
        before = _find(rows, ticket)
        state = TicketState(found.replace("-", "_"))
        if before.kind == "approval":
            state = _FOUND.get(found, state)
        if before.state is TicketState.RUNNING or state not in before.successors():
            raise RefusedError(_cannot_settle(before, found))
        text = verdict.text or f"{verdict.person} says so."
        made = _decided(before.to(state, result=text), clock, verdict)
        _answer_call(rows, made)
        close(rows, deliver, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def open_matter(
    store: Store, clock: Clock, chance: Chance, *, agent: str, matter: Matter
) -> Ticket:
    """Open a ticket about no call of its agent's."""
    with store.write() as rows:
        made = Ticket(
            id=chance.new_id("t", agent, matter.kind, len(tables.ticket_ids(rows))),
            agent=agent,
            kind=matter.kind,
            state=TicketState.OPEN,
            cycle=matter.cycle,
            reason=matter.reason,
            created=clock.now(),
        )
        tables.save_ticket(rows, made)
    return made


def is_due(store: Store, clock: Clock, *, agent: str) -> bool:
    """Tell whether a worker would find an approved call to run, or an approval whose time is over.

    It asks without writing.
    """
    with store.read() as rows:
        if tables.next_approved(rows, agent=agent) is not None:
            return True
        return bool(tables.unsettled(rows, agent=agent, now=clock.now()))


def lapse(store: Store, clock: Clock, deliver: Deliver, *, agent: str) -> None:
    """Let an agent's approvals expire whose time is over; tell of those that a restore ended."""
    with store.read() as rows:
        if not tables.unsettled(rows, agent=agent, now=clock.now()):
            return
    with store.write() as rows:
        for ticket in tables.unsettled(rows, agent=agent, now=clock.now()):
            _lapse(rows, clock, deliver, ticket)


def as_of(ticket: Ticket, now: str) -> Ticket:
    """Return a ticket as it is now: expired where its time is over."""
    due = ticket.state in _MAY_LAPSE and ticket.expires is not None and ticket.expires <= now
    return ticket.to(TicketState.EXPIRED) if due else ticket


def close(rows: Rows, deliver: Deliver, ticket: Ticket, *, sources: Collection[str] = ()) -> None:
    """Save what became of a ticket and let its agent hear of it, by one event per state.

    A call whose turn still waits for it gets its answer there instead. Of what was decided, the
    decision tells.
    """
    tables.save_ticket(rows, ticket)
    state = _DECISIONS.get(ticket.state)
    if ticket.kind == "approval" and ticket.call is None and state is not None:
        outcome = Outcome(state, ticket.result, sources)
        follow(rows, deliver, ticket=ticket.id, outcome=outcome)
    call = tables.find_call(rows, ticket.call) if ticket.call else None
    if call is not None and call.state.answered:
        deliver([event_of(ticket, sources=sources)])


def _find(rows: Rows, ticket: str) -> Ticket:
    """Return one ticket; raises UsageError with the nearest id."""
    found = tables.find_ticket(rows, ticket)
    if found is None:
        near = did_you_mean(ticket, tables.ticket_ids(rows))
        raise UsageError(f'no ticket "{ticket}"; {near}mind ticket list shows them.')
    return found


def _open(rows: Rows, ticket: str, state: TicketState) -> Ticket:
    """Return a ticket that may be decided so; raises RefusedError if it may not."""
    found = _find(rows, ticket)
    if found.kind != "approval":
        raise RefusedError(f"{ticket} is no approval; use mind ticket settle {ticket}.")
    if found.state is TicketState.EXPIRED:
        late = f"{ticket} expired at {found.expires}, which counts as denied"
        raise RefusedError(f"{late}. {found.agent} can ask again.")
    if state not in found.successors():
        raise RefusedError(f"{ticket} is {found.state.value}; a ticket is decided once.")
    return found


def _cannot_settle(ticket: Ticket, found: Finding) -> str:
    """Return why a ticket cannot be settled so, and what can be done with it."""
    what = f"{ticket.id} ({ticket.kind}, {ticket.state.value}) cannot be settled as {found}"
    if ticket.state is TicketState.PENDING:
        return f"{what}; use mind ticket approve or deny."
    if ticket.state not in WAITING:
        return f"{what}; it waits for nobody."
    return f"{what}; say {', '.join(_FINDINGS[ticket.kind])}."


def _decided(ticket: Ticket, clock: Clock, verdict: Verdict) -> Ticket:
    """Return a ticket with who decided it and when."""
    return msgspec.structs.replace(ticket, decided=clock.now(), person=verdict.person)


def _lapse_one(store: Store, clock: Clock, deliver: Deliver, ticket: str) -> None:
    """Let a ticket expire if its time is over, which holds even where the caller then refuses."""
    with store.write() as rows:
        found = _find(rows, ticket)
        if as_of(found, clock.now()) != found:
            _lapse(rows, clock, deliver, found)


def _lapse(rows: Rows, clock: Clock, deliver: Deliver, ticket: Ticket) -> None:
    """Take note of an end that nobody decided."""
    ended = as_of(ticket, clock.now())
    close(rows, deliver, msgspec.structs.replace(ended, decided=clock.now()))


def _answer_call(rows: Rows, ticket: Ticket) -> None:
    """Answer the call of unknown outcome that a ticket is about, before its turn is folded."""
    call = tables.find_call(rows, ticket.call) if ticket.call else None
    if call is None or call.state is not CallState.UNKNOWN or ticket.state not in _HOLDS:
        return
    turn = tables.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    if turn is None or turn.state is not TurnState.RECORDED:
        return
    status = _HOLDS[ticket.state]
    result = ResultPart(call=call.id, status=status, text=ticket.result or "", ticket=ticket.id)
    state = CallState.DONE if status is ResultStatus.OK else CallState.FAILED
    tables.save_call(rows, with_call_state(call, state, result))
