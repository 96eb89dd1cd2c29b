"""Which fields each type of event has, which of them it needs, and what they are by default."""

from collections.abc import Mapping

from mindpipe.core.records import Record
from mindpipe.person.records.event import Event

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US

ALIASES = {"cold": "climate", "heat": "climate"}
"""Other names of types of events."""
ALWAYS = frozenset(
    {"v", "person", "t_us", "id", "type", "text", "surprise", "certainty", "agency", "late_from_us"}
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
    "touch": EventFields(optional={"valence": 0.6, "intensity": 0.5, "dur_us": MINUTE_US}),
    "contact": EventFields(optional={"quality": 0.7, "dur_us": HOUR_US}),
    "exercise": EventFields(required=("met", "dur_us")),
    "news": EventFields(required=("valence", "importance"), optional={"cls": None}),
    "illness": EventFields(required=("peak_c", "dur_us")),
    "drug": EventFields(required=("name", "amount")),
    "goal": EventFields(required=("text",), optional={"importance": 0.5, "due_us": None}),
    "goal_done": EventFields(required=("text",)),
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


def number(event: Event, field: str) -> float:
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


def duration_us(event: Event) -> int:
    """Return how long an event lasts, in microseconds: as given, or the default of its type."""
    return int(number(event, "dur_us"))
