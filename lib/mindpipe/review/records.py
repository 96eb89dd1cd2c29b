"""What the observer hears and sees, what it is asked, and what it writes."""

from collections.abc import Callable
from typing import Protocol

from mindpipe.core.records import Record
from mindpipe.person.records.person import Traits
from mindpipe.person.records.scales import Instant, PersonId
from mindpipe.person.records.state import Coping, Distortion
from mindpipe.person.records.thought import Thought, ThoughtTrigger


class HeardThought(Record):
    """A thought as the observer hears it.

    `origin` says in brackets what it came from, e.g. `react, pain +`; `valence` is that of the
    moment it was thought in, None where nobody said.
    """

    t_us: Instant
    id: str
    origin: str
    content: str
    labels: tuple[str, ...] = ()
    valence: float | None = None


class ObservedState(Record):
    """A person as the observer's instruments show it; None is what they do not show."""

    t_us: Instant = 0
    awake: bool = True
    arousal: float | None = None
    valence: float | None = None
    energy: float | None = None
    cognitive_load: float | None = None
    regulation: float | None = None
    distortions: tuple[Distortion, ...] = ()
    coping: tuple[Coping, ...] = ()
    traits: Traits | None = None


class ReviewQuestion(Record):
    """What the observer is asked: two texts for a model, and what stands behind them.

    `max_tokens` and `temperature` shape the reply of a model.
    """

    system: str
    user: str
    max_tokens: int = 1024
    temperature: float = 0.9
    seen: ObservedState
    thoughts: tuple[HeardThought, ...]


Observer = Callable[[ReviewQuestion], str]
"""Turns a question into a note; raises ReviewError."""


class ReviewError(Exception):
    """A call of the observer's model that failed; `error_class` names the fault in one word."""

    def __init__(self, message: str, *, error_class: str) -> None:
        super().__init__(message)
        self.error_class = error_class


class ReviewVoices(Protocol):
    """What observers speak with: the composed voice, or any model by its name."""

    def of(self, model: str) -> object:
        """Have a model within reach.

        Raises:
            UsageError: the name is that of no model.
            UnavailableError: its key or its file is missing.
        """
        ...

    def ask(self, model: str, prompt: ReviewQuestion, *, place: str) -> str:
        """Ask a model once and return the text of its reply; raises VoiceError."""
        ...

    def said(self, words: str, prompt: ReviewQuestion) -> str:
        """Return words that needed no model, written down as its reply where that is asked."""
        ...


class ReviewNote(Record, tag="observation", tag_field="kind"):
    """A note on a person's recent thoughts, which the person never sees."""

    v: int = 1
    person: PersonId
    t_us: Instant
    content: str
    thoughts: tuple[str, ...]
    model: str
    composed: bool = False


class ReviewFailure(Record, tag="review_failure", tag_field="kind"):
    """A call of the observer's model that failed; `error_class` names the fault in one word.

    It is no `failure`, which is of the person's own voice, so that the person's records are the
    same whatever becomes of the observer.
    """

    v: int = 1
    person: PersonId
    t_us: Instant
    model: str
    error_class: str
    message: str


def heard_of(thought: Thought) -> HeardThought:
    """Return what the observer hears of a thought."""
    return HeardThought(
        t_us=thought.t_us,
        id=thought.id,
        origin=", ".join(filter(None, (thought.mode, _cause(thought.trigger)))),
        content=thought.content,
        labels=thought.labels,
        valence=None if thought.affect is None else thought.affect.valence,
    )


def _cause(trigger: ThoughtTrigger) -> str:
    """Return what a thought came from in one or two words; empty where nobody said."""
    if trigger.dim is not None:
        return f"{trigger.dim} {trigger.dir or ''}".rstrip()
    return trigger.category or trigger.type or ""
