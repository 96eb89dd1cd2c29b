"""End a cycle that cannot go on: without undoing what it did, and without blocking the next."""

import contextlib

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import AgentChange
from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    ModelBusyError,
    RefusedError,
    UnavailableError,
)
from mindpipe.core.messages import ResultPart, ResultStatus
from mindpipe.core.models import FaultClass, ModelFault
from mindpipe.core.ports import Rows
from mindpipe.core.tools import Effect
from mindpipe.history.records import CycleEnd, Outcome
from mindpipe.history.verbs import cycles, log
from mindpipe.inbox.records import EventState, Release
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.think import tables
from mindpipe.think.decide import Fold
from mindpipe.think.means import Means, Work, holder_of
from mindpipe.think.records import Call, CallState, Ticket, TicketState, Turn, TurnState
from mindpipe.think.verbs.act import open_doubt, unknown_words
from mindpipe.think.verbs.fold import end, messages_of, publish
from mindpipe.think.verbs.journal import holding, with_call_state, with_turn_state


def fail(means: Means, work: Work, *, why: str, lease_stays: bool = True) -> None:
    """Fail the cycle for good: what was answered enters history, its events are dead."""
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
        _close_turn(means, work, rows, turn, why)
        _end(means, work, why)
        for event in work.events:
            if event.state is not EventState.DEAD:
                inbox.dead(means.store, id=event.id, epoch=event.epoch, reason=why)
        if not lease_stays:
            _let_go(means, work)


def give_back(means: Means, work: Work, *, why: str, wait: float | None = None) -> None:
    """Give the events back with their attempt, to be tried again after `wait` seconds.

    A cycle that has no reply yet ends, so that other events can go first; one that has stays open
    and is taken up again with its events.
    """
    name = work.agent.name
    with holding(means, work) as rows:
        if not tables.answers(rows, agent=name, cycle=work.cycle):
            turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
            _close_turn(means, work, rows, turn, why)
            _end(means, work, why)
        for event in work.events:
            inbox.release(
                means.store,
                means.clock,
                means.chance,
                id=event.id,
                epoch=event.epoch,
                how=Release(reason=why, clean=True, wait=wait),
            )
        _let_go(means, work)


def suspend(means: Means, work: Work) -> None:
    """Let go of the agent where a worker is stopped; the open cycle is taken up by the next."""
    with contextlib.suppress(MindError):
        _let_go(means, work)


def after_fault(means: Means, work: Work, fault: ModelFault) -> MindError:
    """End or release the cycle as the class of the last fault asks; return what to raise."""
    words = str(fault)
    if fault.fault in {FaultClass.TRANSIENT, FaultClass.LONG_WAIT}:
        give_back(means, work, why=words, wait=fault.wait)
        return ModelBusyError(f"{words}. The event stays in the inbox. Try again.")
    if fault.fault is FaultClass.OUR_ACCOUNT:
        give_back(means, work, why=words)
        _pause(means, work, words)
        return UnavailableError(f"{words}. The agent is paused; mind agent set … --resume.")
    fail(means, work, why=words, lease_stays=False)
    return MindError(f"{words}. The event is dead; see mind inbox list --state dead.")


def after_cap(means: Means, work: Work, refusal: RefusedError) -> bool:
    """Say whether a refused call still leaves a whole cycle, and end or release it.

    A cap of the cycle that is met after its first turn stops it with a closing word; any other
    cap, or a missing price, gives the events back.
    """
    if not isinstance(refusal, CapReachedError) or refusal.scope != "cycle":
        give_back(means, work, why=str(refusal))
        return False
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=work.agent.name, cycle=work.cycle)
        if turn is not None and turn.state is TurnState.FOLDED:
            _close_log(means, work, turn, "the cycle's cap on money")
            end(means, work, outcome=Outcome.STOPPED, why=str(refusal))
            return True
    give_back(means, work, why=str(refusal))
    return False


