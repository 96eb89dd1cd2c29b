"""Write the answer of a call, and with it what that means for its ticket."""

import msgspec

from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import Rows
from mindpipe.think import tables
from mindpipe.think.approval import ticket_about
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState, TicketState
from mindpipe.think.verbs.journal import holding, with_call_state

_STATES = {
    ResultStatus.OK: CallState.DONE,
    ResultStatus.ERROR: CallState.FAILED,
    ResultStatus.UNKNOWN: CallState.UNKNOWN,
    ResultStatus.REFUSED: CallState.REFUSED,
    ResultStatus.TICKETED: CallState.TICKETED,
    ResultStatus.SKIPPED: CallState.SKIPPED,
}
_ENDS = {
    ResultStatus.OK: TicketState.EXECUTED,
    ResultStatus.ERROR: TicketState.FAILED,
    ResultStatus.UNKNOWN: TicketState.UNKNOWN,
    ResultStatus.SKIPPED: TicketState.CANCELLED,
}


def answer(means: Means, work: Work, call: Call, result: ResultPart) -> None:
    """Answer a call in a transaction of its own."""
    with holding(means, work) as rows:
        put(means, rows, call, result)
    if result.status in {ResultStatus.UNKNOWN, ResultStatus.TICKETED}:
        reach("ticket.after_commit")


def put(means: Means, rows: Rows, call: Call, result: ResultPart) -> None:
    """Answer a call; one of unknown outcome has a ticket from now on.

    A ticket that its turn waited for ends with the call.
    """
    ticket = tables.ticket_of_call(rows, call.id)
    if ticket is None and result.status is ResultStatus.UNKNOWN:
        ticket = ticket_about(
            call,
            id=means.chance.new_id("t", call.id),
            reason="interrupted while it may have been running",
            created=means.clock.now(),
        )
        tables.save_ticket(rows, ticket)
    elif (
        ticket is not None
        and (state := _ENDS.get(result.status)) is not None
        and state in ticket.successors()
    ):
        now = ticket.decided or means.clock.now()
        ended = ticket.to(state, result=result.text)
        tables.save_ticket(rows, msgspec.structs.replace(ended, decided=now))
    if ticket is not None and result.status is ResultStatus.UNKNOWN:
        words = unknown_words(ticket.id)
        result = msgspec.structs.replace(result, ticket=ticket.id, text=words)
    tables.save_call(rows, with_call_state(call, _STATES[result.status], result))


def outcome_of(result: ResultPart) -> TicketState:
    """Return what the answer of a run makes of its ticket."""
    return _ENDS[result.status]


def unknown_words(ticket: str) -> str:
    """Return what the model is told of a call with an unknown outcome."""
    return f"Interrupted. It is not known whether this ran. Do not assume either. Ticket {ticket}."
