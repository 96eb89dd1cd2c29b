"""Load why an agent is awake: its run's trigger, or the end of what the run waited for."""

from typing import NamedTuple

import msgspec

from mindpipe.context.timeline.records import (
    Occasion,
    Party,
    Place,
    Resumed,
    RunLine,
    SpaceHistory,
)
from mindpipe.context.triggers import TIMED_OUT, depth_of, trigger_of
from mindpipe.context.verbs.histories import Parties, place_of, post_of
from mindpipe.core.errors import UsageError
from mindpipe.core.instants import seconds_between
from mindpipe.core.ports import Store
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import look
from mindpipe.runs import verbs as runs
from mindpipe.runs.records import Run, Trigger, Wait, WaitState
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Member

_LEVELLED = frozenset({"interrupt"})
_MOST_NAMED = 3


class Awake(NamedTuple):
    """What woke an agent: the run, the wait whose end did, if one did, and the events."""

    run: Run | None
    wait: Wait | None
    events: tuple[Event, ...]

    @property
    def first(self) -> Event:
        """Return the event that woke it."""
        replied = self.wait.by if self.wait is not None else None
        return next((one for one in self.events if post_of(one) == replied), self.events[0])

    @property
    def trigger(self) -> Trigger:
        """Return what began the run."""
        return self.run.trigger if self.run is not None else trigger_of(self.first)

    @property
    def place(self) -> str | None:
        """Return the space of what woke it; None where no space did."""
        if self.wait is not None:
            return self.wait.space
        return self.trigger.space if self.trigger.type == "space_message" else None

    @property
    def spaces(self) -> list[str]:
        """Return the spaces of which it sees what was said, that of what woke it first."""
        began = self.trigger.space if self.trigger.type == "space_message" else None
        return [name for name in dict.fromkeys((self.place, began)) if name is not None]


def awake(store: Store, *, agent: str, cycle: int, events: tuple[Event, ...]) -> Awake:
    """Return what woke an agent for a cycle."""
    run = runs.current(store, agent=agent, cycle=cycle)
    ended = run.resumed_by if run is not None and run.cycles[:1] != (cycle,) else None
    return Awake(run, ended if ended and _woke(ended, events) else None, events)


def _woke(wait: Wait, events: tuple[Event, ...]) -> bool:
    """Tell whether the end of a wait is among what woke an agent."""
    return any(
        (wait.by is not None and post_of(event) == wait.by)
        or (event.source == TIMED_OUT and event.body.get("post") == wait.post)
        for event in events
    )


def occasion(store: Store, found: Awake, parties: Parties) -> Occasion:
    """Return why an agent is awake, as it is told."""
    if found.wait is None:
        return _of_event(store, found.first, found.trigger, parties)
    wait = found.wait
    asked = spaces.find_post(store, post=wait.post)
    told = _of_event(store, found.first, trigger_of(found.first), parties)
    resumed = Resumed(
        run=wait.run,
        post=wait.post,
        asked=asked.text if asked else "",
        place=place_of(store, wait.space),
        seconds=seconds_between(wait.since, wait.ended or wait.until),
        by=told.sender if wait.state is WaitState.REPLIED else None,
    )
    return Occasion(
        type=told.type,
        at=told.at,
        place=told.place,
        sender=told.sender,
        text=told.text,
        post=told.post,
        expects_reply=told.expects_reply,
        depth=told.depth,
        resumed=resumed,
        began=_began(store, found.trigger, parties),
    )


def _began(store: Store, trigger: Trigger, parties: Parties) -> Occasion | None:
    """Return why a run began that goes on; None where its event is gone."""
    try:
        event = look.show(store, id=trigger.event)
    except UsageError:
        return None
    return _of_event(store, event, trigger, parties)


def _of_event(store: Store, event: Event, trigger: Trigger, parties: Parties) -> Occasion:
    """Return an event as the reason of a run."""
    place: Place | None = place_of(store, event.space) if event.space else None
    sender: Party | None = parties.of(event.sender) if event.sender else None
    if event.type == "plan":
        return Occasion(
            type="plan",
            at=trigger.at,
            name=trigger.name,
            subject=str(event.body.get("plan", event.id)),
            text=event.text or "",
        )
    is_message = event.type == "space_message"
    return Occasion(
        type=event.type,
        at=_said_at(store, event) if is_message else event.pushed,
        name=event.source,
        place=place,
        sender=sender or (parties.of(event.source) if is_message else None),
        text=event.text or "",
        post=post_of(event) if is_message else "",
        payload={} if is_message else event.body,
        expects_reply=trigger.expects_reply,
        depth=depth_of(event),
        level=event.priority if event.type in _LEVELLED else None,
    )


def _said_at(store: Store, event: Event) -> str:
    """Return when a message was said, as its space shows it."""
    post = spaces.find_post(store, post=post_of(event))
    return post.at if post is not None else event.pushed


def with_waited(history: SpaceHistory, found: Awake) -> SpaceHistory:
    """Return what was said in a space with the mark of a wait there that was in vain."""
    wait = found.wait
    if wait is None or wait.state is WaitState.REPLIED or wait.space != history.place.name:
        return history
    waited = seconds_between(wait.since, wait.ended or wait.until)
    return msgspec.structs.replace(history, waited=waited)


def run_lines(store: Store, found: Awake, *, agent: str, parties: Parties) -> list[RunLine]:
    """Return the runs of an agent that have not ended, this one first, then the oldest first."""
    live = runs.of_agent(store, agent=agent)
    this = found.run.id if found.run is not None else ""
    ordered = sorted(reversed(live), key=lambda run: run.id != this)
    return [_run_line(store, run, agent, parties, this=run.id == this) for run in ordered]


def _run_line(store: Store, run: Run, agent: str, parties: Parties, *, this: bool) -> RunLine:
    """Return one run as its agent sees it."""
    trigger, wait = run.trigger, run.waiting
    who = parties.of(trigger.sender).title if trigger.sender else ""
    space = place_of(store, trigger.space).title if trigger.space else ""
    line = RunLine(
        id=run.id,
        this=this,
        state=run.state.value,
        why=trigger.type,
        who=who,
        space=space,
        name=trigger.name,
    )
    if wait is None:
        return line
    others = [one.title for one in _members(store, wait.space) if one.name != agent]
    return RunLine(
        id=run.id,
        this=this,
        state=run.state.value,
        why=trigger.type,
        waits_in=place_of(store, wait.space).title,
        waits_for=tuple(others) if len(others) <= _MOST_NAMED else (),
        until=wait.until,
    )


def _members(store: Store, space: str) -> list[Member]:
    """Return who is in a space; nobody in one that is gone."""
    return spaces.members(store, space=space) if spaces.find(store, name=space) else []
