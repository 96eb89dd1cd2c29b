"""Let persons from lines live for a while, some at a time, and give back lines."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.records import to_json
from mindpipe.person.life.advance import Population
from mindpipe.person.life.group import Happening
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Memory, Thought

AT_ONCE = 4096
"""How many persons live side by side: more would only take more memory."""


class Some(NamedTuple):
    """Some persons as lines, person by person: who they are, their states, events and past."""

    persons: Sequence[bytes]
    states: Sequence[bytes]
    events: Mapping[str, Sequence[Event]]
    past: Mapping[str, Sequence[Thought | Memory]]


class Span(NamedTuple):
    """How far persons live: to an instant, or for a span; and whether states are read."""

    to_us: int | None
    dt_us: int
    read: bool


class Lived(NamedTuple):
    """What became of a person: what happened, its state, and the events still to come."""

    happened: list[bytes]
    state: bytes
    waiting: list[Event]


def tick(some: Some, span: Span) -> list[Lived]:
    """Let some persons live, and return what became of each, in their order."""
    persons = [msgspec.json.decode(line, type=Person) for line in some.persons]
    states = [msgspec.json.decode(line, type=State) for line in some.states]
    together: dict[int, list[int]] = {}
    for index, state in enumerate(states):
        until_us = state.t_us + span.dt_us if span.to_us is None else span.to_us
        together.setdefault(until_us, []).append(index)
    found: dict[int, Lived] = {}
    for until_us, members in together.items():
        who = [persons[index] for index in members]
        population = Population(who, [states[index] for index in members])
        events = {one.person: some.events[one.person] for one in who if one.person in some.events}
        happenings = population.advance(until_us, events)
        after = population.states(read=span.read)
        for index, lived in zip(members, _sorted(who, happenings, population, after), strict=True):
            found[index] = lived
    return [found[index] for index in range(len(persons))]


def _sorted(
    persons: Sequence[Person],
    happenings: Sequence[Happening],
    population: Population,
    states: Sequence[State],
) -> list[Lived]:
    """Return what happened and what is to come by person."""
    happened: dict[str, list[bytes]] = {person.person: [] for person in persons}
    waiting: dict[str, list[Event]] = {person.person: [] for person in persons}
    for happening in happenings:
        happened[happening.person].append(to_json(happening))
    for event in population.waiting():
        waiting[event.person].append(event)
    return [
        Lived(happened[state.person], to_json(state), waiting[state.person]) for state in states
    ]
