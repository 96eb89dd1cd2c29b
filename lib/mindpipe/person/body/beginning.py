"""How a person begins: at midnight of day 0, asleep, on the orbit of a rested day."""

import msgspec

from mindpipe.person.constants import constants_of
from mindpipe.person.records.person import Person
from mindpipe.person.records.ranges import VERSION
from mindpipe.person.records.state import Flags, Habit, Modes, Pending, State

HOUR_US = 3_600_000_000
ASLEEP_US = -62 * 60_000_000
"""When the first sleep began."""
LAST_MEAL_US = -5 * HOUR_US
_RESTED = {
    "S": 0.4862,
    "L": 9.7385,
    "hun": 0.4564,
    "thirst": 0.3466,
    "bladder": 0.2430,
    "gly": 0.7779,
    "sleepf": 0.7479,
    "bore": 0.2521,
}


def first_state(person: Person) -> State:
    """Return the state of a new person, at 0 µs; every other mode is 0."""
    constants = constants_of(tuple(sorted(person.consts.items())))
    missing = constants.break_L - _RESTED["L"]
    recovered_us = round(missing / constants.ramp_L_h * HOUR_US)
    modes = {name: _RESTED.get(name, 0.0) for name in Modes.__struct_fields__}
    return State(
        v=VERSION,
        person=person.person,
        t_us=0,
        anchor_us=0,
        modes=msgspec.convert(modes, Modes),
        flags=Flags(awake=False, since_us=ASLEEP_US, l_regime="ramp"),
        pending=(Pending(at_us=recovered_us, what="l_break", since_us=ASLEEP_US),),
        habit=Habit(last_meal_us=LAST_MEAL_US),
    )
