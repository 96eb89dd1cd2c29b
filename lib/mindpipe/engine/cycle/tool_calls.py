"""Run the calls of a recorded turn, asked about where policy wants it, and answer each."""

import functools
from base64 import b64encode
from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.attachments import Attachment
from mindpipe.core.errors import ExitStatus, MindError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.instants import later
from mindpipe.core.mcp_servers import (
    ANSWERS,
    SERVER_PATH,
    AskingRun,
    ServerQuestion,
    declined_words,
)
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.parallel import abreast
from mindpipe.core.ports import BootTime, ProgramCall, ProgramRun, Rows
from mindpipe.core.records import NO_RECORD, to_json
from mindpipe.core.sources import joined
from mindpipe.core.text import storable_text, uncut
from mindpipe.core.tools import ABOUT_PREFIX, Effect, ToolManifest, filled, judged_arguments
from mindpipe.engine.approval import (
    approval_hash,
    asked_words,
    binding_hash,
    changed_words,
    fault_of,
    input_reason,
    queued_words,
    reason_to_ask,
    recorded_words,
    ticket_about,
)
from mindpipe.engine.cycle.journal import holding, with_call_state
from mindpipe.engine.cycle.next_step import (
    MAX_EQUAL_FAILURES,
    TOLD_EQUAL_ANSWERS,
    equal_answers,
    equal_failures,
    repeated_words,
)
from mindpipe.engine.cycle.tickets import as_of
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import Call, CallState, CallTime, Ticket, TicketState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import dispatch
from mindpipe.engine.tools.calls import clean_result, hash_of
from mindpipe.engine.tools.versions import version_now, version_of
from mindpipe.history.verbs import attachments

_TAIL = 2000
_LAST = 300


class BegunCall(NamedTuple):
    """A call that may have begun, the tool that it calls, and what its server was told before."""

    call: Call
    tool: ToolManifest
    answers: tuple[ServerQuestion, ...] = ()


class EndedCall(NamedTuple):
    """The answer of a call, and what its server asked for that nobody had answered.

    `took` says when it was at work, `files` are what it answered with beside its words.
    """

    result: ResultPart
    question: ServerQuestion | None = None
    took: CallTime | None = None
    files: tuple[Attachment, ...] = ()


class _TimedRun(NamedTuple):
    """What came of a program, and when it was at work."""

    ended: ProgramRun | UnavailableError
    took: CallTime


class ProgramOutput(msgspec.Struct, frozen=True):
    """What a stream said: text that can be stored and, where it was no text, its octets too."""

    text: str
    exact: dict[str, str] | None


def run_programs(
    deps: Dependencies, work: OpenCycle, begun: Sequence[BegunCall]
) -> list[EndedCall]:
    """Run the tools of some calls side by side and return their answers in the same order."""
    runs = [functools.partial(_run, deps, work, one) for one in begun]
    return [
        _answer(one, run.ended)._replace(took=run.took)
        for one, run in zip(begun, abreast(runs), strict=True)
    ]


def after_crash(deps: Dependencies, work: OpenCycle, begun: BegunCall) -> ResultPart:
    """Ask an unsafe tool's `verify` what became of a call; without one nobody knows."""
    call, tool = begun.call, begun.tool
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


def _run(deps: Dependencies, work: OpenCycle, begun: BegunCall) -> _TimedRun:
    """Run one program to its end, and say when that was."""
    since = deps.clock.boot()
    ended = _ended(deps, work, begun)
    return _TimedRun(ended, _time_since(deps, since))


def _time_since(deps: Dependencies, since: BootTime) -> CallTime:
    """Return the time from a moment until now."""
    return CallTime(boot=since.boot, began=since.seconds, ended=deps.clock.boot().seconds)


def _ended(deps: Dependencies, work: OpenCycle, begun: BegunCall) -> ProgramRun | UnavailableError:
    """Run one program to its end; a program that cannot start is an answer too."""
    call, tool = begun.call, begun.tool
    try:
        asked = _program(deps, work, call, tool, argv=tool.command)
        if begun.answers:
            told = {**asked.environment, ANSWERS: to_json(begun.answers).decode()}
            asked = msgspec.structs.replace(asked, environment=told)
        return deps.tools.programs.run(asked)
    except UnavailableError as error:
        return error


