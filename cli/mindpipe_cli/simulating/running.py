"""Let persons on lines live and think, and print what comes of it in the order of time."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import BadInputError, RefusedError
from mindpipe.core.records import Record, to_json
from mindpipe.person.calendar import instant_text
from mindpipe.person.reading import kind_of
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Thought
from mindpipe.wiring.living import Lives
from mindpipe.wiring.reviewing import Watching
from mindpipe.wiring.speaking import Speaking
from mindpipe_cli import output, spans
from mindpipe_cli.session import Session
from mindpipe_cli.simulating.company import Company
from mindpipe_cli.simulating.failing import Failures
from mindpipe_cli.simulating.keeping_persons import Household, Wanted, refuse_jobs
from mindpipe_cli.simulating.pacing import Pace, stops
from mindpipe_cli.simulating.person_lines import company_of
from mindpipe_cli.simulating.telling_persons import write_lines
from mindpipe_cli.simulating.ticking import change
from mindpipe_cli.simulating.wishes import RunWish
from mindpipe_cli.speaking_up import Speech, asked_model, voices_of

if TYPE_CHECKING:
    from mindpipe_cli.simulating.shards import Sharded

Told = Person | State | Event | Record
"""What a run prints, besides the lines that pass through."""
NEAR_US = 1_000_000


def run(session: Session, wishes: Mapping[str, object]) -> None:
    """Print what persons live through, from lines or in the store.

    Raises:
        RefusedError: somebody made all calls of a run and wanted more; everything was printed.
    """
    given = msgspec.convert(wishes, RunWish)
    spans.require_finite(given.speed, option="--speed")
    wish = msgspec.structs.replace(given, model=asked_model(session, given.model, given.settings))
    voices = voices_of(session, record=wish.record)
    speaking = Speaking(voices, model=wish.model, parallel=wish.parallel)
    watching = Watching(voices, model=wish.model, wanted=wish.review, tell=output.say)
    if wish.person is not None or session.settings.value("store").source == "option":
        acting: Acting | Residing = Residing(wish, session, speaking, watching)
    else:
        company = company_of(wish)
        change(company, settings=wish.settings, consts=wish.consts)
        acting = Acting(company, wish, session, speaking, watching)
    if session.watched:
        from mindpipe_cli.simulating.living_view import Seen, watch

        watch(acting.lines(), Seen(acting.start_us, acting.until_us))
    else:
        write_lines(session, acting.lines())
    acting.end()


class Residing:
    """A run of persons who live in a store."""

    def __init__(
        self, wish: RunWish, session: Session, speaking: Speaking, watching: Watching
    ) -> None:
        refuse_jobs(wish.jobs)
        wanted = Wanted(
            wish.person,
            wish,
            wish.read == "all",
            keep_states=wish.keep_states,
            settings=wish.settings,
            consts=wish.consts,
            parallel=wish.parallel,
        )
        self._household = Household(session, wanted, speaking, watching)
        self._watching = watching
        self._wish = wish
        self._clock = session.clock
        self.until_us = spans.instant_of(wish.until, option="--until")
        self._household.require_ahead(self.until_us)
        self.start_us = min(resident.t_us for resident in self._household.residents)

    def lines(self) -> Iterator[bytes]:
        """Yield what everybody lives through."""
        every_us = spans.span_of(self._wish.every, option="--every")
        near = _near(self._wish, self._watching)
        pace = Pace(self._clock, self._wish.speed, start_us=self.start_us)
        return self._household.lines(
            stops(self.start_us, self.until_us, every_us=every_us, within_us=near), pace
        )

    def end(self) -> None:
        """Raise RefusedError where somebody wanted more calls than a run has."""
        self._household.end()


def _near(wish: RunWish, watching: Watching) -> int | None:
    """Return how near to each other stops are: for real time, for observers, or for neither."""
    if wish.speed is not None:
        return NEAR_US
    return watching.grid_us if watching else None


class Acting:
    """A run of everybody in a company."""

    def __init__(
        self,
        company: Company,
        wish: RunWish,
        session: Session,
        speaking: Speaking,
        watching: Watching,
    ) -> None:
        self._company = company
        self._session = session
        self._wish = wish
        self.until_us = spans.instant_of(wish.until, option="--until")
        self._every_us = spans.span_of(wish.every, option="--every")
        self._order = [piece for piece in company.pieces if isinstance(piece, str)]
        persons = [msgspec.json.decode(company.persons[one], type=Person) for one in self._order]
        states = [msgspec.json.decode(company.states[one], type=State) for one in self._order]
        self.start_us = self._start_of_all(states)
        for person in persons:
            speaking.thinker(person)
        self._lives = self._begin(persons, states, speaking)
        self._speaking = speaking
        self._failures = Failures()
        self._watching = watching
        looked_us = _looked_us(company)
        for person in persons:
            thoughts = _thoughts(company, person)
            watching.add(person, thoughts, last_us=looked_us.get(person.person))

    def _begin(
        self, persons: Sequence[Person], states: Sequence[State], speaking: Speaking
    ) -> "Lives | Sharded":
        """Return everybody as they begin to live, shared among processes where that is wished."""
        wish = self._wish
        jobs = min(wish.jobs, len(persons))
        if jobs == 1:
            return Lives(persons, states, self._company.past, speaking)
        from mindpipe_cli.simulating.shards import Sharded

        speech = Speech(self._session.options, wish.model, wish.record, wish.parallel)
        return Sharded(self._company, self._order, speech, jobs=jobs)

    def _start_of_all(self, states: Sequence[State]) -> int:
        """Return when everybody is; raises BadInputError where that differs or is past the end."""
        start_us = states[0].t_us
        for state in states:
            place = self._company.place(state.person)
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
        yield from (piece for piece in self._company.pieces if isinstance(piece, bytes) and piece)
        for state in self._lives.states(read=self._wish.read == "all"):
            yield to_json(state)
        near = _near(self._wish, self._watching)
        pace = Pace(self._session.clock, self._wish.speed, start_us=self.start_us)
        told = sorted(
            (event for events in self._company.events.values() for event in events),
            key=lambda event: event.t_us,
        )
        events: Mapping[str, Sequence[Event]] | None = self._company.events
        for stop in stops(self.start_us, self.until_us, every_us=self._every_us, within_us=near):
            pace.keep(stop.t_us)
            yield from self._step(stop.t_us, events, told, states=stop.told)
            events = None
        if told:
            output.say(f"events after the end, which did not happen: {len(told)}")

    def _step(
        self,
        until_us: int,
        events: Mapping[str, Sequence[Event]] | None,
        told: list[Event],
        *,
        states: bool,
    ) -> Iterator[bytes]:
        """Yield what happens until an instant, and the states there where they are told."""
        found: list[Told] = []
        while told and told[0].t_us <= until_us:
            event = told.pop(0)
            if event.id not in self._company.passing:
                found.append(event)
        found += self._lives.live(until_us, events)
        self._failures.hear(found)
        for note in self._lives.notes():
            output.say(note)
        found.sort(key=_instant)
        yield from map(to_json, found)
        yield from map(to_json, self._notes(until_us, found))
        if states:
            yield from map(to_json, self._lives.states(read=self._wish.read == "all"))

    def _notes(self, t_us: int, happened: Sequence[Told]) -> Iterator[Record]:
        """Yield what observers note of an instant, once they heard what happened until then."""
        self._watching.hear(happened)
        if self._watching.is_due(t_us):
            yield from self._watching.look(self._lives.states(read=True), self._lives.persons())

    def end(self) -> None:
        """Raise RefusedError where somebody wanted more calls than a run has."""
        self._failures.tell()
        refused = self._lives.refused()
        self._lives.close()
        if refused:
            raise RefusedError("calls were refused; raise the setting max_calls to allow more.")


def _thoughts(company: Company, person: Person) -> Iterator[Thought]:
    """Yield the thoughts that a person looks back on, in the order of time."""
    past = sorted(company.past.get(person.person, ()), key=_instant)
    return (one for one in past if isinstance(one, Thought))


class _Look(msgspec.Struct):
    """What a line says of when somebody was looked at by an observer."""

    person: str = ""
    t_us: int = 0


def _looked_us(company: Company) -> dict[str, int]:
    """Return when observers last looked at persons, by what they noted on lines that came in."""
    found: dict[str, int] = {}
    for piece in company.pieces:
        if isinstance(piece, bytes) and kind_of(piece) in ("observation", "review_failure"):
            with contextlib.suppress(msgspec.DecodeError):
                look = msgspec.json.decode(piece, type=_Look)
                found[look.person] = max(look.t_us, found.get(look.person, look.t_us))
    return found


def _instant(told: Told) -> int:
    """Return when something happened."""
    t_us: int = getattr(told, "t_us", 0)
    return t_us
