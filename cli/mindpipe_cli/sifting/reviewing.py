"""Let an observer take notes on persons who come on lines, or who live in a store."""

import os
from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.person.glimpses import Glimpse
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Thought
from mindpipe.review.records import Heard, Observation, ReviewFailure, Seen, heard_of
from mindpipe.wiring.models import ModelShop
from mindpipe.wiring.reviewing import FIGURES, Observing, seen_of
from mindpipe.wiring.voices import NONE, Voices
from mindpipe_cli import documents, output
from mindpipe_cli.session import Session
from mindpipe_cli.sifting import glimpsing, noting
from mindpipe_cli.sifting.glimpsing import Line
from mindpipe_cli.speaking_up import asked_model

NO_THOUGHT = "no thought was heard, so there is nothing to take a note on."
NO_NOTE = "no note is due: nobody lived on long enough, or thought, since the last one."
Note = Observation | ReviewFailure


class Wish(glimpsing.Wish):
    """What the options of `mind review` ask for."""

    model: str | None = None
    record: str | None = None
    person: str | None = None


def review(session: Session, wish: Wish) -> None:
    """Write the notes on all lines, or on the present of persons in the store.

    Raises:
        BadInputError: a line is bad, unless bad lines are skipped.
        NothingToDoError: nothing was thought, or in a store no note is due.
        UnavailableError: the key or the file of a model is missing.
        UsageError: the name is that of no model, or is none, or of no person.
    """
    if wish.model == NONE:
        raise UsageError("none is for persons without thoughts; leave --model out, or name one.")
    if wish.person is not None or session.settings.value("store").source == "option":
        noting.write(session, _kept(session, wish))
        return
    listening = _Listening(session, wish)
    glimpsing.sift(session, wish, listening.step, write=noting.write, end=listening.end)


def _voices(session: Session, wish: Wish) -> Voices:
    """Return what observers speak with."""

    def shop() -> ModelShop:
        return ModelShop(settings=session.settings, environment=os.environ, clock=session.clock)

    record = documents.path_of(wish.record) if wish.record else None
    return Voices(shop, record=record, cap=session.settings.number("caps.call_micros"))


class _Listening:
    """What was heard and seen so far of each person on the lines."""

    def __init__(self, session: Session, wish: Wish) -> None:
        self._voices = _voices(session, wish)
        self._model = asked_model(session, wish.model)
        self._persons: dict[str, Person] = {}
        self._observing: dict[str, Observing] = {}
        self._seen: dict[str, Seen] = {}

    def step(self, line: Line) -> Iterator[Note]:
        """Yield the note that is taken when a line has come."""
        if line.glimpse is None:
            return
        record = line.glimpse.record
        if isinstance(record, Person):
            self._persons[record.person] = record
        elif isinstance(record, Thought):
            heard = heard_of(record)
            if not line.glimpse.says("mode"):
                heard = msgspec.structs.replace(heard, origin="")
            self._of(record.person).hear(heard)
            if record.person not in self._seen:
                yield from self._look(record.person, self._unseen(heard, record.person))
        elif isinstance(record, State):
            seen = _said(line.glimpse, seen_of(record, self._persons.get(record.person)))
            self._seen[record.person] = seen
            yield from self._look(record.person, seen)

    def end(self) -> Iterator[Note]:
        """Yield notes on what was thought after the last states; raises NothingToDoError."""
        heard = False
        for person, observing in self._observing.items():
            thoughts = observing.reviewer.thoughts
            heard = heard or bool(thoughts)
            if thoughts and person in self._seen:
                seen = self._seen[person]
                latest_us = max(seen.t_us, thoughts[-1].t_us)
                yield from self._look(person, msgspec.structs.replace(seen, t_us=latest_us))
        if not heard:
            raise NothingToDoError(NO_THOUGHT)

    def _look(self, person: str, seen: Seen) -> Iterator[Note]:
        """Yield the note that is due, if one is."""
        note = self._of(person).look(seen)
        if note is not None:
            yield note

    def _unseen(self, heard: Heard, person: str) -> Seen:
        """Return what is known of somebody whose state nobody told."""
        known = self._persons.get(person)
        return Seen(t_us=heard.t_us, traits=None if known is None else known.traits)

    def _of(self, person: str) -> Observing:
        """Return who takes notes on a person."""
        if person not in self._observing:
            known = self._persons.get(person, Person(person=person))
            self._observing[person] = Observing(
                known, self._voices, model=self._model, tell=output.say
            )
        return self._observing[person]


def _said(glimpse: Glimpse, seen: Seen) -> Seen:
    """Return what is seen without figures that the line itself did not say."""
    read = {} if glimpse.given is None else glimpse.given.get("read", {})
    if glimpse.given is None or not isinstance(read, dict):
        return seen
    unsaid = [name for name in FIGURES if name not in read]
    return msgspec.structs.replace(seen, **dict.fromkeys(unsaid))


def _kept(session: Session, wish: Wish) -> Iterable[Note]:
    """Yield a note on the present of each person in the store where one is due, and keep it."""
    from mindpipe.person.verbs import keeping
    from mindpipe.review.verbs import notes

    voices = _voices(session, wish)
    persons = keeping.ids(session.store) if wish.person is None else [wish.person]
    heard = noted = False
    for name in persons:
        lived = keeping.load(session.store, person=name)
        observing = Observing(
            lived.person,
            voices,
            model=asked_model(session, wish.model),
            tell=output.say,
            last_us=notes.last_us(session.store, person=name),
        )
        for thought in lived.thoughts:
            observing.hear(thought)
        heard = heard or bool(lived.thoughts)
        note = observing.look(seen_of(lived.state, lived.person))
        if isinstance(note, Observation):
            notes.keep(session.store, note)
        if note is not None:
            noted = True
            yield note
    if not noted:
        raise NothingToDoError(NO_NOTE if heard else NO_THOUGHT)
