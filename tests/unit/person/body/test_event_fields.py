"""The table of section 8.3, read a second time: what an event needs, and its defaults."""

from mindpipe.person.records.event import ALIASES, FIELDS
from support.tables import each_row

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
SPOKEN: dict[str, object] = {"valence": 0.0, "intensity": 0.5, "closeness": 0.5}
TABLE: dict[str, tuple[set[str], dict[str, object]]] = {
    "sleep": (set(), {}),
    "wake": (set(), {}),
    "stay_awake": ({"dur_us"}, {}),
    "food": ({"kcal"}, {"dur_us": 15 * MINUTE_US}),
    "drink": (set(), {"ml": 250.0}),
    "toilet": (set(), {}),
    "noise": ({"db"}, {"dur_us": 5 * SECOND_US}),
    "light": ({"lux", "dur_us"}, {}),
    "climate": ({"air_c", "dur_us"}, {"clo": 1.0}),
    "injury": ({"nrs"}, {"cls": "cut"}),
    "pain": ({"nrs", "dur_us"}, {}),
    "threat": (
        {"level"},
        {
            "dur_us": MINUTE_US,
            "control": 0.0,
            "social_eval": 0.0,
            "danger": 0.0,
            "cls": "fear",
        },
    ),
    "task": (
        {"load"},
        {
            "dur_us": 15 * MINUTE_US,
            "control": 1.0,
            "social_eval": 0.0,
            "self_control": 0.0,
            "danger": 0.0,
        },
    ),
    "speech": ({"text"}, SPOKEN),
    "said": ({"text"}, {}),
    "action": ({"text"}, SPOKEN),
    "touch": (set(), {"dur_us": MINUTE_US, "valence": 0.6, "intensity": 0.5}),
    "contact": (set(), {"dur_us": HOUR_US, "quality": 0.7}),
    "exercise": ({"met", "dur_us"}, {}),
    "news": ({"valence", "importance"}, {}),
    "illness": ({"peak_c", "dur_us"}, {}),
    "drug": ({"name", "amount"}, {}),
    "goal": ({"text"}, {"importance": 0.5}),
    "goal_done": ({"text"}, {"outcome": "done"}),
    "concern": ({"text"}, {}),
    "prediction_error": ({"text"}, {"strength": 1.0}),
    "identity": (set(), {}),
    "thought": ({"labels"}, {"hold_s": 1.0}),
}


@each_row("what", FIELDS)
def test_an_event_needs_its_fields_and_has_its_defaults(what: str) -> None:
    needed, defaults = TABLE[what]
    found = FIELDS[what]
    told = {name: given for name, given in found.optional.items() if given not in (None, "")}
    assert (set(found.required), told) == (needed, defaults)


def test_cold_and_heat_are_climates() -> None:
    assert ALIASES == {"cold": "climate", "heat": "climate"}
