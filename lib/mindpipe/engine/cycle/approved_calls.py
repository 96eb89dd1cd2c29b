"""Run the calls that a person approved or that were decided, each once, and tell the agent."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from msgspec import ValidationError

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import MindError, RefusedError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.records import to_json
from mindpipe.core.sources import joined
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.engine.approval import approval_hash, event_of, fault_of, key_of_run, tool_of
from mindpipe.engine.cycle.journal import GRACE_SECONDS, holding, renewal
from mindpipe.engine.cycle.tickets import as_of, close, lapse
from mindpipe.engine.cycle.tool_calls import (
    BegunCall,
    EndedCall,
    after_crash,
    asking_again,
    outcome_of,
    run_programs,
)
from mindpipe.engine.dependencies import Dependencies, OpenCycle, holder_of, trust_of
from mindpipe.engine.records.journal import Call, CallState, Ticket, TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import dispatch
from mindpipe.engine.tools.calls import hash_of
from mindpipe.engine.tools.scope import ToolScope
from mindpipe.engine.tools.specs import PROPOSABLE, fault_of_action
from mindpipe.engine.tools.versions import version_now
from mindpipe.history.verbs import attachments
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces

if TYPE_CHECKING:
    from mindpipe.decisions.records import Decision
    from mindpipe.decisions.verbs.decision import OpenTicket

_INTERRUPTED = "Interrupted while it may have been running."


class _Run(NamedTuple):
    """A ticket that is `running` now, its call as an entry of its own, and whether it was before.

    The entry is named by the ticket, and so is its idempotency key.
    """

    ticket: Ticket
    begun: BegunCall
    again: bool


def run_approved(deps: Dependencies, *, agent: str) -> None:
    """Run what was approved for an agent since, oldest first; each outcome is an event.

    `deps.holder.check` is asked before each, so that many do not put off a stop.

    Raises:
        TemporaryError: another worker holds the agent.
    """
    if not deps.policy.asks:
        return
    while True:
        lapse(deps.store, deps.clock, deps.tools.deliver, agent=agent)
        with deps.store.read() as rows:
            if agents.show(deps.store, name=agent).paused:
                return
            ticket = journal.next_approved(rows, agent=agent)
        if ticket is None:
            return
        deps.holder.check()
        with _held(deps, ticket) as work:
            if ticket.tool in PROPOSABLE:
                _do(deps, work, ticket)
                continue
            run = _begin(deps, work, ticket)
            if run is not None:
                _finish(deps, work, run)


@contextlib.contextmanager
def _held(deps: Dependencies, ticket: Ticket) -> Iterator[OpenCycle]:
    """Hold the agent of a ticket for as long as its tool may take."""
    with deps.store.write(ticket.agent):
        agent = agents.show(deps.store, name=ticket.agent)
        epoch = leases.acquire(
            deps.store,
            deps.clock,
            agent=agent.name,
            owner=deps.holder.owner,
            seconds=deps.holder.lease,
        )
    tool = tool_of(ticket, agent)
    work = OpenCycle(
        agent=agent,
        epoch=epoch,
        cycle=ticket.cycle,
        events=(),
        began=deps.clock.boot().seconds,
        seconds=tool.timeout if tool else 0.0,
    )
    try:
        with deps.holder.keep_alive(renewal(deps, work), work.seconds + GRACE_SECONDS):
            yield work
    finally:
        with contextlib.suppress(MindError):
            leases.release(deps.store, agent=agent.name, owner=deps.holder.owner, epoch=work.epoch)


def _begin(deps: Dependencies, work: OpenCycle, ticket: Ticket) -> _Run | None:
    """Say that an approved call may be running from now on, if it still is what was approved."""
    reach("ticket_run.before_running")
    with holding(deps, work) as rows:
        found = journal.find_ticket(rows, ticket.id)
        agent = agents.show(deps.store, name=work.agent.name)
        tool = tool_of(ticket, agent)
        # Read again under the lease: it may have been denied, or run by another worker, meanwhile.
        if found is None or not _may_run(as_of(found, deps.clock.now())):
            return None
        fault = fault_of(found, agent)
        if fault is not None or tool is None:
            _give_up(deps, rows, found, str(fault))
            return None
        again = found.state is TicketState.RUNNING
        running = found if again else found.to(TicketState.RUNNING)
        journal.save_ticket(rows, running)
    deps.holder.begins(running)
    reach("ticket_run.after_running")
    judged = tool.in_force(trust_of(agent, deps.policy))
    begun = BegunCall(_entry(deps.store, running, judged), tool, running.answers())
    return _Run(running, begun, again)


def _do(deps: Dependencies, work: OpenCycle, ticket: Ticket) -> None:
    """Do what a decided call of a built-in tool does; its effect and outcome are one transaction.

    What it says is said at once, as no turn waits to be committed.
    """
    scope = ToolScope(
        store=deps.store,
        clock=deps.clock,
        chance=deps.chance,
        agent=work.agent.name,
        deliver=deps.tools.deliver,
        call=ticket.id,
        sources=ticket.sources,
        trust=work.agent.trust,
        max_depth=deps.policy.max_depth,
        workers=deps.tools.workers,
        lasting=deps.policy.lasting,
        files=deps.prompts.files,
        earlier=ticket.cycle,
    )
    with holding(deps, work) as rows:
        found = journal.find_ticket(rows, ticket.id)
        if found is None or not _may_run(as_of(found, deps.clock.now())):
            return
        fault = fault_of(found, work.agent)
        if fault is not None:
            _give_up(deps, rows, found, fault)
            return
        running = found.to(TicketState.RUNNING)
        close(rows, deps.tools.deliver, _done(scope, running), sources=ticket.sources)
        reach("store_tool.before_commit")
    reach("store_tool.after_commit")


def _done(scope: ToolScope, ticket: Ticket) -> Ticket:
    """Return the ticket of a built-in tool's call as it has ended."""
    try:
        found = dispatch.do(scope, ticket.tool or "", ticket.to_run() or {})
        spaces.release_held(
            scope.store, holder=holder_of(scope.agent, scope.cycle), deliver=scope.deliver
        )
    except (MindError, ValidationError) as error:
        return ticket.to(TicketState.FAILED, result=str(error))
    return ticket.to(TicketState.EXECUTED, result=to_json(found).decode())


