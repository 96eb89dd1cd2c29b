"""Awareness of many persons over many instants at once, with the very outcome of stepping."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mindpipe.person.body import feelings, flow
from mindpipe.person.body.bank import FIRST_HOLD, FIRST_REGIME, LAST_HOLD, Bank, Flags, Floats
from mindpipe.person.body.constants import DAY_S, Constants
from mindpipe.person.body.modes import MODE, MODES
from mindpipe.person.body.rates import base_rates
from mindpipe.person.body.vitals import GLU, view_of
from mindpipe.person.mind.salience import (
    AROUSAL,
    ENERGY,
    LEAST_THRESHOLD,
    MOST_MODIFIER,
    MOST_NOVELTY,
    PAIN,
    SECOND_US,
    VALENCE,
    WATCHED,
    Salience,
    Sense,
)

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


UNNOTICED = LEAST_THRESHOLD / (MOST_NOVELTY * MOST_MODIFIER) * (1.0 - 1e-9)
"""A pace in 1/s that never breaks into awareness without a breach."""


def dimensions(bank: Bank, dts_us: Sequence[int]) -> Floats:
    """Return the four dimensions [4, T, N] at T spans in µs after the anchors.

    Args:
        bank: Persons who share their anchor.
        dts_us: The spans, none of them past the next cut.
    """
    modes = flow.block(bank, dts_us)
    felt = feelings.dimensions(view_of(bank, modes, _instants(bank, dts_us)))
    return np.stack((felt.pain, felt.arousal, felt.valence, felt.energy))


def senses(bank: Bank, dts_us: Sequence[int]) -> list[list[Sense]]:
    """Return all that salience looks at, for every person at every instant in turn.

    Args:
        bank: N persons who share their anchor.
        dts_us: Spans in µs after it, none of them past the next cut.
    """
    view = view_of(bank, flow.block(bank, dts_us), _instants(bank, dts_us))
    felt = feelings.dimensions(view)
    load = feelings.cognitive_load(view, felt, feelings.sleepiness(felt.kss))
    attention = feelings.attention(view, felt)
    rows = (felt.pain, felt.arousal, felt.valence, felt.energy, load, attention)
    columns = [np.broadcast_to(row, load.shape).T.tolist() for row in rows]
    return [list(map(Sense, *person)) for person in zip(*columns, strict=True)]


def unmoved(bank: Bank, ends: Floats, dts_us: Sequence[int]) -> Flags:
    """Return for whom nothing can break into awareness at any of some instants [N].

    That is so where no dimension jumps at the first instant, none can move fast enough or cross a
    level of breach until the last, no alert waits, and sleep was not before.

    Args:
        bank: Persons who share their anchor.
        ends: The dimensions [4, 2, N] at the first and the last instant.
        dts_us: Spans in µs after the anchor, whole seconds from each other.
    """
    first_us = int(bank.anchor_us[0]) + dts_us[0]
    calm: Flags = bank.awake & bank.ready & (bank.prev_us >= bank.since_us)
    seconds = np.maximum(1.0, (first_us - bank.prev_us) / SECOND_US)
    calm &= (np.abs(ends[:, 0] - bank.prev) <= UNNOTICED * seconds).all(axis=0)
    calm &= ~bank.latch.any(axis=0)
    if not calm.any():
        return calm
    pace = paces(bank)
    reach = pace * ((dts_us[-1] - dts_us[0]) / SECOND_US)
    calm &= (pace <= UNNOTICED).all(axis=0)
    for row, watched in enumerate(WATCHED):
        sign = 1.0 if watched.side == "+" else -1.0
        level = sign * ends[row, 0]
        stays_in = level - reach[row] >= sign * watched.rearm
        stays_out = level + reach[row] <= sign * watched.enter
        calm &= np.where(bank.inside[row], stays_in, stays_out)
    return calm if dts_us[-1] <= SPAN_S * SECOND_US else calm & (len(dts_us) == 1)


def salience_of(bank: Bank, column: int) -> Salience:
    """Return what the next salience of one person is compared with."""
    salience = Salience()
    salience.ready = bool(bank.ready[column])
    salience.prev = bank.prev[:, column].tolist()
    salience.prev_us = int(bank.prev_us[column])
    salience.aware_us = bank.aware_us[:, column].tolist()
    salience.inside = bank.inside[:, column].tolist()
    salience.latch = bank.latch[:, column].tolist()
    return salience


def keep(bank: Bank, column: int, salience: Salience) -> None:
    """Write what the next salience of one person is compared with."""
    bank.ready[column] = salience.ready
    bank.prev[:, column] = salience.prev
    bank.prev_us[column] = salience.prev_us
    bank.aware_us[:, column] = salience.aware_us
    bank.inside[:, column] = salience.inside
    bank.latch[:, column] = salience.latch


def _instants(bank: Bank, dts_us: Sequence[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the instants [T, 1] of spans after the anchor that persons share."""
    return (int(bank.anchor_us[0]) + np.array(dts_us, dtype=np.int64))[:, None]
