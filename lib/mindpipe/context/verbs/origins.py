"""Whose words a request holds: those of events, of shown cycles, of memories, and about tools."""

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents.records import Agent, Goal, Note
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.compaction.records import Overlay, Summary
from mindpipe.compaction.verbs import windows
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.context import tables
from mindpipe.context.records import LivedCycle
from mindpipe.context.turns import is_timeline
from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Clock, Rows, Store, Tokens
from mindpipe.core.sources import joined, server_source, speakers, untrusted
from mindpipe.history.records import Segment
from mindpipe.history.verbs import cycles, history
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.memory.extraction.records import Whose, WhoseIs
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import Plan

Kept = Note | Goal | Plan


def add(store: Store, *, agent: str, cycle: int, sources: Iterable[str]) -> None:
    """Remember whose words a cycle took in, beside those that are known."""
    with store.write(agent) as rows:
        tables.add_sources(rows, agent=agent, cycle=cycle, sources=sources)


def inherit(store: Store, kept: Kept, *, sources: tuple[str, ...]) -> None:
    """Say whose words a memory was written under, in the place of what was said before."""
    with store.write() as rows:
        if isinstance(kept, Note):
            agent_tables.put_note(rows, msgspec.structs.replace(kept, sources=sources))
        elif isinstance(kept, Goal):
            agent_tables.update_goal(rows, msgspec.structs.replace(kept, sources=sources))
        else:
            plans.inherit(store, plan=kept.id, sources=sources)


