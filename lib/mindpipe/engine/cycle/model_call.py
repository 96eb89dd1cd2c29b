"""Ask the model for one turn: reserve, send, record; again, or another one, where it fails."""

import hashlib
from collections.abc import Sequence

import msgspec

from mindpipe.context.verbs import prompts
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core.errors import CapReachedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import CallPart, RawReply
from mindpipe.core.models import (
    FaultClass,
    Finish,
    ModelFault,
    ModelReply,
    ModelRequest,
    RequestOptions,
    Target,
)
from mindpipe.core.ports import BootTime, Chance, Clock, Rows
from mindpipe.core.records import to_json
from mindpipe.core.retry import ATTEMPTS, BUDGET_SECONDS, PASSING, GiveBack, Retry, next_step
from mindpipe.engine.breaker import (
    Breaker,
    BreakerStance,
    after_failure,
    after_success,
    seconds_left,
    stance,
)
from mindpipe.engine.cycle.failure import without_try
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.cycle.request import BuiltRequest, build, ports_of, prompt_options
from mindpipe.engine.dependencies import Dependencies, ModelAccess, OpenCycle
from mindpipe.engine.records.journal import Turn, TurnReply, TurnRequest, TurnState
from mindpipe.engine.tables import journal
from mindpipe.engine.tools import specs
from mindpipe.engine.tools.calls import CallPlace, PlannedCall, plan
from mindpipe.history.verbs import cycles, log
from mindpipe.providers.usage import believed
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import NewLedgerEntry, Settlement


def check_breaker(deps: Dependencies) -> None:
    """Raise ModelFault (a long wait) while the model is left alone."""
    now = deps.clock.boot()
    model = deps.models.model.target.label()
    with deps.store.read() as rows:
        breaker = journal.breaker_of(rows, model=model, boot=now.boot)
    if stance(breaker, now=now.seconds) is BreakerStance.OPEN:
        left = seconds_left(breaker, now=now.seconds)
        raise ModelFault(
            f"{model} keeps failing and is left alone for {left:.0f} s",
            fault=FaultClass.LONG_WAIT,
            wait=left,
            sent=False,
        )


def note_failure(
    deps: Dependencies, rows: Rows, fault: ModelFault, *, alone: bool
) -> ModelFault | None:
    """Hold one more passing failure against the model, in the open transaction.

    Return the fault that ends the turn if the model is left alone from now on. It is a long wait
    for a single event that only looked whether a failing model works again; whatever found it
    working was asked in vain, and so were several events, which are tried alone in the end.
    """
    now = deps.clock.boot()
    model = deps.models.model.target.label()
    rows.hold("breaker", model)
    breaker = journal.breaker_of(rows, model=model, boot=now.boot)
    changed = after_failure(breaker, now=now.seconds)
    journal.save_breaker(rows, model=model, boot=now.boot, breaker=changed)
    left = seconds_left(changed, now=now.seconds)
    if left == 0:
        return None
    looked = alone and stance(breaker, now=now.seconds) is not BreakerStance.CLOSED
    return ModelFault(
        str(fault),
        fault=FaultClass.LONG_WAIT if looked else FaultClass.TRANSIENT,
        http_status=fault.http_status,
        wait=max(left, fault.wait or 0.0),
        sent=fault.sent,
    )


def note_success(deps: Dependencies, rows: Rows) -> None:
    """Forget what was held against the model, in the open transaction."""
    now = deps.clock.boot()
    model = deps.models.model.target.label()
    breaker = journal.breaker_of(rows, model=model, boot=now.boot)
    if breaker == Breaker():
        return
    rows.hold("breaker", model)
    journal.save_breaker(rows, model=model, boot=now.boot, breaker=after_success(breaker))


