"""Ask the model for one turn: reserve, send, record; again where a fault is passing."""

import msgspec

from mindpipe.compaction.verbs import shrinking
from mindpipe.context.verbs import compacting
from mindpipe.context.verbs import prompts as context
from mindpipe.core.errors import CapReachedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import CallPart
from mindpipe.core.models import FaultClass, Finish, ModelFault, ModelReply, ModelRequest
from mindpipe.core.retrying import ATTEMPTS, BUDGET_SECONDS, Release, Retry, next_step
from mindpipe.history.verbs import blobs
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import NewEntry
from mindpipe.think import tables, toolbox
from mindpipe.think.calls import Place, plan
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Asked, Turn, TurnState
from mindpipe.think.replies import MAX_PAUSES, answer_of, hash_of_octets, octets_of, wants_more_room
from mindpipe.think.verbs.breakers import check_breaker, note_failure, note_success
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.request import Built, build, frame_of, ports_of
from mindpipe.think.verbs.settling import settlement


def ask(means: Means, work: Work, turn: Turn | None, number: int) -> None:
    """Ask the model for one turn until its reply is recorded.

    Raises:
        ModelFault: the attempts are used up, or trying again is no use.
        CapReachedError: the next call would pass a cap.
        UnavailableError: the model is not there.
    """
    made = turn if turn is not None and turn.turn == number else None
    if made is not None and not context.same_kind(made.asked.target, means.model.target):
        made = anew(means, work, made, "model")
    while made is None or made.state is TurnState.ASKING:
        check_breaker(means)
        built = build(means, work, made, number)
        asked, request = built.asked, built.request
        made = msgspec.structs.replace(made or _first(means, work, asked, number), asked=asked)
        try:
            made = _reserve(means, work, made, built)
            reply = _send(means, work, made, request)
        except CapReachedError as cap:
            made = _after_cap(means, work, made, cap)
        except ModelFault as fault:
            made = _after_fault(means, work, made, fault)
        else:
            made = _record(means, work, made, request, reply)


def _first(means: Means, work: Work, asked: Asked, number: int) -> Turn:
    """Return a turn that nobody has asked yet."""
    boot = means.clock.boot()
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


def _reserve(means: Means, work: Work, turn: Turn, built: Built) -> Turn:
    """Count the attempt and reserve the most it can cost, before anything is sent."""
    made = msgspec.structs.replace(turn, attempts=turn.attempts + 1)
    entry = NewEntry(
        id=_entry(made),
        agent=made.agent,
        cycle=made.cycle,
        turn=made.turn,
        attempt=made.attempts,
        purpose="think",
        model=built.request.target.label(),
        micros=means.prices.at_most(built.request),
        counted_tokens=built.counted,
    )
    with holding(means, work) as rows:
        spending.lose_open(means.store, agent=made.agent, cycle=made.cycle)
        spending.reserve(means.store, means.clock, entry=entry, caps=means.caps)
        tables.save_turn(rows, made)
    reach("reserve.after_commit")
    return made


def _entry(turn: Turn) -> str:
    """Return the name of an attempt's ledger entry."""
    return f"{turn.agent}/{turn.cycle}/{turn.turn}/{turn.attempts}"


def _send(means: Means, work: Work, turn: Turn, request: ModelRequest) -> ModelReply:
    """Send one request; no transaction is open meanwhile."""
    reach("ask.before_send")
    try:
        reply = means.model.reply(request, means.preview)
    except UnavailableError:
        with holding(means, work):
            spending.void(means.store, entry_id=_entry(turn))
        raise
    reach("ask.after_reply")
    return reply


