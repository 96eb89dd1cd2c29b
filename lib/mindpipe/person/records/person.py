"""Who a person is: traits, habits, identity and settings."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from mindpipe.core.records import Positive, Record
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import LifeTopic
from mindpipe.person.records.scales import (
    Born,
    Count,
    Duration,
    Hours,
    Instant,
    PersonId,
    Seed,
    Share,
)

NARRATIVE = (
    "I'm a person, trying to make sense of the world around me. I think a lot, sometimes too much."
)
DISPOSITION = ("thoughtful", "curious", "sometimes anxious")
AGE_YEAR_US = 31_556_952_000_000
"""A year of age: the mean one of the calendar, 365.2425 days."""
VALUES = ("honesty", "understanding", "being kind")

ParserName = Literal["seed", "improved"]
Pacing = Literal["lived", "seed"]


class Traits(Record):
    """The Big Five, each between 0 and 1 with mean 0.5 and standard deviation 0.17."""

    o: Share = 0.5
    c: Share = 0.5
    e: Share = 0.5
    a: Share = 0.5
    n: Share = 0.5


class Habits(Record):
    """Which parts of the daily routine run by themselves."""

    sleep: bool = True
    meals: bool = True
    drink: bool = True
    toilet: bool = True


class LearntFact(Record, omit_defaults=True):
    """What a person learnt of itself since it was made.

    `about` names what it is of, such as `Reijo` or `work`: a newer one of that takes its place, at
    `until_us`. `turn` is what turned in its life by that. What is only for a time, such as days off
    work, ends at the first midnight from `ends_us` on, and so does what only keeps one from going
    to work, from `leave_us` on. `where` is where somebody is who is not at home, as `in hospital`;
    `kin` is what somebody who is born is to the person, as `niece`.
    """

    text: str
    since_us: Instant
    about: str = ""
    until_us: Instant | None = None
    turn: LifeTopic = ""
    ends_us: Instant | None = None
    leave_us: Instant | None = None
    where: str = ""
    kin: str = ""

    @property
    def is_death(self) -> bool:
        """Tell whether it is that somebody has died; what was taken back since is not."""
        return self.turn in ("bereavement", "death") and self.until_us is None


class PersonIdentity(Record):
    """What a person holds itself to be; it stands in every prompt.

    What was given stays as it is; what is `learnt` is added, oldest first.
    """

    self_narrative: str = NARRATIVE
    disposition_traits: tuple[str, ...] = DISPOSITION
    relational_markers: tuple[str, ...] = ()
    key_memories: tuple[str, ...] = ()
    emotional_patterns: tuple[str, ...] = ()
    values_commitments: tuple[str, ...] = VALUES
    last_updated_us: Instant = 0
    learnt: tuple[LearntFact, ...] = ()


class PersonSettings(Record, omit_defaults=True):
    """How a person's inner voice, its reviewer and their limits are set; only changes are written.

    Spans are microseconds of simulated time; `review_model` empty means the person's own model.
    `pacing` is `lived`, where thoughts are dense around events and sparse at rest, or `seed`, where
    the intervals alone decide. `max_calls` is the budget of a simulated day, for what the person
    thinks and says and for its observer (see `calls_of_observer`). `language` is the folder of the
    tables from which the composed voice speaks; empty is English.
    """

    awareness: bool = True
    pacing: Pacing = "lived"
    model: str = "composed"
    anthropic_model: str = "claude-haiku-4-5"
    max_tokens: Positive = 1024
    temperature: Annotated[float, msgspec.Meta(ge=0.0, le=2.0)] = 0.9
    min_call_interval_us: Duration = 2_000_000
    spontaneous_interval_us: Duration = 30_000_000
    review: bool = True
    review_interval_us: Duration = 60_000_000
    review_buffer: Positive = 20
    review_model: str = ""
    max_prompt_tokens: Positive = 2000
    max_context_memories: Annotated[int, msgspec.Meta(ge=0, le=10)] = 5
    max_recent_thoughts: Annotated[int, msgspec.Meta(ge=0, le=5)] = 5
    hold_s: Annotated[float, msgspec.Meta(gt=0.0, le=3600.0)] = 1.0
    language: str = ""
    parser: ParserName = "seed"
    absorption_gain: Share = 0.15
    drift: bool = True
    prompt_coping: bool = True
    identity_by_model: bool = False
    max_calls: Count = 300


class Person(Record, tag="person", tag_field="kind"):
    """Who a person is; `consts` are overrides of the model's constants by name.

    `routine` is its ordinary week; None stands for the one that its identity suggests. `born_us` is
    when it was born, before midnight of day 0, where that is known: nothing that it lives depends
    on it, but a population can be asked by age.
    """

    v: int = 1
    person: PersonId
    t_us: Instant = 0
    name: str = ""
    seed: Seed = 0
    traits: Traits = Traits()
    chronotype_h: Hours = 0.0
    loneliness_trait: Share = 0.0
    habits: Habits = Habits()
    identity: PersonIdentity = PersonIdentity()
    settings: PersonSettings = PersonSettings()
    consts: dict[str, float] = {}
    routine: tuple[RoutineBlock, ...] | None = None
    born_us: Born | UnsetType = UNSET


OBSERVER_SHARE = 6
"""One of so many calls of a day is the observer's, whether there is one or not."""


def calls_of_observer(settings: PersonSettings) -> int:
    """Return how many calls of a model a person's observer may make on a day.

    They are set apart, so that what a person thinks does not depend on who watches.
    """
    return settings.max_calls // OBSERVER_SHARE


def calls_of_voice(settings: PersonSettings) -> int:
    """Return how many calls of a model a day has for what a person thinks and says aloud."""
    return settings.max_calls - calls_of_observer(settings)


def model_of(person: Person, *, asked: str | None = None) -> str:
    """Return the model of a person's voice: the one that is asked for, else the person's own.

    `anthropic` alone is the person's setting `anthropic_model`.
    """
    name = asked or person.settings.model
    return f"anthropic/{person.settings.anthropic_model}" if name == "anthropic" else name
