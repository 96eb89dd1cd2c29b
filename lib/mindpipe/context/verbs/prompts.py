"""Frame a segment and put the prompts of its turns together."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.compaction.verbs.windows import window as load_window
from mindpipe.context import prompt
from mindpipe.context.converting import is_timeline
from mindpipe.context.records import Prompt, Seen, Situation
from mindpipe.context.verbs import beliefs, origins, timelines
from mindpipe.context.verbs.occasions import awake
from mindpipe.context.verbs.situations import seen, situation
from mindpipe.core.messages import Head, Message, Role, TextPart, ToolSpec, text_of
from mindpipe.core.models import Target
from mindpipe.core.sources import joined
from mindpipe.history.records import NewSegment, Segment, Window
from mindpipe.history.verbs import log, segments
from mindpipe.inbox.records import Event

Ports = timelines.Ports
"""What a prompt is loaded with."""


class Frame(NamedTuple):
    """What a segment is opened for: whom, which model, which tools, from which cycle on.

    `events` are those of the cycle. In the timeline style `whole` messages of a space are shown
    whole; null is the continuous style.
    """

    agent: Agent
    target: Target
    tools: tuple[ToolSpec, ...]
    cycle: int
    place: str | None
    events: tuple[Event, ...] = ()
    whole: int | None = None


def frame(ports: Ports, wish: Frame, *, anew: str | None = None) -> Segment:
    """Return the segment for the next request, opening a new one where the old cannot go on.

    A new one begins when system text, tools or the model's kind changed, or when `anew` names a
    reason. The window goes along: what was folded before it stays folded.
    """
    if (timeline := _timeline(wish)) is not None:
        return timelines.frame(ports, timeline, anew=anew)
    name = wish.agent.name
    now = segments.current_segment(ports.store, agent=name)
    head = msgspec.structs.replace(head_of(ports, wish), summary=now.head.summary if now else None)
    reason = anew or _reason(now, head, wish.target)
    if now is not None and reason is None:
        return now
    # Thinking is bound to what stood before it, so the replies of a cycle under way lose theirs.
    begun = log.log_head(ports.store, agent=name).cycle == wish.cycle
    new = NewSegment(
        head=head,
        target=wish.target,
        first_cycle=now.first_cycle if now else 1,
        raw_from_cycle=wish.cycle + 1 if begun else wish.cycle,
        reason=reason or "begin",
    )
    return segments.open_segment(ports.store, ports.clock, agent=name, new=new)


def _timeline(wish: Frame) -> timelines.Wish | None:
    """Return what a timeline is made for, None in the continuous style."""
    if wish.whole is None:
        return None
    return timelines.Wish(wish.agent, wish.target, wish.tools, wish.cycle, wish.events, wish.whole)


def head_of(ports: Ports, wish: Frame) -> Head:
    """Return system text and tools as they are to be said now, without any summary."""
    where = _where(ports, wish)
    return Head(system=prompt.system_text(wish.agent, where), tools=wish.tools)


def _where(ports: Ports, wish: Frame, events: Iterable[Seen] = ()) -> Situation:
    """Return all that is stated of the present: surroundings, memories, and what bears on these.

    A system text, which every change makes anew, takes no account of the events.
    """
    source = beliefs.Source(ports.store, ports.clock, ports.tokens, ports.knowledge)
    where = situation(ports.store, agent=wish.agent, place=wish.place)
    bearing = () if wish.agent.refresh == "system" else events
    return beliefs.stated(source, wish.agent, where, bearing)


def _reason(now: Segment | None, head: Head, target: Target) -> str | None:
    """Return why the present segment cannot go on, or None."""
    if now is None:
        return "begin"
    changes = (
        (now.head.system != head.system, "system text"),
        (now.head.tools != head.tools, "tools"),
        (not same_kind(now.target, target), "model"),
    )
    return next((reason for changed, reason in changes if changed), None)


def opening(ports: Ports, wish: Frame, *, events: tuple[Event, ...]) -> Prompt:
    """Return the prompt of a cycle's first turn: the inbox, then a note of time and change."""
    if (timeline := _timeline(wish)) is not None:
        return timelines.opening(ports, timeline)
    agent = wish.agent
    shown = load_window(ports.store, agent=agent.name)
    taken = _taken(ports, wish, events)
    where = _where(ports, wish, taken)
    changed = prompt.changed_sections(
        where, prompt.stated_sections(_notes(shown)), refresh=agent.refresh
    )
    if any(section.name == prompt.KNOWLEDGE for section in changed):
        told = joined(*(belief.origins for belief in where.beliefs))
        origins.add(ports.store, agent=agent.name, cycle=wish.cycle, sources=told)
    note = prompt.state_note(changed, now=ports.clock.now())
    writer = _Opening(ports, agent, shown.segment.segment, wish.cycle)
    unsent = (
        writer.inbox(taken),
        writer.note(note, taint=bool(changed) and bool(where.sources())),
    )
    return Prompt(window=shown, unsent=unsent)