def settlement(
    models: ModelAccess, *, entry: str, request: ModelRequest, reply: ModelReply
) -> Settlement:
    """Return what the entry of a call is settled with; tokens that nobody reported are counted."""
    usage = reply.usage
    reported = usage.input_tokens is not None
    if not reported:
        counted = models.tokens.count(request.body.decode("utf-8", "replace"))
        usage = msgspec.structs.replace(usage, input_tokens=counted)
    if usage.output_tokens is None:
        counted = models.tokens.count(octets_of(reply).decode("utf-8", "replace"))
        usage = msgspec.structs.replace(usage, output_tokens=counted)
    micros = models.prices.of(usage, request.target)
    return Settlement(id=entry, micros=micros, usage=usage, reported=reported)


def ask(deps: Dependencies, work: OpenCycle, turn: Turn | None, number: int) -> None:
    """Ask the model for one turn until its reply is recorded.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
        CapReachedError: the next call would pass a cap.
        UnavailableError: the model is not there.
    """
    made = turn if turn is not None and turn.turn == number else None
    if made is not None and not prompts.same_kind(made.asked.target, deps.models.model.target):
        made = anew(deps, work, made, "model")
    while made is None or made.state is TurnState.ASKING:
        check_breaker(deps)
        built = build(deps, work, made, number)
        asked, request = built.asked, built.request
        made = msgspec.structs.replace(made or _first(deps.clock, work, asked, number), asked=asked)
        try:
            made = _reserve(deps, work, made, built)
            reply = _send(deps, work, made, request)
        except CapReachedError as cap:
            made = _after_cap(deps, work, made, cap)
        except ModelFault as fault:
            made = _after_fault(deps, work, made, fault)
        else:
            made = _record(deps, work, made, request, reply)


def _first(clock: Clock, work: OpenCycle, asked: TurnRequest, number: int) -> Turn:
    """Return a turn that nobody has asked yet."""
    boot = clock.boot()
    return Turn(
        agent=work.agent.name,
        cycle=work.cycle,
        turn=number,
        state=TurnState.ASKING,
        attempts=0,
        first_boot=boot.boot,
        first_seconds=boot.seconds,
        asked=asked,
    )


def _reserve(deps: Dependencies, work: OpenCycle, turn: Turn, built: BuiltRequest) -> Turn:
    """Count the attempt and reserve the most it can cost, before anything is sent."""
    made = msgspec.structs.replace(turn, attempts=turn.attempts + 1)
    entry = NewLedgerEntry(
        id=_entry(made),
        agent=made.agent,
        cycle=made.cycle,
        turn=made.turn,
        attempt=made.attempts,
        purpose="think",
        model=built.request.target.label(),
        micros=deps.models.prices.at_most(built.request),
        counted_tokens=built.counted,
    )
    with holding(deps, work) as rows:
        # Of a call that a dead worker began nobody knows what it cost.
        spending.lose_open(deps.store, agent=made.agent, cycle=made.cycle)
        spending.reserve(deps.store, deps.clock, entry=entry, caps=deps.models.caps)
        journal.save_turn(rows, made)
    reach("reserve.after_commit")
    return made


def _entry(turn: Turn) -> str:
    """Return the name of an attempt's ledger entry."""
    return f"{turn.agent}/{turn.cycle}/{turn.turn}/{turn.attempts}"


def _send(deps: Dependencies, work: OpenCycle, turn: Turn, request: ModelRequest) -> ModelReply:
    """Send one request; no transaction is open meanwhile."""
    reach("ask.before_send")
    try:
        reply = deps.models.model.reply(request, deps.models.preview)
    except UnavailableError:
        # Nothing was sent, so that nothing can have been spent.
        with holding(deps, work):
            spending.void(deps.store, entry_id=_entry(turn))
        raise
    reach("ask.after_reply")
    return believed(reply, request, tell=deps.holder.tell)


