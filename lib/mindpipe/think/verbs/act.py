"""Run the calls of a recorded turn, each journalled before and after."""

import msgspec

from mindpipe.core.errors import MindError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.records import to_json
from mindpipe.core.tools import Effect
from mindpipe.think import tables, tools
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState, Ticket, TicketState
from mindpipe.think.verbs.journal import holding, with_call_state
from mindpipe.think.verbs.running import Begun, after_crash, result_of, run_programs

_ANSWERS = {
    ResultStatus.OK: CallState.DONE,
    ResultStatus.ERROR: CallState.FAILED,
    ResultStatus.UNKNOWN: CallState.UNKNOWN,
}


def run(means: Means, work: Work, call: Call) -> None:
    """Bring one call to its answer."""
    if call.effect is Effect.STORE:
        _run_store_tool(means, work, call)
        return
    manifest = next((tool for tool in work.agent.tools if tool.name == call.tool), None)
    if manifest is None:
        _answer(means, work, call, result_of(call, ResultStatus.ERROR, "This tool was removed."))
        return
    if call.state is CallState.STARTED and call.effect is Effect.UNSAFE:
        _answer(means, work, call, after_crash(means, work, Begun(call, manifest)))
        return
    if call.state is CallState.PLANNED:
        reach("act.before_started")
        with holding(means, work) as rows:
            call = with_call_state(call, CallState.STARTED)
            tables.save_call(rows, call)
        reach("act.after_started")
    (result,) = run_programs(means, work, [Begun(call, manifest)])
    reach("act.before_done")
    _answer(means, work, call, result)
    reach("act.after_done")


def skip(means: Means, work: Work, call: Call, reason: str) -> None:
    """Answer a call without running it."""
    result = result_of(call, ResultStatus.SKIPPED, f"Not run: the cycle stops after {reason}.")
    with holding(means, work) as rows:
        tables.save_call(rows, with_call_state(call, CallState.SKIPPED, result))


def _run_store_tool(means: Means, work: Work, call: Call) -> None:
    """Do a built-in tool's effect and write its answer in one transaction."""
    with holding(means, work) as rows:
        try:
            found = tools.run(means, work, call)
            result = result_of(call, ResultStatus.OK, to_json(found).decode(), found)
        except MindError as error:
            result = result_of(call, ResultStatus.ERROR, str(error))
        tables.save_call(rows, with_call_state(call, _ANSWERS[result.status], result))
        reach("store_tool.before_commit")
    reach("store_tool.after_commit")


def _answer(means: Means, work: Work, call: Call, result: ResultPart) -> None:
    """Write the answer of a call, with a ticket if its outcome is not known."""
    with holding(means, work) as rows:
        if result.status is ResultStatus.UNKNOWN:
            ticket = open_doubt(means, work, call)
            tables.insert_ticket(rows, ticket)
            result = msgspec.structs.replace(
                result, ticket=ticket.id, text=unknown_words(ticket.id)
            )
        state = _ANSWERS[result.status]
        tables.save_call(rows, with_call_state(_begun(call), state, result))
    if result.status is ResultStatus.UNKNOWN:
        reach("ticket.after_commit")


def _begun(call: Call) -> Call:
    """Return the call as started, for an answer that comes without a run."""
    return call if call.state is CallState.STARTED else with_call_state(call, CallState.STARTED)


def open_doubt(means: Means, work: Work, call: Call) -> Ticket:
    """Return the ticket of a call of which nobody knows whether it ran."""
    return Ticket(
        id=means.chance.new_id("t", call.id),
        agent=call.agent,
        kind="doubt",
        state=TicketState.OPEN,
        cycle=work.cycle,
        call=call.id,
        tool=call.tool,
        args=call.args,
        reason="interrupted while it may have been running",
        created=means.clock.now(),
    )


def unknown_words(ticket: str) -> str:
    """Return what the model is told of a call with an unknown outcome."""
    return f"Interrupted. It is not known whether this ran. Do not assume either. Ticket {ticket}."
