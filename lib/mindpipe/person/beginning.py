"""How a person begins: traits that are drawn, and the body at midnight of day 0."""

from statistics import NormalDist

from mindpipe.person.chance import BITS, key_of, whole
from mindpipe.person.records.person import Person, Traits
from mindpipe.person.records.state import Flags, Habit, Modes, Pending, State

TRAIT_STREAM = 6
MEAN, SPREAD = 0.5, 0.17
CHRONOTYPE_SPREAD_H, CHRONOTYPE_MOST_H = 0.7, 2.5
HOUR_US = 3_600_000_000
ASLEEP_SINCE_US = -62 * 60_000_000
LAST_MEAL_US = -5 * HOUR_US
RESTED = {
    "S": 0.4862,
    "L": 9.7385,
    "hun": 0.4564,
    "thirst": 0.3466,
    "bladder": 0.2430,
    "gly": 0.7779,
    "sleepf": 0.7479,
    "bore": 0.2521,
}
"""The modes of a rested day at midnight (a periodic orbit, chosen); all others are 0."""


def normals(seed: int, person: str) -> tuple[float, ...]:
    """Return the six standard normal draws of a person: o, c, e, a, n and chronotype."""
    key, normal = key_of(seed, person), NormalDist()
    wholes = [whole(key, 0, TRAIT_STREAM, slot) for slot in range(6)]
    return tuple(normal.inv_cdf((number + 0.5) / 2**BITS) for number in wholes)


def drawn_traits(seed: int, person: str) -> tuple[Traits, float]:
    """Return the traits and the chronotype in hours of one of a generated population."""
    *traits, late = normals(seed, person)
    o, c, e, a, n = (min(max(MEAN + SPREAD * draw, 0.0), 1.0) for draw in traits)
    most = CHRONOTYPE_MOST_H
    hours = min(max(CHRONOTYPE_SPREAD_H * late, -most), most)
    return Traits(o=o, c=c, e=e, a=a, n=n), hours


def first_state(person: Person, *, break_l: float, ramp_l_h: float) -> State:
    """Return the state of a person at midnight of day 0: asleep, fed and rested.

    Args:
        person: Who begins.
        break_l: The level of alertness at which its recovery changes (`Constants.break_L`).
        ramp_l_h: Its rise per hour before that (`Constants.ramp_L_h`).
    """
    modes = dict.fromkeys(Modes.__struct_fields__, 0.0) | RESTED
    broken_us = round((break_l - RESTED["L"]) / ramp_l_h * HOUR_US)
    return State(
        person=person.person,
        t_us=0,
        anchor_us=0,
        modes=Modes(**modes),
        flags=Flags(awake=False, since_us=ASLEEP_SINCE_US, l_regime="ramp"),
        pending=(Pending(at_us=broken_us, what="l_break", since_us=ASLEEP_SINCE_US),),
        habit=Habit(last_meal_us=LAST_MEAL_US),
    )