def _pause(means: Means, work: Work, why: str) -> None:
    """Let the agent rest until a person has looked at the account."""
    name = work.agent.name
    with means.store.write() as rows:
        agents.set_(means.store, name=name, change=AgentChange(paused=why))
        tables.insert_ticket(
            rows,
            Ticket(
                id=means.chance.new_id("t", name, work.cycle, "account"),
                agent=name,
                kind="account",
                state=TicketState.OPEN,
                cycle=work.cycle,
                call=None,
                tool=None,
                args=None,
                reason=why,
                created=means.clock.now(),
            ),
        )


def _close_turn(means: Means, work: Work, rows: Rows, turn: Turn | None, why: str) -> None:
    """Fold what was recorded with a closing word, or abandon a turn that has no reply."""
    if turn is None:
        return
    if turn.state is TurnState.ASKING:
        tables.save_turn(rows, with_turn_state(turn, TurnState.ABANDONED))
        _close_log(means, work, turn, why)
    elif turn.state is TurnState.RECORDED:
        for call in tables.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn):
            if not call.state.answered:
                tables.save_call(rows, _answered(means, work, rows, call, why))
        calls = tables.calls_of_turn(rows, agent=turn.agent, cycle=turn.cycle, turn=turn.turn)
        closing = Fold(last=True, closing=f"[stopped: {why}]", stopped=why)
        log.append(means.store, means.tokens, messages=messages_of(means, turn, calls, closing))
        publish(means, work, turn)
        tables.save_turn(rows, with_turn_state(turn, TurnState.FOLDED))
    elif turn.state is TurnState.FOLDED:
        _close_log(means, work, turn, why)


def _close_log(means: Means, work: Work, turn: Turn, why: str) -> None:
    """Give a cycle that is in history its last word."""
    if log.log_head(means.store, agent=turn.agent).cycle != work.cycle:
        return
    bare = msgspec.structs.replace(
        turn, asked=msgspec.structs.replace(turn.asked, unsent=()), answer=None
    )
    number = turn.turn if turn.state is TurnState.ASKING else turn.turn + 1
    bare = msgspec.structs.replace(bare, turn=number)
    closing = Fold(last=True, closing=f"[stopped: {why}]", stopped=why)
    log.append(means.store, means.tokens, messages=messages_of(means, bare, [], closing))


def _answered(means: Means, work: Work, rows: Rows, call: Call, why: str) -> Call:
    """Return a call with the answer that a failing cycle gives it."""
    if call.state is CallState.PLANNED:
        words = f"Not run: the cycle stopped ({why})."
        result = ResultPart(call=call.id, status=ResultStatus.SKIPPED, text=words)
        return with_call_state(call, CallState.SKIPPED, result)
    if call.effect is not Effect.UNSAFE:
        words = f"Interrupted: the cycle stopped ({why})."
        result = ResultPart(call=call.id, status=ResultStatus.ERROR, text=words)
        return with_call_state(call, CallState.FAILED, result)
    ticket = open_doubt(means, work, call)
    tables.insert_ticket(rows, ticket)
    result = ResultPart(
        call=call.id,
        status=ResultStatus.UNKNOWN,
        text=unknown_words(ticket.id),
        ticket=ticket.id,
    )
    return with_call_state(call, CallState.UNKNOWN, result)


def _end(means: Means, work: Work, why: str) -> None:
    """Mark the cycle as failed and drop what it had not yet said."""
    name = work.agent.name
    spaces.drop_held(means.store, holder=holder_of(name, work.cycle))
    cycles.close_cycle(
        means.store,
        means.clock,
        agent=name,
        cycle=work.cycle,
        end=CycleEnd(outcome=Outcome.FAILED, reason=why),
    )


def _let_go(means: Means, work: Work) -> None:
    """Give the agent's lease back."""
    agents.lease_release(means.store, agent=work.agent.name, owner=means.owner, epoch=work.epoch)
