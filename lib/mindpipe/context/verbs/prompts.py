"""Load what stands in a prompt: the frame of a segment, the portrait of an agent."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from mindpipe.agents.records import Agent, AgentFile
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction.tables import in_force
from mindpipe.compaction.verbs.windows import window as load_window
from mindpipe.context import prompt
from mindpipe.context.records import EventView, Prompt, SectionName, Situation
from mindpipe.context.turns import is_timeline
from mindpipe.context.verbs import origins
from mindpipe.context.verbs.situations import (
    PromptOptions,
    PromptPorts,
    awake,
    seen,
    situation,
    stated,
    with_files,
)
from mindpipe.context.verbs.speakers import asker_of
from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import Head, Message, Role, TextPart, text_of
from mindpipe.core.models import Target
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.sources import joined, untrusted
from mindpipe.history.records import NewSegment, Segment, Window
from mindpipe.history.verbs import log
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import Plan
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity


def segment_for(ports: PromptPorts, options: PromptOptions, *, anew: str | None = None) -> Segment:
    """Return the segment for the next request, opening a new one where the old cannot go on.

    A new one begins when system text, tools or the model's kind changed, or when `anew` names a
    reason. The window goes along: what was folded before it stays folded.
    """
    if options.whole:
        from mindpipe.context.verbs import timelines

        return timelines.segment_for(ports, options, anew=anew)
    name = options.agent.name
    now = log.current_segment(ports.store, agent=name)
    head = msgspec.structs.replace(
        head_of(ports, options), summary=now.head.summary if now else None
    )
    reason = anew or _reason(now, head, options.target)
    if now is not None and reason is None:
        return now
    # Thinking is bound to what stood before it, so the replies of a cycle under way lose theirs.
    begun = log.log_head(ports.store, agent=name).cycle == options.cycle
    new = NewSegment(
        head=head,
        target=options.target,
        first_cycle=now.first_cycle if now else 1,
        raw_from_cycle=options.cycle + 1 if begun else options.cycle,
        reason=reason or "begin",
    )
    return log.open_segment(ports.store, ports.clock, agent=name, new=new)


def head_of(ports: PromptPorts, options: PromptOptions) -> Head:
    """Return system text and tools as they are to be said now, without any summary."""
    where = _where(ports, options)
    system = prompt.system_text(options.agent, where, options.offered)
    return Head(system=system, tools=options.tools)


def _where(
    ports: PromptPorts, options: PromptOptions, events: Iterable[EventView] = ()
) -> Situation:
    """Return all that is stated of the present: surroundings, memories, and what bears on these.

    A system text, which every change makes anew, takes no account of the events.
    """
    where = situation(ports.store, agent=options.agent, place=options.place)
    bearing = () if options.agent.refresh == "system" else events
    return stated(ports, options, where, bearing)


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


def opening(ports: PromptPorts, options: PromptOptions) -> Prompt:
    """Return the prompt of a cycle's first turn: the inbox, then a note of time and change."""
    if options.whole:
        from mindpipe.context.verbs import timelines

        return timelines.opening(ports, options)
    agent = options.agent
    shown = load_window(ports.store, agent=agent.name)
    taken = _taken(ports, options)
    where = _where(ports, options, taken)
    changed = prompt.changed_sections(
        where,
        prompt.stated_sections(_notes(shown, segment=shown.segment.segment)),
        refresh=agent.refresh,
    )
    if any(section.name == prompt.KNOWLEDGE for section in changed):
        told = joined(*(belief.origins for belief in where.beliefs))
        origins.add(ports.store, agent=agent.name, cycle=options.cycle, sources=told)
    back, sources = _remembered(ports, options, shown, *_earlier(ports, options, shown))
    origins.add(ports.store, agent=agent.name, cycle=options.cycle, sources=sources)
    note = "\n\n".join([prompt.state_note(changed, now=ports.clock.now()), *back])
    writer = _Opening(ports, agent, shown.segment.segment, options.cycle)
    quotes = bool(changed) and bool(where.sources())
    taint = quotes or bool(untrusted(sources, agent.trust))
    return Prompt(window=shown, unsent=(writer.inbox(taken), writer.note(note, taint=taint)))


