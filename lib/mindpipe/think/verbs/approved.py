"""Run the calls that a person approved, each once, and tell the agent what came of them."""

import contextlib
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import ValidationError

from mindpipe.agents import verbs as agents
from mindpipe.core.errors import MindError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import Rows
from mindpipe.core.records import to_json
from mindpipe.core.sources import joined, tool_source
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.spaces import verbs as spaces
from mindpipe.think import tables
from mindpipe.think.approval import fault_of, key_of_run, tool_of
from mindpipe.think.arguments import hash_of
from mindpipe.think.means import Means, Work, holder_of
from mindpipe.think.proposing_tools import PROPOSABLE
from mindpipe.think.records import Call, CallState, Ticket, TicketState
from mindpipe.think.tools import doing
from mindpipe.think.tools.desk import Desk
from mindpipe.think.verbs.answers import outcome_of
from mindpipe.think.verbs.journal import GRACE_SECONDS, holding, renewal
from mindpipe.think.verbs.running import Begun, after_crash, run_programs
from mindpipe.think.verbs.tickets import as_of, close, lapse

_INTERRUPTED = "Interrupted while it may have been running."


class _Run(NamedTuple):
    """A ticket that is `running` now, its call as an entry of its own, and whether it was before.

    The entry is named by the ticket, and so is its idempotency key.
    """

    ticket: Ticket
    begun: Begun
    again: bool


def run_approved(means: Means, *, agent: str) -> None:
    """Run what was approved for an agent since, oldest first; each outcome is an event.

    `means.check` is asked before each, so that many do not put off a stop.

    Raises:
        TemporaryError: another worker holds the agent.
    """
    if not means.lasting:
        return
    while True:
        lapse(means.store, means.clock, means.deliver, agent=agent)
        with means.store.read() as rows:
            if agents.show(means.store, name=agent).paused:
                return
            ticket = tables.next_approved(rows, agent=agent)
        if ticket is None:
            return
        means.check()
        with _held(means, ticket) as work:
            if ticket.tool in PROPOSABLE:
                _do(means, work, ticket)
                continue
            run = _begin(means, work, ticket)
            if run is not None:
                _finish(means, work, run)


@contextlib.contextmanager
def _held(means: Means, ticket: Ticket) -> Iterator[Work]:
    """Hold the agent of a ticket for as long as its tool may take."""
    with means.store.write():
        agent = agents.show(means.store, name=ticket.agent)
        epoch = agents.lease_acquire(
            means.store, means.clock, agent=agent.name, owner=means.owner, seconds=means.lease
        )
    tool = tool_of(ticket, agent)
    work = Work(
        agent=agent,
        epoch=epoch,
        cycle=ticket.cycle,
        events=(),
        began=means.clock.boot().seconds,
        seconds=tool.timeout if tool else 0.0,
    )
    try:
        with means.keep_alive(renewal(means, work), work.seconds + GRACE_SECONDS):
            yield work
    finally:
        with contextlib.suppress(MindError):
            agents.lease_release(means.store, agent=agent.name, owner=means.owner, epoch=work.epoch)


def _begin(means: Means, work: Work, ticket: Ticket) -> _Run | None:
    """Say that an approved call may be running from now on, if it still is what was approved."""
    reach("ticket_run.before_running")
    with holding(means, work) as rows:
        found = tables.find_ticket(rows, ticket.id)
        agent = agents.show(means.store, name=work.agent.name)
        tool = tool_of(ticket, agent)
        if found is None or not _may_run(as_of(found, means.clock.now())):
            return None
        fault = fault_of(found, agent)
        if fault is not None or tool is None:
            _give_up(means, rows, found, str(fault))
            return None
        again = found.state is TicketState.RUNNING
        running = found if again else found.to(TicketState.RUNNING)
        tables.save_ticket(rows, running)
    reach("ticket_run.after_running")
    return _Run(running, Begun(_entry(means, running, tool), tool), again)


