"""Take an agent and its due events, or adopt the cycle that a dead worker left open."""

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.context.triggers import TIMED_OUT, depth_of, message_of, trigger_of, waking
from mindpipe.context.verbs import speakers
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.retry import ATTEMPTS
from mindpipe.engine.cycle.failure import begin_again, fail, split
from mindpipe.engine.dependencies import Dependencies, OpenCycle, trust_of
from mindpipe.engine.records.journal import ANY, EventChoice, TurnState
from mindpipe.engine.tables import journal
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.verbs import emergencies, inbox
from mindpipe.spaces import verbs as spaces
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import TriggerRun, TriggerRunState, WaitState


def depth_behind(deps: Dependencies, event: Event) -> int:
    """Return how many hops are behind an event.

    What an agent hears of a call that it asked a person for, or proposed, is as deep as the run
    that did so: no chain begins anew by that.
    """
    cycle = _cycle_behind(deps.store, deps.clock, event)
    run = runs.current(deps.store, agent=event.agent, cycle=cycle) if cycle else None
    return max(depth_of(event), run.depth if run else 0)


def _cycle_behind(store: Store, clock: Clock, event: Event) -> int:
    """Return the cycle whose call an event tells the outcome of; 0 where it tells of none."""
    if event.type not in {"tool_result", "decision"}:
        return 0
    ticket, decision = event.body.get("ticket"), event.body.get("decision")
    if isinstance(ticket, str):
        with store.read() as rows:
            found = journal.find_ticket(rows, ticket)
        return found.cycle if found is not None else 0
    if isinstance(decision, str):
        from mindpipe.decisions.verbs import decision as decisions

        try:
            return decisions.show(store, clock, decision=decision).cycle
        except UsageError:
            return 0
    return 0


def run_resumed_by(store: Store, event: Event) -> TriggerRun | None:
    """Return the run that goes on with an event; None where one begins.

    An event that ended a wait lets that run go on; one that was given back, its own.
    """
    if event.source == TIMED_OUT:
        return _timed_out(store, event)
    message = message_of(event)
    if message is not None:
        woken = runs.woken_by(store, agent=event.agent, post=message.id)
        if woken is not None:
            return woken
    return runs.of_event(store, agent=event.agent, event=event.id)


def _timed_out(store: Store, event: Event) -> TriggerRun | None:
    """Return the run whose time an event says is over, unless its wait ended otherwise."""
    wait = runs.find_wait(store, wait=event.key or "")
    if wait is None or wait.state not in {WaitState.OPEN, WaitState.TIMED_OUT}:
        return None
    found = runs.show(store, run=wait.run)
    if wait.state is WaitState.OPEN:
        return found
    last = found.resumed_by
    goes_on = found.state is TriggerRunState.RUNNING and last is not None and last.id == wait.id
    return found if goes_on else None


LOOKED_AT = 50
"""Of each priority, so many of the next events are looked through for messages of one space."""


class ClaimedEvents(msgspec.Struct, frozen=True):
    """The events of a fresh cycle, claimed, and the run that goes on with them, if one does."""

    events: tuple[Event, ...]
    run: TriggerRun | None


def take_events(deps: Dependencies, agent: Agent, choice: EventChoice) -> ClaimedEvents:
    """Claim what comes next and belongs together; nothing due gives no events.

    A claim ends before an event with which another run goes on than with its first one. A time-out
    of a wait that has ended before is settled unseen.
    """
    while True:
        wanted = _of_one_run(deps.store, _coming(deps, agent, choice))
        if not wanted:
            return ClaimedEvents((), None)
        claimed = inbox.claim_only(
            deps.store,
            deps.clock,
            agent=agent.name,
            owner=deps.holder.owner,
            ids=[event.id for event in wanted],
            seconds=deps.holder.lease,
        )
        _give_up(deps.store, deps.clock, wanted, claimed)
        trust = trust_of(agent, deps.policy)
        events = tuple(
            speakers.known(deps.store, event, trust=trust)
            for event in claimed
            if not _is_settled(deps.store, event)
        )
        if events:
            return ClaimedEvents(events, run_resumed_by(deps.store, events[0]))


