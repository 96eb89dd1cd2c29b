"""Runs of persons, on lines or in a store: all that they live through, told as it comes."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, RefusedError
from mindpipe.core.ports import Clock, Store
from mindpipe.core.records import Record, to_json
from mindpipe.person.calendar import instant_text
from mindpipe.person.life.lives import (
    AT_ONCE,
    LifeSpan,
    LivedLines,
    Lives,
    PersonLines,
    Ticked,
    tick,
)
from mindpipe.person.life.pace import RunPace, RunStop, run_stops
from mindpipe.person.life.people import InputLine, People
from mindpipe.person.lines import LinePlace, kind_of
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import Failure, StoredPerson, Thought

if TYPE_CHECKING:
    # A tick without thoughts does without models, and one on lines without stores.
    from mindpipe.person.life.shared_lives import MakeSpeakers, SharedLives
    from mindpipe.person.verbs.persons import Resident, ResidentStep, TickAhead
    from mindpipe.person.voice.speech import Speakers

STORE = "store"
"""What the place of a record is called that came out of the store."""
NEAR_US = 1_000_000
"""How near to each other the stops of a run in real time are."""
REFUSED = "calls were refused; raise the setting max_calls to allow more."
_FAILURE = b'{"kind":"failure"'


class RunObserver(Protocol):
    """Who looks at persons from behind glass: hears what they think and sees what is told."""

    grid_us: int

    def __bool__(self) -> bool:
        """Tell whether anybody is observed."""
        ...

    def add(
        self,
        person: Person,
        thoughts: Iterable[Thought] = (),
        *,
        last_us: int | None = None,
        states: Iterable[PersonState] = (),
        chart: bytes | None = None,
    ) -> bool:
        """Observe a person, who was last looked at at an instant; return whether that is wanted.

        `thoughts` and `states` are past, in the order of time; `chart` is the line that `charts`
        told of the person.
        """
        ...

    def hear(self, happened: Iterable[object]) -> None:
        """Hear the thoughts among all that happened."""
        ...

    def is_due(self, t_us: int) -> bool:
        """Tell whether a note may be due at an instant, which then is looked at."""
        ...

    def look(self, states: Iterable[PersonState], persons: Iterable[Person]) -> Iterator[Record]:
        """Yield the notes that are due in the present states of persons, in their order."""
        ...

    def charts(self, states: Iterable[PersonState]) -> Iterator[Record]:
        """Yield what is needed to go on with persons from their present states."""
        ...

    def keep(self, notes: Iterable[object]) -> None:
        """Keep notes on persons of a store, in the transaction that is open there."""
        ...


class RunCourse(Record):
    """How far a run goes and how fast, and what is read, told and kept of it.

    States are told every `every_us`; `speed` is simulated seconds a second, as fast as it goes
    with None. At most `parallel` persons of a store live at a time.
    """

    until_us: int
    every_us: int
    speed: float | None = None
    read: bool = True
    parallel: int = 1
    keep_states: bool = False


class VoiceFailures:
    """How many calls of voices failed in a run, which goes on, and why the first one did."""

    def __init__(self) -> None:
        self._count = 0
        self._first = ""

    def hear(self, happened: Iterable[object]) -> None:
        """Count the failures among all that happened, as records or as lines."""
        for one in happened:
            if isinstance(one, bytes) and one.startswith(_FAILURE):
                self._take(msgspec.json.decode(one, type=Failure))
            elif isinstance(one, Failure):
                self._take(one)

    def tell(self, tell: Callable[[str], None]) -> None:
        """Tell how many calls failed, if any did."""
        if self._count:
            calls = "a call of a voice" if self._count == 1 else f"{self._count} calls of voices"
            tell(f"{calls} failed, at first: {self._first}.")

    def _take(self, failure: Failure) -> None:
        self._count += 1
        self._first = self._first or f"{failure.person}: {failure.message.removesuffix('.')}"


class TickOfLines:
    """One tick of everybody on lines, who is written again with all that is still to come."""

    def __init__(
        self,
        people: People,
        span: LifeSpan,
        *,
        speakers: "MakeSpeakers | None",
        jobs: int,
        tell: Callable[[str], None],
    ) -> None:
        self._people = people
        self._span = span
        self._speakers = speakers
        self._jobs = jobs
        self._tell = tell
        self._failures = VoiceFailures()
        self._refused = False

    def lines(self) -> Iterator[bytes]:
        """Yield the lines in their order; behind each state stand events still to come."""
        lives = self._lived()
        for piece in self._people.pieces:
            if isinstance(piece, bytes):
                if piece:
                    yield piece
                continue
            lived = next(lives)
            yield from lived.happened
            yield lived.state
            for event in lived.waiting:
                if event.id not in self._people.passing:
                    yield to_json(event)

    def end(self) -> None:
        """Tell what failed; raise RefusedError where somebody wanted more calls than there are."""
        self._failures.tell(self._tell)
        if self._refused:
            raise RefusedError(REFUSED)

    def _lived(self) -> Iterator[LivedLines]:
        """Yield what became of everybody."""
        for some in self._ticked():
            for note in some.notes:
                self._tell(note)
            self._refused = self._refused or some.refused
            for lived in some.lived:
                self._failures.hear(lived.happened)
                yield lived

    def _ticked(self) -> Iterator[Ticked]:
        """Yield what became of so many persons at a time, here or in other processes."""
        if self._jobs > 1:
            from mindpipe.person.life.shared_lives import shared_ticks

            yield from shared_ticks(self._chunks(), self._span, self._speakers, jobs=self._jobs)
            return
        speaking = self._speakers() if self._speakers else None
        for some in self._chunks():
            yield tick(some, self._span, speaking)

    def _chunks(self) -> Iterator[PersonLines]:
        """Yield everybody, so many at a time; what is given away is let go of."""
        people, order = self._people, self._people.order()
        for start in range(0, len(order), AT_ONCE):
            ids = order[start : start + AT_ONCE]
            yield PersonLines(
                [people.persons[one] for one in ids],
                [people.states.pop(one) for one in ids],
                {one: people.events.pop(one) for one in ids if one in people.events},
                {one: people.past.pop(one) for one in ids if one in people.past},
            )


class RunOfLines:
    """A run of everybody on lines."""

    def __init__(
        self,
        people: People,
        course: RunCourse,
        clock: Clock,
        *,
        speaking: "Speakers",
        shared: "tuple[MakeSpeakers, int] | None",
        observer: RunObserver,
        tell: Callable[[str], None],
    ) -> None:
        """Begin to live, here, or `shared` among so many processes with speakers of their own.

        Raises:
            BadInputError: persons are not at one instant, or one is past the end.
        """
        self._people = people
        self._course = course
        self._clock = clock
        self._observer = observer
        self._tell = tell
        order = people.order()
        persons = [msgspec.json.decode(people.persons[one], type=Person) for one in order]
        states = [msgspec.json.decode(people.states[one], type=PersonState) for one in order]
        self.until_us = course.until_us
        self.start_us = self._start_of_all(states)
        for person in persons:
            speaking.thinker(person)
        self._lives = self._begin(persons, states, speaking, shared)
        self._failures = VoiceFailures()
        passed = _passed(people)
        charts = passed.charts
        for person in persons:
            past = sorted(people.past.get(person.person, ()), key=_instant)
            thoughts = (one for one in past if isinstance(one, Thought))
            lines = [*passed.states.get(person.person, ()), people.states[person.person]]
            # Whoever is not observed has no state decoded for that.
            past_states = (msgspec.json.decode(line, type=PersonState) for line in lines)
            chart = charts.get(person.person)
            looked = passed.looked_us.get(person.person)
            if observer.add(person, thoughts, last_us=looked, states=past_states, chart=chart):
                charts.pop(person.person, None)
        self._unused_charts = list(charts.values())

    def _begin(
        self,
        persons: Sequence[Person],
        states: Sequence[PersonState],
        speaking: "Speakers",
        shared: "tuple[MakeSpeakers, int] | None",
    ) -> "Lives | SharedLives":
        jobs = min(shared[1], len(persons)) if shared else 1
        if shared is None or jobs == 1:
            return Lives(persons, states, self._people.past, speaking)
        from mindpipe.person.life.shared_lives import SharedLives

        return SharedLives(self._people, shared[0], jobs=jobs)

    def _start_of_all(self, states: Sequence[PersonState]) -> int:
        """Return when everybody is; raises BadInputError where that differs or is past the end."""
        start_us = states[0].t_us
        for state in states:
            place = self._people.place(state.person)
            if state.t_us != start_us:
                first = instant_text(start_us)
                words = f"expected {first} as the first has; mind simulate tick --to"
                raise BadInputError([place.problem("$.t_us", words)])
            if state.t_us > self.until_us:
                words = (
                    f"{instant_text(state.t_us)} is later than --until; time does not run backwards"
                )
                raise BadInputError([place.problem("$.t_us", words)])
        return start_us

    def lines(self) -> Iterator[bytes]:
        """Yield lines that pass through, then what happens, in the order of time."""
        yield from (piece for piece in self._people.pieces if isinstance(piece, bytes) and piece)
        if self.start_us == self.until_us:
            yield from self._charts()
        for state in self._lives.states(read=self._course.read):
            yield to_json(state)
        told = sorted(
            (event for events in self._people.events.values() for event in events),
            key=lambda event: event.t_us,
        )
        events: Mapping[str, Sequence[PersonEvent]] | None = self._people.events
        for stop in _stops(self.start_us, self._course, self._clock, self._observer):
            yield from self._step(stop, events, told)
            events = None
        if told:
            self._tell(f"events after the end, which did not happen: {len(told)}")

    def _charts(self) -> Iterator[bytes]:
        """Yield what observers go on from, before the latest states: these stay the last lines."""
        yield from self._unused_charts
        if self._observer:
            yield from map(to_json, self._observer.charts(self._lives.states(read=False)))

    def _step(
        self,
        stop: RunStop,
        events: Mapping[str, Sequence[PersonEvent]] | None,
        told: list[PersonEvent],
    ) -> Iterator[bytes]:
        """Yield what happens until an instant, and the states there where they are told."""
        found: list[Record] = []
        while told and told[0].t_us <= stop.t_us:
            event = told.pop(0)
            if event.id not in self._people.passing:
                found.append(event)
        found += self._lives.live(stop.t_us, events)
        self._failures.hear(found)
        for note in self._lives.notes():
            self._tell(note)
        found.sort(key=_instant)
        yield from map(to_json, found)
        self._observer.hear(found)
        if self._observer.is_due(stop.t_us):
            states, persons = self._lives.states(read=True), self._lives.persons()
            yield from map(to_json, self._observer.look(states, persons))
        if stop.t_us == self.until_us:
            yield from self._charts()
        if stop.told:
            yield from map(to_json, self._lives.states(read=self._course.read))

    def end(self) -> None:
        """Tell what failed; raise RefusedError where somebody wanted more calls than there are."""
        self._failures.tell(self._tell)
        refused = self._lives.refused()
        self._lives.close()
        if refused:
            raise RefusedError(REFUSED)


class RunInStore:
    """Persons of a store who live on: what was pushed to them is heard, every tick is kept."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        stored: Sequence[StoredPerson],
        changed: Sequence[Person],
        people: People,
        speaking: "Speakers | None",
        observer: RunObserver | None,
        tell: Callable[[str], None],
    ) -> None:
        """Take persons as they are stored, as who they are from now on, with events to come."""
        from mindpipe.person.verbs.persons import Resident

        self._clock = clock
        self._tell = tell
        self._first = [to_json(person) for person in changed]
        self._residents = [
            Resident(store, clock, lived=lived, speaking=speaking, changed=person)
            for lived, person in zip(stored, changed, strict=True)
        ]
        for resident in self._residents:
            resident.expect(people.events.get(resident.id, []))
        self._observer = observer
        self._failures = VoiceFailures()
        if observer is not None:
            for lived, person in zip(stored, changed, strict=True):
                observer.add(person, lived.thoughts)
        self.start_us = min(resident.t_us for resident in self._residents)

    def require_ahead(self, until_us: int) -> None:
        """Raise BadInputError where somebody lived past an instant already."""
        words = f"later than {instant_text(until_us)}; time does not run backwards"
        problems = [
            LinePlace(STORE).problem(None, f"{one.id} is at {instant_text(one.t_us)}, {words}")
            for one in self._residents
            if one.t_us > until_us
        ]
        if problems:
            raise BadInputError(problems)

    def lines(self, course: RunCourse) -> Iterator[bytes]:
        """Yield who they are, then what they live through, each tick once it is kept."""
        yield from self._first
        for stop in _stops(self.start_us, course, self._clock, self._observer):
            due = [resident for resident in self._residents if resident.t_us < stop.t_us]
            yield from self._ticks(due, stop, course)

    def tick(self, span: LifeSpan) -> Iterator[bytes]:
        """Yield who they are and what one tick brings each of them."""
        for first, resident in zip(self._first, self._residents, strict=True):
            yield first
            until_us = resident.t_us + span.dt_us if span.to_us is None else span.to_us
            course = RunCourse(until_us=until_us, every_us=span.dt_us, read=span.read)
            yield from self._ticks([resident], RunStop(until_us, told=True), course)

    def end(self) -> None:
        """Tell what failed; raise RefusedError where somebody wanted more calls than there are."""
        self._failures.tell(self._tell)
        if any(resident.refused() for resident in self._residents):
            raise RefusedError(REFUSED)

    def _ticks(
        self, due: "Sequence[Resident]", stop: RunStop, course: RunCourse
    ) -> Iterator[bytes]:
        """Yield what one tick brings each of several persons, once it is kept, in their order.

        Several live at once where that is wished: all that they read of the store is read before,
        and each is kept by itself once those before it are.
        """
        at_once = max(1, min(course.parallel, len(due)))
        for start in range(0, len(due), at_once):
            some = due[start : start + at_once]
            ahead = [resident.ahead(stop.t_us) for resident in some]
            for resident, one, step in zip(some, ahead, _lived(some, ahead), strict=True):
                noted = list(self._noted(step))
                state = step.tick.state
                if not course.read:
                    state = msgspec.structs.replace(state, read=msgspec.UNSET)
                tick = msgspec.structs.replace(
                    step.tick, state=state, states=course.keep_states and stop.told
                )
                resident.keep(one, tick, beside=self._keeps(noted))
                self._failures.hear(step.happenings)
                for note in step.notes:
                    self._tell(note)
                happened = sorted((*step.tick.events, *step.happenings), key=_instant)
                yield from map(to_json, happened)
                yield from map(to_json, noted)
                if stop.told:
                    yield to_json(state)

    def _noted(self, step: "ResidentStep") -> Iterator[Record]:
        """Yield what an observer notes of a person after a tick, before that is kept."""
        if self._observer is None:
            return
        self._observer.hear(step.happenings)
        if self._observer.is_due(step.tick.state.t_us):
            yield from self._observer.look([step.tick.state], [step.tick.person])

    def _keeps(self, noted: Sequence[Record]) -> Callable[[], None] | None:
        """Return what keeps notes beside the tick that they are on."""
        observer = self._observer
        return None if observer is None else lambda: observer.keep(noted)


