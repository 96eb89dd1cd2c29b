"""Frame a cycle in the timeline style: a segment of its own, whose head is the timeline.

The head is stored before anything is sent, with the time that it shows, so that the same rows give
the same bytes again. The window of a continuous life stays in the segment, unsent, for whoever goes
back to that style.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.context import prompt, tables
from mindpipe.context.budget.assembly import text_of
from mindpipe.context.budget.records import Allocations, Portion
from mindpipe.context.recollecting import blocks as recalled
from mindpipe.context.recollecting.records import LatelyOf, nothing_lately
from mindpipe.context.records import Block, Knowledge, LeftOut, Prompt, Situation
from mindpipe.context.timeline import blocks, histories, occasions
from mindpipe.context.timeline.records import PlanLine, SpaceHistory
from mindpipe.context.timeline.wording import unmarked
from mindpipe.context.triggers import TIMED_OUT
from mindpipe.context.turning import NAME, turned
from mindpipe.context.verbs import beliefs, origins
from mindpipe.context.verbs import histories as loading
from mindpipe.context.verbs import occasions as waking
from mindpipe.context.verbs.fitting import Fitting, fitted
from mindpipe.context.verbs.recollections import About, question_of
from mindpipe.context.verbs.situations import seen, situation
from mindpipe.core.messages import Head, Message, Role, TextPart, ToolSpec
from mindpipe.core.models import Target
from mindpipe.core.ports import Chance, Clock, Store, Tokens
from mindpipe.core.records import to_json
from mindpipe.core.sources import joined, untrusted
from mindpipe.history.records import NewSegment, Segment, Window
from mindpipe.history.verbs import log, segments
from mindpipe.history.verbs.window import window as segment_window
from mindpipe.inbox.records import Event
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import PlanState
from mindpipe.recall.indexes.telling import FilesOf, no_files
from mindpipe.recall.records import Recalled
from mindpipe.runs import verbs as runs

TOO_LONG = "too long"
_SHRUNK = 5
MOST_PASSAGES = 5
"""So many passages of files are shown in one prompt at most."""


class Ports(NamedTuple):
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
    lately: LatelyOf = nothing_lately
    lasting: bool = True
    files: FilesOf = no_files


class Wish(NamedTuple):
    """What a timeline is made for: whom, which model and tools, which cycle with which events.

    `whole` are the newest messages of a space that are shown whole.
    """

    agent: Agent
    target: Target
    tools: tuple[ToolSpec, ...]
    cycle: int
    events: tuple[Event, ...]
    whole: int


def frame(ports: Ports, wish: Wish, *, anew: str | None = None) -> Segment:
    """Return the segment of a cycle, opening it if this is its first request, or for a reason.

    Within its cycle the timeline stays as it was, but where it was too long it is made again with
    fewer messages.
    """
    name = wish.agent.name
    now = segments.current_segment(ports.store, agent=name)
    reason = f"timeline of cycle {wish.cycle}"
    mine = now if now is not None and now.reason.partition(",")[0] == reason else None
    if mine is not None and anew is None:
        return mine
    if mine is not None and anew != TOO_LONG:
        head, out = mine.head, left_out(ports.store, agent=name, segment=mine.segment)
    else:
        fewer = wish._replace(whole=max(1, wish.whole // _SHRUNK))
        made = _remembered(ports, fewer if anew == TOO_LONG else wish)
        head = Head(system=made.text, tools=wish.tools, summary=now.head.summary if now else None)
        out = made.left_out
    begun = log.log_head(ports.store, agent=name).cycle == wish.cycle
    new = NewSegment(
        head=head,
        target=wish.target,
        first_cycle=now.first_cycle if now else 1,
        # Thinking is bound to what stood before it, so the replies of this cycle lose theirs.
        raw_from_cycle=wish.cycle + 1 if begun else wish.cycle,
        reason=f"{reason}, {anew}" if anew else reason,
    )
    with ports.store.write() as rows:
        opened = segments.open_segment(ports.store, ports.clock, agent=name, new=new)
        if out:
            tables.add_left_out(rows, agent=name, segment=opened.segment, records=out)
    return opened


def left_out(store: Store, *, agent: str, segment: int) -> tuple[LeftOut, ...]:
    """Return which records did not fit into the timeline of a segment."""
    with store.read() as rows:
        return tables.left_out(rows, agent=agent, segment=segment)


def opening(ports: Ports, wish: Wish) -> Prompt:
    """Return the prompt of a cycle's first turn: under its timeline, what the cycle takes up."""
    agent = wish.agent
    shown = window(ports.store, agent=agent.name, cycle=wish.cycle)
    lines = _lines(shown.segment.head.system)
    found = waking.awake(ports.store, agent=agent.name, cycle=wish.cycle, events=wish.events)
    seq = log.log_head(ports.store, agent=agent.name).seq + 1
    message = Message(
        id=ports.chance.new_id("m", agent.name, seq),
        agent=agent.name,
        seq=seq,
        segment=shown.segment.segment,
        cycle=wish.cycle,
        turn=0,
        role=Role.USER,
        parts=(TextPart(text="\n".join(_taken_up(ports, wish, found, lines))),),
        origin=f"source:{','.join(sorted({event.source for event in wish.events}))}",
        taint=any(untrusted(event.origins(), agent.trust) for event in wish.events),
        at=ports.clock.now(),
    )
    return Prompt(window=shown, unsent=(message,))


def window(store: Store, *, agent: str, cycle: int, number: int | None = None) -> Window:
    """Return what a timeline sends: the messages of its one cycle, and no others."""
    return segment_window(store, agent=agent, number=number, ranges=[(cycle, cycle)])