def take_up(deps: Dependencies, taken: ClaimedEvents, *, agent: str, cycle: int) -> None:
    """Let the run of what was taken go on, or begin one for it."""
    depth = max(depth_behind(deps, event) for event in taken.events)
    for event in taken.events:
        if event.source == TIMED_OUT and event.key is not None:
            runs.expire(deps.store, deps.clock, wait=event.key)
    if taken.run is not None:
        runs.go_on(deps.store, run=taken.run.id, cycle=cycle, depth=depth)
        return
    woke = waking(taken.events)
    message = message_of(woke)
    late = runs.answered_late(deps.store, agent=agent, message=message) if message else None
    trigger = msgspec.structs.replace(trigger_of(woke), depth=depth, late=late.id if late else None)
    runs.begin(
        deps.store,
        deps.clock,
        deps.chance,
        agent=agent,
        cycle=cycle,
        trigger=trigger,
        first=taken.events[0].id,
    )


def _coming(deps: Dependencies, agent: Agent, choice: EventChoice) -> Sequence[Event]:
    """Return the next events; with a timeline only one, or messages of its space."""
    limit = min(agent.batch, choice.limit or agent.batch)
    if deps.policy.style_of(agent) == "continuous":
        return _upcoming(deps, agent, choice, limit)
    # Messages of other spaces may stand between those of the first one.
    coming = _upcoming(deps, agent, choice, max(limit, LOOKED_AT))
    if not coming or coming[0].type != "space_message" or coming[0].space is None:
        return coming[:1]
    space = coming[0].space
    there = [one for one in coming if one.type == "space_message" and one.space == space]
    return there[:limit]


def _upcoming(deps: Dependencies, agent: Agent, choice: EventChoice, limit: int) -> Sequence[Event]:
    """Return the next events of those that may be taken up, with the senders that are known.

    A command is for a loop, which may not have seen yet what came a moment ago.
    """
    most = limit + len(emergencies.commands(deps.store, deps.clock, agent=agent.name))
    found = inbox.upcoming(deps.store, deps.clock, agent=agent.name, limit=most, only=choice.only)
    trust = trust_of(agent, deps.policy)
    read = [event for event in found if emergencies.command_of(event) is None]
    return [speakers.known(deps.store, event, trust=trust) for event in read[:limit]]


def _of_one_run(store: Store, coming: Sequence[Event]) -> Sequence[Event]:
    """Return the events before the first with which another run goes on than with the first."""
    if not coming:
        return ()
    first = run_resumed_by(store, coming[0])
    known = {None, first.id if first else None}

    def stays(event: Event) -> bool:
        found = run_resumed_by(store, event)
        return (found.id if found else None) in known

    return (coming[0], *takewhile(stays, coming[1:]))


def _give_up(store: Store, clock: Clock, wanted: Sequence[Event], claimed: Sequence[Event]) -> None:
    """End the runs of events that died at the claim because their attempts were used up."""
    held = {event.id for event in claimed}
    for event in wanted:
        run = None if event.id in held else run_resumed_by(store, event)
        if run is not None:
            state = (
                TriggerRunState.FAILED
                if run.state is TriggerRunState.RUNNING
                else TriggerRunState.CANCELLED
            )
            runs.finish(store, clock, run=run.id, state=state, reason=inbox.USED_UP)


def _is_settled(store: Store, event: Event) -> bool:
    """Acknowledge a time-out that has nothing to end any more; tell whether it was one."""
    if event.source != TIMED_OUT or run_resumed_by(store, event) is not None:
        return False
    inbox.ack(store, id=event.id, epoch=event.epoch, outcome="skipped")
    return True


_SECOND = 2


def begin(
    deps: Dependencies, *, agent: str, seconds: float = 1800.0, choice: EventChoice = ANY
) -> OpenCycle:
    """Return the cycle that this worker now holds, for `seconds` at most.

    A fresh cycle takes up what `choice` says; an open one goes on with its own events.

    Raises:
        NothingToDoError: no event is due.
        TemporaryError: another worker holds the agent.
        RefusedError: the agent is paused.
    """
    with deps.store.write(agent) as rows:
        found = agents.show(deps.store, name=agent)
        if found.paused:
            raise RefusedError(
                f"{agent} is paused: {found.paused}. Run mind agent set {agent} --unset paused."
            )
        epoch = leases.acquire(
            deps.store, deps.clock, agent=agent, owner=deps.holder.owner, seconds=deps.holder.lease
        )
        # A cycle that is open goes on before anything new: its turns may have had effects already.
        work = _adopt(deps, rows, found, epoch) or _fresh(deps, rows, found, epoch, choice)
        if work is not None:
            work = msgspec.structs.replace(work, seconds=seconds)
        else:
            # In the same transaction, so that nobody has to wait for a lease that holds nothing.
            leases.release(deps.store, agent=agent, owner=deps.holder.owner, epoch=epoch)
        reach("claim.before_commit")
    reach("claim.after_commit")
    if work is None:
        unheard = spaces.unheard_words(deps.store, agent=agent, max_depth=deps.policy.max_depth)
        raise NothingToDoError(f"nothing is due for {agent}.{unheard}")
    return work


