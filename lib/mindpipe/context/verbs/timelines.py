"""Load what stands in a timeline."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.context import prompt, tables
from mindpipe.context.budget.assembly import text_of
from mindpipe.context.budget.records import Portion
from mindpipe.context.recollection.blocks import passage
from mindpipe.context.records import Block, EventView, LeftOut, Prompt, Situation
from mindpipe.context.timeline import blocks, histories
from mindpipe.context.timeline.records import (
    EndedWait,
    Party,
    PlanLine,
    RunLine,
    SpaceHistory,
    TimelineSpace,
    WakeReason,
)
from mindpipe.context.timeline.wording import unmarked
from mindpipe.context.triggers import TIMED_OUT, depth_of, post_of, trigger_of
from mindpipe.context.turns import NAME, turned
from mindpipe.context.verbs import origins, speakers
from mindpipe.context.verbs.earlier import question_of
from mindpipe.context.verbs.histories import (
    HistoryWanted,
    Parties,
    ShownHistory,
    entry_of,
    place_of,
    remembered,
)
from mindpipe.context.verbs.recollections import PresentTopic, fitted
from mindpipe.context.verbs.situations import (
    PromptOptions,
    PromptPorts,
    Wakeup,
    awake,
    seen,
    situation,
    stated,
    with_files,
)
from mindpipe.core.errors import UsageError
from mindpipe.core.instants import seconds_between
from mindpipe.core.messages import Head, Message, Role, TextPart
from mindpipe.core.ports import Store
from mindpipe.core.records import to_json
from mindpipe.core.sources import joined, untrusted
from mindpipe.history.records import NewSegment, Segment
from mindpipe.history.verbs import log
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import PlanState
from mindpipe.providers.file_tokens import file_tokens
from mindpipe.recall.records import Recalled
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import Member
from mindpipe.trigger_runs import verbs as runs
from mindpipe.trigger_runs.records import RunTrigger, TriggerRun, WaitState

_LEVELLED = frozenset({"interrupt"})
_MOST_NAMED = 3


def occasion(store: Store, found: Wakeup, parties: Parties) -> WakeReason:
    """Return why an agent is awake, as it is told."""
    if found.wait is None:
        return _of_event(store, found.first, found.trigger, parties)
    wait = found.wait
    asked = spaces.find_post(store, post=wait.post)
    told = _of_event(store, found.first, trigger_of(found.first), parties)
    resumed = EndedWait(
        run=wait.run,
        post=wait.post,
        asked=asked.text if asked else "",
        place=place_of(store, wait.space),
        seconds=seconds_between(wait.since, wait.ended or wait.until),
        by=told.sender if wait.state is WaitState.REPLIED else None,
    )
    return WakeReason(
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


def _began(store: Store, trigger: RunTrigger, parties: Parties) -> WakeReason | None:
    """Return why a run began that goes on; None where its event is gone."""
    try:
        event = inbox.show(store, id=trigger.event)
    except UsageError:
        return None
    event = speakers.known(store, event, trust=parties.trust)
    return _of_event(store, event, trigger, parties)


def _of_event(store: Store, event: Event, trigger: RunTrigger, parties: Parties) -> WakeReason:
    """Return an event as the reason of a run."""
    place: TimelineSpace | None = place_of(store, event.space) if event.space else None
    sender: Party | None = parties.of(event.sender) if event.sender else None
    if event.type == "plan":
        return WakeReason(
            type="plan",
            at=trigger.at,
            name=trigger.name,
            subject=str(event.body.get("plan", event.id)),
            text=event.text or "",
        )
    is_message = event.type == "space_message"
    return WakeReason(
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


def with_waited(history: SpaceHistory, found: Wakeup) -> SpaceHistory:
    """Return what was said in a space with the mark of a wait there that was in vain."""
    wait = found.wait
    if wait is None or wait.state is WaitState.REPLIED or wait.space != history.place.name:
        return history
    waited = seconds_between(wait.since, wait.ended or wait.until)
    return msgspec.structs.replace(history, waited=waited)


def run_lines(store: Store, found: Wakeup, *, agent: str, parties: Parties) -> list[RunLine]:
    """Return the runs of an agent that have not ended, this one first, then the oldest first."""
    live = runs.of_agent(store, agent=agent)
    this = found.run.id if found.run is not None else ""
    ordered = sorted(reversed(live), key=lambda run: run.id != this)
    return [_run_line(store, run, agent, parties, this=run.id == this) for run in ordered]


def _run_line(
    store: Store, run: TriggerRun, agent: str, parties: Parties, *, this: bool
) -> RunLine:
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
    others = [
        one.title
        for one in _members(store, wait.space)
        if one.name != agent and wait.whom in (None, one.name)
    ]
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


TOO_LONG = "too long"
_SHRUNK = 5
MOST_PASSAGES = 5
"""So many passages of files are shown in one prompt at most."""


def segment_for(ports: PromptPorts, options: PromptOptions, *, anew: str | None = None) -> Segment:
    """Return the segment of a cycle, opening it if this is its first request, or for a reason.

    Within its cycle the timeline stays as it was, but where it was too long it is made again with
    fewer messages.
    """
    name = options.agent.name
    now = log.current_segment(ports.store, agent=name)
    reason = f"timeline of cycle {options.cycle}"
    mine = now if now is not None and now.reason.partition(",")[0] == reason else None
    if mine is not None and anew is None:
        return mine
    if mine is not None and anew != TOO_LONG:
        head, out = mine.head, left_out(ports.store, agent=name, segment=mine.segment)
    else:
        fewer = msgspec.structs.replace(options, whole=max(1, options.whole // _SHRUNK))
        made = _remembered(ports, fewer if anew == TOO_LONG else options)
        head = Head(
            system=made.text, tools=options.tools, summary=now.head.summary if now else None
        )
        out = made.left_out
    begun = log.log_head(ports.store, agent=name).cycle == options.cycle
    new = NewSegment(
        head=head,
        target=options.target,
        first_cycle=now.first_cycle if now else 1,
        # Thinking is bound to what stood before it, so the replies of this cycle lose theirs.
        raw_from_cycle=options.cycle + 1 if begun else options.cycle,
        reason=f"{reason}, {anew}" if anew else reason,
    )
    with ports.store.write(name) as rows:
        opened = log.open_segment(ports.store, ports.clock, agent=name, new=new)
        if out:
            tables.add_left_out(rows, agent=name, segment=opened.segment, records=out)
    return opened


def left_out(store: Store, *, agent: str, segment: int) -> tuple[LeftOut, ...]:
    """Return which records did not fit into the timeline of a segment."""
    with store.read() as rows:
        return tables.left_out(rows, agent=agent, segment=segment)


def opening(ports: PromptPorts, options: PromptOptions) -> Prompt:
    """Return the prompt of a cycle's first turn: under its timeline, what the cycle takes up."""
    agent = options.agent
    shown = log.window(ports.store, agent=agent.name, ranges=[(options.cycle, options.cycle)])
    lines = _lines(shown.segment.head.system)
    found = awake(ports.store, agent=agent.name, cycle=options.cycle, events=options.events)
    views = _views(ports, options)
    seq = log.log_head(ports.store, agent=agent.name).seq + 1
    message = Message(
        id=ports.chance.new_id("m", agent.name, seq),
        agent=agent.name,
        seq=seq,
        segment=shown.segment.segment,
        cycle=options.cycle,
        turn=0,
        role=Role.USER,
        parts=(
            TextPart(text="\n".join(_taken_up(ports, options, found, views, lines))),
            *prompt.file_parts(views),
        ),
        origin=f"source:{','.join(sorted({event.source for event in options.events}))}",
        taint=any(untrusted(event.origins(), agent.trust) for event in options.events),
        at=ports.clock.now(),
    )
    return Prompt(window=shown, unsent=(message,))