def of_cycles(store: Store, *, agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
    """Return whose words each cycle of a range took in, without what was cleared since."""
    with store.read() as rows:
        taken = taken_in(store, agent=agent, first=first, last=last)
        vouched = _cleared(rows, agent) if taken else set()
    left = {
        cycle: tuple(one for one in sources if (cycle, one) not in vouched)
        for cycle, sources in taken.items()
    }
    return {cycle: sources for cycle, sources in left.items() if sources}


def taken_in(store: Store, *, agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
    """Return whose words each cycle of a range took in, cleared or not.

    Cycles with tainted lines of which nothing more is known are of an import, or of `history`.
    """
    with store.read() as rows:
        found = tables.sources(rows, agent=agent, first=first, last=last)
        told = {one.cycle for one in found}
        tainted = cycles.tainted(store, agent=agent, first=first, last=last)
        found += [one for one in tainted if one.cycle not in told]
    by_cycle: dict[int, list[str]] = {}
    for one in found:
        by_cycle.setdefault(one.cycle, []).append(one.source)
    return {cycle: joined(sources) for cycle, sources in sorted(by_cycle.items())}


def whose_words(store: Store, agent: Agent, *, cycle: int) -> WhoseIs:
    """Return what says whose words a text of an imported cycle holds, as far as not cleared.

    It may be of all that the cycle took in, and is said by whom it names where these may speak for
    him.
    """
    taken = of_cycles(store, agent=agent.name, first=cycle, last=cycle).get(cycle, ())
    one = split(taken, agent)

    def whose(_text: str, named: str | None) -> Whose:
        by = speakers(named, None, one.sources)
        return one._replace(speaker=by.known, claimed=by.claimed)

    return whose


def cleared(store: Store, *, agent: str, cycle: int) -> frozenset[str]:
    """Return the sources in a cycle that the operator vouches for."""
    with store.read() as rows:
        return frozenset(source for subject, source in _cleared(rows, agent) if subject == cycle)


def split(sources: Iterable[str], agent: Agent) -> Whose:
    """Return some sources, as far as the agent trusts them and not."""
    bad = untrusted(sources, agent.trust)
    return Whose(bad, tuple(sorted(one for one in sources if one not in bad)))


def events_of(store: Store, agent: str, cycle: int) -> Iterator[Event]:
    """Yield the events that a cycle took up; those of an imported one are not there."""
    found = cycles.find(store, agent=agent, cycle=cycle)
    for id in found.events if found else ():
        with contextlib.suppress(UsageError):
            yield inbox.show(store, id=id)


def _cleared(rows: Rows, agent: str) -> set[tuple[int, str]]:
    """Return the cycles and sources that the operator vouches for."""
    return {
        (int(one.subject), source)
        for one in tables.clearances(rows, agent=agent, kind="cycle")
        for source in one.sources
    }


def of_request(
    store: Store, agent: Agent, *, events: Iterable[Event], segment: Segment, cycle: int
) -> tuple[str, ...]:
    """Return whose words a turn of `cycle` reads that is sent under a segment, sorted.

    These are the sources of the cycles that its window sends, and of those that its summaries
    cover, which are not looked at again. With the `taint_scope` of a cycle, and under a timeline,
    which sends none of them, the cycles before it do not count.
    """
    name = agent.name
    with store.read():
        if agent.taint_scope == "cycle" or is_timeline(segment.head.system):
            shown = list(of_cycles(store, agent=name, first=cycle, last=cycle).values())
        else:
            shown = list(_of_window(store, segment, cycle))
        taken = (event.origins() for event in events)
        told = {server_source(tool.server) for tool in agent.tools if tool.server}
        return joined(*taken, *shown, *_of_memories(store, name), told)


def _of_window(store: Store, segment: Segment, cycle: int) -> Iterator[tuple[str, ...]]:
    """Yield whose words a segment sends up to a cycle, summaries included."""
    name = segment.agent
    planned = windows.in_force(store, agent=name, segment=segment.segment)
    if planned is None:
        yield from of_cycles(store, agent=name, first=segment.first_cycle, last=cycle).values()
        return
    for first, last in windows.sent_ranges(planned.parts, through=planned.plan.through):
        until = cycle if last is None else last
        yield from of_cycles(store, agent=name, first=first, last=until).values()
    yield of_summaries(store, name, planned.parts)


def of_summaries(store: Store, agent: str, parts: Overlay) -> tuple[str, ...]:
    """Return whose words stand behind the summaries of a window, without what was cleared."""
    with store.read() as rows:
        vouched = _cleared(rows, agent)
    return joined(*(_of_summary(part, vouched) for part in parts if isinstance(part, Summary)))


def _of_summary(part: Summary, vouched: set[tuple[int, str]]) -> tuple[str, ...]:
    """Return the sources of a summary of which not every cycle was cleared."""
    times = Counter(source for cycle, source in vouched if part.first <= cycle <= part.last)
    return tuple(source for source, count in part.sources.items() if times[source] < count)


def _of_memories(store: Store, agent: str) -> Iterator[tuple[str, ...]]:
    """Yield whose words each memory of an agent was written under."""
    yield from (note.sources for note in notes.list_(store, agent=agent))
    yield from (goal.sources for goal in goals.list_(store, agent=agent))
    yield from (plan.sources for plan in plans.list_(store, agent=agent))


def lived(store: Store, *, agent: str, limit: int | None) -> Iterator[LivedCycle]:
    """Yield an agent's newest `limit` cycles, or all, oldest first, with their sources."""
    for one in history.cycles(store, agent=agent, limit=limit):
        found = of_cycles(store, agent=agent, first=one.cycle, last=one.cycle)
        share = round(one.cached_tokens / one.input_tokens, 3) if one.input_tokens else None
        yield LivedCycle(
            **msgspec.structs.asdict(one), sources=found.get(one.cycle, ()), cached_share=share
        )


def material_ports(store: Store, clock: Clock, tokens: Tokens) -> MaterialPorts:
    """Return what a window of any agent is planned and written with, without a model."""

    def sources(agent: str, first: int, last: int) -> dict[int, tuple[str, ...]]:
        return taken_in(store, agent=agent, first=first, last=last)

    return MaterialPorts(store=store, clock=clock, tokens=tokens, sources=sources)