def _may_run(ticket: Ticket) -> bool:
    """Tell whether a ticket is approved and in time, or was already being run."""
    return TicketState.RUNNING in {ticket.state, *ticket.successors()}


def _finish(deps: Dependencies, work: OpenCycle, run: _Run) -> None:
    """Run an approved call, or find out what became of it, and tell."""
    ticket, begun, again = run
    if again and begun.call.effect is Effect.UNSAFE:
        ended = EndedCall(after_crash(deps, work, begun))
    else:
        (ended,) = run_programs(deps, work, [begun])
    reach("ticket_run.before_outcome")
    with holding(deps, work) as rows:
        if ended.question is not None:
            journal.save_ticket(rows, asking_again(deps, ticket, begun, ended))
        else:
            made = ticket.to(outcome_of(ended.result), result=_words(ended.result))
            close(rows, deps.tools.deliver, made, sources=_sources(ticket, begun.tool))
            _keep_files(deps.store, made, ended)
    reach("ticket_run.after_outcome")


def _keep_files(store: Store, ticket: Ticket, ended: EndedCall) -> None:
    """Keep what a call answered with beside words, with the event or the turn that hears of it."""
    if ended.files:
        told = event_of(ticket)
        event = inbox.find(store, agent=ticket.agent, source=told.source, key=told.key or "")
        owner = ticket.call if event is None else event.id
        attachments.keep(store, owners=[owner] if owner else [], files=ended.files)


def _words(result: ResultPart) -> str:
    """Return what came of a run, in words."""
    unknown = result.status is ResultStatus.UNKNOWN
    return result.text or (_INTERRUPTED if unknown else "(no output)")


def _sources(ticket: Ticket, tool: ToolManifest) -> tuple[str, ...]:
    """Return whose text in an outcome is not trusted: what the call came from, and its output."""
    answers = tool.answers()
    return joined(ticket.sources, [answers] if answers else [])


def _give_up(deps: Dependencies, rows: Rows, ticket: Ticket, fault: str) -> None:
    """End a ticket whose call is not what was approved; of one under way nobody knows."""
    under_way = ticket.state is TicketState.RUNNING
    state = TicketState.UNKNOWN if under_way else TicketState.CANCELLED
    close(rows, deps.tools.deliver, ticket.to(state, result=fault))
    deps.holder.tell(f"{ticket.id} is not run. {fault}")


def _entry(store: Store, ticket: Ticket, tool: ToolManifest) -> Call:
    """Return the call of a ticket as an entry of its own."""
    return Call(
        id=ticket.id,
        agent=ticket.agent,
        cycle=ticket.cycle,
        turn=0,
        position=0,
        tool=tool.name,
        effect=Effect(tool.effect),
        args=ticket.to_run(),
        args_sha256=hash_of(ticket.to_run()),
        key=key_of_run(store.identity, ticket.id),
        state=CallState.STARTED,
    )


def open_tickets(store: Store, clock: Clock, chance: Chance, *, hours: float) -> "OpenTicket":
    """Return what opens the approved ticket of a decision; it runs within `hours` or not at all.

    What it returns raises RefusedError where the tool is gone or the arguments do not fit it.
    """

    def open_ticket(rows: Rows, decision: "Decision") -> str:
        agent = agents.show(store, name=decision.agent)
        action = decision.action or decision.proposal.action()
        version = version_now(action.tool, agent)
        fault = fault_of_action(agent, action, by_agent=decision.cycle is not None)
        if fault is None and decision.tool_sha256 not in (None, version):
            fault = f"{action.tool} was changed since it was proposed."
        if fault is not None or version is None:
            what = f"what undoes {decision.undoes}" if decision.undoes else decision.id
            raise RefusedError(f"{what} cannot be done: {fault or 'its tool is gone'}")
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
        journal.save_ticket(rows, ticket)
        return ticket.id

    return open_ticket
