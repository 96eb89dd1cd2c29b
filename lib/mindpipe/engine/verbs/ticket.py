"""Read the tickets that wait for a person, and decide them, each once."""

from typing import Literal, NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.triggers import waking
from mindpipe.context.verbs import origins, speakers
from mindpipe.core.errors import RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.mcp_servers import ServerQuestion
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import NOBODY, Clock, Deliver, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.core.sources import untrusted
from mindpipe.core.text import did_you_mean, is_hash
from mindpipe.engine.approval import fault_of, fault_of_answer, tool_of, with_arguments
from mindpipe.engine.cycle.journal import with_call_state
from mindpipe.engine.cycle.tickets import as_of, close, hold, lapse_ticket, task_of
from mindpipe.engine.records.journal import (
    WAITING,
    CallState,
    Ticket,
    TicketCause,
    TicketKind,
    TicketState,
    TurnState,
)
from mindpipe.engine.tables import journal
from mindpipe.engine.tools.specs import tools_of
from mindpipe.engine.tools.versions import version_of
from mindpipe.inbox.records import Event
from mindpipe.tasks.records import TaskState
from mindpipe.tasks.verbs import task as tasks
from mindpipe.trigger_runs import verbs as runs

_QUOTED = 300
TicketFinding = Literal["was-done", "was-not-done", "resolved", "dismissed"]
_FINDINGS: dict[TicketKind, tuple[TicketFinding, ...]] = {
    "approval": ("was-done", "was-not-done"),
    "delegation": (),
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


class TicketVerdict(NamedTuple):
    """Who decides, and in which words."""

    person: str
    text: str | None = None


def list_(
    store: Store,
    clock: Clock,
    *,
    agent: str | None = None,
    every: bool = False,
    trust: tuple[str, ...] = (),
) -> list[Ticket]:
    """Return the tickets of one agent or of all that wait for a person, or every one.

    One whose time is over is shown as expired, although nobody has taken note of that yet. `trust`
    names the sources that every agent trusts.
    """
    with store.read() as rows:
        states = tuple(TicketState) if every else WAITING
        found = journal.tickets(rows, agent=agent, states=states)
    return [_shown(store, as_of(ticket, clock.now()), trust) for ticket in found]


def of_cycle(store: Store, clock: Clock, *, agent: str, cycle: int) -> tuple[str, ...]:
    """Return the ids of the tickets of one cycle that wait for a person."""
    return tuple(one.id for one in list_(store, clock, agent=agent) if one.cycle == cycle)


def show(store: Store, clock: Clock, *, ticket: str, trust: tuple[str, ...] = ()) -> Ticket:
    """Return one ticket, with what led to it; raises UsageError if there is none of this id."""
    with store.read() as rows:
        found = _shown(store, as_of(_find(rows, ticket), clock.now()), trust)
        return msgspec.structs.replace(found, led_by=_causes(store, found, trust))


def _causes(store: Store, ticket: Ticket, trust: tuple[str, ...]) -> tuple[TicketCause, ...]:
    """Return the events that the cycle of a ticket took up, first the one that woke it."""
    events = list(origins.events_of(store, ticket.agent, ticket.cycle))
    if not events:
        return ()
    trusted = (*agents.show(store, name=ticket.agent).trust, *trust)
    run = runs.current(store, agent=ticket.agent, cycle=ticket.cycle)
    woke = run.trigger.event if run is not None else None
    # What joined the cycle later may be more urgent than what woke the agent; where the run began
    # in an earlier cycle, a reply or a time-out woke it.
    first = next((one for one in events if one.id == woke), None) or waking(events)
    events.sort(key=lambda one: one is not first)
    return tuple(_cause(store, one, trusted, woke=one is first) for one in events)


def _cause(store: Store, event: Event, trust: tuple[str, ...], *, woke: bool) -> TicketCause:
    """Return an event as what may have led to a call."""
    said = speakers.said_by(store, event, trust=trust)
    text = event.text or to_json(event.body).decode()
    return TicketCause(
        event=event.id,
        source=event.source,
        sender=said.known,
        claimed=said.claimed,
        trusted=not untrusted(event.origins(), trust),
        woke=woke,
        text=text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…",
    )


def _shown(store: Store, ticket: Ticket, trust: tuple[str, ...]) -> Ticket:
    """Return a ticket with what the server of its tool claims of that, as it was asked about."""
    agent = agents.show(store, name=ticket.agent)
    tool = tool_of(ticket, agent)
    if tool is None or version_of(tool) != ticket.tool_sha256:
        return ticket
    claims = tool.shown_claims((*agent.trust, *trust))
    return msgspec.structs.replace(ticket, claims=claims)


def approve(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    *,
    ticket: str,
    sha256: str,
    verdict: TicketVerdict,
    arguments: dict[str, object] | None = None,
) -> Ticket:
    """Let the next worker run exactly the call whose hash is given, once.

    With `arguments` it runs with these in place of its own, and its agent is told so. Where the
    server of its tool asked for input they are the answer to that, without which it does not run.

    Raises:
        RefusedError: decided before, too late, another hash, the call or tool was changed, the
            given arguments do not fit the tool or the question, or an answer is missing.
        UsageError: there is no such ticket.
    """
    _lapse_one(store, clock, deliver, ticket)
    with store.write(NOBODY) as rows:
        _hold(rows, ticket)
        found = _open(rows, ticket, TicketState.APPROVED)
        if not is_hash(sha256, found.sha256):
            of_tool = is_hash(sha256, found.tool_sha256)
            what = "the hash of its tool alone (tool_sha256)" if of_tool else "not its hash"
            raise RefusedError(
                f"that is {what}. Read mind ticket show {found.id}, and give its sha256."
            )
        fault = fault_of(found, agents.show(store, name=found.agent))
        if fault is not None:
            raise RefusedError(f"{fault} Deny {ticket}; {found.agent} can ask again.")
        found = edit(store, ticket=found, arguments=arguments)
        question = found.question()
        if question is not None and question.fields is None:
            raise RefusedError(f"{found.tool} asked for input; give its fields with --args.")
        made = _decided(found.to(TicketState.APPROVED), clock, verdict)
        journal.save_ticket(rows, made)
        if made.kind == "delegation":
            _let_go(rows, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def edit(store: Store, *, ticket: Ticket, arguments: dict[str, object] | None) -> Ticket:
    """Return a ticket as it would run with other arguments, None for its own; nothing is saved.

    Of one whose server asked for input they are the answer to that.

    Raises:
        RefusedError: the arguments do not fit its tool, or the question.
    """
    question = ticket.question()
    if question is not None:
        return _answered(ticket, question, arguments)
    made = with_arguments(ticket, arguments)
    if made.approved_args is not None and made.kind == "delegation":
        raise RefusedError("a delegated task runs as it is or not at all; deny it instead.")
    if made.approved_args is not None:
        tool = tools_of(agents.show(store, name=made.agent)).get(made.tool or "")
        fault = "its tool is gone" if tool is None else tool.fault(made.approved_args)
        if fault is not None:
            raise RefusedError(f"these arguments do not fit {made.tool}: {fault}.")
    return made


def _answered(ticket: Ticket, question: ServerQuestion, fields: dict[str, object] | None) -> Ticket:
    """Return a ticket with an answer to what its server asked for."""
    fault = None if fields is None else fault_of_answer(question, fields)
    if fault is not None:
        raise RefusedError(f"this is no answer to what {ticket.tool} asked for: {fault}.")
    answered = msgspec.structs.replace(question, fields=fields)
    return msgspec.structs.replace(ticket, questions=(*ticket.questions[:-1], answered))


def _let_go(rows: Rows, ticket: Ticket) -> None:
    """Let the task go that waits for this ticket; the next worker of its agent sends it."""
    found = tasks.require_open(rows, str(task_of(ticket)))
    if found.ticket != ticket.id or found.state is not TaskState.ESCALATED:
        raise RefusedError(f"{found.id} does not wait for {ticket.id} any more.")
    tasks.let_go(rows, found, sha256=ticket.sha256 or "")


def deny(
    store: Store, clock: Clock, deliver: Deliver, *, ticket: str, verdict: TicketVerdict
) -> Ticket:
    """Let a call never run; its agent hears of it.

    Raises:
        RefusedError: decided before, or too late.
        UsageError: there is no such ticket.
    """
    _lapse_one(store, clock, deliver, ticket)
    with store.write(NOBODY) as rows:
        _hold(rows, ticket)
        found = _open(rows, ticket, TicketState.DENIED)
        made = _decided(found.to(TicketState.DENIED, result=verdict.text), clock, verdict)
        close(rows, deliver, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def review(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    *,
    ticket: Ticket,
    yes: bool,
    verdict: TicketVerdict,
) -> Ticket | None:
    """Do what a person answered who saw a ticket whole; None where it waits on.

    Yes lets a call run (with the arguments that this person put in place of its own), says that one
    was done, or that a matter is over; no denies a call, says that it was not done, or nothing.

    Raises:
        RefusedError: it was decided meanwhile, its time is over, or the tool was changed.
    """
    if ticket.state is TicketState.PENDING:
        if not yes:
            return deny(store, clock, deliver, ticket=ticket.id, verdict=verdict)
        sha256 = ticket.sha256 or ""
        return approve(
            store,
            clock,
            deliver,
            ticket=ticket.id,
            sha256=sha256,
            verdict=verdict,
            arguments=ticket.given(),
        )
    found: TicketFinding
    if ticket.kind in {"approval", "doubt"}:
        found = "was-done" if yes else "was-not-done"
    elif yes:
        found = "resolved"
    else:
        return None
    return settle(store, clock, deliver, ticket=ticket.id, found=found, verdict=verdict)


def settle(
    store: Store,
    clock: Clock,
    deliver: Deliver,
    *,
    ticket: str,
    found: TicketFinding,
    verdict: TicketVerdict,
) -> Ticket:
    """Say what a person found out of a call with unknown outcome, or that a matter is over.

    The call itself is answered with it as long as its turn is not in history.

    Raises:
        RefusedError: settled before, or a ticket of this kind cannot be settled so.
        UsageError: there is no such ticket.
    """
    with store.write(NOBODY) as rows:
        _hold(rows, ticket)
        before = _find(rows, ticket)
        state = TicketState(found.replace("-", "_"))
        if before.kind == "approval":
            state = _FOUND.get(found, state)
        # A delegation is only ever resolved by the end of its task.
        undecided = before.state is TicketState.RUNNING or before.kind == "delegation"
        if undecided or state not in before.successors():
            raise RefusedError(_cannot_settle(before, found))
        text = verdict.text or f"{verdict.person} says so."
        made = _decided(before.to(state, result=text), clock, verdict)
        _answer_call(rows, made)
        close(rows, deliver, made)
        reach("decide.before_commit")
    reach("decide.after_commit")
    return made


def _hold(rows: Rows, ticket: str) -> None:
    """Hold a ticket, its agent, and its task, which may be another's to end with the ticket."""
    found = _find(rows, ticket)
    rows.hold("agent", found.agent)
    hold(rows, [found])


def _find(rows: Rows, ticket: str) -> Ticket:
    """Return one ticket; raises UsageError with the nearest id."""
    found = journal.find_ticket(rows, ticket)
    if found is None:
        near = did_you_mean(ticket, journal.ticket_ids(rows))
        raise UsageError(f'no ticket "{ticket}"; {near}mind ticket list shows them.')
    return found


def _open(rows: Rows, ticket: str, state: TicketState) -> Ticket:
    """Return a ticket that may be decided so; raises RefusedError if it may not."""
    found = _find(rows, ticket)
    if found.kind not in {"approval", "delegation"}:
        raise RefusedError(f"{ticket} is no approval; use mind ticket settle {ticket}.")
    if found.state is TicketState.EXPIRED:
        late = f"{ticket} expired at {found.expires}, which counts as denied"
        raise RefusedError(f"{late}. {found.agent} can ask again.")
    if state not in found.successors():
        raise RefusedError(f"{ticket} is {found.state.value}; a ticket is decided once.")
    return found


def _cannot_settle(ticket: Ticket, found: TicketFinding) -> str:
    """Return why a ticket cannot be settled so, and what can be done with it."""
    what = f"{ticket.id} ({ticket.kind}, {ticket.state.value}) cannot be settled as {found}"
    if ticket.state is TicketState.PENDING:
        return f"{what}; use mind ticket approve or deny."
    if ticket.state not in WAITING:
        return f"{what}; it waits for nobody."
    return f"{what}; say {', '.join(_FINDINGS[ticket.kind])}."


def _decided(ticket: Ticket, clock: Clock, verdict: TicketVerdict) -> Ticket:
    """Return a ticket with who decided it and when."""
    return msgspec.structs.replace(ticket, decided=clock.now(), person=verdict.person)


def _lapse_one(store: Store, clock: Clock, deliver: Deliver, ticket: str) -> None:
    """Let a ticket expire if its time is over, which holds even where the caller then refuses."""
    with store.write(NOBODY) as rows:
        _hold(rows, ticket)
        found = _find(rows, ticket)
        if as_of(found, clock.now()) != found:
            lapse_ticket(rows, clock, deliver, found)


def _answer_call(rows: Rows, ticket: Ticket) -> None:
    """Answer the call of unknown outcome that a ticket is about, before its turn is committed."""
    call = journal.find_call(rows, ticket.call) if ticket.call else None
    if call is None or call.state is not CallState.UNKNOWN or ticket.state not in _HOLDS:
        return
    turn = journal.find_turn(rows, agent=call.agent, cycle=call.cycle, turn=call.turn)
    if turn is None or turn.state is not TurnState.RECORDED:
        return
    status = _HOLDS[ticket.state]
    result = ResultPart(call=call.id, status=status, text=ticket.result or "", ticket=ticket.id)
    state = CallState.DONE if status is ResultStatus.OK else CallState.FAILED
    journal.save_call(rows, with_call_state(call, state, result))
