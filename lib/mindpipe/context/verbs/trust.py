"""Trust and its withdrawal: vouch for what was read, revoke a source."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.context import tables
from mindpipe.context.records import (
    Clearance,
    ClearedKind,
    Memory,
    MemoryKind,
    ToolTrust,
    TrustedBy,
    TrustEntry,
)
from mindpipe.context.verbs import origins
from mindpipe.context.verbs.origins import Kept
from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.sources import (
    MORE,
    answers_source,
    covers,
    fault_of_name,
    server_source,
    speaker_name,
    tool_source,
    untrusted,
    worker_source,
)
from mindpipe.core.text import did_you_mean
from mindpipe.history.verbs import history
from mindpipe.inbox.verbs import inbox
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.revoke import Revoking
from mindpipe.memory.records import Retracted
from mindpipe.memory.verbs import memory
from mindpipe.plans import verbs as plans
from mindpipe.spaces import verbs as spaces


class _UndoneError(Exception):
    """Let nothing of a rehearsal stay."""


class Revoker(NamedTuple):
    """What a revocation needs: the time, ids for what is believed anew, and the rules in force."""

    clock: Clock
    chance: Chance
    rules: SlotRules = SlotRules()


def revoke(
    store: Store,
    revoker: Revoker,
    *,
    source: str,
    agent: str | None = None,
    dry_run: bool = False,
) -> list[Memory]:
    """Forget every memory that was written under words of a source, and return what they were.

    Notes, goals and plans are gone; items, reflections, lessons, entities and relations are taken
    back, and what was believed, marked or proposed on them is settled anew: each change is one of
    the memories returned. `source` may leave its sender out, be all below a name (`mail/*`), or who
    speaks in spaces (`@husam`). The log stays as it is; with `dry_run` all else does too, so that
    it may not be called inside a transaction. What has more sources than are kept by name may be of
    any. Without `agent` all agents forget who live here, one after the other: each wholly or not at
    all.

    Raises:
        NothingToDoError: no memory depends on it.
        UsageError: there is no such agent, or no source can be named so.
    """
    if fault := fault_of_name(source):
        raise UsageError(f"{source}: {fault}.")
    gone: list[Memory] = []
    here = (one.name for one in agents.list_(store) if one.away is None)
    names = list(here) if agent is None else [agent]
    for name in names:
        with contextlib.suppress(_UndoneError), store.write(name):
            agents.show(store, name=name)
            written = [one for one in _memories(store, name) if _means(source, one.sources)]
            for one in written:
                _FORGET[one.kind](store, one)
            taken = memory.revoke(store, revoker.clock, agent=name, source=source)
            gone += [*written, *_settled(store, revoker, taken, agent=name, source=source)]
            if dry_run:
                raise _UndoneError
    if not gone:
        raise NothingToDoError(f"no memory depends on {source}.")
    return gone


def retract(
    store: Store, revoker: Revoker, *, agent: str, ids: Sequence[str], dry_run: bool = False
) -> list[Memory]:
    """Take back single items with all that was learnt from them, and return each change.

    What was believed, marked or proposed on them is settled anew. With `dry_run` all stays as it
    is, so that it may not be called inside a transaction.

    Raises:
        UsageError: there is no such agent or item, or it is taken back already.
    """
    gone: list[Memory] = []
    name = agents.show(store, name=agent).name
    with contextlib.suppress(_UndoneError), store.write(name):
        taken = memory.retract(store, revoker.clock, agent=name, ids=ids)
        gone += _settled(store, revoker, taken, agent=name, source=None)
        if dry_run:
            raise _UndoneError
    return gone


def entries(store: Store, *, agent: str, settings: tuple[str, ...] = ()) -> list[TrustEntry]:
    """Return what an agent trusts, and whose words it took in or may take in, which it does not.

    `settings` names the sources that every agent trusts.

    Raises:
        UsageError: there is no such agent.
    """
    found = agents.show(store, name=agent)
    known = _known(store, found)
    named: dict[str, TrustedBy] = dict.fromkeys(found.trust, "agent")
    for one in settings:
        named.setdefault(one, "settings")
    told = [
        TrustEntry(
            agent=agent,
            source=entry,
            trusted=True,
            by=by,
            means=tuple(one for one in known if covers(entry, one)),
        )
        for entry, by in named.items()
    ]
    vouched = [
        TrustEntry(agent=agent, source=tool_source(tool.name), trusted=True, by="manifest")
        for tool in found.tools
        if tool.answers() is None
    ]
    others = untrusted(known, (*found.trust, *settings))
    strange = [TrustEntry(agent=agent, source=one, trusted=False) for one in others]
    return [*told, *vouched, *strange]


def _known(store: Store, agent: Agent) -> list[str]:
    """Return whose words an agent took in, or may take in by its tools, by name."""
    with store.read() as rows:
        taken = tables.known_sources(rows, agent=agent.name)
    offered = {server_source(tool.server) for tool in agent.tools if tool.server is not None}
    answers = {found for tool in agent.tools if (found := tool.answers()) is not None}
    return sorted({*taken, *offered, *answers})


def unheard(store: Store, *, agent: str, sources: Iterable[str]) -> Iterator[str]:
    """Yield a line for each name that means nobody an agent knows, with the nearest that does.

    Raises:
        UsageError: there is no such agent.
    """
    found = agents.show(store, name=agent)
    known = _known(store, found)
    vouched = [tool_source(tool.name) for tool in found.tools if tool.answers() is None]
    members = {
        speaker_name(member.name)
        for space in spaces.list_(store)
        for member in spaces.members(store, space=space.name)
    }
    for source in sources:
        if source in members or any(covers(source, one) for one in (*known, *vouched)):
            continue
        stems = (one.partition("/")[0] for one in known)
        hint = did_you_mean(source, {*members, *known, *vouched, *stems})
        words = f"nothing has come to {agent} from {source} yet; what will come is trusted."
        yield f"{words} {hint}".rstrip()


def tools(store: Store, *, agent: str, settings: tuple[str, ...] = ()) -> list[ToolTrust]:
    """Return how each tool of an agent is judged under what it trusts.

    Raises:
        UsageError: there is no such agent.
    """
    found = agents.show(store, name=agent)
    trust = (*found.trust, *settings)
    return [
        ToolTrust(
            tool=tool.name,
            answers=tool.answers(),
            trusted=tool.is_trusted(trust),
            effect=judged.effect,
            labels=judged.labels,
            claims=tool.shown_claims(trust),
        )
        for tool in found.tools
        for judged in (tool.in_force(trust),)
    ]


def sources_of_server(store: Store, *, agent: str, server: str) -> tuple[str, ...]:
    """Return what the words of an MCP server are called: what it says of its tools, their answers.

    Raises:
        UsageError: there is no such agent, or it neither has a tool of that server nor trusts it.
    """
    found = agents.show(store, name=agent)
    words = (server_source(server), answers_source(server))
    servers = sorted({tool.server for tool in found.tools if tool.server is not None})
    if server not in servers and not set(words) & set(found.trust):
        hint = did_you_mean(server, servers)
        raise UsageError(
            f"{agent} has no tool of a server {server}; it has {', '.join(servers) or 'none'}. "
            f"{hint}".rstrip()
        )
    return words


def source_of_tool(store: Store, *, agent: str, tool: str) -> str:
    """Return what the answers of a tool are called.

    Raises:
        UsageError: there is no such agent, it has no such tool, or the tool's manifest vouches for
            its answers already.
    """
    own = {one.name: one for one in agents.show(store, name=agent).tools}
    if tool not in own:
        hint = did_you_mean(tool, own)
        raise UsageError(
            f"{agent} has no tool {tool}; it has {', '.join(own) or 'none'}. {hint}".rstrip()
        )
    answers = own[tool].answers()
    if answers is None:
        raise UsageError(
            f"the answers of {tool} are trusted already: its manifest does not say reads_untrusted."
        )
    return answers


def source_of_worker(store: Store, *, worker: str, workers: Iterable[str]) -> str:
    """Return what the reports of a worker are called: one of the settings, or an agent.

    Raises:
        UsageError: there is none of this name.
    """
    known = [*workers, *(one.name for one in agents.list_(store))]
    if worker not in known:
        hint = did_you_mean(worker, known)
        raise UsageError(f"there is no worker and no agent {worker}. {hint}".rstrip())
    return worker_source(worker)


def _settled(
    store: Store, revoker: Revoker, gone: Iterable[Retracted], *, agent: str, source: str | None
) -> Iterator[Memory]:
    """Yield what was taken back of an agent's memory, and each change of what stood on it."""
    taken: dict[str, list[str]] = {}
    for one in gone:
        taken.setdefault(one.kind, []).append(one.id)
        yield Memory(kind=one.kind, agent=agent, subject=one.id, text=one.text, sources=one.sources)
    revoking = Revoking(
        store,
        revoker.clock,
        lambda prefix, before: revoker.chance.new_id(prefix, agent, "revoke", before),
        agent=agent,
        source=source,
        rules=revoker.rules,
    )
    for derived in revoking.revoke(taken):
        yield Memory(
            kind=derived.kind,
            agent=agent,
            subject=derived.id,
            text=derived.text,
            sources=derived.sources,
            change=derived.change,
        )