def _after_fault(means: Means, work: Work, turn: Turn, fault: ModelFault) -> Turn:
    """Settle a failed attempt and make ready for the next one, or raise the fault."""
    end = None
    with holding(means, work) as rows:
        if fault.fault is FaultClass.TRANSIENT:
            end = note_failure(means, rows, fault, alone=len(work.events) == 1)
        settled = spending.lose if fault.sent else spending.void
        settled(means.store, entry_id=_entry(turn))
    reason = _ANEW.get(fault.fault)
    if reason is not None and reason not in turn.asked.anew:
        return anew(means, work, turn, reason)
    if end is not None:
        raise end
    now = means.clock.boot()
    same = now.boot == turn.first_boot
    elapsed = now.seconds - turn.first_seconds if same else BUDGET_SECONDS
    step = next_step(
        fault,
        attempt=turn.attempts,
        elapsed=elapsed,
        chance=means.chance.uniform(),
        tries=ATTEMPTS if means.fallback is None else ATTEMPTS - 1,
    )
    if isinstance(step, Release):
        fault.fault = FaultClass.LONG_WAIT
    if not isinstance(step, Retry) or step.seconds >= work.left(now.seconds):
        raise fault
    means.tell(f"{fault}. Attempt {turn.attempts + 1} in {step.seconds:.0f} s.")
    means.clock.pause(step.seconds)
    return turn


def _after_cap(means: Means, work: Work, turn: Turn, cap: CapReachedError) -> Turn:
    """Make the request smaller, once, where the cap of one call would be passed."""
    if cap.scope != "call" or _TOO_LONG in turn.asked.anew:
        raise cap
    return anew(means, work, turn, _TOO_LONG)


_TOO_LONG = "too long"
_ANEW = {FaultClass.LOST_THINKING: "lost thinking", FaultClass.TOO_LONG: _TOO_LONG}


def anew(means: Means, work: Work, turn: Turn, reason: str) -> Turn:
    """Open a new segment for a turn: without earlier thinking, or with a smaller window."""
    wish = frame_of(means, work)
    with holding(means, work) as rows:
        if reason == _TOO_LONG and means.style_of(work.agent) == "continuous":
            ports = compacting.ports_of(means.store, means.clock, means.tokens)
            shrinking.shrink(ports, agent=work.agent)
        segment = context.frame(ports_of(means), wish, anew=reason)
        first = turn.turn == 1
        unsent = context.opening(ports_of(means), wish, events=work.events).unsent if first else ()
        asked = msgspec.structs.replace(
            turn.asked,
            segment=segment.segment,
            target=means.model.target,
            request_sha256="",
            unsent=unsent,
            said=(),
            anew=(*turn.asked.anew, reason),
        )
        made = msgspec.structs.replace(turn, asked=asked, spans=())
        tables.save_turn(rows, made)
    return made


def _record(means: Means, work: Work, turn: Turn, request: ModelRequest, reply: ModelReply) -> Turn:
    """Write the reply and its planned calls; keep a paused one, give a cut one more room."""
    octets = octets_of(reply)
    spans = [*turn.spans, hash_of_octets(octets)]
    paused = reply.finish is Finish.PAUSE and len(spans) <= MAX_PAUSES
    wider = wants_more_room(turn, reply, usual=work.agent.reply_tokens)
    whole = msgspec.structs.replace(reply, parts=(*turn.asked.said, *reply.parts))
    planned = plan(
        whole, toolbox.tools_of(work.agent), _place(means, turn), _ids(means, turn, whole)
    )
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
        answer = answer_of(reply, planned, target=turn.asked.target, spans=spans)
        state = turn.state.to(TurnState.RECORDED)
        recorded = msgspec.structs.replace(turn, state=state, answer=answer)
    settled = settlement(means, entry=_entry(turn), request=request, reply=reply)
    with holding(means, work) as rows:
        note_success(means, rows)
        blobs.put_blob(means.store, octets=octets)
        spending.settle(means.store, settlement=settled)
        tables.save_turn(rows, recorded)
        for call in planned.calls if recorded.answer else ():
            tables.save_call(rows, call)
        reach("record.before_commit")
    reach("record.after_commit")
    return recorded


def _place(means: Means, turn: Turn) -> Place:
    """Return where the calls of a turn belong."""
    return Place(store=means.store.identity, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)


def _ids(means: Means, turn: Turn, reply: ModelReply) -> list[str]:
    """Return one new call id per call of the reply."""
    calls = sum(isinstance(part, CallPart) for part in reply.parts)
    return [
        means.chance.new_id("c", turn.agent, turn.cycle, turn.turn, place) for place in range(calls)
    ]
