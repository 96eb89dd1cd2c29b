"""Let the operator vouch for what was read: the only way in which taint goes away."""

from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.context import tables
from mindpipe.context.records import Clearance, ClearedKind, MemoryKind
from mindpipe.context.verbs import memories, origins
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.ports import Clock, Store
from mindpipe.history.records import CycleState
from mindpipe.history.verbs import cycles
from mindpipe.inbox.verbs import queue


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
    with store.write():
        read = [queue.trust(store, id=one) for one in ids]
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
    with store.write():
        name = agents.show(store, name=agent).name
        return [_trust_cycle(store, reader, name, number) for number in numbers]


def _trust_cycle(store: Store, reader: Reader, agent: str, number: int) -> Clearance:
    """Vouch for one cycle."""
    lived = cycles.find(store, agent=agent, cycle=number)
    if lived is None:
        raise UsageError(f"{agent} has no cycle {number}. mind history cycles lists what there is.")
    if lived.state is CycleState.OPEN:
        raise RefusedError(f"cycle {number} of {agent} is still open; read it once it is closed.")
    found = origins.of_cycles(store, agent=agent, first=number, last=number).get(number, ())
    if not found:
        raise NothingToDoError(f"cycle {number} of {agent} is trusted already.")
    return _record(store, reader, agent, "cycle", str(number), found)


def trust_memories(
    store: Store, reader: Reader, *, kind: MemoryKind, agent: str, subjects: tuple[str, ...]
) -> list[Clearance]:
    """Vouch for notes, goals or plans, all or none; they are shown as the agent's own from then on.

    Raises:
        NothingToDoError: one of them is trusted already.
        UsageError: there is no such agent or memory.
    """
    made = []
    with store.write():
        for subject in subjects:
            kept = memories.find(store, kind=kind, agent=agent, subject=subject)
            if not kept.sources:
                raise NothingToDoError(f"the {kind} {subject} of {agent} is trusted already.")
            memories.inherit(store, kept, sources=())
            made.append(_record(store, reader, agent, kind, subject, kept.sources))
    return made


def clearances(store: Store, *, agent: str) -> list[Clearance]:
    """Return all that the operator has vouched for of an agent, oldest first.

    Raises:
        UsageError: there is no such agent.
    """
    name = agents.show(store, name=agent).name
    with store.read() as rows:
        return tables.clearances(rows, agent=name)


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
    with store.write() as rows:
        tables.add_clearance(rows, made)
    return made