def _lines(system: str) -> dict[str, str]:
    """Return the lines of a timeline's histories as turns, by the ids of their messages."""
    said = (turned(line) for line in system.split("\n"))
    return {one.id: one.line for one in said if one.id is not None}


def _taken_up(
    ports: Ports, wish: Wish, found: waking.Awake, lines: dict[str, str]
) -> Iterator[str]:
    """Yield each event of a cycle as the line that it begins with, messages below their space."""
    space = None
    parties = loading.Parties(ports.store, wish.agent)
    wanted = _wanted(ports, wish, found)
    for event in wish.events:
        id = loading.post_of(event)
        if event.type == "space_message":
            if event.space is not None and event.space != space:
                space = event.space
                yield f"IN {occasions.place(loading.place_of(ports.store, space))}:"
            entry = loading.entry_of(ports.store, event, wanted, parties)
            yield lines.get(id) or histories.opening_line(entry)
        else:
            line = unmarked(prompt.event_line(seen(ports.store, event, trust=wish.agent.trust)))
            yield f"{line}{_mark(event, found)}"


def _mark(event: Event, found: waking.Awake) -> str:
    """Return what an event that is no message is to the run."""
    if found.wait is not None and event.source == TIMED_OUT:
        return f" {histories.RESUME}: nobody replied. Continue from here."
    return f" {histories.TRIGGER}" if event.id == found.trigger.event else ""


def _wanted(ports: Ports, wish: Wish, found: waking.Awake) -> loading.Wanted:
    """Return what is to be shown of spaces."""
    return loading.Wanted(
        agent=wish.agent,
        whole=wish.whole,
        measure=ports.tokens.count,
        trigger=found.trigger.post or found.trigger.event,
        reply=found.wait.by if found.wait is not None else None,
        taken=wish.events,
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


def composed(ports: Ports, wish: Wish) -> Composed:
    """Return the timeline of a cycle, as much of it as fits into the window.

    Raises:
        RefusedError: identity and instructions, which are always whole, do not fit.
    """
    store, agent = ports.store, wish.agent
    found = waking.awake(store, agent=agent.name, cycle=wish.cycle, events=wish.events)
    parties = loading.Parties(store, agent)
    wanted = _wanted(ports, wish, found)
    said = [loading.remembered(store, name, wanted, parties) for name in found.spaces]
    where = _where(ports, wish, found.place)
    words = tuple(event.text for event in wish.events if event.text)
    files = ports.files(question_of(words), MOST_PASSAGES) if words else []
    told = fitted(
        Fitting(store, ports.clock, ports.tokens, ports.knowledge, ports.allocations, ports.lately),
        agent,
        _blocks(ports, wish, _Surroundings(found, parties, said, where, files)),
        About(
            words=words,
            cycle=wish.cycle,
            stated=frozenset(belief.id for belief in where.beliefs),
        ),
        beside=ports.tokens.count(to_json(wish.tools).decode()),
        news=ports.tokens.count("\n".join(_taken_up(ports, wish, found, {}))),
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
        if f"  - {recalled.passage(one, trust=agent.trust)}" in lines:
            yield one.sources


def _newest_shown(history: SpaceHistory, shown: Sequence[Block]) -> str | None:
    """Return the last message of a space of which there was room for the line, or None."""
    lines = {line for one in shown if one.name == NAME for line in one.lines}
    return next(
        (one.id for one in reversed(history.entries) if histories.entry_line(one) in lines), None
    )


def _remembered(ports: Ports, wish: Wish) -> Composed:
    """Return the timeline of a cycle; remember whose words it shows, and what of."""
    made = composed(ports, wish)
    name, cycle = wish.agent.name, wish.cycle
    origins.add(ports.store, agent=name, cycle=cycle, sources=made.sources)
    runs.note_shown(ports.store, agent=name, cycle=cycle, posts=made.newest)
    return made


class _Surroundings(NamedTuple):
    """What is told of beside the agent itself."""

    awake: waking.Awake
    parties: loading.Parties
    said: list[loading.Remembered]
    situation: Situation
    files: Sequence[Recalled]


def _blocks(ports: Ports, wish: Wish, around: _Surroundings) -> list[Block]:
    """Return the blocks of a timeline in their order; those that hold nothing are left out."""
    store, agent, now = ports.store, wish.agent, ports.clock.now()
    found, parties, said, where, files = around
    here = loading.place_of(store, found.place) if found.place is not None else None
    titles = [one.history.place.title for one in said]
    made = [
        blocks.identity(agent, now=now),
        occasions.block(waking.occasion(store, found, parties)),
        blocks.active_space(here),
        *(
            histories.block(
                waking.with_waited(one.history, found), other=one.history.place.title in titles[:n]
            )
            for n, one in enumerate(said)
        ),
        blocks.spaces(where.spaces, active=found.place),
        blocks.goals(where),
        blocks.memories(where, [recalled.passage(one, trust=agent.trust) for one in files]),
        blocks.knowledge(where),
        blocks.plans(_plans(store, agent), now=now),
        blocks.runs(waking.run_lines(store, found, agent=agent.name, parties=parties)),
        blocks.instructions(agent, placed=here is not None, waits=ports.lasting),
    ]
    return [block for block in made if block.lines]


def _where(ports: Ports, wish: Wish, place: str | None) -> Situation:
    """Return what an agent has and aims at, with what it holds true that bears on the events."""
    where = situation(ports.store, agent=wish.agent, place=place)
    source = beliefs.Source(ports.store, ports.clock, ports.tokens, ports.knowledge)
    events = [seen(ports.store, event, trust=wish.agent.trust) for event in wish.events]
    return beliefs.stated(source, wish.agent, where, events)


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
