"""Sleep: the awakening response and what it takes, and what is measured every ten minutes."""

import msgspec
import numpy as np
import pytest

from mindpipe.person.body import rates
from mindpipe.person.body.habits import fall_asleep, gate
from mindpipe.person.body.modes import MODE
from mindpipe.person.calendar import instant_us
from mindpipe.person.records.person import Habits
from support import persons
from support.lone_life import Alone, happening, person
from support.tables import each_row

NO_HABITS = Habits(sleep=False, meals=False, drink=False, toilet=False)


@each_row(
    ("hour", "opened"),
    [
        (2.99, 0),
        (3, 0),
        (4, 0.5),
        (5, 1),
        (9.99, 1),
        (11, 0.5),
        (3.02, 0.01),
        (4.98, 0.99),
        (5.02, 1),
        (10.04, 0.98),
        (12, 0),
        (18, 0),
        (0, 0),
    ],
)
def test_the_awakening_response_belongs_to_the_morning(hour: float, opened: float) -> None:
    assert gate(float(hour)) == pytest.approx(opened)


@each_row(("woken", "amplitudes"), [("06:00", [7.0]), ("05:59:59.999999", [])])
def test_only_three_hours_of_sleep_end_with_an_awakening_response(
    woken: str, amplitudes: list[float]
) -> None:
    events = [happening("02:59", "wake"), happening("03:00", "sleep"), happening(woken, "wake")]
    pending = Alone(person(), events).at(woken).pending
    assert [one.arg for one in pending if one.what == "car"] == amplitudes


@pytest.mark.heavy
@each_row(
    ("phi", "woken", "amplitude"),
    [(0.0, "1d04:00", 3.5), (0.0, "1d07:00", 7.0), (2.0, "1d06:00", 3.5), (-3.0, "1d08:00", 3.5)],
)
def test_the_response_is_that_of_the_hour_of_the_own_day(
    phi: float, woken: str, amplitude: float
) -> None:
    one = msgspec.structs.replace(person(), chronotype_h=phi, habits=NO_HABITS)
    events = [happening("0:30", "wake"), happening("1d00:00", "sleep"), happening(woken, "wake")]
    pending = Alone(one, events).at(woken).pending
    (due,) = (due for due in pending if due.what == "car")
    assert due.arg == pytest.approx(amplitude)
    assert due.at_us == instant_us(woken) + 360_000_000


@each_row(
    ("events", "felt"),
    [
        ([("07:00", "wake")], True),
        ([("07:00", "wake"), ("07:02", "sleep")], False),
        ([("07:00", "wake"), ("07:02", "sleep"), ("07:03", "wake")], False),
    ],
)
def test_the_response_is_void_after_that_waking(
    events: list[tuple[str, str]], *, felt: bool
) -> None:
    one = msgspec.structs.replace(person(), habits=NO_HABITS)
    life = Alone(one, [happening(at, what) for at, what in events])
    assert life.at("07:05").pending
    after = life.at("07:06:01")
    assert [one.what for one in after.pending] == []
    assert (after.modes.car_1 > 0.0) is felt


def test_the_break_of_the_ramp_is_void_after_that_sleep() -> None:
    one = msgspec.structs.replace(person(), habits=NO_HABITS)
    first, second = 11_065_000_000, 2 * 3_600_000_000
    events = [happening("01:00", "wake"), happening("02:00", "sleep")]
    life = Alone(one, events)
    begun = life.at("02:00")
    assert sorted(one.since_us for one in begun.pending) == [-62 * 60_000_000, second]
    after = life.at("03:05")
    assert instant_us("03:05") > first
    assert after.flags.l_regime == "ramp"
    risen = after.modes.L + (0.8008485378534561 / 3.6e9) * (after.t_us - after.anchor_us)
    assert risen == pytest.approx(begun.modes.L + 0.8008485378534561 * 65 / 60, rel=1e-9)


def test_falling_asleep_ends_coping_distortions_and_inertia() -> None:
    bank = persons.bank([persons.person(1)])
    bank.awake[:] = bank.forced[:] = bank.distortions[:] = True
    bank.coping[:] = bank.episode_us[:] = 1
    bank.modes[MODE["W"]] = -1.0
    fall_asleep(bank, np.arange(1), 5)
    assert not bank.awake.any() and not bank.forced.any() and not bank.distortions.any()
    assert (bank.coping == -1).all() and (bank.episode_us == -1).all()
    assert bank.modes[MODE["W"], 0] == 0.0
    assert bank.since_us[0] == 5


def test_alertness_recovers_along_a_ramp_up_to_its_break() -> None:
    life = Alone(person())
    assert life.at("00:00").flags.l_regime == "ramp"
    (due,) = life.at("00:00").pending
    assert due.at_us == round((12.2 - 9.7385) / 0.8008485378534561 * 3.6e9)
    after = life.at("03:05")
    assert (after.flags.l_regime, after.pending) == ("exp", ())
    assert after.modes.L > 12.2


def test_slow_samples_are_those_of_the_text() -> None:
    bank = persons.bank([persons.person(number) for number in range(3)])
    bank.modes[MODE["S"]] = (0.5, 0.835, 1.2)
    bank.modes[MODE["iso"]] = (0.29, 0.3, 0.9)
    bank.modes[MODE["hpa24"]] = (0.1, 0.1, 0.0)
    bank.modes[MODE["pain_1"]] = (0.0, 0.5, 0.0)
    assert rates.sample(bank).all()
    assert bank.x_ser.tolist() == pytest.approx([0.0, -0.13, -0.18])
    assert bank.x_allo.tolist() == pytest.approx([0.3, 0.8, 0.6])
    assert not rates.sample(bank).any()
