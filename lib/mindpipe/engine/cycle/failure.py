"""End a cycle that cannot go on: without undoing what it did, and without blocking the next."""

import contextlib

import msgspec

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.errors import (
    CapReachedError,
    ExitStatus,
    MindError,
    ModelBrokenError,
    ModelBusyError,
    RefusedError,
    TemporaryError,
    UnavailableError,
)
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import BootTime, Rows
from mindpipe.core.retry import PASSING, rest, used_up
from mindpipe.core.tools import Effect
from mindpipe.engine.cycle.commit import close, end, end_run, messages_of, publish, take_in
from mindpipe.engine.cycle.journal import holding, with_turn_state
from mindpipe.engine.cycle.next_step import CommitTurn
from mindpipe.engine.cycle.tickets import TicketMatter, open_matter
from mindpipe.engine.cycle.tool_calls import put
from mindpipe.engine.dependencies import Dependencies, OpenCycle, holder_of
from mindpipe.engine.records.journal import Call, CallState, Turn, TurnState
from mindpipe.engine.tables import journal
from mindpipe.history.records import SPLIT, CycleOutcome
from mindpipe.history.verbs import log
from mindpipe.inbox.records import MAX_ATTEMPTS, Release
from mindpipe.inbox.verbs import inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.spending import verbs as spending
from mindpipe.trigger_runs.records import TriggerRunState


def fail(deps: Dependencies, work: OpenCycle, *, why: str, lease_stays: bool = True) -> None:
    """Fail the cycle for good: what was answered enters history, its events are dead."""
    with holding(deps, work) as rows:
        _break_off(deps, work, rows, why)
        end_run(deps.store, deps.clock, work, TriggerRunState.FAILED, why)
        for event in work.events:
            inbox.dead(deps.store, id=event.id, epoch=event.epoch, reason=why)
        if not lease_stays:
            _let_go(deps, work)


def split(deps: Dependencies, work: OpenCycle) -> None:
    """Fail a cycle of several events that has no reply yet, so that each is tried alone."""
    with holding(deps, work) as rows:
        _break_off(deps, work, rows, SPLIT)
        _release(deps, work, Release(reason=SPLIT, clean=False, wait=0.0))


def begin_again(deps: Dependencies, work: OpenCycle) -> None:
    """Fail a cycle whose turn has no try left, and make its events due, for a cycle of their own.

    Whoever was killed at the last try has been counted already.
    """
    why = "a turn of it was tried too often"
    with holding(deps, work) as rows:
        _break_off(deps, work, rows, why)
        _release(deps, work, Release(reason=why, clean=True))


def give_back(
    deps: Dependencies, work: OpenCycle, *, why: str, wait: float | None = None, clean: bool = True
) -> None:
    """Give the events back, to be tried again after `wait` seconds; a clean try does not count.

    A cycle ends that has no reply yet, so that other events can go first, and one whose turn has no
    try left after the wait; any other stays open and is taken up again with its events.
    """
    name, now = work.agent.name, deps.clock.boot()
    with holding(deps, work) as rows:
        turn = journal.last_turn(rows, agent=name, cycle=work.cycle)
        if not journal.answers(rows, agent=name, cycle=work.cycle) or (
            turn is not None and without_try(turn, now, wait=wait or 0.0)
        ):
            _break_off(deps, work, rows, why)
        _release(deps, work, Release(reason=why, clean=clean, wait=wait))
        _let_go(deps, work)


def without_try(turn: Turn, now: BootTime, *, wait: float = 0.0) -> bool:
    """Tell whether a turn is asked and may not be asked again in `wait` seconds."""
    began = BootTime(boot=turn.first_boot, seconds=turn.first_seconds)
    over = used_up(attempts=turn.attempts, began=began, now=now, wait=wait)
    return turn.state is TurnState.ASKING and over


def suspend(deps: Dependencies, work: OpenCycle, *, why: str, clean: bool) -> None:
    """Leave the cycle open for the next worker and give its events back.

    A clean release gives the attempt back too; after a defect it stays used, and the next try
    comes later. A model call that was under way counts in full.
    """
    with holding(deps, work):
        spending.lose_open(deps.store, agent=work.agent.name, cycle=work.cycle)
        _release(deps, work, Release(reason=why, clean=clean))
        _let_go(deps, work)