def _do(means: Means, work: Work, ticket: Ticket) -> None:
    """Do what a decided call of a built-in tool does; its effect and outcome are one transaction.

    What it says is said at once, as no turn waits to be folded.
    """
    desk = Desk(
        store=means.store,
        clock=means.clock,
        chance=means.chance,
        agent=work.agent.name,
        deliver=means.deliver,
        call=ticket.id,
        sources=ticket.sources,
        max_depth=means.max_depth,
        workers=means.workers,
        lasting=means.lasting,
        files=means.files,
        earlier=ticket.cycle,
    )
    with holding(means, work) as rows:
        found = tables.find_ticket(rows, ticket.id)
        if found is None or not _may_run(as_of(found, means.clock.now())):
            return
        fault = fault_of(found, work.agent)
        if fault is not None:
            _give_up(means, rows, found, fault)
            return
        running = found.to(TicketState.RUNNING)
        close(rows, means.deliver, _done(desk, running), sources=ticket.sources)
        reach("store_tool.before_commit")
    reach("store_tool.after_commit")


def _done(desk: Desk, ticket: Ticket) -> Ticket:
    """Return the ticket of a built-in tool's call as it has ended."""
    try:
        found = doing.do(desk, ticket.tool or "", ticket.args or {})
        spaces.release_held(
            desk.store, holder=holder_of(desk.agent, desk.cycle), deliver=desk.deliver
        )
    except (MindError, ValidationError) as error:
        return ticket.to(TicketState.FAILED, result=str(error))
    return ticket.to(TicketState.EXECUTED, result=to_json(found).decode())


def _may_run(ticket: Ticket) -> bool:
    """Tell whether a ticket is approved and in time, or was already being run."""
    return TicketState.RUNNING in {ticket.state, *ticket.successors()}


def _finish(means: Means, work: Work, run: _Run) -> None:
    """Run an approved call, or find out what became of it, and tell."""
    ticket, begun, again = run
    if again and begun.call.effect is Effect.UNSAFE:
        result = after_crash(means, work, begun)
    else:
        (result,) = run_programs(means, work, [begun])
    reach("ticket_run.before_outcome")
    with holding(means, work) as rows:
        made = ticket.to(outcome_of(result), result=_words(result))
        close(rows, means.deliver, made, sources=_sources(ticket, begun.tool))
    reach("ticket_run.after_outcome")


def _words(result: ResultPart) -> str:
    """Return what came of a run, in words."""
    unknown = result.status is ResultStatus.UNKNOWN
    return result.text or (_INTERRUPTED if unknown else "(no output)")


def _sources(ticket: Ticket, tool: ToolManifest) -> tuple[str, ...]:
    """Return whose text in an outcome is not trusted: what the call came from, and its output."""
    reads = "reads_untrusted" in tool.labels
    return joined(ticket.sources, [tool_source(tool.name)] if reads else [])


def _give_up(means: Means, rows: Rows, ticket: Ticket, fault: str) -> None:
    """End a ticket whose call is not what was approved; of one under way nobody knows."""
    under_way = ticket.state is TicketState.RUNNING
    state = TicketState.UNKNOWN if under_way else TicketState.CANCELLED
    close(rows, means.deliver, ticket.to(state, result=fault))
    means.tell(f"{ticket.id} is not run. {fault}")


def _entry(means: Means, ticket: Ticket, tool: ToolManifest) -> Call:
    """Return the call of a ticket as an entry of its own."""
    return Call(
        id=ticket.id,
        agent=ticket.agent,
        cycle=ticket.cycle,
        turn=0,
        position=0,
        tool=tool.name,
        effect=Effect(tool.effect),
        args=ticket.args,
        args_sha256=hash_of(ticket.args),
        key=key_of_run(means.store.identity, ticket.id),
        state=CallState.STARTED,
    )