def _lines(system: str) -> dict[str, str]:
    """Return the lines of a timeline's histories as turns, by the ids of their messages."""
    said = (turned(line) for line in system.split("\n"))
    return {one.id: one.line for one in said if one.id is not None}


def _taken_up(
    ports: PromptPorts,
    options: PromptOptions,
    found: Wakeup,
    views: Sequence[EventView],
    lines: Mapping[str, str],
) -> Iterator[str]:
    """Yield each event of a cycle as the line that it begins with, messages below their space."""
    space = None
    parties = Parties(ports.store, options.agent)
    wanted = _wanted(ports, options, found)
    for event, view in zip(options.events, views, strict=True):
        id = post_of(event)
        if event.type == "space_message":
            if event.space is not None and event.space != space:
                space = event.space
                yield f"IN {blocks.place(place_of(ports.store, space))}:"
            entry = entry_of(ports.store, event, wanted, parties)
            yield lines.get(id) or histories.opening_line(entry)
        else:
            line = unmarked(prompt.event_line(view))
            yield f"{line}{_mark(event, found)}"
        yield from map(unmarked, prompt.file_texts(view.files))


def _views(ports: PromptPorts, options: PromptOptions) -> list[EventView]:
    """Return the events of a cycle as the agent sees them, with the files that went along."""
    store, trust = ports.store, options.agent.trust
    return [with_files(store, seen(store, event, trust=trust), event) for event in options.events]


