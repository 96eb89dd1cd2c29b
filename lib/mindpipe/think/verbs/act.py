"""Run the calls of a recorded turn, each journalled before and after."""

import msgspec

from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import ProgramCall, ProgramRun
from mindpipe.core.records import to_json
from mindpipe.core.text import storable_text
from mindpipe.core.tools import Effect, ToolManifest
from mindpipe.think import tables, tools
from mindpipe.think.calls import clean_result
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Call, CallState, Ticket, TicketState
from mindpipe.think.verbs.journal import holding, with_call_state

_ANSWERS = {
    ResultStatus.OK: CallState.DONE,
    ResultStatus.ERROR: CallState.FAILED,
    ResultStatus.UNKNOWN: CallState.UNKNOWN,
}
_TAIL = 2000


def run(means: Means, work: Work, call: Call) -> None:
    """Bring one call to its answer."""
    if call.effect is Effect.STORE:
        _run_store_tool(means, work, call)
        return
    manifest = next((tool for tool in work.agent.tools if tool.name == call.tool), None)
    if manifest is None:
        _answer(means, work, call, _result(call, ResultStatus.ERROR, "This tool was removed."))
        return
    if call.state is CallState.STARTED and call.effect is Effect.UNSAFE:
        _answer(means, work, call, _after_crash(means, work, call, manifest))
        return
    if call.state is CallState.PLANNED:
        reach("act.before_started")
        with holding(means, work) as rows:
            call = with_call_state(call, CallState.STARTED)
            tables.save_call(rows, call)
        reach("act.after_started")
    result = _run_program(means, work, call, manifest)
    reach("act.before_done")
    _answer(means, work, call, result)
    reach("act.after_done")


def skip(means: Means, work: Work, call: Call, reason: str) -> None:
    """Answer a call without running it."""
    result = _result(call, ResultStatus.SKIPPED, f"Not run: the cycle stops after {reason}.")
    with holding(means, work) as rows:
        tables.save_call(rows, with_call_state(call, CallState.SKIPPED, result))


def _run_store_tool(means: Means, work: Work, call: Call) -> None:
    """Do a built-in tool's effect and write its answer in one transaction."""
    with holding(means, work) as rows:
        try:
            found = tools.run(means, work, call)
            result = _result(call, ResultStatus.OK, to_json(found).decode(), found)
        except MindError as error:
            result = _result(call, ResultStatus.ERROR, str(error))
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


def _after_crash(means: Means, work: Work, call: Call, manifest: ToolManifest) -> ResultPart:
    """Ask an unsafe tool's `verify` what became of the call; without one nobody knows."""
    if not manifest.verify:
        return _result(call, ResultStatus.UNKNOWN, "")
    try:
        checked = means.programs.run(_program(means, work, call, manifest, argv=manifest.verify))
        verdict = msgspec.json.decode(checked.stdout, type=tools.Verified)
    except (UnavailableError, msgspec.DecodeError):
        return _result(call, ResultStatus.UNKNOWN, "")
    if checked.status != 0 or verdict.outcome == "unknown":
        return _result(call, ResultStatus.UNKNOWN, "")
    if verdict.outcome == "done":
        return _result(call, ResultStatus.OK, verdict.output)
    return _result(call, ResultStatus.ERROR, "Interrupted before it ran. Nothing was done.")


def _run_program(means: Means, work: Work, call: Call, manifest: ToolManifest) -> ResultPart:
    """Run a user's tool and return its answer."""
    try:
        ended = means.programs.run(_program(means, work, call, manifest, argv=manifest.command))
    except UnavailableError as error:
        return _result(call, ResultStatus.ERROR, str(error))
    reach("act.after_effect")
    if ended.status is None or ended.status < 0:
        return _interrupted(call, ended, manifest)
    text = _output(ended.stdout, cut=ended.stdout_cut)
    if ended.status == 0:
        return _result(call, ResultStatus.OK, text)
    tail = _output(ended.stderr[-_TAIL:], cut=ended.stderr_cut)
    return _result(call, ResultStatus.ERROR, f"exit status {ended.status}: {tail or text}")


def _interrupted(call: Call, ended: ProgramRun, manifest: ToolManifest) -> ResultPart:
    """Return the answer of a run that was ended by its deadline or a signal."""
    how = (
        f"no end within {manifest.timeout:g} seconds"
        if ended.status is None
        else f"ended by signal {-ended.status}"
    )
    if call.effect is Effect.UNSAFE:
        return _result(call, ResultStatus.UNKNOWN, how)
    return _result(call, ResultStatus.ERROR, how)


def _output(octets: bytes, *, cut: bool) -> str:
    """Return a stream's text, marked where it was cut."""
    text, lossy = storable_text(octets)
    marks = (" [cut: too long]" if cut else "") + (" [not text: cleaned]" if lossy else "")
    return text + marks


def _program(
    means: Means, work: Work, call: Call, manifest: ToolManifest, *, argv: tuple[str, ...]
) -> ProgramCall:
    """Return how a tool's program is run."""
    environment = {
        name: means.environment[name] for name in manifest.environment if name in means.environment
    }
    return ProgramCall(
        argv=argv,
        stdin=to_json(call.args),
        seconds=min(manifest.timeout, work.left(means.clock.boot().seconds)),
        output_bytes=manifest.output_bytes,
        environment={
            **environment,
            "IDEMPOTENCY_KEY": call.key,
            "MIND_FENCE": str(work.epoch),
            "MIND_AGENT": call.agent,
            "MIND_CALL": call.id,
        },
    )


def _result(call: Call, status: ResultStatus, text: str, found: object = None) -> ResultPart:
    """Return an answer fit to be stored."""
    return ResultPart(call=call.id, status=status, text=clean_result(text), json=found)