def _means(source: str, said: Iterable[str]) -> bool:
    """Tell whether what is revoked means, or may mean, one of the sources of a memory."""
    return any(one == MORE or covers(source, one) for one in said)


def _memories(store: Store, agent: str) -> Iterator[Memory]:
    """Yield all that an agent remembers."""
    for note in notes.list_(store, agent=agent):
        yield _memory("note", agent, note.key, note.value, note.sources)
    for goal in goals.list_(store, agent=agent):
        yield _memory("goal", agent, goal.id, goal.text, goal.sources)
    for plan in plans.list_(store, agent=agent):
        yield _memory("plan", agent, plan.id, plan.text, plan.sources)


def _memory(
    kind: MemoryKind, agent: str, subject: str, text: str, sources: tuple[str, ...]
) -> Memory:
    return Memory(
        kind=kind, agent=agent, subject=subject, text=text, sources=sources, change="forgotten"
    )


_FORGET: dict[str, Callable[[Store, Memory], object]] = {
    "note": lambda store, one: notes.delete(store, agent=one.agent, key=one.subject),
    "goal": lambda store, one: goals.remove(store, agent=one.agent, goal=one.subject),
    "plan": lambda store, one: plans.remove(store, plan=one.subject, agent=one.agent),
}


class Reader(NamedTuple):
    """Who has read what is cleared, and when."""

    person: str
    clock: Clock