def _answer(begun: BegunCall, ended: ProgramRun | UnavailableError) -> EndedCall:
    """Return what came of a run; a server that asked for input is told of with its question."""
    if isinstance(ended, UnavailableError):
        return EndedCall(result_of(begun.call, ResultStatus.ERROR, str(ended)))
    reach("act.after_effect")
    asking = _asking(begun.tool, ended)
    if asking is None:
        return EndedCall(_answer_of(begun, ended), files=attachments.answered(ended.files))
    status = ResultStatus.ERROR if asking.failed else ResultStatus.OK
    return EndedCall(result_of(begun.call, status, asking.text), asking.question)


def _asking(tool: ToolManifest, ended: ProgramRun) -> AskingRun | None:
    """Return what the server of a tool asked for, if it did."""
    if tool.server is None or ended.status != ExitStatus.TEMPORARY:
        return None
    try:
        return msgspec.json.decode(ended.stdout, type=AskingRun)
    except NO_RECORD:
        return None


def _answer_of(begun: BegunCall, ended: ProgramRun) -> ResultPart:
    """Return the answer of a program that ended."""
    call = begun.call
    if ended.status is None or ended.status < 0:
        return _interrupted(call, ended, begun.tool)
    said = _output(ended.stdout, cut=ended.stdout_cut)
    if ended.status == 0:
        found = said.exact if ended.found is None else ended.found
        return result_of(call, ResultStatus.OK, said.text, found)
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
    # A server that was asked tells meanwhile how far it is.
    last = clean_result(ended.stderr.decode("utf-8", "replace")).strip()[-_LAST:]
    if tool.server is not None and last:
        how += f"; the server said last: {last}"
    if call.effect is Effect.UNSAFE:
        return result_of(call, ResultStatus.UNKNOWN, how)
    return result_of(call, ResultStatus.ERROR, how)


def _output(octets: bytes, *, cut: bool) -> ProgramOutput:
    """Return what a stream said, marked where it was cut or is no text."""
    # A cut may go through the middle of a character.
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
        for name in (*manifest.environment, *([SERVER_PATH] if manifest.server else []))
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
            # With these a tool can refuse what comes twice, or from a worker that lost its agent.
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


def answer(
    deps: Dependencies,
    work: OpenCycle,
    call: Call,
    result: ResultPart,
    *,
    took: CallTime | None = None,
    files: Sequence[Attachment] = (),
) -> None:
    """Answer a call in a transaction of its own."""
    with holding(deps, work) as rows:
        put(deps, rows, call, result, took=took)
        attachments.keep(deps.store, owners=[call.id], files=files)
    if result.status in {ResultStatus.UNKNOWN, ResultStatus.TICKETED}:
        reach("ticket.after_commit")