def _after_fault(deps: Dependencies, work: OpenCycle, turn: Turn, fault: ModelFault) -> Turn:
    """Settle a failed attempt and make ready for the next one, or raise the fault."""
    end = None
    with holding(deps, work) as rows:
        if fault.fault is FaultClass.TRANSIENT:
            end = note_failure(deps, rows, fault, alone=len(work.events) == 1)
        settled = spending.lose if fault.sent else spending.void
        settled(deps.store, entry_id=_entry(turn))
    reason = _ANEW.get(fault.fault)
    if reason is not None and reason not in turn.asked.anew:
        return anew(deps, work, turn, reason)
    if end is not None:
        raise end
    now = deps.clock.boot()
    same = now.boot == turn.first_boot
    elapsed = now.seconds - turn.first_seconds if same else BUDGET_SECONDS
    step = next_step(
        fault,
        attempt=turn.attempts,
        elapsed=elapsed,
        chance=deps.chance.uniform(),
        # The last try of a turn is kept for the fallback.
        tries=ATTEMPTS if deps.models.fallback is None else ATTEMPTS - 1,
    )
    if isinstance(step, GiveBack):
        fault.fault = FaultClass.LONG_WAIT
    if not isinstance(step, Retry) or step.seconds >= work.left(now.seconds):
        raise fault
    deps.holder.tell(f"{fault}. Attempt {turn.attempts + 1} in {step.seconds:.0f} s.")
    deps.clock.pause(step.seconds)
    return turn


def _after_cap(deps: Dependencies, work: OpenCycle, turn: Turn, cap: CapReachedError) -> Turn:
    """Make the request smaller, once, where the cap of one call would be passed."""
    if cap.scope != "call" or _TOO_LONG in turn.asked.anew:
        raise cap
    return anew(deps, work, turn, _TOO_LONG)


_TOO_LONG = "too long"
_ANEW = {FaultClass.LOST_THINKING: "lost thinking", FaultClass.TOO_LONG: _TOO_LONG}


def anew(deps: Dependencies, work: OpenCycle, turn: Turn, reason: str) -> Turn:
    """Open a new segment for a turn: without earlier thinking, or with a smaller window."""
    options = prompt_options(deps, work)
    with holding(deps, work) as rows:
        if reason == _TOO_LONG and deps.policy.style_of(work.agent) == "continuous":
            from mindpipe.compaction.verbs import compact

            ports = material_ports(deps.store, deps.clock, deps.models.tokens)
            compact.shrink(ports, agent=work.agent)
        segment = prompts.segment_for(ports_of(deps), options, anew=reason)
        first = turn.turn == 1
        unsent = prompts.opening(ports_of(deps), options).unsent if first else ()
        asked = msgspec.structs.replace(
            turn.asked,
            segment=segment.segment,
            target=deps.models.model.target,
            request_sha256="",
            unsent=unsent,
            said=(),
            anew=(*turn.asked.anew, reason),
        )
        made = msgspec.structs.replace(turn, asked=asked, spans=())
        journal.save_turn(rows, made)
    return made


