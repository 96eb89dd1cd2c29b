"""How fast the four dimensions can change while nothing acts anew: a bound that is never too low.

Between two cuts every mode moves towards its target, fastest at first. The slope of a dimension
over a mode is bounded by the formulas of section 9, so the pace of the dimension is bounded by the
sum of slopes times paces. Where even that is too slow to be noticed, nobody has to look.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mindpipe.person.awareness.dimensions import AROUSAL, ENERGY, PAIN, VALENCE, WATCHED
from mindpipe.person.body.bank import FIRST_HOLD, FIRST_REGIME, LAST_HOLD, Bank, Floats
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import base_rates
from mindpipe.person.body.vitals import GLU
from mindpipe.person.constants import DAY_S, Constants

MOST_AEV_GAIN = 1.45
"""The gain of event arousal of the most neurotic person."""
SPAN_S = 60.0
"""For how long after a cut the bound holds."""
_MARGIN = 1.0 + 1e-6
_GLU_ROWS = tuple(MODE[f"glu_{number}"] for number in (1, 2, 3))


class Slopes(NamedTuple):
    """How steep the dimensions are at most.

    `modes` [4, 55] bound |∂dimension/∂mode|, `glucose` [4] |∂dimension/∂glucose|; `tides` [4] is
    the pace in 1/s that the time of day alone makes.
    """

    modes: Floats
    glucose: Floats
    tides: Floats


def paces(bank: Bank) -> Floats:
    """Return bounds [4, N] on how fast each dimension changes, in 1/s, in tie order.

    They hold for persons who are awake, for `SPAN_S` after their anchors or until they are cut.
    """
    slopes = _slopes(bank.constants)
    k = np.empty_like(bank.modes)
    k[:FIRST_REGIME] = _base(bank.constants)
    k[FIRST_REGIME:] = bank.regime_k
    k[FIRST_HOLD : LAST_HOLD + 1] = bank.hold_k
    moving = k * (bank.x - bank.modes)
    fastest: Floats = np.einsum("dm,mn->dn", slopes.modes, np.abs(moving))
    fastest += slopes.glucose[:, None] * _glucose(bank, k, moving)
    fastest += slopes.tides[:, None]
    return fastest * _MARGIN


def _glucose(bank: Bank, k: Floats, moving: Floats) -> Floats:
    """Return a bound on how fast glucose changes [N], in mmol/L per s.

    Its three modes pull against each other, so they are bounded together, by their sum at the
    anchor and its first two derivatives.
    """
    first = np.zeros(moving.shape[1])
    second, third = first.copy(), first.copy()
    for row, residue in zip(_GLU_ROWS, GLU, strict=True):
        part = residue * moving[row]
        first += part
        second += part * k[row]
        third += np.abs(part) * (k[row] * k[row])
    bound = np.abs(first) + SPAN_S * (np.abs(second) + SPAN_S * third)
    return bank.constants.gain_glu * bound


@lru_cache(maxsize=64)
def _base(constants: Constants) -> Floats:
    """Return the rates [46, 1] that no regime changes."""
    return np.array(base_rates(constants))[:, None]


@lru_cache(maxsize=64)
def _slopes(constants: Constants) -> Slopes:
    """Return what the formulas of section 9 say at most."""
    c = constants
    alert = 0.125 * c.kss_slope
    own: dict[int, dict[str, float]] = {
        PAIN: dict.fromkeys(("pain_s", "pain_1", "pain_2", "pain_3"), 1.0)
        | {"endo": c.analgesia / c.analgesia_pmol_l},
        ENERGY: dict.fromkeys(("L", "W"), alert)
        | {"caf": alert * c.alert_caffeine, "fphys": 0.25, "fever": 0.075, "alc": 0.10}
        | {"gly": 0.15 * c.glucose_fasting},
        AROUSAL: {"adr": 1 / 500, "adr_up": c.thought_adrenaline / 500, "vag": 0.5, "caf": 0.1}
        | {"rum": 0.5 * c.vagal_rum, "aev": MOST_AEV_GAIN},
        VALENCE: dict.fromkeys(("v1", "v2", "v3", "v4", "v5"), 0.6)
        | dict.fromkeys(("ser_up", "ser_dn"), c.thought_serotonin)
        | {"hun": 0.35 / 0.4, "iso": 0.5, "ser": 1.0, "oxy": 0.25, "skin": 0.3 / 6},
    }
    modes = np.zeros((len(WATCHED), len(MODES)))
    for dimension, slopes in own.items():
        for name, slope in slopes.items():
            modes[dimension, MODE[name]] = slope
    glucose, tides = np.zeros(len(WATCHED)), np.zeros(len(WATCHED))
    day = 2.0 * math.pi / DAY_S
    glucose[ENERGY] = 0.15
    tides[ENERGY] = alert * day * (c.alert_wave + 2.0 * c.alert_half_wave)
    tides[VALENCE] = 0.35 / 0.4 * c.hunger_wave * day
    for part in (modes, glucose, tides):
        part[AROUSAL] += 0.30 * part[ENERGY] + 0.6 * part[PAIN]
        part[VALENCE] += 0.45 / 0.35 * part[ENERGY] + 0.9 * part[PAIN]
    return Slopes(modes, glucose, tides)