def stored_persons(store: Store, person: str | None) -> list[StoredPerson]:
    """Return who lives in a store, or one of them.

    Raises:
        NothingToDoError: nobody lives there.
        UsageError: there is no such person.
    """
    from mindpipe.person.verbs import persons

    ids = [person] if person else persons.ids(store)
    if not ids:
        raise NothingToDoError("nobody lives in this store; mind simulate new --store.")
    return [persons.load(store, person=one) for one in ids]


def people_in_store(
    store: Store, stored: Sequence[StoredPerson], *, late_is_now: bool = False
) -> People:
    """Return persons of a store as people, whom events on lines may come to."""
    from mindpipe.person.verbs import persons

    people = People(late_is_now=late_is_now)
    for lived in stored:
        for record in (lived.person, lived.state):
            people.add(InputLine(LinePlace(STORE), to_json(record)))
        one = lived.person.person
        people.had[one] = persons.had(store, person=one)
    return people


def _lived(some: "Sequence[Resident]", ahead: "Sequence[TickAhead]") -> "Iterator[ResidentStep]":
    """Yield what each of some persons lives through, all begun together."""
    from mindpipe.person.verbs.persons import Resident

    if len(some) == 1:
        yield from map(Resident.live, some, ahead)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(some)) as pool:
        yield from pool.map(Resident.live, some, ahead)


