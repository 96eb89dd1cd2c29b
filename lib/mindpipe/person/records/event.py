"""What happens to a person: one record for all types of events, each with fields of its own."""

from typing import Annotated, Literal, get_args

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.records.ranges import Duration, Instant, PersonId, Share, Signed

EventType = Literal[
    "sleep",
    "wake",
    "stay_awake",
    "food",
    "drink",
    "toilet",
    "noise",
    "light",
    "climate",
    "injury",
    "pain",
    "threat",
    "task",
    "speech",
    "action",
    "touch",
    "contact",
    "exercise",
    "news",
    "illness",
    "drug",
    "goal",
    "goal_done",
    "concern",
    "prediction_error",
    "identity",
    "thought",
]
TYPES: tuple[str, ...] = get_args(EventType)
InjuryClass = Literal["sting", "bruise", "cut", "burn", "fracture"]
DrugName = Literal["cortisol", "caffeine", "alcohol"]


def _between(least: float, most: float) -> msgspec.Meta:
    """Return the range of a number, both ends included."""
    return msgspec.Meta(ge=least, le=most)


class Event(Record, tag="event", tag_field="kind", omit_defaults=True):
    """One input of a person; which fields it may have depends on `type` (see `body.event_fields`).

    `cls` is written `class`: the kind of an injury or the class of an emotion; `source` is written
    `from`: who speaks or acts. Absent fields have the defaults of their type. `late_from_us` is
    when it was meant to be where it came late.
    """

    v: int
    person: PersonId
    t_us: Instant
    id: str
    type: EventType
    text: str | None = None
    surprise: Share | None = None
    dur_us: Duration | None = None
    kcal: Annotated[float, _between(0, 5000)] | None = None
    carbs_g: Annotated[float, _between(0, 1000)] | None = None
    ml: Annotated[float, _between(0, 5000)] | None = None
    db: Annotated[float, _between(0, 194)] | None = None
    lux: Annotated[float, _between(0, 200_000)] | None = None
    air_c: Annotated[float, _between(-90, 60)] | None = None
    clo: Annotated[float, _between(0, 4)] | None = None
    nrs: Annotated[float, _between(0, 10)] | None = None
    cls: str | None = msgspec.field(name="class", default=None)
    level: Share | None = None
    control: Share | None = None
    social_eval: Share | None = None
    danger: Share | None = None
    load: Share | None = None
    self_control: Share | None = None
    valence: Signed | None = None
    intensity: Share | None = None
    closeness: Share | None = None
    source: str | None = msgspec.field(name="from", default=None)
    quality: Share | None = None
    met: Annotated[float, _between(1, 25)] | None = None
    importance: Share | None = None
    certainty: Share | None = None
    agency: Literal["self", "other", "none"] | None = None
    peak_c: Annotated[float, _between(0, 5)] | None = None
    name: DrugName | None = None
    amount: Annotated[float, _between(0, 10_000)] | None = None
    due_us: Instant | None = None
    about: str | None = None
    strength: Share | None = None
    self_narrative: str | None = None
    disposition_traits: tuple[str, ...] | None = None
    relational_markers: tuple[str, ...] | None = None
    key_memories: tuple[str, ...] | None = None
    emotional_patterns: tuple[str, ...] | None = None
    values_commitments: tuple[str, ...] | None = None
    labels: tuple[str, ...] | None = None
    rates: dict[str, float] | None = None
    hold_s: Annotated[float, _between(0, 3600)] | None = None
    late_from_us: Instant | None = None
