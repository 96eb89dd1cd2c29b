"""Observers of persons: who writes their notes, and one reviewer for each person of a run."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from mindpipe.core.said import Said
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Readouts, State
from mindpipe.person.records.thought import Thought
from mindpipe.person.voicing import VoiceError
from mindpipe.review.buffer import Reviewer
from mindpipe.review.composed import MODEL, compose
from mindpipe.review.records import (
    Heard,
    Observation,
    Question,
    ReviewError,
    ReviewFailure,
    Seen,
    heard_of,
)
from mindpipe.review.verbs.review import review
from mindpipe.wiring.voices import NONE, Voices, model_of

FIGURES = ("arousal", "valence", "energy", "cognitive_load", "regulation")
"""The readouts that the observer's instruments show."""
GRID_US = 60_000_000
"""At multiples of this a run stops for its observers: the decision grid, in microseconds."""
SECOND_US = 1_000_000
NO_MORE = "max_calls"
"""The error class of a call that is not made because the calls of a run are used up."""


def seen_of(state: State, person: Person | None) -> Seen:
    """Return what the observer sees of a person in a state; without a person its traits are not."""
    shown = {}
    if isinstance(state.read, Readouts):
        shown = {name: getattr(state.read, name) for name in FIGURES}
    return Seen(
        t_us=state.t_us,
        awake=state.flags.awake,
        distortions=state.psyche.distortions,
        coping=state.psyche.coping,
        traits=None if person is None else person.traits,
        **shown,
    )


class Observing:
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
        voices: Voices,
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

    def hear(self, thought: Thought | Heard) -> None:
        """Take a thought into view."""
        self.reviewer.add_thought(heard_of(thought) if isinstance(thought, Thought) else thought)

    def look(self, seen: Seen) -> Observation | ReviewFailure | None:
        """Return a note where one is due, or the failure of the model; nothing is raised for it."""
        if self.model == NONE:
            return None
        return review(self.reviewer, seen, self._note, person=self._person.person, model=self.model)

    def _note(self, question: Question) -> str:
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
            if isinstance(note, Said) and note.model == MODEL:
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


class Watching:
    """The observers of all persons of a run who are observed.

    They look at multiples of `grid_us`, once those have been lived through, and only at what is
    told of persons there: nothing goes back to them. That is the decision grid, or the shortest
    interval between notes where that is shorter, in whole seconds. A person's setting
    `review_model` is asked before `model`, which is the run's.
    """

    def __init__(
        self, voices: Voices, *, model: str | None, wanted: bool | None, tell: Callable[[str], None]
    ) -> None:
        self._voices = voices
        self._model = model
        self._wanted = wanted
        self._tell = tell
        self._observing: dict[str, Observing] = {}
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
        observing = Observing(
            person,
            self._voices,
            model=person.settings.review_model or self._model,
            tell=self._tell,
            last_us=last_us,
        )
        if observing.model == NONE:
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
        self, states: Iterable[State], persons: Iterable[Person]
    ) -> Iterator[Observation | ReviewFailure]:
        """Yield the notes that are due in the present states of persons, in their order."""
        for state, person in zip(states, persons, strict=True):
            observing = self._observing.get(person.person)
            note = None if observing is None else observing.look(seen_of(state, person))
            if note is not None:
                yield note
