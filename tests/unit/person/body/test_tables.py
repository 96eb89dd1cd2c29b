"""The literal tables of modes, channels and constants."""

import msgspec
import pytest

from mindpipe.person.body import columns
from mindpipe.person.body.bank import CHANNELS
from mindpipe.person.body.constants import MARKS, Constants, constants_of, range_of
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import DENSE, SPARSE, combine
from mindpipe.person.life.birth import first_state
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Contribution, Hold, Modes
from support.body_oracle import TAU
from support.tables import each_row


def acting(**level: float) -> Contribution:
    return Contribution(start_us=0, end_us=1, type="task", event="", chan=level)


def test_the_modes_are_those_of_a_state_in_order() -> None:
    assert tuple(mode.name for mode in MODES) == Modes.__struct_fields__
    assert len(MODES) == 55
    assert [MODE[mode.name] for mode in MODES] == list(range(55))


def test_time_constants() -> None:
    told = {mode.name: getattr(Constants(), mode.tau) for mode in MODES if mode.tau}
    assert told == pytest.approx(TAU, rel=1e-15)


def test_rows_that_are_always_added_to_and_rows_that_seldom_are_do_not_overlap() -> None:
    never = {mode.name for row, mode in enumerate(MODES) if row not in (*SPARSE, *DENSE)}
    assert not set(SPARSE) & set(DENSE)
    assert list(SPARSE) == sorted(SPARSE)
    impulses = "car_1 car_2 car_3 car_4 dopa exo caf alc pain_1 pain_2 pain_3 v2 v3 v4 v5 aev"
    assert never == set(impulses.split(" "))


def test_every_constant_has_a_mark() -> None:
    assert set(MARKS) == set(Constants.__struct_fields__)
    assert {mark.mark for mark in MARKS.values()} == {"L", "L?", "F", "C"}
    assert all("row" in mark.source for mark in MARKS.values() if mark.mark == "F")


def test_constants_can_be_replaced_by_name() -> None:
    changed = constants_of((("tau_adr", 100.0),))
    assert changed == msgspec.structs.replace(Constants(), tau_adr=100.0)
    assert changed is constants_of((("tau_adr", 100.0),))
    assert constants_of(()) == Constants()


def test_a_constant_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="no constant is called tau_ard"):
        constants_of((("tau_ard", 1.0),))


@each_row("name", MARKS)
def test_what_a_constant_is_can_be_lived_with(name: str) -> None:
    least, most = range_of(name)
    assert least <= getattr(Constants(), name) <= most
    assert least > 0 or not name.startswith("tau_")


def test_how_hard_rumination_pushes_is_a_constant() -> None:
    person = Person(person="ann", consts={"rum_rate": 0.6})
    state = msgspec.structs.replace(
        first_state(person), holds=(Hold(start_us=0, end_us=9, rates={"rum": 0.3}),)
    )
    bank = columns.bank_of([person], [state], constants_of((("rum_rate", 0.6),)))
    assert bank.x[MODE["rum"], 0] == pytest.approx(0.6 / (0.6 + 1 / 120), rel=1e-12)


def test_channels_add_up_in_the_order_of_their_start() -> None:
    told = dict(zip(CHANNELS, combine([
        acting(u=0.5, task=0.5, noise=0.2, carb=0.1, air_c=40.0, clo=0.5, met=6.5, q=0.7),
        acting(u=0.5, task=0.2, noise=0.9, carb=0.2, air_c=10.0, clo=1.0, met=2.0, q=0.2),
    ]), strict=True))  # fmt: skip
    assert told == pytest.approx({
        "u": 0.75, "symp": 0, "task": 0.6, "pain_in": 0, "touch": 0, "sc": 0, "noise": 0.9,
        "lux": 0, "met": 6.5, "ex": 0.5, "fever": 0, "q": 0.7, "fed": 0, "carb": 0.3, "eat": 0,
        "adr_in": 0, "d": 10.0 - 21.0, "quiet": 1 - 0.25 * 0.9, "undriven": 1 - 0.35 * 0.75,
        "untaxed": 1 - 0.9 * 0.6, "inward": -0.8 * 0.6 - 0.4 * 0.7 - 0.3 * 0.9,
        "wanted": 0.65 - 0.30 * 0.6, "unrest": 0, "broken": 0, "distaste": 0, "weary": 0,
    })  # fmt: skip


def test_with_nothing_at_work_all_channels_rest() -> None:
    told = dict(zip(CHANNELS, combine([]), strict=True))
    weighed = ("met", "quiet", "undriven", "untaxed", "inward", "wanted")
    assert [told.pop(name) for name in weighed] == [1.0, 1.0, 1.0, 1.0, 0.2, 0.65]
    assert set(told.values()) == {0.0}