def _mark(event: Event, found: Wakeup) -> str:
    """Return what an event that is no message is to the run."""
    if found.wait is not None and event.source == TIMED_OUT:
        return f" {histories.RESUME}: nobody replied. Continue from here."
    return f" {histories.TRIGGER}" if event.id == found.trigger.event else ""


def _wanted(ports: PromptPorts, options: PromptOptions, found: Wakeup) -> HistoryWanted:
    """Return what is to be shown of spaces."""
    return HistoryWanted(
        agent=options.agent,
        whole=options.whole,
        measure=ports.tokens.count,
        trigger=found.trigger.post or found.trigger.event,
        reply=found.wait.by if found.wait is not None else None,
        taken=options.events,
    )


class Composed(NamedTuple):
    """A timeline as it is sent: its blocks, whose words they show, and what each part took.

    `newest` are the last messages of the spaces that it shows.
    """

    blocks: tuple[Block, ...]
    sources: tuple[str, ...]
    newest: tuple[str, ...]
    portions: tuple[Portion, ...]

    @property
    def text(self) -> str:
        """Return it as it is sent."""
        return text_of(self.blocks)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Return the records that did not fit."""
        return tuple(one for portion in self.portions for one in portion.left_out)


def composed(ports: PromptPorts, options: PromptOptions) -> Composed:
    """Return the timeline of a cycle, as much of it as fits into the window.

    Raises:
        RefusedError: identity and instructions, which are always whole, do not fit.
    """
    store, agent = ports.store, options.agent
    found = awake(store, agent=agent.name, cycle=options.cycle, events=options.events)
    parties = Parties(store, agent)
    wanted = _wanted(ports, options, found)
    said = [remembered(store, name, wanted, parties) for name in found.spaces]
    where = _where(ports, options, found.place)
    words = tuple(event.text for event in options.events if event.text)
    files = ports.files(question_of(words), MOST_PASSAGES) if words else []
    views = _views(ports, options)
    news = "\n".join(_taken_up(ports, options, found, views, {}))
    told = fitted(
        ports,
        agent,
        _blocks(ports, options, _Surroundings(found, parties, said, where, files)),
        PresentTopic(
            words=words,
            asker=speakers.asker_of(store, options.events, trust=agent.trust),
            cycle=options.cycle,
            stated=frozenset(belief.id for belief in where.beliefs),
        ),
        beside=ports.tokens.count(to_json(options.tools).decode()),
        news=ports.tokens.count(news) + sum(map(file_tokens, prompt.file_parts(views))),
    )
    beliefs_of = (belief.origins for belief in where.beliefs)
    newest = (_newest_shown(one.history, told.blocks) for one in said)
    return Composed(
        told.blocks,
        joined(
            told.origins,
            *(one.sources for one in said),
            *beliefs_of,
            *_of_files(files, told.blocks, agent),
        ),
        tuple(id for id in newest if id is not None),
        told.portions,
    )


def _of_files(
    files: Sequence[Recalled], shown: Sequence[Block], agent: Agent
) -> Iterator[tuple[str, ...]]:
    """Yield whose words those passages of files are that there was room for."""
    lines = {line for one in shown for line in one.lines}
    for one in files:
        if f"  - {passage(one, trust=agent.trust)}" in lines:
            yield one.sources


def _newest_shown(history: SpaceHistory, shown: Sequence[Block]) -> str | None:
    """Return the last message of a space of which there was room for the line, or None."""
    lines = {line for one in shown if one.name == NAME for line in one.lines}
    return next(
        (one.id for one in reversed(history.entries) if histories.entry_line(one) in lines), None
    )


def _remembered(ports: PromptPorts, options: PromptOptions) -> Composed:
    """Return the timeline of a cycle; remember whose words it shows, and what of."""
    made = composed(ports, options)
    name, cycle = options.agent.name, options.cycle
    origins.add(ports.store, agent=name, cycle=cycle, sources=made.sources)
    runs.note_shown(ports.store, agent=name, cycle=cycle, posts=made.newest)
    return made


class _Surroundings(NamedTuple):
    """What is told of beside the agent itself."""

    awake: Wakeup
    parties: Parties
    said: list[ShownHistory]
    situation: Situation
    files: Sequence[Recalled]


def _blocks(ports: PromptPorts, options: PromptOptions, around: _Surroundings) -> list[Block]:
    """Return the blocks of a timeline in their order; those that hold nothing are left out."""
    store, agent, now = ports.store, options.agent, ports.clock.now()
    found, parties, said, where, files = around
    here = place_of(store, found.place) if found.place is not None else None
    titles = [one.history.place.title for one in said]
    made = [
        blocks.identity(agent, now=now),
        blocks.trigger(occasion(store, found, parties)),
        blocks.active_space(here, options.offered),
        *(
            histories.block(
                with_waited(one.history, found), other=one.history.place.title in titles[:n]
            )
            for n, one in enumerate(said)
        ),
        blocks.spaces(where.spaces, active=found.place),
        blocks.goals(where),
        blocks.memories(where, [passage(one, trust=agent.trust) for one in files]),
        blocks.knowledge(where),
        blocks.plans(_plans(store, agent), now=now),
        blocks.runs(run_lines(store, found, agent=agent.name, parties=parties)),
        blocks.instructions(agent, options.offered, placed=here is not None, waits=ports.lasting),
    ]
    return [block for block in made if block.lines]


def _where(ports: PromptPorts, options: PromptOptions, place: str | None) -> Situation:
    """Return what an agent has and aims at, with what it holds true that bears on the events."""
    where = situation(ports.store, agent=options.agent, place=place)
    events = [seen(ports.store, event, trust=options.agent.trust) for event in options.events]
    return stated(ports, options, where, events)


def _plans(store: Store, agent: Agent) -> list[PlanLine]:
    """Return the plans of an agent that have windows to come."""
    return [
        PlanLine(
            id=plan.id,
            title=plan.title,
            cron=plan.cron,
            zone=plan.zone,
            next=plan.next,
            after=plan.after,
            sources=untrusted(plan.sources, agent.trust),
        )
        for plan in plans.list_(store, agent=agent.name)
        if plan.state is PlanState.ACTIVE
    ]
