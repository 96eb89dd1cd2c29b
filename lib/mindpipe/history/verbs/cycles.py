"""Open, adopt and close acts of thinking; list them with what they took."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import IllegalStateError
from mindpipe.core.messages import Role
from mindpipe.core.ports import Clock, Rows, Store
from mindpipe.core.sources import HISTORY, import_source
from mindpipe.history import tables
from mindpipe.history.records import (
    Cycle,
    CycleEnd,
    CycleOutcome,
    CycleSource,
    CycleState,
    CycleTokens,
)

PAGE = 500


def open_cycle(
    store: Store, clock: Clock, *, agent: str, trigger: str, events: tuple[str, ...], model: str
) -> int:
    """Open an agent's next cycle and return its number.

    Raises:
        IllegalStateError: another cycle of this agent is open.
    """
    with store.write(agent) as rows:
        already = tables.open_cycle(rows, agent=agent)
        if already is not None:
            raise IllegalStateError(f"cycle {already.cycle} of {agent} is still open")
        cycle = Cycle(
            agent=agent,
            cycle=tables.next_cycle(rows, agent=agent),
            state=CycleState.OPEN,
            outcome=None,
            trigger=trigger,
            events=events,
            model=model,
            input_tokens=0,
            output_tokens=0,
            cost_micros=0,
            milliseconds=0,
            opened=clock.now(),
            closed=None,
            epoch=0,
        )
        tables.insert_cycle(rows, cycle)
    return cycle.cycle


def open_one(store: Store, *, agent: str) -> Cycle | None:
    """Return an agent's open cycle, or None."""
    with store.read() as rows:
        return tables.open_cycle(rows, agent=agent)


def update_cycle(
    store: Store,
    *,
    agent: str,
    cycle: int,
    epoch: int | None = None,
    events: tuple[str, ...] | None = None,
    model: str | None = None,
) -> None:
    """Adopt an open cycle under a lease's epoch, or note its events or model; None changes nothing.

    Raises:
        IllegalStateError: there is no such cycle, or it is not open.
    """
    with store.write(agent) as rows:
        found = _present(rows, agent, cycle)
        found.state.to(CycleState.OPEN)
        tables.update_cycle(
            rows,
            msgspec.structs.replace(
                found,
                epoch=found.epoch if epoch is None else epoch,
                events=found.events if events is None else events,
                model=found.model if model is None else model,
            ),
        )


def close_cycle(store: Store, clock: Clock, *, agent: str, cycle: int, end: CycleEnd) -> None:
    """Close or fail an open cycle; what it appended has to end as a closed cycle must (H6).

    Raises:
        IllegalStateError: it is not open, its messages do not end with an assistant message
            without calls, or it is `done` and has none.
    """
    with store.write(agent) as rows:
        found = _present(rows, agent, cycle)
        last = tables.log_head(rows, agent=agent)
        if last.cycle == cycle and last.role is not Role.ASSISTANT:
            raise IllegalStateError(
                f"H6: cycle {cycle} of {agent} ends with a {last.role} message; append its closing"
            )
        if last.cycle != cycle and end.outcome is CycleOutcome.DONE:
            raise IllegalStateError(f"cycle {cycle} of {agent} is done and left no message")
        tables.update_cycle(
            rows,
            msgspec.structs.replace(
                found,
                state=found.state.to(end.outcome.state),
                closed=clock.now(),
                **msgspec.structs.asdict(end),
            ),
        )


def _present(rows: Rows, agent: str, cycle: int) -> Cycle:
    """Return one cycle; raises IllegalStateError where it is missing."""
    found = tables.find_cycle(rows, agent=agent, cycle=cycle)
    if found is None:
        raise IllegalStateError(f"{agent} has no cycle {cycle}")
    return found


def cycles(store: Store, *, agent: str, after: int = 0) -> Iterator[Cycle]:
    """Yield an agent's cycles numbered over `after`, oldest first, read in pages."""
    while True:
        with store.read() as rows:
            found = tables.cycle_page(rows, agent=agent, after=after, limit=PAGE)
        yield from found
        if len(found) < PAGE:
            return
        after = found[-1].cycle


def from_message(store: Store, *, agent: str, message: str | None) -> Iterator[Cycle]:
    """Yield the cycle of a message and all after it, oldest first; all where it is in none."""
    with store.read() as rows:
        said = None if message is None else tables.cycle_of(rows, agent=agent, message=message)
    yield from cycles(store, agent=agent, after=(said or 1) - 1)


def tainted(store: Store, *, agent: str, first: int, last: int) -> list[CycleSource]:
    """Return the cycles of a range with tainted lines, as they were imported, or of `history`."""
    with store.read() as rows:
        found = tables.tainted_cycles(rows, agent=agent, first=first, last=last)
    return [
        CycleSource(cycle=one.cycle, source=import_source(one.source) if one.source else HISTORY)
        for one in found
    ]


def find(store: Store, *, agent: str, cycle: int) -> Cycle | None:
    """Return one cycle, or None."""
    with store.read() as rows:
        return tables.find_cycle(rows, agent=agent, cycle=cycle)


def cycles_tokens(store: Store, *, agent: str, since_cycle: int) -> list[CycleTokens]:
    """Return the stored tokens of each cycle from `since_cycle` on that has messages."""
    with store.read() as rows:
        return tables.cycles_tokens(rows, agent=agent, since=since_cycle)


def last_closed(store: Store, *, agent: str) -> int:
    """Return the number of the last cycle that is no longer open (0: there is none)."""
    with store.read() as rows:
        still = tables.open_cycle(rows, agent=agent)
        return (still.cycle if still else tables.next_cycle(rows, agent=agent)) - 1


def triggers(store: Store, *, agent: str, first: int, last: int) -> dict[int, str]:
    """Return what began each cycle of a range."""
    with store.read() as rows:
        limit = max(0, last - first + 1)
        found = tables.cycle_page(rows, agent=agent, after=first - 1, limit=limit)
    return {one.cycle: one.trigger for one in found if one.cycle <= last}
