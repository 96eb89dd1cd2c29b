"""Let an emergency join the open cycle: it is claimed like others and is read at the next turn."""

import msgspec

from mindpipe.context import prompt
from mindpipe.context.verbs.situations import seen
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Message, ResultStatus, Role, TextPart
from mindpipe.history.verbs import cycles, log, segments
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import emergencies
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import Asked, CallState, Turn, TurnState
from mindpipe.think.verbs.answers import put
from mindpipe.think.verbs.journal import holding
from mindpipe.think.verbs.request import options_of
from mindpipe.think.verbs.running import result_of

TITLE = "INTERRUPT"
PUT_OFF = "Not run: something urgent came first. Call it again if it is still wanted."


class EmergencyError(BaseException):
    """Say that something came that does not wait; the cycle goes on, and reads it first."""


def join(means: Means, work: Work) -> Work:
    """Return the cycle with the emergencies that wait, or as it is where none can join it.

    To be called where a turn is to be asked for. They are claimed, belong to the cycle from then
    on, and stand in a note before what the turn asks; what a reply had said so far goes.

    Raises:
        FencedError: another worker took the agent.
    """
    if not _are_waiting(means, work):
        return work
    name = work.agent.name
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is None or turn.state not in {TurnState.ASKING, TurnState.FOLDED}:
            return work
        taken = inbox.claim_only(
            means.store,
            means.clock,
            agent=name,
            owner=means.owner,
            ids=emergencies.waiting(means.store, means.clock, agent=name),
            seconds=means.lease,
        )
        if not taken:
            return work
        joined = msgspec.structs.replace(work, events=(*work.events, *taken))
        ids = tuple(event.id for event in joined.events)
        cycles.update_cycle(means.store, agent=name, cycle=work.cycle, events=ids)
        tables.save_turn(rows, _told(means, work, turn, taken))
        reach("join.before_commit")
    reach("join.after_commit")
    return joined


def put_off(means: Means, work: Work) -> None:
    """Answer the calls of the open turn that have not begun, so that what is urgent goes first."""
    if not _are_waiting(means, work):
        return
    name = work.agent.name
    with holding(means, work) as rows:
        turn = tables.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is None or turn.state is not TurnState.RECORDED:
            return
        for call in tables.calls_of_turn(rows, agent=name, cycle=work.cycle, turn=turn.turn):
            if call.state is CallState.PLANNED:
                put(means, rows, call, result_of(call, ResultStatus.SKIPPED, PUT_OFF))


def _are_waiting(means: Means, work: Work) -> bool:
    """Tell whether an emergency waits that may join the cycle; asks without writing."""
    if not emergencies.may_take_along(work.events):
        return False
    return bool(emergencies.waiting(means.store, means.clock, agent=work.agent.name))


def _told(means: Means, work: Work, turn: Turn, taken: list[Event]) -> Turn:
    """Return the turn that is to be asked for, with a note of what came."""
    if turn.state is TurnState.FOLDED:
        turn = _next(means, work, turn)
    asked = turn.asked
    note = _note(means, work, asked, taken, after=turn.turn - 1)
    said = msgspec.structs.replace(asked, request_sha256="", unsent=(*asked.unsent, note), said=())
    return msgspec.structs.replace(turn, asked=said, spans=())


def _next(means: Means, work: Work, turn: Turn) -> Turn:
    """Return the turn behind one that is in history; nobody has asked it yet."""
    now = segments.current_segment(means.store, agent=turn.agent)
    boot = means.clock.boot()
    return Turn(
        agent=turn.agent,
        cycle=turn.cycle,
        turn=turn.turn + 1,
        state=TurnState.ASKING,
        attempts=0,
        first_boot=boot.boot,
        first_seconds=boot.seconds,
        asked=Asked(
            segment=now.segment if now else turn.asked.segment,
            target=means.model.target,
            options=options_of(work, stream=means.preview is not None),
            request_sha256="",
            unsent=(),
        ),
    )


def _note(means: Means, work: Work, asked: Asked, taken: list[Event], *, after: int) -> Message:
    """Return the note of some events, which stands behind turn `after` (0: the opening)."""
    name, trust = work.agent.name, work.agent.trust
    shown = [seen(means.store, event, trust=trust) for event in taken]
    seq = log.log_head(means.store, agent=name).seq + len(asked.unsent) + 1
    return Message(
        id=means.chance.new_id("m", name, seq),
        agent=name,
        seq=seq,
        segment=asked.segment,
        cycle=work.cycle,
        turn=after,
        role=Role.NOTE,
        parts=(TextPart(text=prompt.inbox_text(shown, title=TITLE)),),
        origin=f"source:{','.join(sorted({event.source for event in shown}))}",
        taint=any(event.taint for event in shown),
        at=means.clock.now(),
    )