def _fresh(
    deps: Dependencies, rows: Rows, agent: Agent, epoch: int, choice: EventChoice
) -> OpenCycle | None:
    """Claim what is due and open a cycle for it; what is used up is dead, even if nothing is."""
    taken = take_events(deps, agent, choice)
    if not taken.events:
        return None
    first = taken.events[0]
    number = cycles.open_cycle(
        deps.store,
        deps.clock,
        agent=agent.name,
        trigger=" ".join(filter(None, (first.type, first.space, first.sender))),
        events=tuple(event.id for event in taken.events),
        model=deps.models.model.target.label(),
    )
    cycles.update_cycle(deps.store, agent=agent.name, cycle=number, epoch=epoch)
    take_up(deps, taken, agent=agent.name, cycle=number)
    _settle_in(deps, rows, agent, taken.events)
    return _work(deps, agent, epoch, number, taken.events)


def _adopt(deps: Dependencies, rows: Rows, agent: Agent, epoch: int) -> OpenCycle | None:
    """Take over the open cycle, or end it where it cannot go on as it is."""
    left = cycles.open_one(deps.store, agent=agent.name)
    if left is None:
        return None
    found = inbox.adopt(
        deps.store, deps.clock, ids=left.events, owner=deps.holder.owner, seconds=deps.holder.lease
    )
    model = deps.models.model.target.label()
    cycles.update_cycle(deps.store, agent=agent.name, cycle=left.cycle, epoch=epoch, model=model)
    held = tuple(event for event in found if event.state is EventState.LEASED)
    work = _work(deps, agent, epoch, left.cycle, held)
    dead = next((event for event in found if event.state is EventState.DEAD), None)
    if dead is not None:
        fail(deps, work, why=dead.reason or "an event of it is dead")
        return None
    # A crash has counted an attempt before the one of now; a stop gave its own back.
    crashed = any(event.attempts >= _SECOND for event in held)
    if crashed and len(held) > 1 and not journal.answers(rows, agent=agent.name, cycle=left.cycle):
        split(deps, work)
        return None
    turn = journal.last_turn(rows, agent=agent.name, cycle=left.cycle)
    if turn is not None and turn.state is TurnState.ASKING and turn.attempts >= ATTEMPTS:
        begin_again(deps, work)
        return None
    return work


def _settle_in(deps: Dependencies, rows: Rows, agent: Agent, events: tuple[Event, ...]) -> None:
    """Put an agent into the space of its first message, so that it answers where it was asked.

    It stays where it is if nobody spoke to it in a space that it is in; one that is shown a
    timeline is nowhere then.
    """
    if deps.policy.style_of(agent) == "timeline":
        first = events[0]
        known = first.type == "space_message" or first.source == TIMED_OUT
        journal.set_place(rows, agent=agent.name, space=first.space if known else None)
        return
    named = [event.space for event in events if event.space]
    mine = {space.name for space in spaces.list_(deps.store, member=agent.name)} if named else set()
    space = next((name for name in named if name in mine), None)
    if space is None and journal.place_of(rows, agent=agent.name) is None:
        space = next(iter(named), None)
    if space is not None:
        journal.set_place(rows, agent=agent.name, space=space)


def _work(
    deps: Dependencies, agent: Agent, epoch: int, cycle: int, events: tuple[Event, ...]
) -> OpenCycle:
    trust = trust_of(agent, deps.policy)
    return OpenCycle(
        agent=msgspec.structs.replace(agent, trust=trust),
        epoch=epoch,
        cycle=cycle,
        events=tuple(speakers.known(deps.store, event, trust=trust) for event in events),
        began=deps.clock.boot().seconds,
        seconds=float(agent.max_seconds),
    )