def put(
    deps: Dependencies, rows: Rows, call: Call, result: ResultPart, *, took: CallTime | None = None
) -> None:
    """Answer a call that was at work then; one of unknown outcome has a ticket from now on.

    A ticket that its turn waited for ends with the call.
    """
    ticket = journal.ticket_of_call(rows, call.id)
    if ticket is None and result.status is ResultStatus.UNKNOWN:
        ticket = ticket_about(
            call,
            id=deps.chance.new_id("t", call.id),
            reason=" ".join(
                filter(None, ("interrupted while it may have been running", _how(result.text)))
            ),
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
        words = " ".join(filter(None, (unknown_words(ticket.id), _how(result.text))))
        result = msgspec.structs.replace(result, ticket=ticket.id, text=words)
    if ticket is not None and call.state is CallState.STARTED:
        result = msgspec.structs.replace(result, text=changed_words(ticket) + result.text)
    made = with_call_state(call, _STATES[result.status], result)
    if made.state in {CallState.DONE, CallState.FAILED}:
        earlier = journal.calls_of_cycle(rows, agent=call.agent, cycle=call.cycle)
        every = [*(one for one in earlier if one.id != call.id), made]
        times = equal_answers(every)
        # Failures in a row end the cycle as it is.
        if times >= TOLD_EQUAL_ANSWERS and equal_failures(every) < MAX_EQUAL_FAILURES:
            told = msgspec.structs.replace(result, text=result.text + repeated_words(times))
            made = msgspec.structs.replace(made, result=told)
    journal.save_call(rows, made, took=took)


def _how(words: str) -> str:
    """Return how a run was interrupted, in brackets; nothing where that is not known."""
    return f"({words})" if words else ""


def outcome_of(result: ResultPart) -> TicketState:
    """Return what the answer of a run makes of its ticket."""
    return _ENDS[result.status]


def unknown_words(ticket: str) -> str:
    """Return what the model is told of a call with an unknown outcome."""
    return f"Interrupted. It is not known whether this ran. Do not assume either. Ticket {ticket}."


MAX_WAIT_SECONDS = 60.0
POLL_SECONDS = 0.25


def begin(
    deps: Dependencies, work: OpenCycle, call: Call, tool: ToolManifest, sources: Collection[str]
) -> Call:
    """Return a planned call as started, or as answered because a person must be asked first.

    A tool that lets its calls wait is started as soon as somebody approves, within its limit.
    """
    if tool.approval == "decide":
        return _propose(deps, work, call, tool)
    with deps.store.read() as rows:
        asked = journal.ticket_of_call(rows, call.id)
    reason = reason_to_ask(tool, work.agent, sources)
    if asked is None and reason is None:
        return _start(deps, work, call)
    if asked is None and tool.approval == "fork" and _answer_from_record(deps, work, call):
        return _as_decided(deps, work, call)
    if asked is None and not deps.policy.asks:
        words = f"Refused, nothing has run: {reason}. Over plain files nobody can approve it."
        answer(deps, work, call, result_of(call, ResultStatus.REFUSED, words))
    elif asked is None:
        ticket = _ticket(deps, call, tool, reason=str(reason), sources=sources)
        waits = tool.approval == "wait" and deps.policy.lasting
        with holding(deps, work) as rows:
            journal.save_ticket(rows, ticket)
            if not waits:
                put(deps, rows, call, _queued(call, ticket))
        reach("ticket.after_commit")
        if waits:
            _wait(deps, work, ticket, tool)
    return _as_decided(deps, work, call)


def _answer_from_record(deps: Dependencies, work: OpenCycle, call: Call) -> bool:
    """Answer a call of a fork as the same one was answered before, if it was."""
    with holding(deps, work) as rows:
        found = journal.give_recorded_answer(rows, call)
        if found is None:
            return False
        status = ResultStatus.ERROR if found.failed else ResultStatus.OK
        put(deps, rows, _started(rows, call), result_of(call, status, recorded_words(found)))
    return True


def _propose(deps: Dependencies, work: OpenCycle, call: Call, tool: ToolManifest) -> Call:
    """Return a planned call as answered: `mind decide` judges it, and nothing has run."""
    from mindpipe.decisions.records import Proposal
    from mindpipe.decisions.verbs.proposal import ProposalOrigin, propose

    if not deps.policy.asks:
        words = f"Refused, nothing has run: {tool.name} is decided on. Over plain files nobody can."
        answer(deps, work, call, result_of(call, ResultStatus.REFUSED, words))
        return _as_decided(deps, work, call)
    own, about = judged_arguments(call.args or {})
    told = {name.removeprefix(ABOUT_PREFIX): value for name, value in about.items()}
    asked = {**told, "kind": tool.name, "tool": tool.name, "arguments": own}
    origin = ProposalOrigin(call.cycle, call.id, dispatch.read_by(deps.store, call))
    with holding(deps, work) as rows:
        made = propose(
            deps.store,
            deps.clock,
            deps.chance,
            agent=call.agent,
            proposal=msgspec.convert(asked, Proposal),
            origin=origin,
            version_of=functools.partial(version_now, agent=work.agent),
        )
        words = (
            f"This call is decided on as {made.id}. Nothing has run. "
            "You will get the outcome as an event."
        )
        put(deps, rows, call, result_of(call, ResultStatus.TICKETED, words))
    reach("ticket.after_commit")
    return _as_decided(deps, work, call)


def _start(deps: Dependencies, work: OpenCycle, call: Call) -> Call:
    """Say in the journal that the program may have begun from now on."""
    reach("act.before_started")
    with holding(deps, work) as rows:
        started = _started(rows, call)
    reach("act.after_started")
    return started


def _started(rows: Rows, call: Call) -> Call:
    """Return a call as started, and saved so."""
    started = with_call_state(call, CallState.STARTED)
    journal.save_call(rows, started)
    return started


def _as_decided(deps: Dependencies, work: OpenCycle, call: Call) -> Call:
    """Return a call as the decision on its ticket leaves it; an open one goes on without it."""
    with holding(deps, work) as rows:
        now = journal.find_call(rows, call.id) or call
        ticket = journal.ticket_of_call(rows, call.id)
        if ticket is None or now.state is not CallState.PLANNED:
            return now
        # A ticket that nobody decided in time still says that it is pending.
        ticket = as_of(ticket, deps.clock.now())
        if ticket.state is TicketState.PENDING:
            put(deps, rows, call, _queued(call, ticket))
            return journal.find_call(rows, call.id) or call
        fault = fault_of(ticket, agents.show(deps.store, name=work.agent.name))
        if ticket.state is TicketState.APPROVED and fault is None:
            journal.save_ticket(rows, ticket.to(TicketState.RUNNING))
            return _as_approved(_started(rows, call), ticket)
        if ticket.state is TicketState.APPROVED:
            ticket = ticket.to(TicketState.CANCELLED, result=fault)
        journal.save_ticket(rows, ticket)
        words = f"{ticket.state.value.capitalize()}. Nothing has run. {ticket.result or ''}"
        put(deps, rows, call, result_of(call, ResultStatus.REFUSED, words.rstrip()))
        return journal.find_call(rows, call.id) or call


def _as_approved(call: Call, ticket: Ticket | None) -> Call:
    """Return a call as it runs: with the arguments that a person put in place of its own."""
    if ticket is None or ticket.approved_sha256 is None:
        return call
    args = ticket.to_run()
    return msgspec.structs.replace(call, args=args, args_sha256=hash_of(args))


def _wait(deps: Dependencies, work: OpenCycle, ticket: Ticket, tool: ToolManifest) -> None:
    """Wait until a ticket is decided, as long as its tool lets it and at most a minute."""
    deps.holder.tell(f"{tool.name} waits for approval: mind ticket show {ticket.id}")
    now = deps.clock.boot().seconds
    until = now + min(tool.wait_seconds, MAX_WAIT_SECONDS, work.left(now))
    while (now := deps.clock.boot().seconds) < until:
        with deps.store.read() as rows:
            found = journal.find_ticket(rows, ticket.id)
        if found is None or found.state is not TicketState.PENDING:
            return
        deps.clock.pause(min(POLL_SECONDS, until - now))


def _queued(call: Call, ticket: Ticket) -> ResultPart:
    """Return the answer of a call that waits for a person."""
    return ResultPart(
        call=call.id,
        status=ResultStatus.TICKETED,
        text=queued_words(ticket.id),
        ticket=ticket.id,
    )


def _ticket(
    deps: Dependencies, call: Call, tool: ToolManifest, *, reason: str, sources: Collection[str]
) -> Ticket:
    """Return the ticket by which a person is asked."""
    now, version = deps.clock.now(), version_of(tool)
    about = ticket_about(call, id=deps.chance.new_id("t", call.id), reason=reason, created=now)
    return msgspec.structs.replace(
        about,
        kind="approval",
        state=TicketState.PENDING,
        tool_sha256=version,
        sha256=approval_hash(version, call.args),
        sources=tuple(sorted(sources)),
        expires=later(now, seconds=deps.policy.approval_hours * 3600),
    )


def run_calls(
    deps: Dependencies, work: OpenCycle, calls: Sequence[Call], sources: Collection[str]
) -> None:
    """Bring calls to their answers; several run side by side.

    `sources` names whose text in the request is not trusted.
    """
    found = [_begin_calls(deps, work, call, sources) for call in calls]
    begun = [one for one in found if one is not None]
    for one, ended in zip(begun, run_programs(deps, work, begun), strict=True):
        reach("act.before_done")
        if ended.question is not None and deps.policy.asks:
            _wait_for_input(deps, work, one, ended, sources)
        else:
            answer(deps, work, one.call, _declined(ended), took=ended.took, files=ended.files)
        reach("act.after_done")


def _declined(ended: EndedCall) -> ResultPart:
    """Return the answer of a call whose server may have asked for input that nobody gives."""
    result, question = ended.result, ended.question
    if question is None:
        return result
    words = "\n".join(filter(None, (result.text, declined_words(question.message))))
    return msgspec.structs.replace(result, text=clean_result(words))


def _wait_for_input(
    deps: Dependencies,
    work: OpenCycle,
    begun: BegunCall,
    ended: EndedCall,
    sources: Collection[str],
) -> None:
    """Answer a call with a ticket: a person is asked what the server wanted to know."""
    call, tool = begun.call, begun.tool
    with holding(deps, work) as rows:
        ticket = journal.ticket_of_call(rows, call.id)
        if ticket is None:
            ticket = _ticket(deps, call, tool, reason="", sources=sources)
        ticket = asking_again(deps, ticket, begun, ended)
        journal.save_ticket(rows, ticket)
        # One that could not do without the answer has failed, which is no news.
        meanwhile = ended.result.text if ended.result.status is ResultStatus.OK else ""
        words = asked_words(ticket, repeats=call.effect.repeats(), meanwhile=meanwhile)
        result = result_of(call, ResultStatus.TICKETED, words)
        put(deps, rows, call, msgspec.structs.replace(result, ticket=ticket.id))
    reach("ticket.after_commit")


def asking_again(deps: Dependencies, ticket: Ticket, begun: BegunCall, ended: EndedCall) -> Ticket:
    """Return the ticket of a call whose server asked for input: it waits for a person's answer."""
    assert ended.question is not None
    answers = begun.tool.answers()
    waits = ticket if ticket.state is TicketState.PENDING else ticket.to(TicketState.PENDING)
    asking = msgspec.structs.replace(waits, questions=(*ticket.answers(), ended.question))
    return msgspec.structs.replace(
        asking,
        sha256=binding_hash(asking),
        reason=input_reason(begun.tool, repeats=begun.call.effect.repeats()),
        sources=joined(ticket.sources, [answers] if answers else []),
        expires=later(deps.clock.now(), seconds=deps.policy.approval_hours * 3600),
    )


def skip_calls(deps: Dependencies, work: OpenCycle, call: Call, reason: str) -> None:
    """Answer a call without running it."""
    words = f"Not run: the cycle stops after {reason}."
    answer(deps, work, call, result_of(call, ResultStatus.SKIPPED, words))


def _begin_calls(
    deps: Dependencies, work: OpenCycle, call: Call, sources: Collection[str]
) -> BegunCall | None:
    """Return a call whose program is to run now, or None where it has its answer without that."""
    if call.effect is Effect.STORE:
        _run_store_tool(deps, work, call)
        return None
    tool = next((tool for tool in work.agent.tools if tool.name == call.tool), None)
    if tool is None:
        answer(deps, work, call, result_of(call, ResultStatus.ERROR, "This tool was removed."))
        return None
    if call.state is CallState.STARTED:
        with deps.store.read() as rows:
            call = _as_approved(call, journal.ticket_of_call(rows, call.id))
    # It was begun by a worker that died: whether it ran is asked, never tried.
    if call.state is CallState.STARTED and call.effect is Effect.UNSAFE:
        answer(deps, work, call, after_crash(deps, work, BegunCall(call, tool)))
        return None
    if call.state is CallState.PLANNED:
        call = begin(deps, work, call, tool, sources)
    return BegunCall(call, tool) if call.state is CallState.STARTED else None


def _run_store_tool(deps: Dependencies, work: OpenCycle, call: Call) -> None:
    """Do a built-in tool's effect and write its answer in one transaction."""
    with holding(deps, work) as rows:
        since = deps.clock.boot()
        try:
            found = dispatch.run(deps, work, call)
            result = result_of(call, ResultStatus.OK, to_json(found).decode(), found)
        except MindError as error:
            result = result_of(call, ResultStatus.ERROR, str(error))
        put(deps, rows, call, result, took=_time_since(deps, since))
        reach("store_tool.before_commit")
    reach("store_tool.after_commit")
