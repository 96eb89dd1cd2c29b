"""How a person begins (section 5.7)."""

import msgspec

from mindpipe.person.life.birth import first_state
from support.persons import person

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


def test_a_person_begins_at_midnight_asleep_since_62_minutes() -> None:
    state = first_state(person())
    assert (state.t_us, state.anchor_us) == (0, 0)
    assert (state.flags.awake, state.flags.l_regime) == (False, "ramp")
    assert state.flags.since_us == -62 * 60_000_000
    assert state.flags.stay_awake_until_us == -1
    modes = msgspec.structs.asdict(state.modes)
    assert {name: level for name, level in modes.items() if level} == RESTED
    assert state.habit.last_meal_us == -5 * 3_600_000_000
    (due,) = state.pending
    assert (due.what, due.at_us) == ("l_break", round((12.2 - 9.7385) / 0.8008485378534561 * 3.6e9))


def test_the_break_of_a_ramp_follows_constants_of_the_person() -> None:
    (due,) = first_state(person(consts={"break_L": 12.0, "ramp_L_h": 0.5})).pending
    assert due.at_us == round((12.0 - 9.7385) / 0.5 * 3.6e9)