def _stops(
    start_us: int, course: RunCourse, clock: Clock, observer: RunObserver | None
) -> Iterator[RunStop]:
    """Yield where a run stops, each stop when it has come: in real time, or for observers."""
    near = observer.grid_us if observer else None
    if course.speed is not None:
        near = NEAR_US
    pace = RunPace(clock, course.speed, start_us=start_us)
    for stop in run_stops(start_us, course.until_us, every_us=course.every_us, within_us=near):
        pace.keep(stop.t_us)
        yield stop


class _Look(msgspec.Struct):
    """What a line says of when somebody was looked at by an observer."""

    person: str = ""
    t_us: int = 0


class _Passed(NamedTuple):
    """What observers take from lines that came in, by person.

    When they looked last, the latest chart, and the states before the latest, oldest first.
    """

    looked_us: dict[str, int]
    charts: dict[str, bytes]
    states: dict[str, list[bytes]]


def _passed(people: People) -> _Passed:
    """Return what observers take from the lines that pass, out of which charts are taken."""
    passed = _Passed({}, {}, {})
    for place, piece in enumerate(people.pieces):
        if not isinstance(piece, bytes):
            continue
        kind = kind_of(piece)
        if kind not in ("observation", "review_failure", "chart", "state"):
            continue
        with contextlib.suppress(msgspec.DecodeError):
            look = msgspec.json.decode(piece, type=_Look)
            if kind == "state":
                passed.states.setdefault(look.person, []).append(piece)
            elif kind == "chart":
                passed.charts[look.person] = piece
                people.pieces[place] = b""
            else:
                last_us = passed.looked_us.get(look.person, look.t_us)
                passed.looked_us[look.person] = max(look.t_us, last_us)
    return passed


def _instant(record: Record) -> int:
    t_us: int = getattr(record, "t_us", 0)
    return t_us
