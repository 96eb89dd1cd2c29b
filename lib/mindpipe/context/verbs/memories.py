"""All that is remembered as one memory: whose words it holds, and how these are revoked."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents import verbs as agents
from mindpipe.agents.missing import unknown_goal
from mindpipe.agents.records import Goal, Note
from mindpipe.context.records import Memory, MemoryKind
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.core.sources import MORE, covers
from mindpipe.knowledge.rules import Rules
from mindpipe.knowledge.verbs.revoking import Revoking
from mindpipe.memory.verbs import revoking as memory
from mindpipe.plans import verbs as plans
from mindpipe.plans.records import Plan

Kept = Note | Goal | Plan


def find(store: Store, *, kind: MemoryKind, agent: str, subject: str) -> Kept:
    """Return one memory of an agent; raises UsageError if there is none."""
    if kind == "note":
        return agents.note_get(store, agent=agent, key=subject)
    if kind == "plan":
        return plans.show(store, plan=subject, agent=agent)
    for goal in agents.goal_list(store, agent=agent):
        if goal.id == subject:
            return goal
    raise unknown_goal(subject, agent)


def inherit(store: Store, kept: Kept, *, sources: tuple[str, ...]) -> None:
    """Say whose words a memory was written under, in the place of what was said before."""
    with store.write() as rows:
        if isinstance(kept, Note):
            agent_tables.put_note(rows, msgspec.structs.replace(kept, sources=sources))
        elif isinstance(kept, Goal):
            agent_tables.update_goal(rows, msgspec.structs.replace(kept, sources=sources))
        else:
            plans.inherit(store, plan=kept.id, sources=sources)


class _UndoneError(Exception):
    """Let nothing of a rehearsal stay."""


class Revoker(NamedTuple):
    """What a revocation needs: the time, ids for what is believed anew, and the rules in force."""

    clock: Clock
    chance: Chance
    rules: Rules = Rules()


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
    the memories returned. `source` may end in `*`, leave its sender out, or be somebody who speaks
    in spaces. The log stays as it is; with `dry_run` all else does too, so that it may not be
    called inside a transaction. What has more sources than are kept by name may be of any.

    Raises:
        NothingToDoError: no memory depends on it.
        UsageError: there is no such agent.
    """
    gone: list[Memory] = []
    with contextlib.suppress(_UndoneError), store.write():
        names = [one.name for one in agents.list_(store)]
        names = names if agent is None else [agents.show(store, name=agent).name]
        for name in names:
            written = [one for one in _memories(store, name) if _means(source, one.sources)]
            for one in written:
                _FORGET[one.kind](store, one)
            gone += [*written, *_taken_back(store, revoker, agent=name, source=source)]
        if dry_run:
            raise _UndoneError
    if not gone:
        raise NothingToDoError(f"no memory depends on {source}.")
    return gone


def _taken_back(store: Store, revoker: Revoker, *, agent: str, source: str) -> Iterator[Memory]:
    """Take back what an agent remembers by a source, and settle what stood on it."""
    taken: dict[str, list[str]] = {}
    for one in memory.revoke(store, revoker.clock, agent=agent, source=source):
        taken.setdefault(one.kind, []).append(one.id)
        yield Memory(kind=one.kind, agent=agent, subject=one.id, text=one.text, sources=one.sources)
    revoking = Revoking(
        store,
        revoker.clock,
        revoker.chance,
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
    for note in agents.note_list(store, agent=agent):
        yield _memory("note", agent, note.key, note.value, note.sources)
    for goal in agents.goal_list(store, agent=agent):
        yield _memory("goal", agent, goal.id, goal.text, goal.sources)
    for plan in plans.list_(store, agent=agent):
        yield _memory("plan", agent, plan.id, plan.text, plan.sources)


def _memory(
    kind: MemoryKind, agent: str, subject: str, text: str, sources: tuple[str, ...]
) -> Memory:
    """Return one memory."""
    return Memory(
        kind=kind, agent=agent, subject=subject, text=text, sources=sources, change="forgotten"
    )


_FORGET: dict[str, Callable[[Store, Memory], object]] = {
    "note": lambda store, one: agents.note_delete(store, agent=one.agent, key=one.subject),
    "goal": lambda store, one: agents.goal_remove(store, agent=one.agent, goal=one.subject),
    "plan": lambda store, one: plans.remove(store, plan=one.subject, agent=one.agent),
}
