"""What the observer hears and sees, what it is asked, and what it writes."""

from collections.abc import Callable
from typing import Protocol

from mindpipe.core.records import Record
from mindpipe.person.records.person import Traits
from mindpipe.person.records.scales import Count, Instant, PersonId
from mindpipe.person.records.state import Coping, Distortion, VoiceDay
from mindpipe.person.records.thought import Thought, ThoughtTrigger


class HeardThought(Record):
    """A thought as the observer hears it.

    `origin` says in brackets what it came from, e.g. `react, pain +`; `valence` is that of the
    moment it was thought in, None where nobody said. `episode` is the id of what happened, where
    the thought is of that, `event` that of the latest time it did, `about` what came to mind with
    it in words, and `told` whether somebody said that; `worth` is how good or bad what was said
    is, from -1 to 1, None where it is neither.
    """

    t_us: Instant
    id: str
    origin: str
    content: str
    labels: tuple[str, ...] = ()
    valence: float | None = None
    episode: str = ""
    event: str = ""
    about: str = ""
    told: bool = False
    worth: float | None = None

    @property
    def occurrence(self) -> str:
        """Return by what it is known which time something happened, empty where nothing did."""
        return self.event or self.episode


class ObservedState(Record):
    """A person as the observer's instruments show it; None is what they do not show.

    It is awake, or asleep, since `since_us`.
    """

    t_us: Instant = 0
    awake: bool = True
    since_us: Instant | None = None
    last_meal_us: Instant | None = None
    arousal: float | None = None
    valence: float | None = None
    energy: float | None = None
    cognitive_load: float | None = None
    regulation: float | None = None
    isolation: float | None = None
    pain: float | None = None
    core_temp_c: float | None = None
    distortions: tuple[Distortion, ...] = ()
    coping: tuple[Coping, ...] = ()
    traits: Traits | None = None


class ChartLook(Record):
    """What one look at a waking person showed."""

    t_us: Instant
    valence: float
    arousal: float
    energy: float


class ChartNight(Record):
    """A sleep, from its beginning to its end: how long was slept in it, and how often it broke."""

    asleep_us: Instant
    awake_us: Instant
    slept_us: int
    breaks: Count = 0


class ChartDay(Record):
    """Sums over the looks at a waking person on one day, and how often it ate."""

    day: int
    looks: Count = 0
    valence: float = 0.0
    arousal: float = 0.0
    energy: float = 0.0
    isolation: float = 0.0
    meals: Count = 0


class ChartMark(Record):
    """When something was noted last, or came to be known, and the value that it had."""

    subject: str
    t_us: Instant
    value: float = 0.0


class Chart(Record, omit_defaults=True):
    """What the observer keeps of one person, to compare it with what comes: all that it goes on by.

    `night` is the sleep that is not over; `since_us` is when the person last woke or fell asleep,
    `low_us` since when its mood is low. `voice` counts the calls of the observer's model on a day,
    `failed_us` is the latest of them where that failed.
    """

    looked_us: Instant | None = None
    noted_us: Instant | None = None
    since_us: Instant | None = None
    night: ChartNight | None = None
    last_meal_us: Instant | None = None
    low_us: Instant | None = None
    nights: tuple[ChartNight, ...] = ()
    days: tuple[ChartDay, ...] = ()
    looks: tuple[ChartLook, ...] = ()
    marks: tuple[ChartMark, ...] = ()
    voice: VoiceDay = VoiceDay()
    failed_us: Instant | None = None


class ChartLine(Record, tag="chart", tag_field="kind"):
    """The chart of a person at the end of a run, from which its observer goes on in the next."""

    v: int = 1
    person: PersonId
    t_us: Instant
    chart: Chart


class Noted(Record):
    """One thing that is worth a note: how much, in words, and what it is compared with next time.

    It is noted once under its `subject`, or again where its rule says so.
    """

    subject: str
    weight: Count
    words: str
    value: float = 0.0


class ReviewQuestion(Record):
    """What the observer is asked: two texts for a model, and what stands behind them.

    `max_tokens` and `temperature` shape the reply of a model; `findings` are what is to be noted
    of a person who lives at its own pace.
    """

    system: str
    user: str
    max_tokens: int = 1024
    temperature: float = 0.9
    seen: ObservedState
    thoughts: tuple[HeardThought, ...]
    findings: tuple[Noted, ...] = ()


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
        episode=thought.trigger.episode or "",
        event=(thought.trigger.event or "") if thought.trigger.episode else "",
        about=thought.trigger.text,
        told=thought.mode == "respond" and thought.trigger.type == "speech",
        worth=thought.trigger.valence,
    )


def _cause(trigger: ThoughtTrigger) -> str:
    """Return what a thought came from in one or two words; empty where nobody said."""
    if trigger.dim is not None:
        return f"{trigger.dim} {trigger.dir or ''}".rstrip()
    return trigger.category or trigger.type or ""
