"""Sleep: the awakening response and what it takes, and what is measured every ten minutes."""

import pytest

import persons
from lone_lives import Alone, happening, person
from mindpipe.person.body import slow
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.sleeping import gate


@pytest.mark.parametrize(
    ("hour", "opened"),
    [(2.99, 0), (3, 0), (4, 0.5), (5, 1), (9.99, 1), (11, 0.5), (12, 0), (18, 0), (0, 0)],
)
def test_the_awakening_response_belongs_to_the_morning(hour: float, opened: float) -> None:
    assert gate(float(hour)) == pytest.approx(opened)


@pytest.mark.parametrize(("woken", "amplitudes"), [("06:00", [7.0]), ("05:59:59.999999", [])])
def test_only_three_hours_of_sleep_end_with_an_awakening_response(
    woken: str, amplitudes: list[float]
) -> None:
    events = [happening("02:59", "wake"), happening("03:00", "sleep"), happening(woken, "wake")]
    pending = Alone(person(), events).at(woken).pending
    assert [one.arg for one in pending if one.what == "car"] == amplitudes


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
    assert slow.sample(bank).all()
    assert bank.x_ser.tolist() == pytest.approx([0.0, -0.13, -0.18])
    assert bank.x_allo.tolist() == pytest.approx([0.3, 0.8, 0.6])
    assert not slow.sample(bank).any()
