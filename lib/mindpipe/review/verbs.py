"""Take notes on persons when they are due, and keep them apart from what the persons have."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Store
from mindpipe.core.text import RecordedWords, terminal_text
from mindpipe.person.records.person import Person, model_of
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import NO_VOICE, StoredPerson, Thought, VoiceError
from mindpipe.review import prompts, tables
from mindpipe.review.note import MODEL, Reviewer, compose
from mindpipe.review.records import (
    HeardThought,
    ObservedState,
    Observer,
    ReviewError,
    ReviewFailure,
    ReviewNote,
    ReviewQuestion,
    ReviewVoices,
    heard_of,
)

MOST_CHARACTERS = 8_000
"""How much of a model's note is kept."""
NO_THOUGHT = "no thought was heard, so there is nothing to take a note on."
NO_NOTE = "no note is due: nobody lived on long enough, or thought, since the last one."
FIGURES = ("arousal", "valence", "energy", "cognitive_load", "regulation")
"""The readouts that the observer's instruments show."""
GRID_US = 60_000_000
"""At multiples of this a run stops for its observers: the decision grid, in microseconds."""
SECOND_US = 1_000_000
NO_MORE = "max_calls"
"""The error class of a call that is not made because the calls of a run are used up."""


def note_when_due(
    reviewer: Reviewer, seen: ObservedState, observer: Observer, *, person: str, model: str
) -> ReviewNote | ReviewFailure | None:
    """Return a note on the thoughts in view, or None where none is due.

    When it looked is set before the model is asked, so that failures cannot flood. A call that
    fails is a record like any other: nothing is raised for it.
    """
    if not reviewer.is_due(seen):
        return None
    reviewer.last_us = seen.t_us
    question = prompts.question(seen, reviewer.thoughts)
    try:
        note = observer(question)
        content = _kept(note)
        if not content:
            raise ReviewError("the note is empty", error_class="empty_note")
    except ReviewError as error:
        return _failure(error, seen, person=person, model=model)
    by = note.model if isinstance(note, RecordedWords) else model
    return _observation(question, content, person=person, model=by)


def _kept(note: str) -> str:
    """Return a note as it is stored: without control characters, and not without end."""
    return terminal_text(note)[:MOST_CHARACTERS].strip()


def _failure(error: ReviewError, seen: ObservedState, *, person: str, model: str) -> ReviewFailure:
    """Return the record of a call that failed."""
    return ReviewFailure(
        person=person,
        t_us=seen.t_us,
        model=model,
        error_class=error.error_class,
        message=str(error),
    )


def _observation(question: ReviewQuestion, content: str, *, person: str, model: str) -> ReviewNote:
    """Return the record of a note."""
    return ReviewNote(
        person=person,
        t_us=question.seen.t_us,
        content=content,
        thoughts=tuple(thought.id for thought in question.thoughts),
        model=model,
        composed=model == MODEL,
    )


def keep_note(store: Store, observation: ReviewNote) -> None:
    """Keep a note, in the place of any other on that person at that instant."""
    with store.write() as rows:
        tables.put_observation(rows, observation)


def last_look_us(store: Store, *, person: str) -> int | None:
    """Return when the latest note on a person was taken, None where there is none."""
    with store.read() as rows:
        return tables.last_looked_us(rows, person)


def seen_of(state: PersonState, person: Person | None) -> ObservedState:
    """Return what the observer sees of a person in a state; without a person its traits are not."""
    shown = {}
    if isinstance(state.read, Readouts):
        shown = {name: getattr(state.read, name) for name in FIGURES}
    return ObservedState(
        t_us=state.t_us,
        awake=state.flags.awake,
        distortions=state.psyche.distortions,
        coping=state.psyche.coping,
        traits=None if person is None else person.traits,
        **shown,
    )