def _earlier(
    ports: PromptPorts, options: PromptOptions, shown: Window
) -> tuple[list[str], tuple[str, ...]]:
    """Return the cycles that left the window and bear on what a cycle took, and whose words.

    They are a part of a note, or none. There is as much room as for episodes in a timeline.
    """
    agent = options.agent
    with ports.store.read() as rows:
        if in_force(rows, agent=agent.name) is None:
            return [], ()
    from mindpipe.context.budget.assembly import budget_for
    from mindpipe.context.verbs import earlier

    found = earlier.bearing(
        ports.store,
        agent,
        text=earlier.question_of(event.text for event in options.events if event.text),
        there={message.cycle for message in shown.messages} | earlier.brought_back(_notes(shown)),
        tokens=ports.tokens,
        room=budget_for(agent, ports.allocations).levels["episodic"].share,
    )
    return earlier.sections(found), joined(*(one.sources for one in found))


def _remembered(
    ports: PromptPorts,
    options: PromptOptions,
    shown: Window,
    back: list[str],
    sources: tuple[str, ...],
) -> tuple[list[str], tuple[str, ...]]:
    """Return the parts `back` of a note with what is remembered and bears on what a cycle took.

    With them come whose words they are, those `sources` too. What is in view is not said again, and
    the room is that of a timeline, without what old cycles take of it.
    """
    from mindpipe.context.budget.assembly import budget_for
    from mindpipe.context.verbs import earlier, remembered

    agent = options.agent
    levels = budget_for(agent, ports.allocations).levels
    room: dict[SectionName, int] = {name: levels[name].share for name in remembered.TITLES}
    room["episodic"] -= sum(map(ports.tokens.count, back))
    found = remembered.bearing(
        ports,
        agent,
        text=earlier.question_of(event.text for event in options.events if event.text),
        view=remembered.VisibleWords(
            messages=frozenset(message.id for message in shown.messages),
            told="\n".join([shown.head.summary or "", *_notes(shown), *back]),
        ),
        room=room,
        asker=asker_of(ports.store, options.events, trust=agent.trust),
    )
    return [*back, *remembered.sections(found)], joined(sources, *(one.sources for one in found))


def _taken(ports: PromptPorts, options: PromptOptions) -> list[EventView]:
    """Return the events of a cycle as the agent sees them; one may be marked as a reply."""
    agent = options.agent
    woken = awake(ports.store, agent=agent.name, cycle=options.cycle, events=options.events)
    taken = [
        with_files(ports.store, seen(ports.store, event, trust=agent.trust), event)
        for event in options.events
    ]
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


def going_on(
    ports: PromptPorts,
    options: Callable[[], PromptOptions],
    *,
    agent: str,
    target: Target,
    cycle: int | None,
) -> Prompt:
    """Return the prompt of a later turn, whose news are the results that history has already.

    What changed meanwhile waits for the next cycle, but another kind of model begins a segment:
    only then are the `options` asked for. `cycle` is all that a timeline sends, else None.
    """
    now = log.current_segment(ports.store, agent=agent)
    if now is not None and not same_kind(now.target, target):
        segment_for(ports, options(), anew="model")
    if cycle is None:
        shown = load_window(ports.store, agent=agent)
    else:
        shown = _of_cycle(ports.store, agent, cycle)
    return Prompt(window=shown, unsent=())


