"""The table of validation: what was used to fit comes out good, what is not good is said."""

import functools

import msgspec
import pytest

from mindpipe.core.errors import UsageError
from mindpipe.person.validation.table import ROWS
from mindpipe.person.verbs.simulate import JudgedRow, failed, validate

pytestmark = pytest.mark.heavy

FITTED, ALL = [*range(1, 24), *range(34, 43)], range(1, 43)
KNOWN_NOT_GOOD = {26: "fair", 27: "poor"}
"""Rows of group B that are published as they are."""


class Listening:
    """Hears how far the work is."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.heard.append((done, total))


@functools.cache
def measured(number: int, **consts: float) -> JudgedRow:
    (found,) = validate(group=None, numbers=(number,), consts=consts, advance=Listening())
    return found


@pytest.mark.long
def test_the_whole_table_has_every_fitted_row_good_and_says_what_is_not() -> None:
    heard = Listening()
    found = validate(group=None, numbers=(), consts={}, advance=heard)
    assert [one.number for one in found] == list(ALL)
    assert [one.number for one in found if one.used_to_fit] == FITTED
    assert {one.verdict for one in found if one.used_to_fit} == {"good"}
    assert {one.number: one.verdict for one in found if one.verdict != "good"} == KNOWN_NOT_GOOD
    for one in found:
        assert bool(one.sentence) == (one.verdict != "good")
        assert one.measured and one.target and one.source
        assert not failed(one)
    poor = found[26]
    assert poor.sentence.startswith("rmse is 0.31")
    assert found[13].measured["most_units_apart"] < 1e-9
    done, totals = zip(*heard.heard, strict=True)
    assert list(done) == sorted(done)
    assert set(totals) == {done[-1]}


def test_of_fitted_rows_each_is_good_and_of_the_others_it_is_said_what_is_not() -> None:
    found = {number: measured(number) for number in (10, 19, 20, 23, 27)}
    assert {number: one.used_to_fit for number, one in found.items()} == {
        number: number != 27 for number in found
    }
    for number, one in found.items():
        assert one.verdict == KNOWN_NOT_GOOD.get(number, "good")
        assert bool(one.sentence) == (one.verdict != "good")
        assert one.measured and one.target and one.source
        assert not failed(one)


def test_only_the_rows_that_are_wanted_are_measured_and_as_short_as_they_allow() -> None:
    heard = Listening()
    found = validate(group="B", numbers=(1, 27, 32), consts={}, advance=heard)
    assert [(one.number, one.group) for one in found] == [(27, "B"), (32, "B")]
    # One day by the minute, and three hours of it by half a minute.
    assert heard.heard[-1] == (24 * 60 + 1 + 3 * 60, 24 * 60 + 1 + 3 * 60)
    with pytest.raises(UsageError, match="no row"):
        validate(group="A", numbers=(27,), consts={}, advance=heard)


def test_a_changed_constant_is_echoed_and_can_make_a_fitted_row_fail() -> None:
    bolus = measured(10, tau_exo=20_000.0)
    assert bolus.consts == {"tau_exo": 20_000.0}
    assert bolus.verdict == "poor"
    assert failed(bolus)
    assert bolus.sentence == "half_life_min is 231, outside 60 to 95."
    drive = measured(27)
    assert drive.verdict == "poor"
    assert not failed(drive)


def test_each_row_names_the_constants_that_were_fitted_to_it() -> None:
    assert measured(10).constants == ("tau_exo",)
    assert {"tau_glu_1", "gain_glu"} < set(measured(19).constants)
    assert "tau_exo" not in measured(19).constants
    assert {"tau_v1", "tau_v5"} < set(measured(20).constants)
    assert measured(23).constants == ()


def test_rows_stand_in_order_with_bands_for_figures_that_are_measured() -> None:
    assert [row.number for row in ROWS] == list(ALL)
    assert [row.group for row in ROWS] == ["A"] * 23 + ["B"] * 10 + ["A"] * 9
    for row in ROWS:
        assert row.bands
        assert all(
            band.fair_least <= band.least <= band.most <= band.fair_most for band in row.bands
        )
        # What is said to be unverified is not said to be verified.
        assert not (row.verified and ("unverified" in row.source or "secondary" in row.source))


def test_a_checked_row_travels_as_a_line() -> None:
    one = measured(20)
    assert msgspec.json.decode(msgspec.json.encode(one), type=JudgedRow) == one