class ReviewWriter:
    """Take notes on one person, by the limits and the model that its settings name.

    `model` is asked for in the place of the person's own; its calls are counted apart from the
    person's. `tell` hears once that they are used up.

    Raises:
        UsageError: the name is that of no model.
        UnavailableError: its key or its file is missing.
    """

    def __init__(
        self,
        person: Person,
        voices: ReviewVoices,
        *,
        model: str | None,
        tell: Callable[[str], None],
        last_us: int | None = None,
    ) -> None:
        settings = person.settings
        self.model = model_of(person, asked=model or settings.review_model or None)
        self.reviewer = Reviewer(
            interval_us=settings.review_interval_us,
            capacity=settings.review_buffer,
            last_us=last_us,
        )
        if self.model != MODEL:
            voices.of(self.model)
        self._person = person
        self._voices = voices
        self._tell = tell
        self._calls = 0

    def hear(self, thought: Thought | HeardThought) -> None:
        """Take a thought into view."""
        self.reviewer.add_thought(heard_of(thought) if isinstance(thought, Thought) else thought)

    def look(self, seen: ObservedState) -> ReviewNote | ReviewFailure | None:
        """Return a note where one is due, or the failure of the model; nothing is raised for it."""
        if self.model == NO_VOICE:
            return None
        return note_when_due(
            self.reviewer, seen, self._note, person=self._person.person, model=self.model
        )

    def _note(self, question: ReviewQuestion) -> str:
        """Return what is noted; raises ReviewError."""
        settings = self._person.settings
        question = msgspec.structs.replace(
            question, max_tokens=settings.max_tokens, temperature=settings.temperature
        )
        if self.model == MODEL:
            return self._voices.said(compose(question), question)
        if self._calls >= settings.max_calls:
            raise ReviewError(self._spent(), error_class=NO_MORE)
        self._calls += 1
        try:
            note = self._voices.ask(self.model, question, place=self._person.person)
            if isinstance(note, RecordedWords) and note.model == MODEL:
                self._calls -= 1
            return note
        except VoiceError as error:
            raise ReviewError(str(error), error_class=error.error_class) from error

    def _spent(self) -> str:
        """Return why no more calls are made; say so the first time."""
        most = self._person.settings.max_calls
        words = f"{self._person.person}: all {most} calls of its observer are made (max_calls)"
        if self._calls == most:
            self._calls += 1
            self._tell(words)
        return words


