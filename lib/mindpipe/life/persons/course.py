"""All that is kept of a person's life, as a store or lines have it."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.records import to_json
from mindpipe.history.records import BrokenRow
from mindpipe.person.calendar import DAY_US
from mindpipe.person.lines import NO_ID
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import (
    COMPOSED,
    NO_VOICE,
    Failure,
    LivedTick,
    PersonMemory,
    Thought,
    VoiceReply,
)


class PersonVersion(NamedTuple):
    """Who a person was from a tick on."""

    tick: int
    person: Person


class PersonCourse(NamedTuple):
    """A life, each kind oldest first; who and how the person is now, and after which tick.

    `ticks` are those of which it is kept how they were lived; memories that others stand for are
    not there any more. Those `of_lines` may be without a whole kind, e.g. without memories.
    """

    person: Person
    state: PersonState
    tick: int
    versions: Sequence[PersonVersion]
    states: Sequence[PersonState]
    events: Sequence[PersonEvent]
    thoughts: Sequence[Thought]
    memories: Sequence[PersonMemory]
    failures: Sequence[Failure]
    ticks: Sequence[LivedTick]
    of_lines: bool = False

    @property
    def id(self) -> str:
        """Return who it is."""
        return self.person.person

    def begin(self) -> "CourseBegin | None":
        """Return from where it can be lived again, or None where no tick of it is known."""
        if not self.ticks:
            return None
        first = self.ticks[0]
        states = [one for one in self.states if one.t_us < first.t_us]
        known = [one.person for one in self.versions if one.tick < first.tick]
        return CourseBegin(known[-1], states[-1], first.tick - 1) if states and known else None


class CourseBegin(NamedTuple):
    """Who and how a person is where what is known of it begins, after which tick."""

    person: Person
    state: PersonState
    tick: int


def course_of_lines(records: Iterable[object]) -> list[PersonCourse]:
    """Return the lives that lines tell of, as `mind simulate run` prints them.

    A tick lasts from one state to the next, since any split of a span gives the same life; what
    has not happened by the last state is left out, and so are lives without a state or a person.
    """
    found: dict[str, _LineCourse] = {}
    for record in records:
        person = getattr(record, "person", None)
        if isinstance(person, str):
            found.setdefault(person, _LineCourse()).add(record)
    return [one.course() for one in found.values() if one.states and one.versions]


class _Late(NamedTuple):
    """What came behind the state of its instant: events by their ids, calls by that instant.

    A run ended there, and the next one lived it.
    """

    events: set[str]
    calls: set[int]


class _Stretch(NamedTuple):
    """The time from one state to the next."""

    since_us: int
    until_us: int
    is_first: bool

    def holds(self, t_us: int, *, late: bool) -> bool:
        """Tell whether something was lived in it, `late` where a state was told before it."""
        if t_us == self.since_us:
            # What happens at the first instant of all was not lived by then.
            return late or self.is_first
        return self.since_us < t_us < self.until_us or (t_us == self.until_us and not late)


class _LineCourse:
    """The lines of one person, as they come."""

    def __init__(self) -> None:
        self.versions: list[PersonVersion] = []
        self.states: dict[int, PersonState] = {}
        self.events: dict[str, PersonEvent] = {}
        self.thoughts: dict[str, Thought] = {}
        self.memories: dict[str, PersonMemory] = {}
        self.failures: list[Failure] = []
        self._late = _Late(set(), set())
        self._told_us: int | None = None
        self._numbers: Counter[int] = Counter()

    def add(self, record: object) -> None:
        """Take a line; others than those of a life are passed over."""
        match record:
            case Person():
                if not self.versions or self.versions[-1].person != record:
                    self.versions.append(PersonVersion(len(self.states), record))
            case PersonState():
                self.states[record.t_us] = record
                self._told_us = record.t_us
            case PersonEvent():
                named = self._named(record)
                if named.id not in self.events and record.t_us == self._told_us:
                    self._late.events.add(named.id)
                self.events.setdefault(named.id, named)
            case Thought():
                self._call(record)
                self.thoughts.setdefault(record.id, record)
            case PersonMemory():
                self.memories.setdefault(record.id, record)
            case Failure():
                self._call(record)
                self.failures.append(record)
            case _:
                pass

    def _call(self, record: Thought | Failure) -> None:
        """Note down whether the state of this instant was told right before a call of a voice."""
        if record.t_us == self._told_us:
            self._late.calls.add(record.t_us)

    def _named(self, event: PersonEvent) -> PersonEvent:
        """Return an event with the id that a run would give it."""
        if event.id != NO_ID:
            return event
        number = self._numbers[event.t_us]
        self._numbers[event.t_us] += 1
        return msgspec.structs.replace(event, id=f"ev:{event.person}:{event.t_us}:{number}")

    def course(self) -> PersonCourse:
        """Return the life."""
        states = sorted(self.states.values(), key=_instant)
        last = states[-1].t_us
        # Lines may come in another order, and what was called has been lived.
        self._late.calls.discard(last)
        events = [one for one in self.events.values() if one.t_us <= last]
        events.sort(key=_instant)
        thoughts = sorted(self.thoughts.values(), key=_instant)
        first = self.versions[0].person
        versions = [PersonVersion(0, first)]
        versions += [one._replace(tick=max(one.tick, 1)) for one in self.versions[1:]]
        return PersonCourse(
            person=self.versions[-1].person,
            state=states[-1],
            tick=len(states) - 1,
            versions=versions,
            states=states,
            events=events,
            thoughts=thoughts,
            memories=sorted(self.memories.values(), key=_instant),
            failures=self.failures,
            ticks=_ticks(states, events, thoughts, self.failures, self._late),
            of_lines=True,
        )


def _all_failures(
    failures: Sequence[Failure], thoughts: Sequence[Thought], voice: str
) -> Iterator[Failure]:
    """Yield the failures of a voice with those that were not told, since one of the day was.

    The composed voice spoke for them; where it was not asked for one, nothing comes of that.
    """
    yield from failures
    told = {one.t_us for one in failures}
    first = {one.t_us // DAY_US: one for one in reversed(failures)}
    for thought in thoughts:
        failure = first.get(thought.t_us // DAY_US)
        untold = thought.composed and voice != COMPOSED and thought.t_us not in told
        if failure is not None and untold and failure.t_us < thought.t_us:
            yield msgspec.structs.replace(failure, t_us=thought.t_us)


def _ticks(
    states: Sequence[PersonState],
    events: Sequence[PersonEvent],
    thoughts: Sequence[Thought],
    failures: Sequence[Failure],
    late: _Late,
) -> list[LivedTick]:
    """Return how each stretch between two states was lived, as far as lines tell."""
    found: list[LivedTick] = []
    # One that failed at every call has made no thought.
    called = [(one.t_us, one.model) for one in thoughts if not one.composed and one.model]
    called += [(one.t_us, one.model) for one in failures]
    called.sort()
    voice = called[0][1] if called else ""
    # The composed voice may have had nothing to say, and was there all the same.
    mind = states[-1].mind
    spoke = thoughts or mind.calls or mind.last_spontaneous_us is not None
    voice = voice or (COMPOSED if spoke else NO_VOICE if mind.salience.ready else "")
    for number in range(1, len(states)):
        since, until = states[number - 1].t_us, states[number].t_us

        stretch = _Stretch(since, until, is_first=number == 1)
        lived = {at_us for at_us, _ in called if stretch.holds(at_us, late=at_us in late.calls)}
        # Who lives on with another model has that from there on.
        voice = next((model for at_us, model in called if at_us in lived), voice)
        replies = [
            VoiceReply(t_us=one.t_us, words=one.content, model=one.model)
            for one in thoughts
            if one.t_us in lived and not one.composed
        ]
        replies += [
            VoiceReply(t_us=one.t_us, words=one.message, error_class=one.error_class)
            for one in _all_failures(failures, thoughts, voice)
            if stretch.holds(one.t_us, late=one.t_us in late.calls)
        ]
        found.append(
            LivedTick(
                person=states[number].person,
                tick=number,
                t_us=until,
                voice=voice,
                events=tuple(
                    one.id for one in events if stretch.holds(one.t_us, late=one.id in late.events)
                ),
                replies=tuple(sorted(replies, key=_instant)),
                kept=True,
            )
        )
    return found


def faults_of_course(lived: PersonCourse) -> Iterator[BrokenRow]:
    """Yield what of a life refers to what is not there, is missing, or stands behind later rows."""
    thoughts = {one.id for one in lived.thoughts}
    for memory in lived.memories:
        if not memory.gist and memory.thought not in thoughts:
            what = f"there is no thought {memory.thought}"
            yield _fault(lived, "person_memory", memory.t_us, what)
    yield from _faults_of_ticks(lived)
    if lived.versions and to_json(lived.versions[-1].person) != to_json(lived.person):
        what = "the last one is not who it is now"
        yield _fault(lived, "person_version", lived.versions[-1].tick, what)


def _faults_of_ticks(lived: PersonCourse) -> Iterator[BrokenRow]:
    events, states = {one.id for one in lived.events}, {one.t_us for one in lived.states}
    for before, tick in itertools.pairwise((None, *lived.ticks)):
        assert tick is not None
        if before is not None and (tick.tick, tick.t_us) <= (before.tick, before.t_us):
            what = f"tick {tick.tick} stands behind tick {before.tick}"
            yield _fault(lived, "person_tick", tick.tick, what)
        if before is not None and tick.tick > before.tick + 1:
            yield _fault(lived, "person_tick", tick.tick, f"there is no tick {before.tick + 1}")
        for event in tick.events:
            if event not in events:
                yield _fault(lived, "person_tick", tick.tick, f"there is no event {event}")
        if tick.kept and tick.t_us not in states:
            what = f"there is no state after tick {tick.tick}"
            yield _fault(lived, "person_state", tick.t_us, what)
    for last in lived.ticks[-1:]:
        if (last.tick, last.t_us) != (lived.tick, lived.state.t_us):
            yield _fault(lived, "person", lived.tick, f"its last tick is {last.tick}")


def _fault(lived: PersonCourse, table: str, number: int, what: str) -> BrokenRow:
    return BrokenRow(agent=lived.id, table=table, number=number, what=what)


def _instant(record: PersonState | PersonEvent | Thought | PersonMemory | VoiceReply) -> int:
    return record.t_us
