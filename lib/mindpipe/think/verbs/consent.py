"""Start a call in the journal; ask a person first where the policy wants it."""

from collections.abc import Collection

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import Rows
from mindpipe.core.tools import ToolManifest
from mindpipe.think import tables
from mindpipe.think.approval import (
    approval_hash,
    fault_of,
    queued_words,
    ticket_about,
    version_of,
)
from mindpipe.think.means import Means, Work
from mindpipe.think.policy import reason_to_ask
from mindpipe.think.records import Call, CallState, Ticket, TicketState
from mindpipe.think.verbs.answers import answer, put
from mindpipe.think.verbs.journal import holding, with_call_state
from mindpipe.think.verbs.running import result_of
from mindpipe.think.verbs.tickets import as_of

MAX_WAIT_SECONDS = 60.0
POLL_SECONDS = 0.25


def begin(
    means: Means, work: Work, call: Call, tool: ToolManifest, sources: Collection[str]
) -> Call:
    """Return a planned call as started, or as answered because a person must be asked first.

    A tool that lets its calls wait is started as soon as somebody approves, within its limit.
    """
    with means.store.read() as rows:
        asked = tables.ticket_of_call(rows, call.id)
    reason = reason_to_ask(tool, work.agent, sources)
    if asked is None and reason is None:
        return _start(means, work, call)
    if asked is None and not means.lasting:
        words = f"Refused, nothing has run: {reason}. Over plain files nobody can approve it."
        answer(means, work, call, result_of(call, ResultStatus.REFUSED, words))
    elif asked is None:
        ticket = _ticket(means, call, tool, reason=str(reason), sources=sources)
        waits = tool.approval == "wait"
        with holding(means, work) as rows:
            tables.save_ticket(rows, ticket)
            if not waits:
                put(means, rows, call, _queued(call, ticket))
        reach("ticket.after_commit")
        if waits:
            _wait(means, work, ticket, tool)
    return _as_decided(means, work, call)


def _start(means: Means, work: Work, call: Call) -> Call:
    """Say in the journal that the program may have begun from now on."""
    reach("act.before_started")
    with holding(means, work) as rows:
        started = _started(rows, call)
    reach("act.after_started")
    return started


def _started(rows: Rows, call: Call) -> Call:
    """Return a call as started, and saved so."""
    started = with_call_state(call, CallState.STARTED)
    tables.save_call(rows, started)
    return started


def _as_decided(means: Means, work: Work, call: Call) -> Call:
    """Return a call as the decision on its ticket leaves it; an open one goes on without it."""
    with holding(means, work) as rows:
        now = tables.find_call(rows, call.id) or call
        ticket = tables.ticket_of_call(rows, call.id)
        if ticket is None or now.state is not CallState.PLANNED:
            return now
        ticket = as_of(ticket, means.clock.now())
        if ticket.state is TicketState.PENDING:
            put(means, rows, call, _queued(call, ticket))
            return tables.find_call(rows, call.id) or call
        fault = fault_of(ticket, agents.show(means.store, name=work.agent.name))
        if ticket.state is TicketState.APPROVED and fault is None:
            tables.save_ticket(rows, ticket.to(TicketState.RUNNING))
            return _started(rows, call)
        if ticket.state is TicketState.APPROVED:
            ticket = ticket.to(TicketState.CANCELLED, result=fault)
        tables.save_ticket(rows, ticket)
        words = f"{ticket.state.value.capitalize()}. Nothing has run. {ticket.result or ''}"
        put(means, rows, call, result_of(call, ResultStatus.REFUSED, words.rstrip()))
        return tables.find_call(rows, call.id) or call


def _wait(means: Means, work: Work, ticket: Ticket, tool: ToolManifest) -> None:
    """Wait until a ticket is decided, as long as its tool lets it and at most a minute."""
    means.tell(f"{tool.name} waits for approval: mind ticket show {ticket.id}")
    now = means.clock.boot().seconds
    until = now + min(tool.wait_seconds, MAX_WAIT_SECONDS, work.left(now))
    while (now := means.clock.boot().seconds) < until:
        with means.store.read() as rows:
            found = tables.find_ticket(rows, ticket.id)
        if found is None or found.state is not TicketState.PENDING:
            return
        means.clock.pause(min(POLL_SECONDS, until - now))


def _queued(call: Call, ticket: Ticket) -> ResultPart:
    """Return the answer of a call that waits for a person."""
    return ResultPart(
        call=call.id,
        status=ResultStatus.TICKETED,
        text=queued_words(ticket.id),
        ticket=ticket.id,
    )


def _ticket(
    means: Means, call: Call, tool: ToolManifest, *, reason: str, sources: Collection[str]
) -> Ticket:
    """Return the ticket by which a person is asked."""
    now, version = means.clock.now(), version_of(tool)
    about = ticket_about(call, id=means.chance.new_id("t", call.id), reason=reason, created=now)
    return msgspec.structs.replace(
        about,
        kind="approval",
        state=TicketState.PENDING,
        tool_sha256=version,
        sha256=approval_hash(version, call.args),
        sources=tuple(sorted(sources)),
        expires=later(now, seconds=means.approval_hours * 3600),
    )
