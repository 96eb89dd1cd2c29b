"""The meals of a day that people eat by themselves."""

from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.person.body.event_fields import MINUTE_US
from mindpipe.person.records.state import Slot

MEAL_US = 15 * MINUTE_US
NEVER = -(2**62)
"""The number of the latest meal of a person that never ate."""


class Meal(NamedTuple):
    """A meal of the day: its slot, between which hours of the body's day, and what it brings."""

    slot: Slot
    first_h: float
    last_h: float
    kcal: float
    carbs_g: float


MEALS_OF_DAY = (
    Meal("B", 5.0, 11.0, 500.0, 60.0),
    Meal("L", 12.5, 15.0, 700.0, 75.0),
    Meal("D", 19.0, 22.0, 800.0, 75.0),
)
_PLACES = {meal.slot: place for place, meal in enumerate(MEALS_OF_DAY)}


def latest(slots: Iterable[tuple[int, Slot]]) -> int:
    """Return the number of the latest of some meals, counted through all days."""
    return max((day * len(MEALS_OF_DAY) + _PLACES[slot] for day, slot in slots), default=NEVER)
