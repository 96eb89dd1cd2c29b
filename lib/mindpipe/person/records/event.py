"""What happens to a person: one record for all types of events, each with fields of its own."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.records.scales import Duration, Instant, PersonId, Share, Signed

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
    "said",
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
LifeTopic = Literal[
    "",
    "bereavement",
    "love",
    "separation",
    "dismissal",
    "exam",
    "birth",
    "night_work",
    "illness",
    "death",
]
"""What turns a life for days or weeks, as far as it has a course of its own.

A `death` is that of somebody who is not the person's own to mourn: it has none.
"""
GoalOutcome = Literal["done", "failed", "given_up"]
"""How a goal ends."""
DrugName = Literal["cortisol", "caffeine", "alcohol"]


def _between(least: float, most: float) -> msgspec.Meta:
    """Return the range of a number, both ends included."""
    return msgspec.Meta(ge=least, le=most)


class PersonEvent(Record, tag="event", tag_field="kind", omit_defaults=True):
    """One input of a person; which fields it may have depends on `type` (see `body.event_fields`).

    `cls` is written `class`: the kind of an injury or the class of an emotion; `source` is written
    `from`: who speaks or acts; `people` is written `with`: who has a part in it. `place` follows
    "You are". `topic` is what it turns in a life. Absent fields have the defaults of their type.
    `model` is who found the words of what the person itself said.
    `late_from_us` is when it was meant to be where it came late.
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
    outcome: GoalOutcome | None = None
    about: str | None = None
    model: str | None = None
    strength: Share | None = None
    self_narrative: str | None = None
    disposition_traits: tuple[str, ...] | None = None
    relational_markers: tuple[str, ...] | None = None
    key_memories: tuple[str, ...] | None = None
    emotional_patterns: tuple[str, ...] | None = None
    values_commitments: tuple[str, ...] | None = None
    place: str | None = None
    people: tuple[str, ...] | None = msgspec.field(name="with", default=None)
    weather: str | None = None
    topic: LifeTopic | None = None
    labels: tuple[str, ...] | None = None
    rates: dict[str, float] | None = None
    hold_s: Annotated[float, _between(0, 3600)] | None = None
    late_from_us: Instant | None = None


SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US

ALIASES = {"cold": "climate", "heat": "climate"}
"""Other names of types of events."""
ALWAYS = frozenset(
    {
        *("v", "person", "t_us", "id", "type", "text", "surprise", "certainty", "agency"),
        *("place", "people", "weather", "topic", "late_from_us"),
    }
)
"""The fields that every type may have."""


class EventFields(Record):
    """The fields of one type besides those that all have: needed, or with their defaults.

    None as a default stands for one that other fields decide: grams of carbohydrate, the level of
    a task, the class of an emotion.
    """

    required: tuple[str, ...] = ()
    optional: dict[str, str | float | tuple[str, ...] | None] = {}


FIELDS: Mapping[str, EventFields] = {
    "sleep": EventFields(),
    "wake": EventFields(),
    "stay_awake": EventFields(required=("dur_us",)),
    "food": EventFields(required=("kcal",), optional={"carbs_g": None, "dur_us": 15 * MINUTE_US}),
    "drink": EventFields(optional={"ml": 250.0}),
    "toilet": EventFields(),
    "noise": EventFields(required=("db",), optional={"dur_us": 5 * SECOND_US}),
    "light": EventFields(required=("lux", "dur_us")),
    "climate": EventFields(required=("air_c", "dur_us"), optional={"clo": 1.0}),
    "injury": EventFields(required=("nrs",), optional={"cls": "cut"}),
    "pain": EventFields(required=("nrs", "dur_us")),
    "threat": EventFields(
        required=("level",),
        optional={
            "control": 0.0,
            "social_eval": 0.0,
            "danger": 0.0,
            "cls": "fear",
            "dur_us": MINUTE_US,
        },
    ),
    "task": EventFields(
        required=("load",),
        optional={
            "level": None,
            "control": 1.0,
            "social_eval": 0.0,
            "self_control": 0.0,
            "danger": 0.0,
            "dur_us": 15 * MINUTE_US,
        },
    ),
    "speech": EventFields(
        required=("text",),
        optional={"valence": 0.0, "intensity": 0.5, "closeness": 0.5, "source": "", "cls": None},
    ),
    "action": EventFields(
        required=("text",),
        optional={"valence": 0.0, "intensity": 0.5, "closeness": 0.5, "source": "", "cls": None},
    ),
    "said": EventFields(required=("text",), optional={"about": "", "model": ""}),
    "touch": EventFields(optional={"valence": 0.6, "intensity": 0.5, "dur_us": MINUTE_US}),
    "contact": EventFields(optional={"quality": 0.7, "dur_us": HOUR_US}),
    "exercise": EventFields(required=("met", "dur_us")),
    "news": EventFields(required=("valence", "importance"), optional={"cls": None}),
    "illness": EventFields(required=("peak_c", "dur_us")),
    "drug": EventFields(required=("name", "amount")),
    "goal": EventFields(required=("text",), optional={"importance": 0.5, "due_us": None}),
    "goal_done": EventFields(required=("text",), optional={"outcome": "done"}),
    "concern": EventFields(required=("text",), optional={"about": ""}),
    "prediction_error": EventFields(required=("text",), optional={"strength": 1.0}),
    "identity": EventFields(
        optional={
            "self_narrative": None,
            "disposition_traits": None,
            "relational_markers": None,
            "key_memories": None,
            "emotional_patterns": None,
            "values_commitments": None,
        }
    ),
    "thought": EventFields(
        required=("labels",), optional={"rates": None, "hold_s": 1.0, "about": ""}
    ),
}
"""Every type of event."""


def number(event: PersonEvent, field: str) -> float:
    """Return a numeric field of an event, or the default of its type; durations are microseconds.

    Raises:
        TypeError: the field is neither given nor has a number as default.
    """
    given = getattr(event, field)
    if given is None:
        given = FIELDS[event.type].optional[field]
    if not isinstance(given, float | int):
        raise TypeError(f"{field} of {event.type} is no number")
    return given


def duration_us(event: PersonEvent) -> int:
    """Return how long an event lasts, in microseconds: as given, or the default of its type."""
    return int(number(event, "dur_us"))