def again(
    ports: PromptPorts,
    *,
    agent: str,
    segment: int,
    before: tuple[int, int],
    unsent: tuple[Message, ...],
) -> Prompt:
    """Return a prompt as it was: its segment, what history had before (cycle, turn), its news."""
    cycle, _ = before
    then = log.segment(ports.store, agent=agent, number=segment)
    if then is not None and is_timeline(then.head.system):
        shown = _of_cycle(ports.store, agent, cycle, number=segment)
    else:
        shown = load_window(ports.store, agent=agent, number=segment, until=cycle)
    new = {message.id for message in unsent}
    sent = tuple(
        message
        for message in shown.messages
        if message.id not in new and (message.cycle, message.turn) < before
    )
    return Prompt(window=msgspec.structs.replace(shown, messages=sent), unsent=unsent)


def _of_cycle(store: Store, agent: str, cycle: int, number: int | None = None) -> Window:
    """Return what a timeline sends: the messages of its one cycle, and no others."""
    return log.window(store, agent=agent, number=number, ranges=[(cycle, cycle)])


def _notes(shown: Window, *, segment: int | None = None) -> list[str]:
    """Return what the program's own notes in a window said, or those of a segment, oldest first."""
    return [
        text_of(message)
        for message in shown.messages
        if message.role is Role.NOTE
        and message.origin == "program"
        and segment in (None, message.segment)
    ]


class _Opening:
    """Write the messages that open a cycle."""

    def __init__(self, ports: PromptPorts, agent: Agent, segment: int, cycle: int) -> None:
        self._ports = ports
        self._agent = agent.name
        self._segment = segment
        self._cycle = cycle
        self._seq = log.log_head(ports.store, agent=agent.name).seq

    def inbox(self, taken: list[EventView]) -> Message:
        """Return the first message: what the cycle took."""
        sources = sorted({event.source for event in taken})
        made = self._message(1, Role.USER, prompt.inbox_text(taken))
        return msgspec.structs.replace(
            made,
            parts=(*made.parts, *prompt.file_parts(taken)),
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


T = TypeVar("T")


class SpacePortrait(Record):
    """One space of an agent: its name, title and who is in it."""

    name: str
    title: str | None = None
    members: tuple[NewSpaceEntity, ...] = ()


def portray(store: Store, *, name: str) -> AgentFile:
    """Return an agent with its goals, notes, plans and spaces, to live without a store.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read():
        bare = agents.export_(store, name=name)
        mine = [
            SpacePortrait(
                name=space.name,
                title=space.title,
                members=tuple(
                    _member(store, member.name)
                    for member in spaces.members(store, space=space.name)
                ),
            )
            for space in spaces.list_(store, member=name)
        ]
        return msgspec.structs.replace(
            bare,
            plans=tuple(msgspec.to_builtins(plan) for plan in plans.list_(store, agent=name)),
            spaces=tuple(msgspec.to_builtins(space) for space in mine),
        )


def _member(store: Store, name: str) -> NewSpaceEntity:
    """Return somebody as whoever may join elsewhere."""
    found = spaces.entity(store, name=name)
    if found is None:
        return NewSpaceEntity(name=name, kind="human")
    return NewSpaceEntity(name=name, kind=found.kind, title=found.title, id=found.id)


def settle(store: Store, clock: Clock, chance: Chance, *, portrait: AgentFile, source: str) -> None:
    """Put an agent and all that its document holds into a store that does not have it.

    Raises:
        BadInputError: a space or plan of the document is none; `source` names the document.
    """
    with store.write():
        agents.settle(store, clock, chance, portrait=portrait)
        for position, given in enumerate(portrait.spaces):
            space = _converted(given, SpacePortrait, source, f"$.spaces[{position}]")
            spaces.new(store, clock, name=space.name, title=space.title)
            for member in space.members:
                spaces.join(store, clock, chance, space=space.name, who=member)
        for position, given in enumerate(portrait.plans):
            plan = _converted(given, Plan, source, f"$.plans[{position}]")
            plans.settle(store, plan=plan)


def _converted(given: dict[str, object], kind: type[T], source: str, place: str) -> T:
    """Return a part of the document as a record."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise BadInputError([Problem(source=source, field=place, message=str(error))]) from None
