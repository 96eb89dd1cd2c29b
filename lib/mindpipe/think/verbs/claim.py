"""Take an agent and its due events, or adopt the cycle that a dead worker left open."""

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent
from mindpipe.context.triggers import TIMED_OUT
from mindpipe.core.errors import NothingToDoError, RefusedError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Rows
from mindpipe.core.retrying import ATTEMPTS
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event, EventState
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.think import tables
from mindpipe.think.means import Means, Work
from mindpipe.think.records import ANY, Choice, TurnState
from mindpipe.think.verbs import taking
from mindpipe.think.verbs.failure import begin_again, fail, split

_SECOND = 2


def begin(means: Means, *, agent: str, seconds: float = 1800.0, choice: Choice = ANY) -> Work:
    """Return the cycle that this worker now holds, for `seconds` at most.

    A fresh cycle takes up what `choice` says; an open one goes on with its own events.

    Raises:
        NothingToDoError: no event is due.
        TemporaryError: another worker holds the agent.
        RefusedError: the agent is paused.
    """
    with means.store.write() as rows:
        found = agents.show(means.store, name=agent)
        if found.paused:
            raise RefusedError(
                f"{agent} is paused: {found.paused}. Run mind agent set {agent} --unset paused."
            )
        epoch = agents.lease_acquire(
            means.store, means.clock, agent=agent, owner=means.owner, seconds=means.lease
        )
        work = _adopt(means, rows, found, epoch) or _fresh(means, rows, found, epoch, choice)
        if work is not None:
            work = msgspec.structs.replace(work, seconds=seconds)
        else:
            agents.lease_release(means.store, agent=agent, owner=means.owner, epoch=epoch)
        reach("claim.before_commit")
    reach("claim.after_commit")
    if work is None:
        raise NothingToDoError(f"nothing is due for {agent}.")
    return work


def _fresh(means: Means, rows: Rows, agent: Agent, epoch: int, choice: Choice) -> Work | None:
    """Claim what is due and open a cycle for it; what is used up is dead, even if nothing is."""
    taken = taking.take(means, agent, choice)
    if not taken.events:
        return None
    number = cycles.open_cycle(
        means.store,
        means.clock,
        agent=agent.name,
        trigger=_trigger(taken.events[0]),
        events=tuple(event.id for event in taken.events),
        model=means.model.target.label(),
    )
    cycles.update_cycle(means.store, agent=agent.name, cycle=number, epoch=epoch)
    taking.take_up(means, taken, agent=agent.name, cycle=number)
    _settle_in(means, rows, agent, taken.events)
    return _work(means, agent, epoch, number, taken.events)


def _adopt(means: Means, rows: Rows, agent: Agent, epoch: int) -> Work | None:
    """Take over the open cycle, or end it where it cannot go on as it is."""
    left = cycles.open_one(means.store, agent=agent.name)
    if left is None:
        return None
    found = inbox.adopt(
        means.store, means.clock, ids=left.events, owner=means.owner, seconds=means.lease
    )
    model = means.model.target.label()
    cycles.update_cycle(means.store, agent=agent.name, cycle=left.cycle, epoch=epoch, model=model)
    held = tuple(event for event in found if event.state is EventState.LEASED)
    work = _work(means, agent, epoch, left.cycle, held)
    dead = next((event for event in found if event.state is EventState.DEAD), None)
    if dead is not None:
        fail(means, work, why=dead.reason or "an event of it is dead")
        return None
    if len(held) > 1 and not tables.answers(rows, agent=agent.name, cycle=left.cycle):
        # A crash has counted an attempt before the one of now; a stop gave its own back.
        split(means, work, clean=all(event.attempts < _SECOND for event in held))
        return None
    turn = tables.last_turn(rows, agent=agent.name, cycle=left.cycle)
    if turn is not None and turn.state is TurnState.ASKING and turn.attempts >= ATTEMPTS:
        begin_again(means, work)
        return None
    return work


def _settle_in(means: Means, rows: Rows, agent: Agent, events: tuple[Event, ...]) -> None:
    """Put an agent that is nowhere into the space of its first message.

    One that is shown a timeline is where its run was woken, or nowhere.
    """
    if means.style_of(agent) == "timeline":
        first = events[0]
        known = first.type == "space_message" or first.source == TIMED_OUT
        tables.set_place(rows, agent=agent.name, space=first.space if known else None)
        return
    space = next((event.space for event in events if event.space), None)
    if space is not None and tables.place_of(rows, agent=agent.name) is None:
        tables.set_place(rows, agent=agent.name, space=space)


def _work(means: Means, agent: Agent, epoch: int, cycle: int, events: tuple[Event, ...]) -> Work:
    """Return the held cycle."""
    return Work(
        agent=msgspec.structs.replace(agent, trust=(*agent.trust, *means.trust)),
        epoch=epoch,
        cycle=cycle,
        events=events,
        began=means.clock.boot().seconds,
        seconds=float(agent.max_seconds),
    )


def _trigger(event: Event) -> str:
    """Return in a few words what woke the agent."""
    return " ".join(filter(None, (event.type, event.space, event.sender)))
