"""Let persons live for a while, some at a time, think if they may, and tell what came of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from mindpipe.core.records import to_json
from mindpipe.person.body.bank import Bank
from mindpipe.person.life.population import Happening, Population
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import PersonMemory, Thought

if TYPE_CHECKING:
    # Who only lives, and does not think, does without all that thinking needs.
    from mindpipe.person.life.attention import Attention
    from mindpipe.person.mind.gates import ThoughtEngine
    from mindpipe.person.mind.memory import Recollection
    from mindpipe.person.mind.moment import Thinker
    from mindpipe.person.records.thought import VoiceRequest
    from mindpipe.person.voice.speech import Speakers, Words

AT_ONCE = 4096
"""How many persons live side by side: more would only take more memory."""
Past = Mapping[str, Sequence[Thought | PersonMemory]]
"""Thoughts and memories by the id of their person, oldest first."""


class PersonLines(NamedTuple):
    """Some persons as lines, person by person: who they are, their states, events and past."""

    persons: Sequence[bytes]
    states: Sequence[bytes]
    events: Mapping[str, Sequence[PersonEvent]]
    past: Past


class LifeSpan(NamedTuple):
    """How far persons live: to an instant, or for a span; and whether states are read."""

    to_us: int | None
    dt_us: int
    read: bool


class LivedLines(NamedTuple):
    """What became of a person: what happened, its state, and the events still to come."""

    happened: list[bytes]
    state: bytes
    waiting: list[PersonEvent]


class WordFinder(Protocol):
    """Finds words for persons, each with its own thinker."""

    def thinker(self, person: Person) -> "Thinker":
        """Return with what a person thinks."""
        ...

    def speak(self, asked: "Sequence[VoiceRequest]") -> "list[Words]":
        """Return the words, or the failure, for each of several persons, in their order."""
        ...


class Lives:
    """Persons who live on together, aware and thinking where there is somebody who speaks."""

    def __init__(
        self,
        persons: Sequence[Person],
        states: Sequence[PersonState],
        past: Past,
        speaking: "WordFinder | None",
    ) -> None:
        self._past = past
        self._speaking = speaking
        self._attentions: list[Attention] = []
        self._engines: list[ThoughtEngine] = []
        attending = self._attend if speaking else None
        self._population = Population(persons, states, attending)

    def live(
        self, until_us: int, events: Mapping[str, Sequence[PersonEvent]] | None = None
    ) -> list[Happening]:
        """Live until an instant, itself included; return what came of it in the order of time."""
        return self._population.advance(until_us, events)

    def states(self, *, read: bool) -> list[PersonState]:
        """Return the states of all, in their order, with readouts where they are wanted."""
        return self._population.states(read=read)

    def persons(self) -> list[Person]:
        """Return who all are by now, in their order."""
        return self._population.persons

    def banks(self) -> list[Bank]:
        """Return the banks that they are in, each at one instant."""
        return self._population.banks()

    def waiting(self) -> list[PersonEvent]:
        """Return the events that are still to come."""
        return self._population.waiting()

    def notes(self) -> list[str]:
        """Return the warnings since they were last asked for."""
        found = [note for one in self._attentions for note in one.notes]
        for one in self._attentions:
            one.notes.clear()
        return found

    def gists(self) -> list[PersonMemory]:
        """Return the memories that stand for forgotten ones, since they were last asked for."""
        found = [memory for one in self._attentions for memory in one.gists]
        for one in self._attentions:
            one.gists.clear()
        return found

    def forgotten(self) -> list[str]:
        """Return the ids of memories that others stand for, since they were last asked for."""
        found = [memory for one in self._attentions for memory in one.forgotten]
        for one in self._attentions:
            one.forgotten.clear()
        return found

    def refused(self) -> bool:
        """Tell whether somebody made all calls of a run and wanted one more."""
        return any(engine.refused for engine in self._engines)

    def close(self) -> None:
        """Need nothing any more."""

    def _attend(self, bank: Bank) -> "Attention":
        """Return what the persons of a bank are aware with."""
        from mindpipe.person.life.attention import Attention
        from mindpipe.person.mind.gates import ThoughtEngine
        from mindpipe.person.mind.lived import LivedEngine

        speaking = self._speaking
        assert speaking is not None
        engines: list[ThoughtEngine | None] = []
        for person in bank.persons:
            thinker = speaking.thinker(person)
            past = self._past.get(person.person, ())
            spoken = thinker.voice is not None
            kind = LivedEngine if person.settings.pacing == "lived" else ThoughtEngine
            engines.append(kind(person, thinker, recollection_of(past)) if spoken else None)
        self._engines += [engine for engine in engines if engine is not None]
        found = Attention(bank, engines, speaking.speak)
        self._attentions.append(found)
        return found


class Ticked(NamedTuple):
    """What became of some persons, in their order, with warnings.

    `refused` says that somebody made all calls of a run and wanted one more.
    """

    lived: list[LivedLines]
    notes: list[str]
    refused: bool


def tick(some: PersonLines, span: LifeSpan, speaking: "Speakers | None" = None) -> Ticked:
    """Let some persons live, and return what became of them."""
    persons = [msgspec.json.decode(line, type=Person) for line in some.persons]
    states = [msgspec.json.decode(line, type=PersonState) for line in some.states]
    together: dict[int, list[int]] = {}
    for index, state in enumerate(states):
        until_us = state.t_us + span.dt_us if span.to_us is None else span.to_us
        together.setdefault(until_us, []).append(index)
    found: dict[int, LivedLines] = {}
    notes: list[str] = []
    refused = False
    for until_us, members in together.items():
        who = [persons[index] for index in members]
        lives = Lives(who, [states[index] for index in members], some.past, speaking)
        known = {person.person for person in who}
        events = {one: given for one, given in some.events.items() if one in known}
        happenings = lives.live(until_us, events)
        after = _by_person(happenings, lives, read=span.read)
        found |= dict(zip(members, after, strict=True))
        notes += lives.notes()
        refused = refused or lives.refused()
    return Ticked([found[index] for index in range(len(persons))], notes, refused)


def _by_person(
    happenings: Sequence[Happening], lives: Lives, *, read: bool
) -> Iterator[LivedLines]:
    """Yield what happened and what is still to come, person by person."""
    happened: defaultdict[str, list[bytes]] = defaultdict(list)
    waiting: defaultdict[str, list[PersonEvent]] = defaultdict(list)
    for happening in happenings:
        happened[happening.person].append(to_json(happening))
    for event in lives.waiting():
        waiting[event.person].append(event)
    for state in lives.states(read=read):
        yield LivedLines(happened[state.person], to_json(state), waiting[state.person])


def recollection_of(past: Sequence[Thought | PersonMemory]) -> "Recollection":
    """Return what a person can look back on."""
    from mindpipe.person.mind.memory import Recollection

    ordered = sorted(past, key=lambda one: one.t_us)
    return Recollection(
        thoughts=(one for one in ordered if isinstance(one, Thought)),
        memories=(one for one in ordered if isinstance(one, PersonMemory)),
    )
