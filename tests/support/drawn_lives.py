"""Lives at random: persons of all tempers, and events of every type in their whole ranges."""

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from mindpipe.person.body.emotions import DURATIONS_H
from mindpipe.person.records.event import FIELDS, DrugName, InjuryClass, PersonEvent
from mindpipe.person.records.person import Habits, Person, Traits
from mindpipe.person.records.state import LABELS

SECOND_US = 1_000_000
HOUR_US = 3_600 * SECOND_US
TYPES = tuple(FIELDS)
RANGES: dict[str, tuple[float, float]] = {
    "kcal": (0, 5000),
    "carbs_g": (0, 1000),
    "ml": (0, 5000),
    "db": (0, 194),
    "lux": (0, 200_000),
    "air_c": (-90, 60),
    "clo": (0, 4),
    "nrs": (0, 10),
    "valence": (-1, 1),
    "met": (1, 25),
    "peak_c": (0, 5),
    "hold_s": (0.1, 60),
}
"""Least and most of the numbers that are no shares."""
NAMES: dict[str, Sequence[str]] = {
    "text": ("a word", "another word"),
    "source": ("", "Ben", "Cleo"),
    "about": ("", "work"),
    "name": get_args(DrugName),
    "self_narrative": ("I am somebody.",),
}
SHARES = (
    "level",
    "control",
    "social_eval",
    "danger",
    "load",
    "self_control",
    "intensity",
    "closeness",
    "quality",
    "importance",
    "strength",
)
MOST_DOSE = {"cortisol": 500.0, "caffeine": 1000.0, "alcohol": 200.0}


def somebody(chance: np.random.Generator, number: int, **settings: Any) -> Person:
    """Return a person of any traits, chronotype and habits."""
    o, c, e, a, n = chance.random(5).tolist()
    sleep, meals, drink, toilet = (bool(draw < 0.8) for draw in chance.random(4))
    return Person(
        person=f"p{number:06d}",
        seed=int(chance.integers(2**32)),
        traits=Traits(o=o, c=c, e=e, a=a, n=n),
        chronotype_h=float(chance.uniform(-4, 4)),
        loneliness_trait=float(chance.random()),
        habits=Habits(sleep=sleep, meals=meals, drink=drink, toilet=toilet),
        **settings,
    )


def something(chance: np.random.Generator, who: Person, t_us: int, number: int) -> PersonEvent:
    """Return an event of any type; half of the fields that it may have are given."""
    what = str(chance.choice(TYPES))
    fields = FIELDS[what]
    wanted = [*fields.required, *(name for name in fields.optional if chance.random() < 0.5)]
    given = {name: _value(chance, what, name, t_us) for name in wanted}
    if what == "drug":
        given["amount"] = float(chance.random()) * MOST_DOSE[given["name"]]
    if chance.random() < 0.2:
        given["surprise"] = float(chance.random())
    return PersonEvent(
        v=1,
        person=who.person,
        t_us=t_us,
        id=f"ev:{who.person}:{t_us}:{number}",
        type=what,  # type: ignore[arg-type]  # one of all types
        **given,
    )


def history(
    chance: np.random.Generator, who: Person, instants: Sequence[int], most: int = 12
) -> list[PersonEvent]:
    """Return up to `most` events at some of the instants, in any order."""
    count = int(chance.integers(most + 1))
    chosen = chance.choice(np.asarray(instants), count).tolist()
    return [something(chance, who, t_us, number) for number, t_us in enumerate(chosen)]


def instants(chance: np.random.Generator, hours: float, count: int = 64) -> list[int]:
    """Return instants: some on the grids, some of whole seconds, some of any microsecond."""
    steps = chance.choice([1, SECOND_US, 60 * SECOND_US, 600 * SECOND_US], count)
    found = chance.integers(int(hours * HOUR_US), size=count)
    return (found - found % steps).tolist()


def _value(chance: np.random.Generator, what: str, name: str, t_us: int) -> Any:
    """Return a value of a field from its whole range."""
    if name in SHARES:
        return float(chance.random())
    if name in RANGES:
        least, most = RANGES[name]
        return float(chance.choice([least, most, chance.uniform(least, most)]))
    if name in NAMES:
        return str(chance.choice(NAMES[name]))
    if name == "cls":
        classes = get_args(InjuryClass) if what == "injury" else tuple(DURATIONS_H)
        return str(chance.choice(classes))
    return {
        "dur_us": int(chance.choice([0, 1, SECOND_US, 90 * SECOND_US, HOUR_US, 30 * HOUR_US])),
        "labels": tuple(chance.choice(LABELS, int(chance.integers(4)), replace=False).tolist()),
        "rates": {"cort_up": float(chance.random()), "ser_dn": 0.01},
        "due_us": t_us + HOUR_US,
    }.get(name, ("one", "two"))
