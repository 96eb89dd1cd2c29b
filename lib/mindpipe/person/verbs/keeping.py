"""Keep persons in a store: add one, load it, and add all that a tick made of it."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import FencedError, RefusedError, UsageError
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Store
from mindpipe.core.records import to_json
from mindpipe.person import tables
from mindpipe.person.records.event import Event
from mindpipe.person.records.kept import Kept, Lived, Row, RowKind, Tick
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Failure, Memory, Thought

REMEMBERED_US = 7 * 86_400_000_000
"""How far back thoughts are loaded: patterns of a week are the longest that anything looks for."""


def add(store: Store, *, person: Person, state: State) -> Lived:
    """Keep a new person with its first state.

    Raises:
        RefusedError: there is one of this id.
    """
    with store.write() as rows:
        if tables.find_person(rows, person.person) is not None:
            raise RefusedError(f"there is a person {person.person} already.")
        lived = Lived(person=person, state=state, tick=0)
        tables.insert_person(rows, _kept(lived))
        tables.insert_rows(rows, [_row(person, 0), _row(state, 0)])
    return lived


def ids(store: Store) -> list[str]:
    """Return the ids of all persons in order."""
    with store.read() as rows:
        return tables.ids(rows)


def require_none(store: Store, *, agent: str) -> None:
    """Raise RefusedError where an agent is a person, in whose place no worker thinks."""
    with store.read() as rows:
        if tables.find_person(rows, agent) is not None:
            words = f"lives by mind simulate run --person {agent}"
            raise RefusedError(f"{agent} is a simulated person and {words}.")


def load(store: Store, *, person: str) -> Lived:
    """Return a person with its memories, its thoughts of a week and its most recent ones.

    Raises:
        UsageError: there is none of this id; names the nearest.
    """
    with store.read() as rows:
        kept = tables.find_person(rows, person)
        if kept is None:
            near = did_you_mean(person, tables.ids(rows))
            raise UsageError(f'no person "{person}"; {near}mind simulate new --store makes one.')
        state = msgspec.json.decode(kept.state, type=State)
        since = kept.t_us - REMEMBERED_US
        bodies = tables.thoughts_since(rows, person, since=since)
        found = [msgspec.json.decode(body, type=Thought) for body in bodies]
        known = {thought.id for thought in found}
        older = tables.thoughts_by_id(rows, [id for id in state.mind.recent if id not in known])
        return Lived(
            person=msgspec.json.decode(kept.body, type=Person),
            state=state,
            tick=kept.tick,
            thoughts=(*(msgspec.json.decode(body, type=Thought) for body in older), *found),
            memories=tuple(
                msgspec.json.decode(body, type=Memory) for body in tables.memories(rows, person)
            ),
        )


def had(store: Store, *, person: str) -> frozenset[str]:
    """Return the ids of the events that a person had."""
    with store.read() as rows:
        return frozenset(tables.event_ids(rows, person))


def keep(store: Store, *, before: Lived, tick: Tick) -> Lived:
    """Keep what a tick made of a person, in one transaction, and return the person as it is then.

    Raises:
        FencedError: another tick of the person was kept since `before` was loaded.
    """
    after = Lived(person=tick.person, state=tick.state, tick=before.tick + 1)
    with store.write() as rows:
        if not tables.put_person(rows, _kept(after)):
            raise FencedError(
                f"{after.person.person} went on from tick {before.tick} elsewhere; run again."
            )
        tables.insert_rows(rows, _rows(tick, after.tick))
        tables.delete_memories(rows, tick.forgotten)
    return after


def states(store: Store, *, person: str) -> list[State]:
    """Return the states that were kept of a person, oldest first."""
    with store.read() as rows:
        return [msgspec.json.decode(body, type=State) for body in tables.states(rows, person)]


def _rows(tick: Tick, number: int) -> Iterator[Row]:
    """Yield what a tick adds."""
    for event in tick.events:
        yield _row(event, number)
    for happening in tick.happenings:
        yield _row(happening, number)
    if tick.states:
        yield _row(tick.state, number)


def _row(record: Person | State | Event | Thought | Memory | Failure, number: int) -> Row:
    """Return a record as it rests."""
    return Row(
        kind=_KINDS[type(record)],
        person=record.person,
        t_us=record.t_us,
        body=to_json(record).decode(),
        id=getattr(record, "id", ""),
        number=number,
    )


_KINDS: dict[type, RowKind] = {
    Person: "person",
    State: "state",
    Event: "event",
    Thought: "thought",
    Memory: "memory",
    Failure: "failure",
}


def _kept(lived: Lived) -> Kept:
    """Return the row of a person."""
    return Kept(
        person=lived.person.person,
        tick=lived.tick,
        t_us=lived.state.t_us,
        body=to_json(lived.person).decode(),
        state=to_json(lived.state).decode(),
    )