def stop(deps: Dependencies, work: OpenCycle, *, why: str) -> bool:
    """Close a cycle that has been answered before with a last word; return False if none has."""
    with holding(deps, work) as rows:
        turn = journal.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
        if turn is None or not journal.answers(rows, agent=turn.agent, cycle=turn.cycle):
            return False
        _close_turn(deps, work, rows, turn, why)
        end(deps, work, outcome=CycleOutcome.STOPPED, why=why)
    return True


def _break_off(deps: Dependencies, work: OpenCycle, rows: Rows, why: str) -> None:
    """Commit or abandon the turn, mark the cycle as failed and drop what it had not yet said."""
    turn = journal.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
    if turn is not None:
        _close_turn(deps, work, rows, turn, why)
    spaces.drop_held(deps.store, holder=holder_of(work.agent.name, work.cycle))
    close(deps.store, deps.clock, work, outcome=CycleOutcome.FAILED, why=why)


def _release(deps: Dependencies, work: OpenCycle, how: Release) -> None:
    """Give every event of the cycle back."""
    for event in work.events:
        inbox.release(deps.store, deps.clock, deps.chance, id=event.id, epoch=event.epoch, how=how)


def _close_turn(deps: Dependencies, work: OpenCycle, rows: Rows, turn: Turn, why: str) -> None:
    """Commit what was recorded with a closing word, or abandon a turn that has no reply."""
    if turn.state is TurnState.ASKING:
        journal.save_turn(rows, with_turn_state(turn, TurnState.ABANDONED))
        _close_log(deps, work, turn, why)
    elif turn.state is TurnState.RECORDED:
        for call in journal.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn):
            if not call.state.answered:
                put(deps, rows, call, _answer(call, why))
        calls = journal.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
        closing = _last_word(turn, calls, why)
        take_in(deps.store, work, turn, calls)
        said = messages_of(deps, work, turn, calls, closing)
        log.append(deps.store, deps.models.tokens, messages=said)
        publish(deps, turn, waits=False)
        journal.save_turn(rows, with_turn_state(turn, TurnState.COMMITTED))
    elif turn.state is TurnState.COMMITTED:
        _close_log(deps, work, turn, why)


def _last_word(turn: Turn, calls: list[Call], why: str) -> CommitTurn:
    """Return how a failing cycle ends its turn: words without calls are a last word already."""
    spoken = not calls and turn.answer is not None and bool(turn.answer.parts)
    return CommitTurn(last=True, closing=None if spoken else f"[stopped: {why}]", stopped=why)


def _close_log(deps: Dependencies, work: OpenCycle, turn: Turn, why: str) -> None:
    """Give a cycle that is in history its last word."""
    if log.log_head(deps.store, agent=turn.agent).cycle != work.cycle:
        return
    now = log.current_segment(deps.store, agent=turn.agent)
    segment = now.segment if now else turn.asked.segment
    asked = msgspec.structs.replace(turn.asked, unsent=(), segment=segment)
    number = turn.turn if turn.state is TurnState.ASKING else turn.turn + 1
    bare = msgspec.structs.replace(turn, asked=asked, answer=None, turn=number)
    closing = CommitTurn(last=True, closing=f"[stopped: {why}]", stopped=why)
    log.append(deps.store, deps.models.tokens, messages=messages_of(deps, work, bare, [], closing))


def _answer(call: Call, why: str) -> ResultPart:
    """Return the answer that a failing cycle gives a call."""
    if call.state is CallState.PLANNED:
        status, words = ResultStatus.SKIPPED, f"Not run: the cycle stopped ({why})."
    elif call.effect is Effect.UNSAFE:
        status, words = ResultStatus.UNKNOWN, ""
    else:
        status, words = ResultStatus.ERROR, f"Interrupted: the cycle stopped ({why})."
    return ResultPart(call=call.id, status=status, text=words)


def _let_go(deps: Dependencies, work: OpenCycle) -> None:
    """Give the agent's lease back."""
    leases.release(deps.store, agent=work.agent.name, owner=deps.holder.owner, epoch=work.epoch)