def trust_events(store: Store, reader: Reader, *, ids: tuple[str, ...]) -> list[Clearance]:
    """Vouch for events, all or none; what they say no longer taints the cycle that takes them.

    Raises:
        NothingToDoError: one of them is trusted already.
        UsageError: there is no such event.
    """
    theirs = {inbox.show(store, id=one).agent for one in ids}
    with store.write(*theirs):
        read = [inbox.trust(store, id=one) for one in ids]
        return [_record(store, reader, one.agent, "event", one.id, one.origins()) for one in read]


def trust_cycles(
    store: Store, reader: Reader, *, agent: str, numbers: tuple[int, ...]
) -> list[Clearance]:
    """Vouch for cycles, all or none; a request that shows them is no longer tainted by them.

    Raises:
        NothingToDoError: one of them is trusted already.
        RefusedError: one of them is open, and may take in more than was read.
        UsageError: there is no such agent or cycle.
    """
    with store.write(agent):
        name = agents.show(store, name=agent).name
        return [_trust_cycle(store, reader, name, number) for number in numbers]


def _trust_cycle(store: Store, reader: Reader, agent: str, number: int) -> Clearance:
    """Vouch for one cycle."""
    history.trust(store, agent=agent, cycle=number)
    found = origins.of_cycles(store, agent=agent, first=number, last=number).get(number, ())
    if not found:
        raise NothingToDoError(f"cycle {number} of {agent} is trusted already.")
    return _record(store, reader, agent, "cycle", str(number), found)


_TRUST: dict[MemoryKind, Callable[[Store, str, str], Kept]] = {
    "note": lambda store, agent, key: notes.trust(store, agent=agent, key=key),
    "goal": lambda store, agent, goal: goals.trust(store, agent=agent, goal=goal),
    "plan": lambda store, agent, plan: plans.trust(store, agent=agent, plan=plan),
}


def trust_memories(
    store: Store, reader: Reader, *, kind: MemoryKind, agent: str, subjects: tuple[str, ...]
) -> list[Clearance]:
    """Vouch for notes, goals or plans, all or none; they are shown as the agent's own from then on.

    Raises:
        NothingToDoError: one of them is trusted already.
        UsageError: there is no such agent or memory.
    """
    with store.write(agent):
        read = [(subject, _TRUST[kind](store, agent, subject)) for subject in subjects]
        return [_record(store, reader, agent, kind, of, kept.sources) for of, kept in read]


def clearances(store: Store, *, agent: str) -> list[Clearance]:
    """Return all that the operator has vouched for of an agent, oldest first."""
    with store.read() as rows:
        return tables.clearances(rows, agent=agent)


def _record(
    store: Store,
    reader: Reader,
    agent: str,
    kind: ClearedKind,
    subject: str,
    sources: tuple[str, ...],
) -> Clearance:
    """Remember what was cleared, by whom and when."""
    made = Clearance(
        agent=agent,
        kind=kind,
        subject=subject,
        sources=sources,
        person=reader.person,
        at=reader.clock.now(),
    )
    with store.write(agent) as rows:
        tables.add_clearance(rows, made)
    return made
