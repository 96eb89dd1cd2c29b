"""Choose what a fresh cycle takes up, claim it, and let its run begin or go on."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.context.triggers import TIMED_OUT, trigger_of
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.runs import verbs as runs
from mindpipe.runs.records import Run, RunState
from mindpipe.think.means import Means
from mindpipe.think.records import Choice
from mindpipe.think.verbs.depths import depth_behind
from mindpipe.think.verbs.resuming import run_of

LOOKED_AT = 50
"""Of each priority, so many of the next events are looked through for messages of one space."""


class Taken(NamedTuple):
    """The events of a fresh cycle, claimed, and the run that goes on with them, if one does."""

    events: tuple[Event, ...]
    run: Run | None


def take(means: Means, agent: Agent, choice: Choice) -> Taken:
    """Claim what comes next and belongs together; nothing due gives no events.

    A claim ends before an event with which another run goes on than with its first one. A time-out
    of a wait that has ended before is settled unseen.
    """
    while True:
        wanted = _of_one_run(means, _coming(means, agent, choice))
        if not wanted:
            return Taken((), None)
        claimed = inbox.claim_only(
            means.store,
            means.clock,
            agent=agent.name,
            owner=means.owner,
            ids=[event.id for event in wanted],
            seconds=means.lease,
        )
        _give_up(means, wanted, claimed)
        events = tuple(event for event in claimed if not _is_settled(means, event))
        if events:
            return Taken(events, run_of(means.store, events[0]))


def take_up(means: Means, taken: Taken, *, agent: str, cycle: int) -> None:
    """Let the run of what was taken go on, or begin one for it."""
    depth = max(depth_behind(means, event) for event in taken.events)
    for event in taken.events:
        if event.source == TIMED_OUT and event.key is not None:
            runs.expire(means.store, means.clock, wait=event.key)
    if taken.run is not None:
        runs.go_on(means.store, run=taken.run.id, cycle=cycle, depth=depth)
        return
    trigger = msgspec.structs.replace(trigger_of(taken.events[0]), depth=depth)
    runs.begin(means.store, means.clock, means.chance, agent=agent, cycle=cycle, trigger=trigger)


def _coming(means: Means, agent: Agent, choice: Choice) -> Sequence[Event]:
    """Return the next events; with a timeline only one, or messages of its space."""
    limit = min(agent.batch, choice.limit or agent.batch)
    if means.style_of(agent) == "continuous":
        return _upcoming(means, agent, choice, limit)
    coming = _upcoming(means, agent, choice, max(limit, LOOKED_AT))
    if not coming or coming[0].type != "space_message" or coming[0].space is None:
        return coming[:1]
    space = coming[0].space
    there = [one for one in coming if one.type == "space_message" and one.space == space]
    return there[:limit]


def _upcoming(means: Means, agent: Agent, choice: Choice, limit: int) -> Sequence[Event]:
    """Return the next events of those that may be taken up."""
    return inbox.upcoming(means.store, means.clock, agent=agent.name, limit=limit, only=choice.only)


def _of_one_run(means: Means, coming: Sequence[Event]) -> Sequence[Event]:
    """Return the events before the first with which another run goes on than with the first."""
    if not coming:
        return ()
    first = run_of(means.store, coming[0])
    known = {None, first.id if first else None}

    def stays(event: Event) -> bool:
        found = run_of(means.store, event)
        return (found.id if found else None) in known

    return (coming[0], *takewhile(stays, coming[1:]))


def _give_up(means: Means, wanted: Sequence[Event], claimed: Sequence[Event]) -> None:
    """End the runs of events that died at the claim because their attempts were used up."""
    held = {event.id for event in claimed}
    for event in wanted:
        run = None if event.id in held else run_of(means.store, event)
        if run is not None:
            state = RunState.FAILED if run.state is RunState.RUNNING else RunState.CANCELLED
            runs.finish(means.store, means.clock, run=run.id, state=state, reason=inbox.USED_UP)


def _is_settled(means: Means, event: Event) -> bool:
    """Acknowledge a time-out that has nothing to end any more; tell whether it was one."""
    if event.source != TIMED_OUT or run_of(means.store, event) is not None:
        return False
    inbox.ack(means.store, id=event.id, epoch=event.epoch, outcome="skipped")
    return True
