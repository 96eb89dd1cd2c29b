"""Load what bears on the present, and tell it in blocks beside those of the timeline, as fits."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.compaction.strategies.self_summary import closing_of
from mindpipe.compaction.task import CycleInView
from mindpipe.context.budget.assembly import assemble, budget_for
from mindpipe.context.budget.records import Budget, Portion
from mindpipe.context.recollection import blocks
from mindpipe.context.recollection.blocks import SourcedBlock
from mindpipe.context.recollection.records import CycleActions, LivedMoment, RecentPast
from mindpipe.context.records import Block, Knowledge
from mindpipe.context.verbs import earlier, origins, remembered
from mindpipe.context.verbs.earlier import EarlierCycle, question_of
from mindpipe.context.verbs.remembered import MemoryRecord
from mindpipe.context.verbs.situations import PromptPorts
from mindpipe.core.messages import CallPart, text_of
from mindpipe.core.ports import Clock, Store, Tokens
from mindpipe.core.sources import joined
from mindpipe.history.records import Cycle, CycleState
from mindpipe.history.verbs import cycles, history
from mindpipe.inbox.verbs import inbox
from mindpipe.knowledge.explanation import chosen
from mindpipe.knowledge.records import BeliefStatus, Observation, ObservationFilter
from mindpipe.knowledge.verbs import observation
from mindpipe.memory.records import Lesson, StoredRelation
from mindpipe.memory.verbs.entity import neighbours
from mindpipe.recall.query import slugs_in
from mindpipe.recall.records import Filters, Recalled
from mindpipe.spending import verbs as spending
from mindpipe.tasks.verbs import task as tasks

MOST_EDGES = 30
_MOST_WAITING = 1000


class RecollectionPorts(NamedTuple):
    """What recollections are loaded with: ports, rules of knowledge, the loop, and the window."""

    store: Store
    clock: Clock
    tokens: Tokens
    knowledge: Knowledge
    budget: Budget
    recent: RecentPast = RecentPast()


class PresentTopic(NamedTuple):
    """What the present is about, in words, and in which cycle.

    `stated` are the ids of what is told elsewhere, `asker` is whose words they are, where one alone
    says them.
    """

    words: tuple[str, ...] = ()
    asker: str | None = None
    cycle: int = 0
    stated: frozenset[str] = frozenset()


def more_blocks(
    ports: RecollectionPorts, agent: Agent, about: PresentTopic
) -> tuple[SourcedBlock, ...]:
    """Return the blocks of memory and self that hold something, with whose words stand in each.

    What is not yet findable is made so first, so this is called where something may be written.
    """
    store, trust = ports.store, agent.trust
    if about.words:
        remembered.catch_up(store)
    with store.read():
        found = _recalled(ports, agent, about)
        learnt = remembered.lessons(store, agent, found)
        edges = _edges(store, agent, about, found)
        figures = blocks.statistics(ports.recent, _today(ports, agent, about))
        told = [
            _working(ports, agent, about),
            _tasks(ports, agent),
            _of_oneself(ports, agent, learnt, about.stated),
            *_of_recalled(
                list(remembered.records(agent, found, learnt)), _earlier(ports, agent, about)
            ),
            _told(
                blocks.block("graph", "RELATIONS", blocks.relations(edges, trust=trust)),
                *(one.sources for one in edges),
            ),
            _told(blocks.block("statistics", "STATISTICS", figures)),
        ]
    return tuple(one for one in told if one.block.lines)


def _told(block: Block, *sources: Iterable[str]) -> SourcedBlock:
    """Return a block with whose words stand in it."""
    return SourcedBlock(block, joined(*sources))


def _of_recalled(
    found: Sequence[MemoryRecord], back: Sequence[EarlierCycle]
) -> Iterator[SourcedBlock]:
    """Yield the blocks of what was recalled; `back` are old cycles that come back whole."""
    for section, title in remembered.TITLES.items():
        lived = back if section == "episodic" else ()
        kept = [one for one in found if one.section == section]
        lines = [*(one.record for one in lived), *(one.line for one in kept)]
        sources = (*(one.sources for one in lived), *(one.sources for one in kept))
        yield _told(blocks.block(section, title, lines), *sources)


def _recalled(ports: RecollectionPorts, agent: Agent, about: PresentTopic) -> list[Recalled]:
    """Return what is remembered that bears on the present, best first.

    What was said in a cycle comes back with all of it, or not at all (see `_earlier`).
    """
    words = question_of(about.words)
    if not words:
        return []
    wanted = [(Filters(), remembered.MOST_RECALLED)]
    if remembered.has_lessons(ports.store, agent):
        wanted.append((Filters(kind="lesson"), remembered.MOST_LESSONS))
    found = remembered.search(ports.store, ports.clock, agent, words, wanted, about.asker)
    return [one for one in found if one.source != "message"]


def _earlier(ports: RecollectionPorts, agent: Agent, about: PresentTopic) -> list[EarlierCycle]:
    """Return the old cycles that bear on the present and fit into half the room for episodes.

    Working memory tells of the newest ones.
    """
    newest = range(about.cycle - blocks.WHOLE[0], about.cycle)
    return earlier.bearing(
        ports.store,
        agent,
        text=question_of(about.words),
        there=newest,
        tokens=ports.tokens,
        room=ports.budget.levels["episodic"].share // 2,
    )


def _tasks(ports: RecollectionPorts, agent: Agent) -> SourcedBlock:
    """Return the block TASK, the task at hand first."""
    given = tasks.given(ports.store, worker=agent.name)
    given.sort(key=lambda one: one.id != ports.recent.task)
    delegated = tasks.list_(ports.store, agent=agent.name)
    lines = blocks.tasks(given, delegated, now=ports.clock.now(), trust=agent.trust)
    sources = (*(one.origins() for one in given), *(one.sources for one in delegated))
    return _told(blocks.block("task", "TASK", lines), *sources)


def _of_oneself(
    ports: RecollectionPorts, agent: Agent, learnt: Sequence[Lesson], stated: frozenset[str]
) -> SourcedBlock:
    known = _known(ports, agent)
    habits = ports.recent.habits
    lines = blocks.oneself(known, learnt, habits, trust=agent.trust, stated=stated)
    own = (one.sources for one in known if one.kind == "self_model")
    return _told(blocks.block("self_model", "SELF", lines), *own)


def _known(ports: RecollectionPorts, agent: Agent) -> list[Observation]:
    """Return all that an agent holds true now, the most confident first."""
    wanted = ObservationFilter(agent=agent.name, statuses=(BeliefStatus.ACTIVE,))
    rules, given = ports.knowledge
    if given is None:
        return observation.list_(ports.store, ports.clock, wanted=wanted, rules=rules)
    return chosen(given, wanted, now=ports.clock.now(), as_of=None, windows=rules.windows)


def _edges(
    store: Store, agent: Agent, about: PresentTopic, found: Sequence[Recalled]
) -> list[StoredRelation]:
    """Return the edges around what the present names, or what was recalled is about."""
    named = {id for text in about.words for id in slugs_in(text)}
    named |= {one.ref for one in found if one.source == "entity"}
    if not named:
        return []
    return neighbours(store, agent=agent.name, ids=named)[:MOST_EDGES]


def _working(ports: RecollectionPorts, agent: Agent, about: PresentTopic) -> SourcedBlock:
    """Return the block WORKING MEMORY."""
    recent = ports.recent
    if not recent.moments:
        moments = tuple(_moments(ports.store, agent, about))
        recent = msgspec.structs.replace(recent, moments=moments)
    wanted = [one.cycle for one in recent.moments[-blocks.CONDENSED :] if one.cycle]
    wanted += [one.cycle for one in recent.stretches[-blocks.SESSIONS :] if one.cycle]
    done = {
        found.cycle: found
        for number in dict.fromkeys(wanted)
        if (found := _deeds(ports.store, agent, number)) is not None
    }
    lines = blocks.working_memory(
        recent,
        done,
        size=ports.tokens.count,
        most=ports.budget.levels["working_memory"].share,
    )
    block = Block(section="working_memory", title="WORKING MEMORY", lines=lines)
    return _told(block, *(one.sources for one in done.values()))


def _moments(store: Store, agent: Agent, about: PresentTopic) -> Iterator[LivedMoment]:
    """Yield the newest cycles that are over, for an agent that no loop keeps alive."""
    for one in history.cycles(store, agent=agent.name, limit=blocks.CONDENSED * 3):
        if one.state is not CycleState.OPEN and one.cycle != about.cycle:
            yield _moment(one)


def _moment(one: Cycle) -> LivedMoment:
    return LivedMoment(
        number=one.cycle,
        cycle=one.cycle,
        at=one.opened,
        outcome=one.outcome.value if one.outcome else "open",
        events=len(one.events),
        error=one.reason if one.state is CycleState.FAILED else None,
    )


def _deeds(store: Store, agent: Agent, number: int) -> CycleActions | None:
    """Return what was done in a cycle."""
    found = cycles.find(store, agent=agent.name, cycle=number)
    if found is None:
        return None
    messages = tuple(history.show(store, agent=agent.name, cycle=number))
    closing = closing_of(CycleInView(number, messages, ()))
    tools = Counter(
        part.tool for one in messages for part in one.parts if isinstance(part, CallPart)
    )
    said = origins.of_cycles(store, agent=agent.name, first=number, last=number)
    return CycleActions(
        cycle=number,
        trigger=found.trigger,
        tools=dict(tools),
        said=text_of(closing) if closing else "",
        sources=said.get(number, ()),
    )


def _today(ports: RecollectionPorts, agent: Agent, about: PresentTopic) -> blocks.DayUsage:
    """Return what this day has taken so far, and what waits beside what the cycle has taken."""
    mine = cycles.find(ports.store, agent=agent.name, cycle=about.cycle)
    spent = spending.cost(ports.store, agent=agent.name, since=ports.clock.now()[:10])
    waiting = inbox.count(ports.store, ports.clock, agent=agent.name, most=_MOST_WAITING)
    return blocks.DayUsage(
        waiting=waiting - (len(mine.events) if mine else 0),
        calls=sum(one.calls for one in spent),
        tokens=sum(one.input_tokens + one.output_tokens for one in spent),
        micros=sum(one.settled_micros for one in spent),
        last=spending.last_request_tokens(ports.store, agent=agent.name),
    )


_LAST = "INSTRUCTIONS"


class FittedBlocks(NamedTuple):
    """The blocks that fit, in their order, whose words memory brought, and what each part took."""

    blocks: tuple[Block, ...]
    origins: tuple[str, ...]
    portions: tuple[Portion, ...]


def fitted(
    ports: PromptPorts,
    agent: Agent,
    blocks: Sequence[Block],
    about: PresentTopic,
    *,
    beside: int = 0,
    news: int = 0,
) -> FittedBlocks:
    """Return what fits of a timeline's blocks and of memory, which stands before instructions.

    `beside` are the tokens of tools, `news` those of what the cycle begins with.

    Raises:
        RefusedError: identity, instructions and trigger, which are always whole, do not fit.
    """
    budget = budget_for(agent, ports.allocations)
    recollecting = RecollectionPorts(
        ports.store,
        ports.clock,
        ports.tokens,
        ports.knowledge,
        budget,
        ports.recent(ports.store, agent.name),
    )
    more = more_blocks(recollecting, agent, about)
    ordered = [
        *(one for one in blocks if one.title != _LAST),
        *(one.block for one in more),
        *(one for one in blocks if one.title == _LAST),
    ]
    found = assemble(ordered, budget, ports.tokens, beside=beside, news=news)
    shown = {one.title for one in found.blocks}
    sources = joined(*(one.origins for one in more if one.block.title in shown))
    return FittedBlocks(found.blocks, sources, found.portions)
