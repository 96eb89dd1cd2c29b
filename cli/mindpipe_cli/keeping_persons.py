"""Let the persons of a store live on: what was pushed to them is heard, every tick is kept."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, RefusedError
from mindpipe.core.records import to_json
from mindpipe.person.reading import Place
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.verbs import keeping
from mindpipe.review.records import Observation, ReviewFailure
from mindpipe.review.verbs import notes
from mindpipe.wiring.persons import Resident, Step
from mindpipe.wiring.persons import settle as settle_person
from mindpipe.wiring.reviewing import Watching
from mindpipe.wiring.speaking import Speaking
from mindpipe_cli import output
from mindpipe_cli.company import Company, Line
from mindpipe_cli.pacing import Pace, Stop
from mindpipe_cli.person_lines import Given, company_of
from mindpipe_cli.session import Session

STORE = "store"
"""What the place of a record is called that came out of the store."""


class Wanted(NamedTuple):
    """Who of the store lives on, with what events, and what is told and kept of it."""

    person: str | None
    given: Given
    read: bool
    keep_states: bool = False


def settle(session: Session, lines: Sequence[bytes]) -> Iterator[bytes]:
    """Keep new persons in the store, all or none, and yield their lines."""
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    with session.store.write():
        for first, second in pairs:
            person = msgspec.json.decode(first, type=Person)
            state = msgspec.json.decode(second, type=State)
            settle_person(session.store, session.clock, session.chance, person=person, state=state)
    yield from lines


class Household:
    """Persons of a store who live on together."""

    def __init__(
        self,
        session: Session,
        wanted: Wanted,
        speaking: Speaking | None,
        watching: Watching | None = None,
    ) -> None:
        """Load who is wanted, with the events of a file that they have not had yet.

        Raises:
            BadInputError: an event is at fault; nothing was changed.
            NothingToDoError: nobody lives in the store.
            UsageError: there is no such person.
        """
        store, self._wanted = session.store, wanted
        ids = [wanted.person] if wanted.person else keeping.ids(store)
        if not ids:
            raise NothingToDoError("nobody lives in this store; mind simulate new --store.")
        loaded = [keeping.load(store, person=one) for one in ids]

        def known(company: Company) -> None:
            for lived in loaded:
                for record in (lived.person, lived.state):
                    company.add(Line(Place(STORE), to_json(record)))
                one = lived.person.person
                company.had[one] = keeping.had(store, person=one)

        given = msgspec.structs.replace(wanted.given, file=None)
        company = company_of(given, known=known)
        self._first = [to_json(lived.person) for lived in loaded]
        self.residents = [
            Resident(store, session.clock, lived=lived, speaking=speaking) for lived in loaded
        ]
        for resident in self.residents:
            resident.expect(company.events.get(resident.id, []))
        self._store = store
        self._watching = watching
        if watching is not None:
            for lived in loaded:
                last_us = notes.last_us(store, person=lived.person.person)
                watching.add(lived.person, lived.thoughts, last_us=last_us)

    def require_ahead(self, until_us: int) -> None:
        """Raise BadInputError where somebody lived past an instant already."""
        words = f"later than {until_us}; time does not run backwards"
        problems = [
            Place(STORE).problem(None, f"{one.id} is at {one.t_us}, {words}")
            for one in self.residents
            if one.t_us > until_us
        ]
        if problems:
            raise BadInputError(problems)

    def lines(self, stops: Iterator[Stop], pace: Pace) -> Iterator[bytes]:
        """Yield who they are, then what they live through, each tick once it is kept."""
        yield from self._first
        for stop in stops:
            pace.keep(stop.t_us)
            for resident in self.residents:
                if resident.t_us < stop.t_us:
                    yield from self._tick(resident, stop.t_us, told=stop.told)

    def each(self, to_us: int | None, dt_us: int) -> Iterator[bytes]:
        """Yield who they are and what one tick brings each of them, to an instant or for a span."""
        for first, resident in zip(self._first, self.residents, strict=True):
            yield first
            until_us = resident.t_us + dt_us if to_us is None else to_us
            yield from self._tick(resident, until_us, told=True)

    def end(self) -> None:
        """Raise RefusedError where somebody wanted more calls than a run has."""
        if any(resident.refused() for resident in self.residents):
            raise RefusedError("calls were refused; raise the setting max_calls to allow more.")

    def _tick(self, resident: Resident, until_us: int, *, told: bool) -> Iterator[bytes]:
        """Yield what one tick brings a person."""
        wanted = self._wanted
        step = resident.tick(until_us, read=wanted.read, states=wanted.keep_states and told)
        for note in step.notes:
            output.say(note)
        happened = sorted((*step.events, *step.happenings), key=lambda one: one.t_us)
        yield from map(to_json, happened)
        yield from map(to_json, self._notes(resident, step))
        if told:
            yield to_json(step.state)

    def _notes(self, resident: Resident, step: Step) -> Iterator[Observation | ReviewFailure]:
        """Yield what an observer notes of a person after a tick, and keep it beside the person."""
        watching = self._watching
        if watching is None:
            return
        watching.hear(step.happenings)
        if watching.is_due(step.state.t_us):
            for note in watching.look([step.state], [resident.person]):
                if isinstance(note, Observation):
                    notes.keep(self._store, note)
                yield note