class Reviewers:
    """The observers of all persons of a run who are observed.

    They look at multiples of `grid_us`, once those have been lived through, and only at what is
    told of persons there: nothing goes back to them. That is the decision grid, or the shortest
    interval between notes where that is shorter, in whole seconds. A person's setting
    `review_model` is asked before `model`, which is the run's. Of those who live in a `store` it
    is known when the latest note was taken, and notes are kept there.
    """

    def __init__(
        self,
        voices: ReviewVoices,
        *,
        model: str | None,
        wanted: bool | None,
        tell: Callable[[str], None],
        store: Store | None = None,
    ) -> None:
        self._voices = voices
        self._model = model
        self._wanted = wanted
        self._tell = tell
        self._store = store
        self._observing: dict[str, ReviewWriter] = {}
        self.grid_us = GRID_US

    def __bool__(self) -> bool:
        """Tell whether anybody is observed."""
        return bool(self._observing)

    def add(
        self, person: Person, thoughts: Iterable[Thought] = (), *, last_us: int | None = None
    ) -> None:
        """Observe a person, unless that is not wanted; `wanted` is asked before its setting.

        Raises:
            UsageError: the name of the observer's model is that of none.
            UnavailableError: its key or its file is missing.
        """
        if not (person.settings.review if self._wanted is None else self._wanted):
            return
        if self._store is not None:
            last_us = last_look_us(self._store, person=person.person)
        observing = ReviewWriter(
            person,
            self._voices,
            model=person.settings.review_model or self._model,
            tell=self._tell,
            last_us=last_us,
        )
        if observing.model == NO_VOICE:
            return
        for thought in thoughts:
            observing.hear(thought)
        self._observing[person.person] = observing
        seconds = max(1, -(-person.settings.review_interval_us // SECOND_US))
        self.grid_us = min(self.grid_us, seconds * SECOND_US)

    def hear(self, happened: Iterable[object]) -> None:
        """Hear the thoughts among all that happened."""
        for one in happened:
            if isinstance(one, Thought) and one.person in self._observing:
                self._observing[one.person].hear(one)

    def is_due(self, t_us: int) -> bool:
        """Tell whether a note may be due at an instant, which then is looked at."""
        if t_us % self.grid_us:
            return False
        firsts = (observing.reviewer.next_us() for observing in self._observing.values())
        return any(first is not None and first <= t_us for first in firsts)

    def look(
        self, states: Iterable[PersonState], persons: Iterable[Person]
    ) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield the notes that are due in the present states of persons, in their order."""
        for state, person in zip(states, persons, strict=True):
            observing = self._observing.get(person.person)
            note = None if observing is None else observing.look(seen_of(state, person))
            if note is not None:
                yield note

    def keep(self, notes: Iterable[object]) -> None:
        """Keep the notes among what was noted; of a failure nothing is kept."""
        assert self._store is not None
        for note in notes:
            if isinstance(note, ReviewNote):
                keep_note(self._store, note)


class ReviewOfLines:
    """What was heard and seen so far of each person who comes on lines, and who takes notes.

    Of each line there is its record and, where the line says less than a whole record, the JSON
    object `given` that it was: what it does not say is not seen.
    """

    def __init__(
        self, voices: ReviewVoices, *, model: str | None, tell: Callable[[str], None]
    ) -> None:
        self._voices = voices
        self._model = model
        self._tell = tell
        self._persons: dict[str, Person] = {}
        self._writers: dict[str, ReviewWriter] = {}
        self._seen: dict[str, ObservedState] = {}

    def hear(
        self, record: object, given: Mapping[str, object] | None
    ) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield the note that is taken when a record has come."""
        if isinstance(record, Person):
            self._persons[record.person] = record
        elif isinstance(record, Thought):
            heard = heard_of(record)
            if given is not None and "mode" not in given:
                heard = msgspec.structs.replace(heard, origin="")
            self._of(record.person).hear(heard)
            if record.person not in self._seen:
                known = self._persons.get(record.person)
                traits = None if known is None else known.traits
                yield from self._look(record.person, ObservedState(t_us=heard.t_us, traits=traits))
        elif isinstance(record, PersonState):
            seen = seen_of(record, self._persons.get(record.person))
            read = {} if given is None else given.get("read", {})
            if given is not None and isinstance(read, dict):
                unsaid = [name for name in FIGURES if name not in read]
                seen = msgspec.structs.replace(seen, **dict.fromkeys(unsaid))
            self._seen[record.person] = seen
            yield from self._look(record.person, seen)

    def end(self) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield notes on what was thought after the last states; raises NothingToDoError."""
        heard = False
        for person, writer in self._writers.items():
            thoughts = writer.reviewer.thoughts
            heard = heard or bool(thoughts)
            if thoughts and person in self._seen:
                seen = self._seen[person]
                latest_us = max(seen.t_us, thoughts[-1].t_us)
                yield from self._look(person, msgspec.structs.replace(seen, t_us=latest_us))
        if not heard:
            raise NothingToDoError(NO_THOUGHT)

    def _look(self, person: str, seen: ObservedState) -> Iterator[ReviewNote | ReviewFailure]:
        note = self._of(person).look(seen)
        if note is not None:
            yield note

    def _of(self, person: str) -> ReviewWriter:
        if person not in self._writers:
            known = self._persons.get(person, Person(person=person))
            self._writers[person] = ReviewWriter(
                known, self._voices, model=self._model, tell=self._tell
            )
        return self._writers[person]


def review(
    store: Store,
    persons: Iterable[StoredPerson],
    voices: ReviewVoices,
    *,
    model: str | None,
    tell: Callable[[str], None],
) -> Iterator[ReviewNote | ReviewFailure]:
    """Yield a note on the present of each person of a store where one is due, and keep it.

    Raises:
        NothingToDoError: no note is due.
    """
    heard = noted = False
    for lived in persons:
        name = lived.person.person
        last_us = last_look_us(store, person=name)
        writer = ReviewWriter(lived.person, voices, model=model, tell=tell, last_us=last_us)
        for thought in lived.thoughts:
            writer.hear(thought)
        heard = heard or bool(lived.thoughts)
        note = writer.look(seen_of(lived.state, lived.person))
        if isinstance(note, ReviewNote):
            keep_note(store, note)
        if note is not None:
            noted = True
            yield note
    if not noted:
        raise NothingToDoError(NO_NOTE if heard else NO_THOUGHT)
