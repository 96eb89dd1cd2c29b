"""The conformance values of the closed forms and of a quiet night."""

import math

import numpy as np
import pytest

from mindpipe.person.body import circadian, flow, vitals
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.personality import GAIN, gains_of, standard_traits
from mindpipe.person.body.readouts import PHASES, phase_codes, read
from support.persons import bank, person
from support.tables import each_row

HOUR_US = 3_600_000_000
CONSTANTS = constants_of(())


def clock_at(hour: float, phi: float = 0.0) -> circadian.CircadianClock:
    gains = gains_of(np.zeros((5, 1)), np.array([phi]), CONSTANTS)
    return circadian.clock(np.array([round(hour * HOUR_US)]), gains)


@each_row(
    ("hour", "basal"),
    [(0, 1.274941124), (7, 11.731211091), (12, 6.040579796), (18, 3.146843856)],
)
def test_basal_cortisol(hour: int, basal: float) -> None:
    assert circadian.basal_cortisol(clock_at(hour))[0] == pytest.approx(basal, rel=1e-8)


@each_row(
    ("hour", "level"),
    [(0, -0.581654619), (7, -0.655302044), (12, 0.987635365), (23, -0.40985966)],
)
def test_the_wave_of_the_thresholds_of_sleep(hour: int, level: float) -> None:
    wave = circadian.sleep_wave(clock_at(hour), CONSTANTS.threshold_phase_h)
    assert wave[0] == pytest.approx(level, rel=1e-8)


@each_row("hour", [0.0, 5.25, 13.0, -40.0, 12_345.5])
@each_row("phi", [-4.0, 0.0, 1.5])
def test_waves_are_cosines_that_peak_at_their_hour(hour: float, phi: float) -> None:
    now = clock_at(hour, phi)
    for peak in (16.0, 19.8):
        day = math.cos(2 * math.pi * (hour - peak - phi) / 24)
        half = math.cos(2 * math.pi * (hour - peak - phi) / 12)
        assert circadian.wave(now, 3.0, peak)[0] == pytest.approx(3.0 * day, abs=1e-9)
        assert circadian.half_wave(now, 0.5, peak)[0] == pytest.approx(0.5 * half, abs=1e-9)


def test_a_later_chronotype_is_the_same_day_later() -> None:
    assert circadian.basal_cortisol(clock_at(9.5, 2.5))[0] == pytest.approx(
        circadian.basal_cortisol(clock_at(7))[0], rel=1e-12
    )


def test_the_quiet_night_at_three() -> None:
    night = bank([person(seed=7)])
    modes = flow.at(night, 3 * HOUR_US)
    found = read(vitals.view_of(night, modes, np.array([3 * HOUR_US])))
    expected = {
        "cortisol_nmol_l": 2.23060524,
        "heart_rate_bpm": 55.1391615,
        "core_temp_c": 36.4911159,
        "glucose_mmol_l": 4.91784491,
        "hunger": 0.571593968,
        "kss": 5.19458752,
        "valence": 0.244918662,
    }
    assert {name: getattr(found, name)[0] for name in expected} == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("cuts", [600, pytest.param(6000, marks=pytest.mark.long)])
def test_thousands_of_cuts_more_change_next_to_nothing(cuts: int) -> None:
    night = bank([person(seed=7)])
    modes = flow.at(night, 48 * HOUR_US)
    instants = np.sort(np.random.default_rng(7).integers(0, 48 * HOUR_US, cuts)).tolist()
    for t_us in (*instants, 48 * HOUR_US):
        flow.advance(night, t_us)
    assert night.modes == pytest.approx(modes, rel=1e-9, abs=1e-300)


def test_phases_of_isolation_begin_at_their_thresholds() -> None:
    levels = np.array([0.0, 0.0799, 0.08, 0.2999, 0.30, 0.9199, 0.92, 1.0])
    codes = phase_codes(levels, CONSTANTS)
    assert [PHASES[code] for code in codes] == [
        "none", "none", "boredom", "boredom", "loneliness", "loneliness", "despair", "despair",
    ]  # fmt: skip


@each_row(("hours", "level"), [(2.0, 0.08), (8.6, 0.30), (60.6, 0.92)])
def test_the_hours_alone_after_which_a_phase_begins(hours: float, level: float) -> None:
    waking = bank([person()])
    k = waking.gains[GAIN["alone_rate"], 0]
    assert 1.0 - math.exp(-k * hours * 3600.0) == pytest.approx(level, abs=0.003)


def test_what_traits_change() -> None:
    z = standard_traits(np.array([[0.67], [0.33], [0.84], [0.16], [0.5 + 0.17 * 2.5]]))
    assert z[:, 0] == pytest.approx([1.0, -1.0, 2.0, -2.0, 2.5])
    gains = gains_of(z, np.array([6.0]), CONSTANTS)[:, 0]
    expected = {
        "cos1_phi": 0.0,
        "sin1_phi": 1.0,
        "setpoint": 0.24 - 0.45,
        "aev": 1.375,
        "alone_rate": 1 / (86_400 * 0.7),
        "regulation": 0.75 - 0.08 - 0.3,
        "stress": 1.25,
        "support": 0.8,
        "oxy": 1.2,
        "news": 1.1,
        "shift": 0.375,
    }
    expected |= {"cos2_phi": -1.0, "sin2_phi": 0.0, "cos3_phi": 0.0, "sin3_phi": -1.0}
    assert {name: gains[row] for name, row in GAIN.items()} == pytest.approx(expected, abs=1e-15)
    extreme = gains_of(np.array([[0.0], [-2.95], [-2.95], [0.0], [2.95]]), np.zeros(1), CONSTANTS)
    assert extreme[GAIN["setpoint"], 0] == -0.45
    assert extreme[GAIN["regulation"], 0] == 0.3