def _taken(ports: Ports, wish: Frame, events: tuple[Event, ...]) -> list[Seen]:
    """Return the events of a cycle as the agent sees them; one may be marked as a reply."""
    agent = wish.agent
    woken = awake(ports.store, agent=agent.name, cycle=wish.cycle, events=events)
    taken = [seen(ports.store, event, trust=agent.trust) for event in events]
    if woken.wait is None:
        return taken
    post = woken.wait.post
    return [
        msgspec.structs.replace(one, resumes=post) if one.id == woken.first.id else one
        for one in taken
    ]


def same_kind(one: Target, other: Target) -> bool:
    """Tell whether two models read each other's replies as they came."""
    return (one.provider, one.api, one.family) == (other.provider, other.api, other.family)


def going_on(ports: Ports, wish: Frame) -> Prompt:
    """Return the prompt of a later turn, whose news are the results that history has already.

    What changed meanwhile waits for the next cycle, but another kind of model begins a segment.
    """
    now = segments.current_segment(ports.store, agent=wish.agent.name)
    if now is not None and not same_kind(now.target, wish.target):
        frame(ports, wish, anew="model")
    name = wish.agent.name
    if wish.whole is not None:
        shown = timelines.window(ports.store, agent=name, cycle=wish.cycle)
    else:
        shown = load_window(ports.store, agent=name)
    return Prompt(window=shown, unsent=())


def again(
    ports: Ports, *, agent: str, segment: int, before: tuple[int, int], unsent: tuple[Message, ...]
) -> Prompt:
    """Return a prompt as it was: its segment, what history had before (cycle, turn), its news."""
    cycle, _ = before
    then = segments.segment(ports.store, agent=agent, number=segment)
    if then is not None and is_timeline(then.head.system):
        shown = timelines.window(ports.store, agent=agent, cycle=cycle, number=segment)
    else:
        shown = load_window(ports.store, agent=agent, number=segment, until=cycle)
    new = {message.id for message in unsent}
    sent = tuple(
        message
        for message in shown.messages
        if message.id not in new and (message.cycle, message.turn) < before
    )
    return Prompt(window=msgspec.structs.replace(shown, messages=sent), unsent=unsent)


def _notes(shown: Window) -> list[str]:
    """Return what the program's own notes of this segment said, oldest first."""
    return [
        text_of(message)
        for message in shown.messages
        if message.role is Role.NOTE
        and message.origin == "program"
        and message.segment == shown.segment.segment
    ]


class _Opening:
    """Write the messages that open a cycle."""

    def __init__(self, ports: Ports, agent: Agent, segment: int, cycle: int) -> None:
        self._ports = ports
        self._agent = agent.name
        self._segment = segment
        self._cycle = cycle
        self._seq = log.log_head(ports.store, agent=agent.name).seq

    def inbox(self, taken: list[Seen]) -> Message:
        """Return the first message: what the cycle took."""
        sources = sorted({event.source for event in taken})
        made = self._message(1, Role.USER, prompt.inbox_text(taken))
        return msgspec.structs.replace(
            made,
            origin=f"source:{','.join(sources)}",
            taint=any(event.taint for event in taken),
        )

    def note(self, text: str, *, taint: bool) -> Message:
        """Return the second message: the program's note of time and change."""
        return msgspec.structs.replace(self._message(2, Role.NOTE, text), taint=taint)

    def _message(self, place: int, role: Role, text: str) -> Message:
        """Return the message at `place` (from 1) behind the log's end."""
        return Message(
            id=self._ports.chance.new_id("m", self._agent, self._seq + place),
            agent=self._agent,
            seq=self._seq + place,
            segment=self._segment,
            cycle=self._cycle,
            turn=0,
            role=role,
            parts=(TextPart(text=text),),
            at=self._ports.clock.now(),
        )
