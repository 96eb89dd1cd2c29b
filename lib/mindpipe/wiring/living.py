"""Let persons live for a while, some at a time, think if they may, and tell what came of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.records import to_json
from mindpipe.person.inner.recollection import Recollection
from mindpipe.person.life.advance import Population
from mindpipe.person.life.group import Happening
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Memory, Thought
from mindpipe.wiring.speaking import Speaking

AT_ONCE = 4096
"""How many persons live side by side: more would only take more memory."""
Past = Mapping[str, Sequence[Thought | Memory]]
"""Thoughts and memories by the id of their person, oldest first."""


class Some(NamedTuple):
    """Some persons as lines, person by person: who they are, their states, events and past."""

    persons: Sequence[bytes]
    states: Sequence[bytes]
    events: Mapping[str, Sequence[Event]]
    past: Past


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


class Lives:
    """Persons who live on together, aware and thinking where there is somebody who speaks."""

    def __init__(
        self,
        persons: Sequence[Person],
        states: Sequence[State],
        past: Past,
        speaking: Speaking | None,
    ) -> None:
        self._population = _population(persons, states, past, speaking)

    def live(
        self, until_us: int, events: Mapping[str, Sequence[Event]] | None = None
    ) -> list[Happening]:
        """Live until an instant, itself included; return what came of it in the order of time."""
        return self._population.advance(until_us, events)

    def states(self, *, read: bool) -> list[State]:
        """Return the states of all, in their order, with readouts where they are wanted."""
        return self._population.states(read=read)

    def waiting(self) -> list[Event]:
        """Return the events that are still to come."""
        return self._population.waiting()


def tick(some: Some, span: Span, speaking: Speaking | None = None) -> list[Lived]:
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
        lives = Lives(who, [states[index] for index in members], some.past, speaking)
        known = {person.person for person in who}
        events = {one: given for one, given in some.events.items() if one in known}
        happenings = lives.live(until_us, events)
        after = _by_person(happenings, lives, read=span.read)
        found |= dict(zip(members, after, strict=True))
    return [found[index] for index in range(len(persons))]


def _by_person(happenings: Sequence[Happening], lives: Lives, *, read: bool) -> Iterator[Lived]:
    """Yield what happened and what is still to come, person by person."""
    happened: defaultdict[str, list[bytes]] = defaultdict(list)
    waiting: defaultdict[str, list[Event]] = defaultdict(list)
    for happening in happenings:
        happened[happening.person].append(to_json(happening))
    for event in lives.waiting():
        waiting[event.person].append(event)
    for state in lives.states(read=read):
        yield Lived(happened[state.person], to_json(state), waiting[state.person])


def recollection_of(past: Sequence[Thought | Memory]) -> Recollection:
    """Return what a person can look back on."""
    ordered = sorted(past, key=lambda one: one.t_us)
    return Recollection(
        thoughts=(one for one in ordered if isinstance(one, Thought)),
        memories=(one for one in ordered if isinstance(one, Memory)),
    )


def _population(
    persons: Sequence[Person], states: Sequence[State], past: Past, speaking: Speaking | None
) -> Population:
    """Return persons side by side, who are aware and think where somebody speaks."""
    return Population(persons, states)
