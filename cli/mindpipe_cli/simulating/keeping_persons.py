"""Let the persons of a store live on: what was pushed to them is heard, every tick is kept."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, RefusedError, UsageError
from mindpipe.core.records import to_json
from mindpipe.person.calendar import instant_text
from mindpipe.person.reading import Place
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.verbs import keeping
from mindpipe.review.records import Observation, ReviewFailure
from mindpipe.review.verbs import notes
from mindpipe.wiring.persons import Ahead, Resident, Step
from mindpipe.wiring.persons import settle as settle_person
from mindpipe.wiring.reviewing import Watching
from mindpipe.wiring.speaking import Speaking
from mindpipe_cli import output, spans
from mindpipe_cli.session import Session
from mindpipe_cli.simulating.company import Company, Line
from mindpipe_cli.simulating.failing import Failures
from mindpipe_cli.simulating.pacing import Pace, Stop
from mindpipe_cli.simulating.person_lines import Given, company_of

STORE = "store"
"""What the place of a record is called that came out of the store."""


class Wanted(NamedTuple):
    """Who of the store lives on, changed how, with what events, and what is told and kept of it.

    At most `parallel` of them live at a time.
    """

    person: str | None
    given: Given
    read: bool
    keep_states: bool = False
    settings: Sequence[str] = ()
    consts: Sequence[str] = ()
    parallel: int = 1


def settle(session: Session, lines: Sequence[bytes]) -> Iterator[bytes]:
    """Keep new persons in the store, all or none, and yield their lines."""
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    with session.store.write():
        for first, second in pairs:
            person = msgspec.json.decode(first, type=Person)
            state = msgspec.json.decode(second, type=State)
            settle_person(session.store, session.clock, session.chance, person=person, state=state)
    yield from lines


def refuse_jobs(jobs: int) -> None:
    """Raise UsageError where persons of a store are to be shared among processes."""
    if jobs > 1:
        words = "--jobs shares persons on lines; in a store mind simulate run has --parallel."
        raise UsageError(words)


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
            UsageError: there is no such person, or it cannot be changed so.
        """
        store, self._wanted = session.store, wanted
        ids = [wanted.person] if wanted.person else keeping.ids(store)
        if not ids:
            raise NothingToDoError("nobody lives in this store; mind simulate new --store.")
        loaded = [keeping.load(store, person=one) for one in ids]
        changed = [
            spans.changed(lived.person, settings=wanted.settings, consts=wanted.consts)
            for lived in loaded
        ]

        def known(company: Company) -> None:
            for lived in loaded:
                for record in (lived.person, lived.state):
                    company.add(Line(Place(STORE), to_json(record)))
                one = lived.person.person
                company.had[one] = keeping.had(store, person=one)

        given = msgspec.structs.replace(wanted.given, file=None)
        company = company_of(given, known=known)
        self._first = [to_json(person) for person in changed]
        self.residents = [
            Resident(store, session.clock, lived=lived, speaking=speaking, changed=person)
            for lived, person in zip(loaded, changed, strict=True)
        ]
        for resident in self.residents:
            resident.expect(company.events.get(resident.id, []))
        self._store = store
        self._watching = watching
        self._failures = Failures()
        if watching is not None:
            for lived, person in zip(loaded, changed, strict=True):
                last_us = notes.last_us(store, person=person.person)
                watching.add(person, lived.thoughts, last_us=last_us)

    def require_ahead(self, until_us: int) -> None:
        """Raise BadInputError where somebody lived past an instant already."""
        words = f"later than {instant_text(until_us)}; time does not run backwards"
        problems = [
            Place(STORE).problem(None, f"{one.id} is at {instant_text(one.t_us)}, {words}")
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
            due = [resident for resident in self.residents if resident.t_us < stop.t_us]
            yield from self._ticks(due, stop)

    def each(self, to_us: int | None, dt_us: int) -> Iterator[bytes]:
        """Yield who they are and what one tick brings each of them, to an instant or for a span."""
        for first, resident in zip(self._first, self.residents, strict=True):
            yield first
            until_us = resident.t_us + dt_us if to_us is None else to_us
            yield from self._ticks([resident], Stop(until_us, told=True))

    def end(self) -> None:
        """Raise RefusedError where somebody wanted more calls than a run has."""
        self._failures.tell()
        if any(resident.refused() for resident in self.residents):
            raise RefusedError("calls were refused; raise the setting max_calls to allow more.")

    def _ticks(self, due: Sequence[Resident], stop: Stop) -> Iterator[bytes]:
        """Yield what one tick brings each of several persons, once it is kept, in their order.

        Several live at once where that is wished: all that they read of the store is read before,
        and each is kept by itself once those before it are.
        """
        wanted = self._wanted
        at_once = max(1, min(wanted.parallel, len(due)))
        for start in range(0, len(due), at_once):
            some = due[start : start + at_once]
            ahead = [resident.ahead(stop.t_us) for resident in some]
            for resident, one, step in zip(some, ahead, _lived(some, ahead), strict=True):
                noted = list(self._noted(step))
                state = step.tick.state
                if not wanted.read:
                    state = msgspec.structs.replace(state, read=msgspec.UNSET)
                states = wanted.keep_states and stop.told
                tick = msgspec.structs.replace(step.tick, state=state, states=states)
                resident.keep(one, tick, observed=noted)
                self._failures.hear(step.happenings)
                yield from _lines(step, noted)
                if stop.told:
                    yield to_json(state)

    def _noted(self, step: Step) -> Iterator[Observation | ReviewFailure]:
        """Yield what an observer notes of a person after a tick, before that is kept."""
        watching = self._watching
        if watching is None:
            return
        watching.hear(step.happenings)
        if watching.is_due(step.tick.state.t_us):
            yield from watching.look([step.tick.state], [step.tick.person])


def _lines(step: Step, noted: Sequence[Observation | ReviewFailure]) -> Iterator[bytes]:
    """Yield what happened to a person in a tick, and what was noted of it."""
    for note in step.notes:
        output.say(note)
    happened = sorted((*step.tick.events, *step.happenings), key=lambda one: one.t_us)
    yield from map(to_json, happened)
    yield from map(to_json, noted)


def _lived(some: Sequence[Resident], ahead: Sequence[Ahead]) -> Iterator[Step]:
    """Yield what each of some persons lives through, all begun together."""
    if len(some) == 1:
        yield from map(Resident.live, some, ahead)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(some)) as pool:
        yield from pool.map(Resident.live, some, ahead)
