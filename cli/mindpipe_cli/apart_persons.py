"""Who of a folder lives apart in a tick, with events or thoughts, by the options of a command."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import NO_RECORD, Record
from mindpipe.core.text import counted
from mindpipe.person.calendar import instant_text
from mindpipe.person.records.person import Person
from mindpipe.person.records.thought import COMPOSED, NO_VOICE
from mindpipe_cli.output import say
from mindpipe_cli.person_input import LifeOptions, lines_of, settle_people
from mindpipe_cli.session import Session
from mindpipe_cli.voices import access_of, asked_model

if TYPE_CHECKING:
    from mindpipe.person.life.apart import ApartLives, ApartPart
    from mindpipe.person.life.people import InputLine, People
    from mindpipe.person.voice.budget import BudgetedSpeakers

_EVENTS, _SAMPLE = "events", "sample:"


class ApartOptions(Record):
    """Who thinks and what happens, by which model, and how much of it at most."""

    thinkers: str | None = None
    events: tuple[str, ...] = ()
    model: str | None = None
    record: str | None = None
    max_model_calls: int | None = None
    max_micros: int | None = None


class _Reached(msgspec.Struct):
    """Whom a line is of."""

    person: str = ""


class ApartPersons:
    """Those who are to live apart."""

    def __init__(self, session: Session, options: ApartOptions) -> None:
        """Read the events.

        Raises:
            UsageError: it is not said who thinks, or a model has no budget.
        """
        self._session, self._options = session, options
        self._sample = _sample_of(options.thinkers)
        self._model = asked_model(session, options.model)
        bounded = options.max_model_calls is not None or options.max_micros is not None
        if options.thinkers and self._model not in (None, COMPOSED, NO_VOICE) and not bounded:
            words = "a population asks a model often; give --max-model-calls or --max-micros."
            raise UsageError(words)
        self._events = [line for file in options.events for line in lines_of(file, apart=True)]
        self._speaking: BudgetedSpeakers | None = None
        self.lives: ApartLives | None = None

    def tell(self, words: str) -> None:
        """Say something on the way."""
        say(words)

    def parts(self, lives: "ApartLives") -> "list[ApartPart]":
        """Return those who think, and those to whom something happens who do not.

        Raises:
            BadInputError: the faults of events.
            UnavailableError: the key or the file of a model is missing.
        """
        from mindpipe.person.life.apart import ApartPart
        from mindpipe.person.life.lives import PersonLines
        from mindpipe.person.life.thinkers import sampled

        self.lives = lives
        reached = {_reached(line) for line in self._events}
        places: set[int] = set()
        if self._sample:
            seed = self._session.settings.seed
            known = lives.manifest.seed or 0
            places = sampled(
                lives.manifest.count, self._sample, seed=known if seed is None else seed
            )
        people, drawn = self._people(lives, places, reached)
        thinking = [] if self._options.thinkers is None else drawn if places else people.order()
        others = [one for one in people.order() if one not in set(thinking)]
        past = lives.past(thinking)

        def lines(ids: Sequence[str]) -> PersonLines:
            return PersonLines(
                [people.persons[one] for one in ids],
                [people.states[one] for one in ids],
                {one: people.events[one] for one in ids if one in people.events},
                past,
            )

        found = [ApartPart(lines(others), None)] if others else []
        if thinking:
            self._speaking = self._speakers(lives, {} if places else _first_events(people))
            for one in thinking:
                self._speaking.thinker(msgspec.json.decode(people.persons[one], type=Person))
            found.append(ApartPart(lines(thinking), self._speaking))
        return found

    def end(self) -> None:
        """Say what the thoughts took, and when a budget was used up."""
        speaking = self._speaking
        if speaking is None:
            return
        calls = counted(speaking.calls, "call")
        if speaking.ended_us is not None:
            say(
                f"the budget was used up at {instant_text(speaking.ended_us)}, after {calls}: "
                "everybody lived on, and nobody thought."
            )

    def _people(
        self, lives: "ApartLives", places: set[int], reached: set[str]
    ) -> "tuple[People, list[str]]":
        """Return all of them with their events, and the ids of those at some places."""
        from mindpipe.person.life.people import People
        from mindpipe.person.life.thinkers import taken

        people = People()
        for line in taken(lives.folder, lives.manifest, places=places):
            people.add(line)
        drawn = people.order()
        for line in taken(lives.folder, lives.manifest, ids=reached - {*drawn}):
            people.add(line)
        for line in self._events:
            people.add(line)
        settle_people(people, LifeOptions())
        return people, drawn

    def _speakers(self, lives: "ApartLives", since: Mapping[str, int]) -> "BudgetedSpeakers":
        """Return who finds words, with what is left of the budget; some only since an instant."""
        from mindpipe.person.voice.budget import BudgetedSpeakers
        from mindpipe.person.voice.models import Voices

        paid, most = lives.paid(), self._options.max_micros
        left = None if most is None else max(0, most - sum(one.micros for one in paid))
        access = access_of(
            self._session,
            record=self._options.record,
            budget=left,
            reserve=self._reserve,
        )
        return BudgetedSpeakers(
            Voices(access),
            model=self._model,
            most_calls=self._options.max_model_calls,
            paid=paid,
            keep=lives.pay,
            since=since,
        )

    def _reserve(self, micros: int) -> None:
        """Keep that a call is about to be made, which may cost so much."""
        assert self._speaking is not None
        self._speaking.reserve(micros)


def _first_events(people: "People") -> dict[str, int]:
    """Return when the first of the events reaches each person whom one does."""
    return {one: min(event.t_us for event in of) for one, of in people.events.items() if of}


def _sample_of(thinkers: str | None) -> int:
    """Return how many think of those that are drawn, 0 where nobody is.

    Raises:
        UsageError: it is not written so.
    """
    if thinkers in (None, _EVENTS):
        return 0
    number = (thinkers or "").removeprefix(_SAMPLE)
    if thinkers == f"{_SAMPLE}{number}" and number.isascii() and number.isdigit() and int(number):
        return int(number)
    raise UsageError(f"--thinkers {thinkers}: write sample:N, or events for whom one reaches.")


def _reached(line: "InputLine") -> str:
    """Return whom an event reaches, nobody where that is not said; faults are told later."""
    try:
        return msgspec.json.decode(line.octets, type=_Reached).person
    except NO_RECORD:
        return ""
