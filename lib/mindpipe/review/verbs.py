"""Take notes on persons when they are due, and keep them apart from what the persons have."""

import collections
import math
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.ports import NOBODY, Store
from mindpipe.core.problems import Problem
from mindpipe.core.text import RecordedWords, terminal_text
from mindpipe.person.records.person import Person, PersonSettings, calls_of_observer, model_of
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import NO_VOICE, StoredPerson, Thought, VoiceError
from mindpipe.review import prompts, tables
from mindpipe.review.lived import LOOK_US, LivedReviewer, compose_findings
from mindpipe.review.note import MODEL, Reviewer, compose
from mindpipe.review.records import (
    Chart,
    ChartLine,
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
FIGURES = (
    *("arousal", "valence", "energy", "cognitive_load", "regulation"),
    *("isolation", "pain", "core_temp_c"),
)
"""The readouts that the observer's instruments show."""
GRID_US = 60_000_000
"""At multiples of this a run stops for its observers: the decision grid, in microseconds."""
SECOND_US = 1_000_000
RESTS_US = 3_600_000_000
"""For how long a model that failed is not asked again."""
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
    with store.write(NOBODY) as rows:
        tables.put_observation(rows, observation)


def last_look_us(store: Store, *, person: str) -> int | None:
    """Return when the latest note on a person was taken, None where there is none."""
    with store.read() as rows:
        return tables.last_looked_us(rows, person)


def keep_chart(store: Store, *, person: str, chart: Chart) -> None:
    """Keep what the observer goes on by of a person, in the place of what it was."""
    with store.write(NOBODY) as rows:
        tables.put_chart(rows, person, chart)


def chart_of(store: Store, *, person: str) -> Chart | None:
    """Return what the observer goes on by of a person, None where it never looked."""
    with store.read() as rows:
        return tables.find_chart(rows, person)


def _as_said(seen: ObservedState, given: Mapping[str, object] | None) -> ObservedState:
    """Return what is seen without what a line less than a whole record does not say."""
    if given is None:
        return seen
    parts = {name: given.get(name) for name in ("read", "flags", "habit")}
    said = {name: part if isinstance(part, dict) else {} for name, part in parts.items()}
    unsaid = [name for name in FIGURES if name not in said["read"]]
    unsaid += [] if "since_us" in said["flags"] else ["since_us"]
    unsaid += [] if "last_meal_us" in said["habit"] else ["last_meal_us"]
    return msgspec.structs.replace(seen, **dict.fromkeys(unsaid))


def seen_of(state: PersonState, person: Person | None) -> ObservedState:
    """Return what the observer sees of a person in a state; without a person its traits are not."""
    shown = {}
    if isinstance(state.read, Readouts):
        shown = {name: getattr(state.read, name) for name in FIGURES}
    return ObservedState(
        t_us=state.t_us,
        awake=state.flags.awake,
        since_us=state.flags.since_us,
        last_meal_us=state.habit.last_meal_us,
        distortions=state.psyche.distortions,
        coping=state.psyche.coping,
        traits=None if person is None else person.traits,
        **shown,
    )


class ReviewWriter:
    """Take notes on one person, by the limits and the model that its settings name.

    It looks at multiples of `grid_us`. `model` is asked for in the place of the person's own; its
    calls are counted apart from the person's. `tell` hears once that they are used up, and of who
    lives at its own pace that the model failed: there the composed observer goes on.

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
        chart: Chart | None = None,
    ) -> None:
        settings = person.settings
        self.model = model_of(person, asked=model or settings.review_model or None)
        self.lived: LivedReviewer | None = None
        self._person = person
        self._voices = voices
        self._tell = tell
        self._calls = 0
        self._told: set[str] = set()
        if settings.pacing == "lived":
            self.lived = LivedReviewer(
                chart=chart,
                interval_us=settings.review_interval_us,
                capacity=settings.review_buffer,
            )
            self.reviewer: Reviewer | LivedReviewer = self.lived
        else:
            self.reviewer = Reviewer(
                interval_us=settings.review_interval_us,
                capacity=settings.review_buffer,
                last_us=last_us,
            )
        self.grid_us = _grid_us(person.settings)
        if self.model != MODEL:
            voices.of(self.model)

    def hear(self, thought: Thought | HeardThought) -> None:
        """Take a thought into view."""
        self.reviewer.add_thought(heard_of(thought) if isinstance(thought, Thought) else thought)

    def look(
        self, seen: ObservedState, *, asked: bool = False
    ) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield a note where one is due, and the failure of the model; nothing is raised for it.

        With `asked` a note is due in any case on who lives at its own pace.
        """
        if self.model == NO_VOICE:
            return
        if self.lived is not None:
            yield from self._look_lived(self.lived, seen, asked=asked)
            return
        assert isinstance(self.reviewer, Reviewer)
        person = self._person.person
        note = note_when_due(self.reviewer, seen, self._note, person=person, model=self.model)
        if note is not None:
            yield note

    def recall(self, states: Iterable[PersonState], thoughts: Iterable[Thought]) -> None:
        """Look back on states and thoughts that are past, in the order of time, without a note."""
        if self.lived is None:
            for thought in thoughts:
                self.hear(thought)
            return
        left = collections.deque(thoughts)
        for state in states:
            while left and left[0].t_us <= state.t_us:
                self.hear(left.popleft())
            seen = seen_of(state, self._person)
            if self.lived.is_due(seen):
                self.lived.look(seen)
        for thought in left:
            self.hear(thought)

    def _look_lived(
        self, reviewer: LivedReviewer, seen: ObservedState, *, asked: bool
    ) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield the note on who lives at its own pace where there is something to note."""
        findings = reviewer.look(seen) if reviewer.is_due(seen) or asked else ()
        if not findings and not asked:
            return
        question = prompts.lived_question(seen, reviewer.thoughts, findings, reviewer.chart)
        question = self._shaped(question)
        person, words = self._person.person, ""
        by = MODEL
        if self._may_ask(reviewer, seen.t_us):
            try:
                words = _kept(said := self._voices.ask(self.model, question, place=person))
                by = said.model if isinstance(said, RecordedWords) else self.model
                reviewer.asked(seen.t_us, calls=0 if by == MODEL else 1)
            except VoiceError as error:
                failure = ReviewError(str(error), error_class=error.error_class)
                self._tell_once("failed", f"{person}: its observer's model failed: {error}")
                if reviewer.chart.failed_us is None:  # one record for all the time that it is ill
                    yield _failure(failure, seen, person=person, model=self.model)
                reviewer.asked(seen.t_us, failed=True)
        if not words:
            by, words = MODEL, _kept(self._voices.said(compose_findings(question), question))
        yield _observation(question, words, person=person, model=by)

    def _may_ask(self, reviewer: LivedReviewer, t_us: int) -> bool:
        """Tell whether the model is asked: it is one, calls of the day are left, and it is well."""
        if self.model == MODEL:
            return False
        most = calls_of_observer(self._person.settings)
        if reviewer.calls_of(t_us) >= most:
            # Where the person's own model is spent too, its voice tells that.
            if self._person.settings.review_model:
                words = f"all {most} calls of a day of its observer are made (a part of max_calls)"
                self._tell_once("spent", f"{self._person.person}: {words}")
            return False
        failed_us = reviewer.chart.failed_us
        return failed_us is None or t_us - failed_us >= RESTS_US

    def _tell_once(self, what: str, words: str) -> None:
        """Tell something that was not told before."""
        if what not in self._told:
            self._told.add(what)
            self._tell(f"{words.removesuffix('.')}; the composed observer goes on")

    def _shaped(self, question: ReviewQuestion) -> ReviewQuestion:
        """Return a question with what shapes the reply of a model."""
        settings = self._person.settings
        return msgspec.structs.replace(
            question, max_tokens=settings.max_tokens, temperature=settings.temperature
        )

    def _note(self, question: ReviewQuestion) -> str:
        """Return what is noted; raises ReviewError."""
        question = self._shaped(question)
        if self.model == MODEL:
            return self._voices.said(compose(question), question)
        if self._calls >= self._person.settings.max_calls:
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

    Each looks at multiples of a grid of its own, whoever else is observed, once those have been
    lived through, and only at what is told of persons there: nothing goes back to them. All these
    grids are multiples of `grid_us`. A person's setting `review_model` is asked before `model`,
    which is the run's. Of those who live in a `store` it is known when the latest note was taken,
    and notes are kept there.
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
        self._looked: set[str] = set()
        self.grid_us = 0

    def __bool__(self) -> bool:
        """Tell whether anybody is observed."""
        return bool(self._observing)

    def add(
        self,
        person: Person,
        thoughts: Iterable[Thought] = (),
        *,
        last_us: int | None = None,
        states: Iterable[PersonState] = (),
        chart: bytes | None = None,
    ) -> bool:
        """Observe a person; return whether that is wanted: `wanted` is asked before its setting.

        Raises:
            BadInputError: the line of its chart is none.
            UsageError: the name of the observer's model is that of none.
            UnavailableError: its key or its file is missing.
        """
        if not (person.settings.review if self._wanted is None else self._wanted):
            return False
        known = None if chart is None else _chart_on(chart)
        if self._store is not None:
            last_us = last_look_us(self._store, person=person.person)
            known = chart_of(self._store, person=person.person)
        observing = ReviewWriter(
            person,
            self._voices,
            model=person.settings.review_model or self._model,
            tell=self._tell,
            last_us=last_us,
            chart=known,
        )
        if observing.model == NO_VOICE:
            return False
        observing.recall(states, thoughts)
        self._observing[person.person] = observing
        self.grid_us = math.gcd(self.grid_us, observing.grid_us)
        return True

    def hear(self, happened: Iterable[object]) -> None:
        """Hear the thoughts among all that happened."""
        for one in happened:
            if isinstance(one, Thought) and one.person in self._observing:
                self._observing[one.person].hear(one)

    def is_due(self, t_us: int) -> bool:
        """Tell whether a note may be due at an instant, which then is looked at."""
        looking = (one for one in self._observing.values() if not t_us % one.grid_us)
        firsts = (observing.reviewer.next_us() for observing in looking)
        return any(first is not None and first <= t_us for first in firsts)

    def look(
        self, states: Iterable[PersonState], persons: Iterable[Person]
    ) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield the notes that are due in the present states of persons, in their order."""
        for state, person in zip(states, persons, strict=True):
            observing = self._observing.get(person.person)
            if observing is not None and not state.t_us % observing.grid_us:
                self._looked.add(person.person)
                yield from observing.look(seen_of(state, person))

    def charts(self, states: Iterable[PersonState]) -> Iterator[ChartLine]:
        """Yield the charts of who lives at its own pace: from them the observer goes on."""
        for state in states:
            observing = self._observing.get(state.person)
            if observing is not None and observing.lived is not None:
                chart = observing.lived.chart
                yield ChartLine(person=state.person, t_us=state.t_us, chart=chart)

    def keep(self, notes: Iterable[object]) -> None:
        """Keep the notes among what was noted, and the charts of who was looked at since."""
        assert self._store is not None
        for note in notes:
            if isinstance(note, ReviewNote):
                keep_note(self._store, note)
        for person in self._looked:
            if (lived := self._observing[person].lived) is not None:
                keep_chart(self._store, person=person, chart=lived.chart)
        self._looked.clear()


def _grid_us(settings: PersonSettings) -> int:
    """Return at multiples of what a person is looked at.

    Of who lives at the seed's pace that is the decision grid, or the interval between notes where
    that is shorter, in whole seconds.
    """
    if settings.pacing == "lived":
        return LOOK_US
    seconds = max(1, -(-settings.review_interval_us // SECOND_US))
    return min(GRID_US, seconds * SECOND_US)


def _chart_on(line: bytes) -> Chart:
    """Return the chart on a line; raises BadInputError where it is none."""
    try:
        return msgspec.json.decode(line, type=ChartLine).chart
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        words = f"no chart of an observer: {error}; leave that line out"
        raise BadInputError([Problem(source="chart", message=words)]) from error


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
        self._noted: set[str] = set()

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
            writer = self._of(record.person)
            writer.hear(heard)
            if record.person not in self._seen and writer.lived is None:
                yield from self._look(record.person, self._unseen(record.person, heard))
        elif isinstance(record, PersonState):
            seen = seen_of(record, self._persons.get(record.person))
            self._seen[record.person] = _as_said(seen, given)
            yield from self._look(record.person, self._seen[record.person])

    def end(self) -> Iterator[ReviewNote | ReviewFailure]:
        """Yield notes on what was thought after the last states.

        On whom no note was taken so far one is: that is what was asked for. Of no line at all there
        is none.

        Raises:
            NothingToDoError: somebody came, and no thought was heard.
        """
        heard = False
        for person, writer in self._writers.items():
            thoughts = writer.reviewer.thoughts
            heard = heard or bool(thoughts)
            if thoughts and (person in self._seen or writer.lived is not None):
                seen = self._seen.get(person) or self._unseen(person, thoughts[-1])
                latest_us = max(seen.t_us, thoughts[-1].t_us)
                seen = msgspec.structs.replace(seen, t_us=latest_us)
                asked = person not in self._noted
                yield from self._look(person, seen, asked=asked)
        if not heard and (self._persons or self._seen):
            raise NothingToDoError(NO_THOUGHT)

    def _unseen(self, person: str, thought: HeardThought) -> ObservedState:
        """Return what is known of who is only heard."""
        known = self._persons.get(person)
        return ObservedState(t_us=thought.t_us, traits=None if known is None else known.traits)

    def _look(
        self, person: str, seen: ObservedState, *, asked: bool = False
    ) -> Iterator[ReviewNote | ReviewFailure]:
        for note in self._of(person).look(seen, asked=asked):
            self._noted.add(person)
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
        chart = chart_of(store, person=name)
        writer = ReviewWriter(
            lived.person, voices, model=model, tell=tell, last_us=last_us, chart=chart
        )
        for thought in lived.thoughts:
            writer.hear(thought)
        heard = heard or bool(lived.thoughts)
        seen = seen_of(lived.state, lived.person)
        asked = bool(lived.thoughts) and (last_us is None or last_us < seen.t_us)
        for note in writer.look(seen, asked=asked):
            noted = True
            if isinstance(note, ReviewNote):
                keep_note(store, note)
            if writer.lived is not None:
                keep_chart(store, person=name, chart=writer.lived.chart)
            yield note
    if not noted:
        raise NothingToDoError(NO_NOTE if heard else NO_THOUGHT)
