"""The life of a person as a store keeps it: read whole, and put whole into a store."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from mindpipe.core.ports import Rows, Store
from mindpipe.life.persons.course import PersonCourse, PersonVersion
from mindpipe.person import tables
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import (
    Failure,
    LivedTick,
    PersonMemory,
    StoredPerson,
    Thought,
)
from mindpipe.person.verbs import persons

T = TypeVar("T")


def course(store: Store, *, person: str) -> PersonCourse:
    """Return all that a store keeps of a person's life; raises UsageError if there is none."""
    kept = persons.load(store, person=person)
    with store.read() as rows:
        versions = [
            PersonVersion(one.tick, msgspec.json.decode(one.body, type=Person))
            for one in tables.versions(rows, person)
        ]
        thoughts = tables.thoughts_since(rows, person, since=persons.EVER_US)
        return PersonCourse(
            person=kept.person,
            state=kept.state,
            tick=kept.tick,
            versions=versions,
            states=_all(PersonState, tables.states(rows, person)),
            events=_all(PersonEvent, tables.events(rows, person)),
            thoughts=_all(Thought, thoughts),
            memories=_all(PersonMemory, tables.memories(rows, person)),
            failures=_all(Failure, tables.failures(rows, person)),
            ticks=_all(LivedTick, tables.ticks(rows, person)),
        )


def _all(kind: type[T], bodies: Iterable[str]) -> list[T]:
    decoder = msgspec.json.Decoder(kind)
    return [decoder.decode(body) for body in bodies]


def put(rows: Rows, lived: PersonCourse) -> None:
    """Keep a whole life of somebody who is not there."""
    now = StoredPerson(person=lived.person, state=lived.state, tick=lived.tick)
    tables.insert_person(rows, persons.kept_row(now))
    tables.insert_rows(rows, (persons.row_of(one.person, one.tick) for one in lived.versions))
    for some in (lived.states, lived.events, lived.thoughts, lived.memories, lived.failures):
        tables.insert_rows(rows, (persons.row_of(one, 0) for one in some))
    tables.insert_rows(rows, (persons.row_of(one, one.tick) for one in lived.ticks))