def _record(
    deps: Dependencies, work: OpenCycle, turn: Turn, request: ModelRequest, reply: ModelReply
) -> Turn:
    """Write the reply and its planned calls; keep a paused one, give a cut one more room."""
    octets = octets_of(reply)
    spans = [*turn.spans, hash_of_octets(octets)]
    paused = reply.finish is Finish.PAUSE and len(spans) <= MAX_PAUSES
    wider = wants_more_room(turn, reply, usual=work.agent.reply_tokens)
    whole = msgspec.structs.replace(reply, parts=(*turn.asked.said, *reply.parts))
    place = CallPlace(store=deps.store.identity, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
    planned = plan(whole, specs.tools_of(work.agent), place, _ids(deps.chance, turn, whole))
    if paused or wider:
        asked = msgspec.structs.replace(
            turn.asked,
            options=wider or turn.asked.options,
            request_sha256="",
            said=whole.parts if paused else turn.asked.said,
        )
        kept = tuple(spans) if paused else turn.spans
        recorded = msgspec.structs.replace(turn, asked=asked, spans=kept)
    else:
        said = answer_of(reply, planned, target=turn.asked.target, spans=spans)
        took = _milliseconds(turn, deps.clock.boot())
        answer = msgspec.structs.replace(said, milliseconds=took)
        state = turn.state.to(TurnState.RECORDED)
        recorded = msgspec.structs.replace(turn, state=state, answer=answer)
    settled = settlement(deps.models, entry=_entry(turn), request=request, reply=reply)
    with holding(deps, work) as rows:
        note_success(deps, rows)
        log.put_blob(deps.store, octets=octets)
        spending.settle(deps.store, settlement=settled)
        journal.save_turn(rows, recorded)
        for call in planned.calls if recorded.answer else ():
            journal.save_call(rows, call)
        reach("record.before_commit")
    reach("record.after_commit")
    return recorded


def _milliseconds(turn: Turn, now: BootTime) -> int:
    """Return how long ago a turn was first asked; 0 where the machine started anew since."""
    same = now.boot == turn.first_boot
    return max(0, round((now.seconds - turn.first_seconds) * 1000)) if same else 0


def _ids(chance: Chance, turn: Turn, reply: ModelReply) -> list[str]:
    """Return one new call id per call of the reply."""
    calls = sum(isinstance(part, CallPart) for part in reply.parts)
    return [chance.new_id("c", turn.agent, turn.cycle, turn.turn, place) for place in range(calls)]


_REASON = "fallback"


def instead(deps: Dependencies, work: OpenCycle, fault: ModelFault) -> Dependencies | None:
    """Return dependencies that ask the fallback, under its own segment; None where none may be.

    The model is failing if it is left alone, asks for a long wait, or was asked in vain until a
    turn had one try left: tries and time of a turn are for both models together.
    """
    if deps.models.fallback is None or fault.fault not in PASSING:
        return None
    models = msgspec.structs.replace(deps.models, model=deps.models.fallback, fallback=None)
    other = msgspec.structs.replace(deps, models=models)
    name, target = work.agent.name, other.models.model.target
    with holding(deps, work) as rows:
        turn = journal.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is not None and without_try(turn, deps.clock.boot()):
            return None
        now = log.current_segment(deps.store, agent=name)
        if turn is not None and turn.state is TurnState.ASKING:
            anew(other, work, turn, _REASON)
        elif now is not None and now.target != target:
            prompts.segment_for(ports_of(other), prompt_options(other, work), anew=_REASON)
        cycles.update_cycle(deps.store, agent=name, cycle=work.cycle, model=target.label())
    deps.holder.tell(
        f"{deps.models.model.target.label()} is failing; {target.label()} is asked instead."
    )
    return other


MAX_PAUSES = 5
MAX_REPLY_TOKENS = 64_000


def hash_of_octets(octets: bytes) -> str:
    """Return the name under which bytes are kept."""
    return hashlib.sha256(octets).hexdigest()


def octets_of(reply: ModelReply) -> bytes:
    """Return the reply's own bytes; a model without a form of its own said its parts."""
    return reply.raw or to_json(reply.parts)


def answer_of(
    reply: ModelReply, planned: PlannedCall, *, target: Target, spans: Sequence[str]
) -> TurnReply:
    """Return the reply as the journal keeps it; `spans` are the hashes of its raw bytes."""
    raw = RawReply(
        provider=target.provider,
        api=target.api,
        model=reply.model or target.model,
        family=target.family,
        finish=reply.provider_finish,
        sha256=tuple(spans),
        ids=planned.ids,
    )
    return TurnReply(
        parts=planned.parts,
        raw=raw,
        finish=reply.finish,
        usage=reply.usage,
        model=reply.model or target.model,
    )


def wants_more_room(turn: Turn, reply: ModelReply, *, usual: int) -> RequestOptions | None:
    """Return options with a higher output limit for a reply that was cut off the first time.

    One that ended in an unknown way may have been cut.
    """
    options = turn.asked.options
    if reply.finish not in {Finish.CUT, Finish.UNKNOWN} or options.max_tokens > usual:
        return None
    raised = min(MAX_REPLY_TOKENS, options.max_tokens * 4)
    if raised <= options.max_tokens:
        return None
    return msgspec.structs.replace(options, max_tokens=raised)
