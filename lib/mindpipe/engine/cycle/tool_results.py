"""Run the programs of a user's tools, and write the answer of a call with what it means."""

import functools
from base64 import b64encode
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.parallel import abreast
from mindpipe.core.ports import ProgramCall, ProgramRun, Rows
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.core.text import storable_text, uncut
from mindpipe.core.tools import Effect, ToolManifest, filled
from mindpipe.engine.approval import ticket_about
from mindpipe.engine.cycle.journal import holding, with_call_state
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call, CallState, TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import dispatch
from mindpipe.engine.tools.calls import clean_result

_TAIL = 2000


class BegunCall(NamedTuple):
    """A call that may have begun, and the tool that it calls."""

    call: Call
    tool: ToolManifest


class ProgramOutput(NamedTuple):
    """What a stream said: text that can be stored and, where it was no text, its octets too."""

    text: str
    exact: dict[str, str] | None


def run_programs(
    deps: Dependencies, work: OpenCycle, begun: Sequence[BegunCall]
) -> list[ResultPart]:
    """Run the tools of some calls side by side and return their answers in the same order."""
    runs = [functools.partial(_run, deps, work, one) for one in begun]
    return [_answer(one, ended) for one, ended in zip(begun, abreast(runs), strict=True)]


def after_crash(deps: Dependencies, work: OpenCycle, begun: BegunCall) -> ResultPart:
    """Ask an unsafe tool's `verify` what became of a call; without one nobody knows."""
    call, tool = begun
    if not tool.verify:
        return result_of(call, ResultStatus.UNKNOWN, "")
    try:
        checked = deps.tools.programs.run(_program(deps, work, call, tool, argv=tool.verify))
        verdict = msgspec.json.decode(checked.stdout, type=dispatch.VerifiedCall)
    except (UnavailableError, *NO_RECORD):
        return result_of(call, ResultStatus.UNKNOWN, "")
    if checked.status != 0 or verdict.outcome == "unknown":
        return result_of(call, ResultStatus.UNKNOWN, "")
    if verdict.outcome == "done":
        return result_of(call, ResultStatus.OK, verdict.output)
    return result_of(call, ResultStatus.ERROR, "Interrupted before it ran. Nothing was done.")


def result_of(call: Call, status: ResultStatus, text: str, found: object = None) -> ResultPart:
    """Return an answer fit to be stored."""
    return ResultPart(call=call.id, status=status, text=clean_result(text), json=found)


def _run(deps: Dependencies, work: OpenCycle, begun: BegunCall) -> ProgramRun | UnavailableError:
    """Run one program to its end; a program that cannot start is an answer too."""
    call, tool = begun
    try:
        return deps.tools.programs.run(_program(deps, work, call, tool, argv=tool.command))
    except UnavailableError as error:
        return error


def _answer(begun: BegunCall, ended: ProgramRun | UnavailableError) -> ResultPart:
    """Return the answer of a program that ended."""
    call, tool = begun
    if isinstance(ended, UnavailableError):
        return result_of(call, ResultStatus.ERROR, str(ended))
    reach("act.after_effect")
    if ended.status is None or ended.status < 0:
        return _interrupted(call, ended, tool)
    said = _output(ended.stdout, cut=ended.stdout_cut)
    if ended.status == 0:
        return result_of(call, ResultStatus.OK, said.text, said.exact)
    tail = _output(ended.stderr, cut=ended.stderr_cut).text[-_TAIL:]
    return result_of(call, ResultStatus.ERROR, f"exit status {ended.status}: {tail or said.text}")


def _interrupted(call: Call, ended: ProgramRun, tool: ToolManifest) -> ResultPart:
    """Return the answer of a run that was ended by its deadline, its memory or a signal."""
    if ended.outgrew:
        how = f"ended: it took more memory than its manifest's memory_bytes, {tool.memory_bytes}"
    elif ended.status is None:
        how = f"no end within {tool.timeout:g} seconds"
    else:
        how = f"ended by signal {-ended.status}"
    if call.effect is Effect.UNSAFE:
        return result_of(call, ResultStatus.UNKNOWN, how)
    return result_of(call, ResultStatus.ERROR, how)


def _output(octets: bytes, *, cut: bool) -> ProgramOutput:
    """Return what a stream said, marked where it was cut or is no text."""
    octets = uncut(octets) if cut else octets
    text, lossy = storable_text(octets)
    text += (" [cut: too long]" if cut else "") + (" [not text: cleaned]" if lossy else "")
    exact = {"text": text, "base64": b64encode(octets).decode()} if lossy else None
    return ProgramOutput(text, exact)


def _program(
    deps: Dependencies,
    work: OpenCycle,
    call: Call,
    manifest: ToolManifest,
    *,
    argv: tuple[str, ...],
) -> ProgramCall:
    """Return how a tool's program is run."""
    environment = {
        name: deps.tools.environment[name]
        for name in manifest.environment
        if name in deps.tools.environment
    }
    return ProgramCall(
        argv=filled(argv, call.args or {}),
        stdin=to_json(call.args),
        seconds=min(manifest.timeout, work.left(deps.clock.boot().seconds)),
        output_bytes=manifest.output_bytes,
        environment={
            **environment,
            "IDEMPOTENCY_KEY": call.key,
            "MIND_FENCE": str(work.epoch),
            "MIND_AGENT": call.agent,
            "MIND_CALL": call.id,
        },
        limits=manifest.limits(),
        sandbox=manifest.shut_in(),
    )


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


def answer(deps: Dependencies, work: OpenCycle, call: Call, result: ResultPart) -> None:
    """Answer a call in a transaction of its own."""
    with holding(deps, work) as rows:
        put(deps, rows, call, result)
    if result.status in {ResultStatus.UNKNOWN, ResultStatus.TICKETED}:
        reach("ticket.after_commit")


def put(deps: Dependencies, rows: Rows, call: Call, result: ResultPart) -> None:
    """Answer a call; one of unknown outcome has a ticket from now on.

    A ticket that its turn waited for ends with the call.
    """
    ticket = journal.ticket_of_call(rows, call.id)
    if ticket is None and result.status is ResultStatus.UNKNOWN:
        ticket = ticket_about(
            call,
            id=deps.chance.new_id("t", call.id),
            reason="interrupted while it may have been running",
            created=deps.clock.now(),
        )
        journal.save_ticket(rows, ticket)
    elif (
        ticket is not None
        and (state := _ENDS.get(result.status)) is not None
        and state in ticket.successors()
    ):
        now = ticket.decided or deps.clock.now()
        ended = ticket.to(state, result=result.text)
        journal.save_ticket(rows, msgspec.structs.replace(ended, decided=now))
    if ticket is not None and result.status is ResultStatus.UNKNOWN:
        words = unknown_words(ticket.id)
        result = msgspec.structs.replace(result, ticket=ticket.id, text=words)
    journal.save_call(rows, with_call_state(call, _STATES[result.status], result))


def outcome_of(result: ResultPart) -> TicketState:
    """Return what the answer of a run makes of its ticket."""
    return _ENDS[result.status]


def unknown_words(ticket: str) -> str:
    """Return what the model is told of a call with an unknown outcome."""
    return f"Interrupted. It is not known whether this ran. Do not assume either. Ticket {ticket}."
