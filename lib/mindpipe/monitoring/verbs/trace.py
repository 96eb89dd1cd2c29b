"""What agents lived through, for systems that collect traces."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.ports import Rows, Store
from mindpipe.engine.tables import journal
from mindpipe.history import tables as history_tables
from mindpipe.history.records import Cycle, CycleState
from mindpipe.history.verbs import cycles, history, log
from mindpipe.monitoring.spans import EndedCycle, OtlpRequest, request_of
from mindpipe.spending.verbs import cycle_entries

_PAGE = 500
"""For so many cycles tickets are looked up at once: they have no index by cycle."""


class TracedCycle(NamedTuple):
    """The number of a cycle, and its spans as a receiver takes them."""

    number: int
    request: OtlpRequest


def export(
    store: Store, *, agent: str, after: int = 0, content: bool = False, version: str
) -> Iterator[TracedCycle]:
    """Yield the spans of each cycle numbered over `after` that ended, oldest first.

    One cycle is in memory at a time. One that is open has no end yet, is the last, and is left for
    the next export; what later happens to tickets and calls changes nothing in what was exported.

    Raises:
        UsageError: there is no such agent.
    """
    who = agents.show(store, name=agent)
    opened = _Tickets(store, agent=who.name)
    for cycle in cycles.cycles(store, agent=who.name, after=after):
        if cycle.state is CycleState.OPEN:
            return
        with store.read() as rows:
            lived = _lived(store, rows, cycle, entity=who.entity, tickets=opened.of(cycle))
            if content:
                lived = _with_system(store, lived)
        yield TracedCycle(cycle.cycle, request_of(lived, content=content, version=version))


class _Tickets:
    """Which tickets each cycle opened, looked up for many cycles at once."""

    def __init__(self, store: Store, *, agent: str) -> None:
        self._store, self._agent = store, agent
        self._last = 0
        self._found: list[journal.OpenedTicket] = []

    def of(self, cycle: Cycle) -> tuple[str, ...]:
        """Return the ids of those that a cycle opened before it ended."""
        if cycle.cycle > self._last:
            self._last = cycle.cycle + _PAGE - 1
            with self._store.read() as rows:
                self._found = journal.tickets_of_cycles(
                    rows, agent=self._agent, first=cycle.cycle, last=self._last
                )
        ended = cycle.closed or cycle.opened
        return tuple(
            one.id for one in self._found if one.cycle == cycle.cycle and one.created <= ended
        )


def _lived(
    store: Store, rows: Rows, cycle: Cycle, *, entity: str, tickets: tuple[str, ...]
) -> EndedCycle:
    """Return a cycle with all that was kept of it."""
    agent, number = cycle.agent, cycle.cycle
    messages = tuple(history.show(store, agent=agent, cycle=number))
    calls = journal.calls_of_cycle(rows, agent=agent, cycle=number)
    return EndedCycle(
        agent=agent,
        entity=entity,
        cycle=cycle,
        sha256=history_tables.first_link(rows, agent=agent, cycle=number) or "",
        messages=messages,
        turns=tuple(journal.turns_of_cycle(rows, agent=agent, cycle=number)),
        entries=tuple(cycle_entries(store, agent=agent, cycle=number)),
        effects={call.id: call.effect for call in calls},
        times=journal.times_of_calls(rows, agent=agent, cycle=number),
        tickets=tickets,
    )


def _with_system(store: Store, lived: EndedCycle) -> EndedCycle:
    """Return a cycle with what stood before its messages."""
    if not lived.messages:
        return lived
    number = lived.messages[-1].segment
    segment = log.segment(store, agent=lived.agent, number=number)
    return lived if segment is None else msgspec.structs.replace(lived, system=segment.head.system)
