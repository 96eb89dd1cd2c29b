"""Let an emergency join the open cycle: it is claimed like others and is read at the next turn."""

import msgspec

from mindpipe.context import prompt
from mindpipe.context.verbs import speakers
from mindpipe.context.verbs.situations import seen, with_files
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Message, ResultStatus, Role, TextPart
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.cycle.request import options_of
from mindpipe.engine.cycle.tool_calls import put, result_of
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import CallState, Turn, TurnRequest, TurnState
from mindpipe.engine.tables import journal
from mindpipe.history.verbs import cycles, log
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import emergencies, inbox

TITLE = "INTERRUPT"
PUT_OFF = "Not run: something urgent came first. Call it again if it is still wanted."


class EmergencyError(BaseException):
    """Say that something came that does not wait; the cycle goes on, and reads it first."""


def join(deps: Dependencies, work: OpenCycle) -> OpenCycle:
    """Return the cycle with the emergencies that wait, or as it is where none can join it.

    To be called where a turn is to be asked for. They are claimed, belong to the cycle from then
    on, and stand in a note before what the turn asks; what a reply had said so far goes.

    Raises:
        FencedError: another worker took the agent.
    """
    # Asked before every turn, mostly in vain: it opens no transaction that writes.
    if not _waiting(deps.store, deps.clock, work):
        return work
    name = work.agent.name
    with holding(deps, work) as rows:
        turn = journal.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is None or turn.state not in {TurnState.ASKING, TurnState.COMMITTED}:
            return work
        taken = inbox.claim_only(
            deps.store,
            deps.clock,
            agent=name,
            owner=deps.holder.owner,
            ids=_waiting(deps.store, deps.clock, work),
            seconds=deps.holder.lease,
        )
        if not taken:
            return work
        trust = work.agent.trust
        taken = [speakers.known(deps.store, event, trust=trust) for event in taken]
        joined = msgspec.structs.replace(work, events=(*work.events, *taken))
        ids = tuple(event.id for event in joined.events)
        cycles.update_cycle(deps.store, agent=name, cycle=work.cycle, events=ids)
        journal.save_turn(rows, _told(deps, work, turn, taken))
        reach("join.before_commit")
    reach("join.after_commit")
    return joined


def put_off(deps: Dependencies, work: OpenCycle) -> None:
    """Answer the calls of the open turn that have not begun, so that what is urgent goes first."""
    if not _waiting(deps.store, deps.clock, work):
        return
    name = work.agent.name
    with holding(deps, work) as rows:
        turn = journal.last_turn(rows, agent=name, cycle=work.cycle)
        if turn is None or turn.state is not TurnState.RECORDED:
            return
        for call in journal.calls_of_turn(rows, agent=name, cycle=work.cycle, turn=turn.turn):
            if call.state is CallState.PLANNED:
                put(deps, rows, call, result_of(call, ResultStatus.SKIPPED, PUT_OFF))


def _waiting(store: Store, clock: Clock, work: OpenCycle) -> list[str]:
    """Return the ids of the emergencies that may join the cycle; asks without writing.

    What commands a loop is for the loop, which has looked before and will look again.
    """
    if not emergencies.may_take_along(work.events):
        return []
    found = emergencies.waiting(store, clock, agent=work.agent.name)
    return [event.id for event in found if emergencies.command_of(event) is None]


def _told(deps: Dependencies, work: OpenCycle, turn: Turn, taken: list[Event]) -> Turn:
    """Return the turn that is to be asked for, with a note of what came."""
    if turn.state is TurnState.COMMITTED:
        turn = _next(deps, work, turn)
    asked = turn.asked
    note = _note(deps, work, asked, taken, after=turn.turn - 1)
    said = msgspec.structs.replace(asked, request_sha256="", unsent=(*asked.unsent, note), said=())
    return msgspec.structs.replace(turn, asked=said, spans=())


def _next(deps: Dependencies, work: OpenCycle, turn: Turn) -> Turn:
    """Return the turn behind one that is in history; nobody has asked it yet."""
    now = log.current_segment(deps.store, agent=turn.agent)
    boot = deps.clock.boot()
    return Turn(
        agent=turn.agent,
        cycle=turn.cycle,
        turn=turn.turn + 1,
        state=TurnState.ASKING,
        attempts=0,
        first_boot=boot.boot,
        first_seconds=boot.seconds,
        asked=TurnRequest(
            segment=now.segment if now else turn.asked.segment,
            target=deps.models.model.target,
            options=options_of(work, stream=deps.models.preview is not None),
            request_sha256="",
            unsent=(),
        ),
    )


def _note(
    deps: Dependencies, work: OpenCycle, asked: TurnRequest, taken: list[Event], *, after: int
) -> Message:
    """Return the note of some events, which stands behind turn `after` (0: the opening)."""
    name, trust = work.agent.name, work.agent.trust
    shown = [with_files(deps.store, seen(deps.store, event, trust=trust), event) for event in taken]
    seq = log.log_head(deps.store, agent=name).seq + len(asked.unsent) + 1
    return Message(
        id=deps.chance.new_id("m", name, seq),
        agent=name,
        seq=seq,
        segment=asked.segment,
        cycle=work.cycle,
        turn=after,
        role=Role.NOTE,
        parts=(TextPart(text=prompt.inbox_text(shown, title=TITLE)), *prompt.file_parts(shown)),
        origin=f"source:{','.join(sorted({event.source for event in shown}))}",
        taint=any(event.taint for event in shown),
        at=deps.clock.now(),
    )
