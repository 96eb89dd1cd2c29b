"""What an agent sees: why it is awake, spaces, goals, notes, plans and beliefs."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import goal as goal_verbs
from mindpipe.agents.verbs import note as notes
from mindpipe.context import prompt, receipt
from mindpipe.context.budget.records import Allocations
from mindpipe.context.recollection.records import RecentPastOf, nothing_recent
from mindpipe.context.records import (
    Asks,
    BeliefView,
    EventView,
    FileView,
    GoalView,
    Knowledge,
    MemberView,
    NoteView,
    PlanView,
    Situation,
    SpaceView,
)
from mindpipe.context.triggers import TIMED_OUT, post_of, trigger_of, waking
from mindpipe.context.verbs.origins import events_of
from mindpipe.core.attachments import TEXT
from mindpipe.core.messages import FilePart, ToolSpec
from mindpipe.core.models import Target
from mindpipe.core.ports import Chance, Clock, Store, Tokens
from mindpipe.core.sources import untrusted
from mindpipe.history.verbs import cycles, log
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.knowledge.confidence import aged, word_of
from mindpipe.knowledge.explanation import chosen, ranked
from mindpipe.knowledge.records import BeliefStatus, Denial, Observation, ObservationFilter
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import heard
from mindpipe.knowledge.verbs.heard import HeardItems
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import PlanState
from mindpipe.recall.records import FilesOf, no_files
from mindpipe.spaces import verbs as spaces
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import ReplyWait, RunTrigger, TriggerRun, WaitState

CYCLES_TO_ASK = 200
"""So many cycles after a correction the right value may be asked for still."""


class PromptPorts(msgspec.Struct, frozen=True):
    """What a prompt is loaded with; `allocations` divide the window of a timeline.

    Nobody can wait for a reply in a store that is not `lasting`. `files` answers from files that an
    index leads to.
    """

    store: Store
    clock: Clock
    chance: Chance
    tokens: Tokens
    knowledge: Knowledge = Knowledge()
    allocations: Allocations = Allocations()
    recent: RecentPastOf = nothing_recent
    lasting: bool = True
    files: FilesOf = no_files


class PromptOptions(msgspec.Struct, frozen=True):
    """What a segment is opened for: whom, which model, which tools, from which cycle on.

    `events` are those of the cycle. In the timeline style `whole` messages of a space are shown
    whole; 0 is the continuous style.
    """

    agent: Agent
    target: Target
    tools: tuple[ToolSpec, ...]
    cycle: int
    place: str | None
    events: tuple[Event, ...] = ()
    whole: int = 0

    @property
    def offered(self) -> frozenset[str]:
        """Return the names of the tools."""
        return frozenset(tool.name for tool in self.tools)


class Wakeup(msgspec.Struct, frozen=True):
    """What woke an agent: the run, the wait whose end did, if one did, and the events.

    `waited` is the run that waited, where it had ended before the message came that answers it.
    """

    run: TriggerRun | None
    wait: ReplyWait | None
    events: tuple[Event, ...]
    waited: TriggerRun | None = None

    @property
    def first(self) -> Event:
        """Return the event that woke it."""
        began = self.run.trigger.event if self.run is not None else ""
        for one in self.events:
            if one.id == began if self.wait is None else _ends(one, self.wait):
                return one
        return waking(self.events)

    @property
    def trigger(self) -> RunTrigger:
        """Return what began the run, or the one that it goes on with after its end."""
        run = self.waited or self.run
        return run.trigger if run is not None else trigger_of(self.first)

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


def awake(store: Store, *, agent: str, cycle: int, events: tuple[Event, ...]) -> Wakeup:
    """Return what woke an agent for a cycle."""
    run = runs.current(store, agent=agent, cycle=cycle)
    if run is not None and run.trigger.late is not None:
        return _answered_late(store, run, run.trigger.late, events)
    ended = run.resumed_by if run is not None and run.cycles[:1] != (cycle,) else None
    return Wakeup(run, ended if ended and _woke(ended, events) else None, events)


def _answered_late(
    store: Store, run: TriggerRun, wait_id: str, events: tuple[Event, ...]
) -> Wakeup:
    """Return what woke an agent where a message answered a wait that was over."""
    wait = runs.find_wait(store, wait=wait_id)
    if wait is None:
        return Wakeup(run, None, events)
    trigger = run.trigger
    replied = msgspec.structs.replace(
        wait, state=WaitState.REPLIED, by=trigger.post, ended=trigger.at
    )
    if not _woke(replied, events):
        return Wakeup(run, None, events)
    return Wakeup(run, replied, events, waited=runs.show(store, run=wait.run))


def _woke(wait: ReplyWait, events: tuple[Event, ...]) -> bool:
    """Tell whether the end of a wait is among what woke an agent."""
    return any(_ends(event, wait) for event in events)


def _ends(event: Event, wait: ReplyWait) -> bool:
    """Tell whether an event is what ended a wait."""
    if wait.by is not None and post_of(event) == wait.by:
        return True
    return event.source == TIMED_OUT and event.body.get("post") == wait.post


def situation(store: Store, *, agent: Agent, place: str | None) -> Situation:
    """Return spaces with members, goals, memories and plans of an agent that is in `place`."""
    name = agent.name
    return Situation(
        spaces=tuple(
            SpaceView(
                name=space.name,
                title=space.title,
                members=tuple(
                    MemberView(title=member.title, kind=member.kind, you=member.name == name)
                    for member in spaces.members(store, space=space.name)
                ),
            )
            for space in spaces.list_(store, member=name)
        ),
        place=place,
        goals=tuple(
            GoalView(
                id=goal.id,
                text=goal.text,
                state=goal.state.value,
                priority=goal.priority,
                sources=untrusted(goal.sources, agent.trust),
            )
            for goal in goal_verbs.list_(store, agent=name)
            if goal.state.value in {"active", "long-term"}
        ),
        notes=tuple(
            NoteView(key=note.key, value=note.value, sources=untrusted(note.sources, agent.trust))
            for note in notes.list_(store, agent=name)
        ),
        plans=tuple(
            PlanView(
                id=plan.id,
                title=plan.title,
                rule=plan.rule(),
                next=plan.next,
                sources=untrusted(plan.sources, agent.trust),
            )
            for plan in plans.list_(store, agent=name)
            if plan.state is PlanState.ACTIVE
        ),
    )


def seen(store: Store, event: Event, *, trust: tuple[str, ...]) -> EventView:
    """Return an event as its agent sees it, with the titles of space and sender."""
    sender = spaces.entity(store, name=event.sender) if event.sender else None
    space = spaces.find(store, name=event.space) if event.space else None
    return EventView(
        id=event.id,
        type=event.type,
        source=event.source,
        text=event.text or "",
        body=event.body,
        space=space.title if space else event.space,
        sender=sender.title if sender else event.sender,
        sender_kind=sender.kind if sender else None,
        taint=bool(untrusted(event.origins(), trust)),
        waits=event.body.get("waits") is True
        and runs.is_waiting(store, agent=event.sender or "", post=post_of(event)),
    )


def with_files(store: Store, view: EventView, event: Event) -> EventView:
    """Return an event as its agent sees it with the files that went along, the texts among them."""
    (found,) = inbox.with_files(store, [event])
    if not found.files:
        return view
    files = tuple(
        FileView(part=part, text=_text(store, part) if part.media_type == TEXT else None)
        for part in found.files
    )
    return msgspec.structs.replace(view, files=files)


def _text(store: Store, part: FilePart) -> str | None:
    """Return the words of a text that was attached, or None where they are no longer kept."""
    octets = log.StoredBlobs(store).get(part.sha256)
    return None if octets is None else octets.decode("utf-8", "replace")


def stated(
    ports: PromptPorts, options: PromptOptions, where: Situation, seen: Iterable[EventView]
) -> Situation:
    """Return a situation with those beliefs that bear on it and on the events, in the budget.

    What the events of the cycle deny is stated as it will be held after it.
    """
    agent = options.agent
    budget = agent.knowledge_tokens - ports.tokens.count(f"{prompt.KNOWLEDGE}:\n")
    if budget <= 0:
        return where
    here = list(seen)
    wanted = ObservationFilter(agent=agent.name, statuses=(BeliefStatus.ACTIVE,))
    left = _foreseen(ports, options)
    held = [one for one in _held(ports, wanted) if left.get(one.id, one) is not None]
    corrected = {
        one.id: _corrected(ports, agent, one, denial, here)
        for one, denial in _denials(ports, agent.name, held)
    }
    corrected |= {id: _denied_now(agent, id, one) for id, one in left.items() if one is not None}

    def view(one: Observation) -> BeliefView:
        return corrected.get(one.id) or _view(one, agent)

    found = receipt.chosen(
        held,
        receipt.stems_of(*_words(where, here)),
        budget=budget,
        cost=lambda one: ports.tokens.count(prompt.belief_line(view(one)) + "\n"),
        first={id for id, one in corrected.items() if one.asks in ("unknown", "now", "doubted")},
    )
    return where.with_beliefs(tuple(map(view, found)))


def _foreseen(ports: PromptPorts, options: PromptOptions) -> dict[str, Observation | None]:
    """Return what the events of the cycle will leave of the beliefs that they deny, by their ids.

    Few events deny anything, and only then is loaded what beliefs are weighed by.
    """
    rules, given = ports.knowledge
    store, agent = ports.store, options.agent
    if given is not None or not ports.lasting:
        return {}
    from mindpipe.context.verbs import said

    items = said.heard(store, agent, options.events, cycle=options.cycle)
    answered = said.last_reply(store, agent.name, cycle=options.cycle)
    found = heard.counting(store, HeardItems(agent.name, items, answered), rules.slots)
    if not found.items:
        return {}
    from mindpipe.knowledge.verbs.denials import foreseen

    return foreseen(store, ports.clock, found, rules)


def _denied_now(agent: Agent, id: str, left: Observation) -> BeliefView:
    """Return what the events of the cycle leave of a belief, as who says so corrects it.

    He is asked for the right value, or for which it is where he only called it wrong.
    """
    from mindpipe.knowledge.deciding.slots import is_single

    last = max(left.evidence, key=lambda one: (one.at, one.stance != "support"))
    view = msgspec.structs.replace(_view(left, agent), id=id)
    if last.meant != "denied":
        return view
    by = f"{prompt.label(last.speaker or 'somebody')} on {last.at[:10]}"
    doubted = left.status is not BeliefStatus.ACTIVE
    asks: Asks = "doubted" if doubted else "now" if is_single(left.slot) else ""
    return msgspec.structs.replace(view, denied=by, asks=asks)


def _denials(
    ports: PromptPorts, agent: str, held: Iterable[Observation]
) -> Iterator[tuple[Observation, Denial]]:
    """Yield the observations that took the place of what somebody denied, with who did."""
    corrections = {one.id: one for one in held if one.supersedes_observation_id is not None}
    if ports.knowledge.given is not None:
        for one in corrections.values():
            for said in one.evidence:
                if (said.meant, said.stance, said.retracted) == ("denied", "support", None):
                    yield one, Denial(observation=one.id, speaker=said.speaker, at=said.at)
                    break
    elif corrections:
        with ports.store.read() as rows:
            found = observations.denials(rows, agent=agent, ids=list(corrections))
        yield from ((corrections[denial.observation], denial) for denial in found)


def _corrected(
    ports: PromptPorts, agent: Agent, held: Observation, denial: Denial, seen: Iterable[EventView]
) -> BeliefView:
    """Return a belief with who corrected it, and whether to ask him for the right value.

    He is asked in one cycle that he has a part in; where he says it, it takes the place of this.
    """
    # What slots are compared by is loaded for corrections alone.
    from mindpipe.knowledge.deciding.slots import is_single

    speaker = denial.speaker
    asks: Asks = ""
    if speaker is not None and is_single(held.slot):
        here = any(_is_of(one, speaker) for one in seen)
        asks = "now" if here else "unknown"
        if _has_heard(ports.store, agent.name, denial, since=held.learnt):
            asks = "asked"
    by = f"{prompt.label(speaker or 'somebody')} on {denial.at[:10]}"
    return msgspec.structs.replace(_view(held, agent), denied=by, asks=asks)


def _has_heard(store: Store, agent: str, denial: Denial, *, since: str) -> bool:
    """Tell whether a cycle with a denial, or one after it with something else of him, has closed.

    The cycle counts in which it was weighed: he was asked in it. After so many cycles without him
    it is too late to ask.
    """
    later = cycles.from_message(store, agent=agent, message=denial.message)
    closed = (one for one in later if one.state == "closed" and (one.closed or "") >= since)
    for count, cycle in enumerate(closed):
        heard = (seen(store, one, trust=()) for one in events_of(store, agent, cycle.cycle))
        if count >= CYCLES_TO_ASK or any(_is_of(one, denial.speaker) for one in heard):
            return True
    return False


def _is_of(event: EventView, speaker: str | None) -> bool:
    """Tell whether an event is of a speaker, as evidence names him."""
    return speaker == (event.sender or event.source)


def _held(ports: PromptPorts, wanted: ObservationFilter) -> list[Observation]:
    """Return what is believed now, the most confident first."""
    rules, given = ports.knowledge
    now = ports.clock.now()
    if given is not None:
        return chosen(given, wanted, now=now, as_of=None, windows=rules.windows)
    # The verbs of observations load all that beliefs are made with; a prompt only reads them.
    with ports.store.read() as rows:
        found = observations.find(rows, wanted)
    return ranked(aged(one, now=now, windows=rules.windows) for one in found)


def _words(where: Situation, seen: Iterable[EventView]) -> list[str]:
    """Return what the present is about, in words."""
    here = [space.title for space in where.spaces if space.name == where.place]
    said = [text for event in seen for text in (event.text, event.sender or "")]
    goals, plans = [goal.text for goal in where.goals], [plan.title for plan in where.plans]
    return [*here, *goals, *plans, *said]


def _view(observation: Observation, agent: Agent) -> BeliefView:
    return BeliefView(
        id=observation.id,
        key=observation.canonical_key,
        summary=observation.summary,
        confidence=word_of(observation.confidence),
        supported=(observation.last_supported_at or observation.learnt)[:10],
        evidence=observation.components.source_count,
        contested=observation.contested,
        own=observation.kind == "self_model",
        sources=untrusted(observation.sources, agent.trust),
        origins=observation.sources,
    )
