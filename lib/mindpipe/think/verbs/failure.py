"""End a cycle that cannot go on: without undoing what it did, and without blocking the next."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.ports import BootTime, Rows
from mindpipe.core.retrying import used_up
from mindpipe.core.tools import Effect
from mindpipe.history.records import SPLIT, Outcome
from mindpipe.history.verbs import log, segments
from mindpipe.inbox.records import Release
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.runs.records import RunState
from mindpipe.spaces import verbs as spaces
from mindpipe.spending import verbs as spending
from mindpipe.think import tables
from mindpipe.think.decide import Fold
from mindpipe.think.means import Means, Work, holder_of
from mindpipe.think.records import Call, CallState, Turn, TurnState
from mindpipe.think.verbs.answers import put
from mindpipe.think.verbs.fold import close, end, messages_of, publish, take_in
from mindpipe.think.verbs.journal import holding, with_turn_state
from mindpipe.think.verbs.waiting import end_run


def fail(means: Means, work: Work, *, why: str, lease_stays: bool = True) -> None:
    """Fail the cycle for good: what was answered enters history, its events are dead."""
    with holding(means, work) as rows:
        _break_off(means, work, rows, why)
        end_run(means, work, RunState.FAILED, why)
        for event in work.events:
            inbox.dead(means.store, id=event.id, epoch=event.epoch, reason=why)
        if not lease_stays:
            _let_go(means, work)


def split(means: Means, work: Work, *, clean: bool = False) -> None:
    """Fail a cycle of several events that has no reply yet, so that each is tried alone.

    A clean one followed a stop in order: the attempts are given back.
    """
    with holding(means, work) as rows:
        _break_off(means, work, rows, SPLIT)
        _release(means, work, Release(reason=SPLIT, clean=clean, wait=0.0))


def begin_again(means: Means, work: Work) -> None:
    """Fail a cycle whose turn has no try left, and make its events due, for a cycle of their own.

    Whoever was killed at the last try has been counted already.
    """
    why = "a turn of it was tried too often"
    with holding(means, work) as rows:
        _break_off(means, work, rows, why)
        _release(means, work, Release(reason=why, clean=True))


def give_back(
    means: Means, work: Work, *, why: str, wait: float | None = None, clean: bool = True
) -> None:
    """Give the events back, to be tried again after `wait` seconds; a clean try does not count.

    A cycle ends that has no reply yet, so that other events can go first, and one whose turn has no
    try left after the wait; any other stays open and is taken up again with its events.
    """
    name, now = work.agent.name, means.clock.boot()
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
        if not tables.answers(rows, agent=name, cycle=work.cycle) or (
            turn is not None and without_try(turn, now, wait=wait or 0.0)
        ):
            _break_off(means, work, rows, why)
        _release(means, work, Release(reason=why, clean=clean, wait=wait))
        _let_go(means, work)


def without_try(turn: Turn, now: BootTime, *, wait: float = 0.0) -> bool:
    """Tell whether a turn is asked and may not be asked again in `wait` seconds."""
    began = BootTime(boot=turn.first_boot, seconds=turn.first_seconds)
    over = used_up(attempts=turn.attempts, began=began, now=now, wait=wait)
    return turn.state is TurnState.ASKING and over


def suspend(means: Means, work: Work, *, why: str, clean: bool) -> None:
    """Leave the cycle open for the next worker and give its events back.

    A clean release gives the attempt back too; after a defect it stays used, and the next try
    comes later. A model call that was under way counts in full.
    """
    with holding(means, work):
        spending.lose_open(means.store, agent=work.agent.name, cycle=work.cycle)
        _release(means, work, Release(reason=why, clean=clean))
        _let_go(means, work)


def stop(means: Means, work: Work, *, why: str) -> bool:
    """Close a cycle that has been answered before with a last word; return False if none has."""
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
        if turn is None or not tables.answers(rows, agent=turn.agent, cycle=turn.cycle):
            return False
        _close_turn(means, work, rows, turn, why)
        end(means, work, outcome=Outcome.STOPPED, why=why)
    return True


def _break_off(means: Means, work: Work, rows: Rows, why: str) -> None:
    """Fold or abandon the turn, mark the cycle as failed and drop what it had not yet said."""
    turn = tables.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
    if turn is not None:
        _close_turn(means, work, rows, turn, why)
    spaces.drop_held(means.store, holder=holder_of(work.agent.name, work.cycle))
    close(means, work, outcome=Outcome.FAILED, why=why)


def _release(means: Means, work: Work, how: Release) -> None:
    """Give every event of the cycle back."""
    for event in work.events:
        inbox.release(
            means.store, means.clock, means.chance, id=event.id, epoch=event.epoch, how=how
        )


def _close_turn(means: Means, work: Work, rows: Rows, turn: Turn, why: str) -> None:
    """Fold what was recorded with a closing word, or abandon a turn that has no reply."""
    if turn.state is TurnState.ASKING:
        tables.save_turn(rows, with_turn_state(turn, TurnState.ABANDONED))
        _close_log(means, work, turn, why)
    elif turn.state is TurnState.RECORDED:
        for call in tables.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn):
            if not call.state.answered:
                put(means, rows, call, _answer(call, why))
        calls = tables.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
        closing = _last_word(turn, calls, why)
        take_in(means, work, turn, calls)
        said = messages_of(means, work, turn, calls, closing)
        log.append(means.store, means.tokens, messages=said)
        publish(means, turn, waits=False)
        tables.save_turn(rows, with_turn_state(turn, TurnState.FOLDED))
    elif turn.state is TurnState.FOLDED:
        _close_log(means, work, turn, why)


def _last_word(turn: Turn, calls: list[Call], why: str) -> Fold:
    """Return how a failing cycle's turn is folded: words without calls are a last word already."""
    spoken = not calls and turn.answer is not None and bool(turn.answer.parts)
    return Fold(last=True, closing=None if spoken else f"[stopped: {why}]", stopped=why)


def _close_log(means: Means, work: Work, turn: Turn, why: str) -> None:
    """Give a cycle that is in history its last word."""
    if log.log_head(means.store, agent=turn.agent).cycle != work.cycle:
        return
    now = segments.current_segment(means.store, agent=turn.agent)
    segment = now.segment if now else turn.asked.segment
    asked = msgspec.structs.replace(turn.asked, unsent=(), segment=segment)
    number = turn.turn if turn.state is TurnState.ASKING else turn.turn + 1
    bare = msgspec.structs.replace(turn, asked=asked, answer=None, turn=number)
    closing = Fold(last=True, closing=f"[stopped: {why}]", stopped=why)
    log.append(means.store, means.tokens, messages=messages_of(means, work, bare, [], closing))


def _answer(call: Call, why: str) -> ResultPart:
    """Return the answer that a failing cycle gives a call."""
    if call.state is CallState.PLANNED:
        status, words = ResultStatus.SKIPPED, f"Not run: the cycle stopped ({why})."
    elif call.effect is Effect.UNSAFE:
        status, words = ResultStatus.UNKNOWN, ""
    else:
        status, words = ResultStatus.ERROR, f"Interrupted: the cycle stopped ({why})."
    return ResultPart(call=call.id, status=status, text=words)


def _let_go(means: Means, work: Work) -> None:
    """Give the agent's lease back."""
    agents.lease_release(means.store, agent=work.agent.name, owner=means.owner, epoch=work.epoch)