def after_fault(deps: Dependencies, work: OpenCycle, fault: ModelFault) -> MindError:
    """End or release the cycle as the class of the last fault asks; return what to raise."""
    words = str(fault)
    if fault.fault in PASSING:
        _give_back(deps, work, fault)
        return ModelBusyError(f"{words}. Try again.")
    if fault.fault is FaultClass.OUR_ACCOUNT:
        _pause(deps, work, words)
        name = work.agent.name
        return UnavailableError(
            f"{words}. {name} is paused. Then run mind agent set {name} --unset paused."
        )
    if fault.fault is FaultClass.LOCAL:
        give_back(deps, work, why=words, wait=0.0, clean=False)
        if any(event.attempts >= MAX_ATTEMPTS for event in work.events):
            return ModelBrokenError(
                f"{words}. That was the last of {MAX_ATTEMPTS} tries: the next mind think lets the "
                "event die, mind inbox redrive brings it back."
            )
        return ModelBrokenError(
            f"{words}. The event stays in the inbox; the next mind think tries it again."
        )
    if _try_alone(deps, work):
        return TemporaryError(f"{words}. Its {len(work.events)} events are tried alone. Try again.")
    fail(deps, work, why=words, lease_stays=False)
    return MindError(f"{words}. The event is dead; see mind inbox list --state dead.")


def _give_back(deps: Dependencies, work: OpenCycle, fault: ModelFault) -> None:
    """Give the events back after a passing fault.

    A provider that is down, out of reach or asks for time takes no attempt away. A turn that was
    asked in vain does, and its events rest the longer the more of them there were.
    """
    wait, vain = fault.wait, fault.fault is FaultClass.TRANSIENT and fault.sent
    if vain:
        wait = max(wait or 0.0, rest(max(event.attempts for event in work.events)))
    give_back(deps, work, why=str(fault), wait=wait, clean=not vain)


def after_refusal(deps: Dependencies, work: OpenCycle, refusal: RefusedError) -> bool:
    """Say whether a refused call still leaves a whole cycle, and end or release it.

    A cap of the cycle that is met after its first turn stops it with a closing word; one of the
    call lets its event die, as no later try would cost less. Any other refusal leaves the cycle
    open.
    """
    words = str(refusal)
    scope = refusal.scope if isinstance(refusal, CapReachedError) else None
    if scope == "cycle" and stop(deps, work, why=words):
        return True
    if scope == "call" and not _try_alone(deps, work):
        fail(deps, work, why=words, lease_stays=False)
    elif scope != "call":
        suspend(deps, work, why=words, clean=True)
    return False


def after_stop(deps: Dependencies, work: OpenCycle, end: BaseException) -> None:
    """Let go of what this worker holds, whatever ended it; the next one takes the cycle up."""
    why = str(end) if isinstance(end, Exception) else "stopped"
    with contextlib.suppress(MindError):
        suspend(deps, work, why=why, clean=_is_clean(end))


_CLEAN = frozenset(
    {ExitStatus.USAGE, ExitStatus.UNAVAILABLE, ExitStatus.INPUT_OUTPUT, ExitStatus.TEMPORARY}
)


def _is_clean(end: BaseException) -> bool:
    """Tell whether a try that ended so may be made again without counting it."""
    if isinstance(end, MindError):
        return end.status in _CLEAN
    return not isinstance(end, Exception)


def _try_alone(deps: Dependencies, work: OpenCycle) -> bool:
    """Split a cycle of several events that has no reply yet; tell whether it was one."""
    with holding(deps, work) as rows:
        answered = journal.answers(rows, agent=work.agent.name, cycle=work.cycle)
        if answered or len(work.events) == 1:
            return False
        split(deps, work)
        leases.release(deps.store, agent=work.agent.name, owner=deps.holder.owner, epoch=work.epoch)
    return True


def _pause(deps: Dependencies, work: OpenCycle, why: str) -> None:
    """Give the events back and let the agent rest until a person has looked at the account."""
    name = work.agent.name
    with holding(deps, work):
        give_back(deps, work, why=why)
        agents.set_(deps.store, name=name, change=AgentChange(paused=why))
        matter = TicketMatter("account", why, work.cycle)
        open_matter(deps.store, deps.clock, deps.chance, agent=name, matter=matter)
