"""Notes, goals and plans as one memory: whose words they hold, and how these are revoked."""

from collections.abc import Callable, Iterator

import msgspec

from mindpipe.agents import tables as agent_tables
from mindpipe.agents import verbs as agents
from mindpipe.agents.missing import unknown_goal
from mindpipe.agents.records import Goal, Note
from mindpipe.context.records import Memory, MemoryKind
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Store
from mindpipe.core.sources import MORE, covers
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


def revoke(
    store: Store, *, source: str, agent: str | None = None, dry_run: bool = False
) -> list[Memory]:
    """Forget every memory that was written under words of a source, and return what they were.

    `source` may end in `*`, leave its sender out, or be somebody who speaks in spaces. The log
    stays as it is; with `dry_run` all else does too. What has more sources than are kept by name
    may be of any.

    Raises:
        NothingToDoError: no memory depends on it.
        UsageError: there is no such agent.
    """
    with store.write():
        names = [one.name for one in agents.list_(store)]
        names = names if agent is None else [agents.show(store, name=agent).name]
        found = [one for name in names for one in _memories(store, name)]
        gone = [one for one in found if any(_means(source, said) for said in one.sources)]
        for one in () if dry_run else gone:
            _FORGET[one.kind](store, one)
    if not gone:
        raise NothingToDoError(f"no memory depends on {source}.")
    return gone


def _means(source: str, said: str) -> bool:
    """Tell whether what is revoked means, or may mean, a source of a memory."""
    return said == MORE or covers(source, said)


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
    return Memory(kind=kind, agent=agent, subject=subject, text=text, sources=sources)


_FORGET: dict[MemoryKind, Callable[[Store, Memory], object]] = {
    "note": lambda store, one: agents.note_delete(store, agent=one.agent, key=one.subject),
    "goal": lambda store, one: agents.goal_remove(store, agent=one.agent, goal=one.subject),
    "plan": lambda store, one: plans.remove(store, plan=one.subject, agent=one.agent),
}
