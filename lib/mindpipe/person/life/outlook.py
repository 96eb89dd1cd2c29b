"""Until when persons need not be looked at: before that nothing can stir them.

Most minutes of most people change nothing but numbers that flow. How fast each of these numbers
can move is known, and so is from which level on somebody would do or decide anything. Each bound
is on the safe side, so that who is looked at too often lives the very same life.
"""

import math

import numpy as np

from mindpipe.person.body import circadian, habits
from mindpipe.person.body.bank import CHANNEL, FIRST_REGIME, Bank, Flags, Floats, Instants
from mindpipe.person.body.constants import HOUR_S
from mindpipe.person.body.feelings import Feeling
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import GLU, PAINS
from mindpipe.person.psyche.coping import BEGINS_AT, NONE

LONGEST_S = 24 * HOUR_S
"""Everybody is looked at once a day."""
SAFE_S = 1.0
"""What rounding cannot take away."""
_TURN = 2.0 * math.pi / (24.0 * HOUR_S)
"""How fast the angle of the day goes, 1/s."""
_SWAY = (0.97 + 2 * 0.22 + 3 * 0.07 + 4 * 0.03 + 5 * 0.001) * _TURN
"""How fast `circadian.sleep_wave` can change, 1/s."""
_EFFORT = ("adr", "adr_up", "vag", "endo", "fphys", "fever", "skin", "aev")
_GIVEN = ("caf", "alc", "ser_up", "ser_dn", "rum")
_UNUSUAL = np.array([*(MODE[name] for name in (*_EFFORT, *_GIVEN)), *PAINS.tolist()])
"""The modes of effort, pain, drugs, climate and thoughts that a usual day leaves at 0."""
_FEELINGS = ("v1", "v2", "v3", "v4", "v5")


def quiet_us(bank: Bank, columns: Instants, t_us: int) -> Instants:
    """Return the instants [M] before which some persons do nothing if nothing acts on them.

    What is to begin or to end for a person is known otherwise.

    Args:
        bank: Persons who are all at `t_us`, their targets computed.
        columns: M of them.
        t_us: The instant.
    """
    awake, follows = bank.awake[columns], bank.habits[:, columns]
    left = np.minimum(_needs(bank, columns, follows), _meals(bank, columns, follows, t_us))
    left[~awake] = LONGEST_S
    left = np.minimum(left, _switch(bank, columns, awake, follows))
    if not (bank.rest and bank.rest.rests[PAINS].all()):
        left[bank.modes[PAINS[:, None], columns].any(axis=0) & ~awake] = 0.0
    return _after(t_us, left)


def composed_us(bank: Bank, columns: Instants, felt: Feeling, t_us: int) -> Instants:
    """Return the instants [M] before which some persons, who feel so, neither begin nor end coping.

    Args:
        bank: Persons who are all at `t_us`, their targets computed.
        columns: M of them.
        felt: How these feel.
        t_us: The instant.
    """
    left = _composure(bank, columns, felt)
    left[~bank.awake[columns]] = LONGEST_S
    left[bank.episode_us[columns] != NONE] = 0.0
    return _after(t_us, left)


def _after(t_us: int, left: Floats) -> Instants:
    """Return the instants so many seconds after one, or somewhat sooner."""
    span = np.maximum(np.minimum(left, LONGEST_S) - SAFE_S, 0.0)
    found: Instants = t_us + np.floor(span * 1e6).astype(np.int64)
    return found


def _row(bank: Bank, name: str, columns: Instants) -> Floats:
    """Return a mode of some persons."""
    row: Floats = bank.modes[MODE[name]].take(columns)
    return row


def _needs(bank: Bank, columns: Instants, follows: Flags) -> Floats:
    """Return the seconds until thirst or the bladder makes somebody awake do something."""
    c = bank.constants
    toilet = _filled(_row(bank, "bladder", columns), c.toilet_at, c.tau_bladder_awake)
    toilet[~follows[habits.TOILET]] = LONGEST_S
    drink = _filled(_row(bank, "thirst", columns), c.drink_at, c.tau_thirst)
    drink[~follows[habits.DRINK]] = LONGEST_S
    return np.minimum(toilet, drink)


def _filled(level: Floats, most: float, tau: float) -> Floats:
    """Return the seconds until a level that is pulled to 1 reaches `most`."""
    if most >= 1.0:
        return np.where(level >= most, 0.0, LONGEST_S)
    return tau * np.log(np.maximum((1.0 - level) / (1.0 - most), 1.0))


def _meals(bank: Bank, columns: Instants, follows: Flags, t_us: int) -> Floats:
    """Return the seconds until somebody awake begins a meal of the day."""
    c = bank.constants
    sated_us = bank.last_meal_us[columns] + math.ceil(c.meal_gap_s * 1e6)
    from_us = np.maximum(sated_us, t_us)
    hour = from_us / habits.HOUR_US - bank.phi[columns]
    day = np.floor(hour / habits.DAY_H)
    time, had = hour - habits.DAY_H * day, bank.meal[columns]
    first = day.astype(np.int64) * len(habits.MEALS_OF_DAY)
    fed_h = habits.DAY_H + habits.MEALS_OF_DAY[0].first_h - time
    up_us = bank.since_us[columns] + math.floor(c.breakfast_awake_s * 1e6)
    for place, meal in reversed(list(enumerate(habits.MEALS_OF_DAY))):
        ahead = (time < meal.last_h) & (had < first + place)
        wait_h = np.maximum(meal.first_h - time, 0.0)
        if meal.slot == "B":
            wait_h = np.maximum(wait_h, (up_us - from_us) / habits.HOUR_US)
        fed_h = np.where(ahead, wait_h, fed_h)
    left = (from_us - t_us) / 1e6 + fed_h * HOUR_S
    left[~follows[habits.MEALS]] = LONGEST_S
    return left


def _switch(bank: Bank, columns: Instants, awake: Flags, follows: Flags) -> Floats:
    """Return the seconds until somebody may fall asleep or wake."""
    c, pressure = bank.constants, _row(bank, "S", columns)
    # The wave of the day needs the first two gains alone.
    now = circadian.clock(bank.t_us[:1], bank.gains[:2, columns])
    wave = c.threshold_wave * circadian.sleep_wave(now, c.threshold_phase_h)
    unrest = bank.channel[CHANNEL["unrest"]].take(columns)
    rousing = np.where(bank.in_bed[columns], np.minimum(wave, 0.0), wave)
    tired = c.sleep_at + wave + c.unrest_onset * unrest - pressure
    rested = pressure - (c.wake_at + rousing + c.unrest_early * unrest)
    pull = np.abs(bank.x[MODE["S"]].take(columns) - pressure)
    speed = abs(c.threshold_wave) * _SWAY + pull * bank.regime_k[0].take(columns)
    left: Floats = np.maximum(np.where(awake, tired, rested), 0.0) / speed
    left[~follows[habits.SLEEP]] = LONGEST_S
    loud = bank.channel[CHANNEL["noise"]].take(columns) >= c.waking_noise
    loud |= bank.channel[CHANNEL["u"]].take(columns) >= c.waking_u
    left[np.where(awake, bank.forced[columns], loud)] = 0.0
    return left


def _composure(bank: Bank, columns: Instants, felt: Feeling) -> Floats:
    """Return the seconds until the stress of somebody awake may let it cope.

    The terms are those of `feelings.stress`, and of the valence in it; see there.
    """
    c, k = bank.constants, bank.regime_k

    def fall(name: str, by: float = 1.0) -> Floats:
        """Return how fast a mode of the person's regime moves that way, `by` a factor."""
        row = MODE[name]
        off = (bank.modes[row].take(columns) - bank.x[row].take(columns)) * by
        speed: Floats = np.maximum(off, 0.0) * k[row - FIRST_REGIME].take(columns)
        return speed

    def target(name: str) -> Floats:
        row: Floats = bank.x[MODE[name]].take(columns)
        return row

    u = bank.channel[CHANNEL["u"]].take(columns)
    quiet = bank.channel[CHANNEL["quiet"]].take(columns)
    distaste = bank.channel[CHANNEL["distaste"]].take(columns)
    strained = 0.45 * u + 0.4 * np.maximum(0.5 - 0.65 * quiet, 0.0)
    pleased = np.zeros(len(columns))
    for name in _FEELINGS:
        pleased += np.maximum(_row(bank, name, columns) - target(name), 0.0)
    margin = felt.valence + (BEGINS_AT - strained) / 0.35 - 0.6 * pleased
    hunger = c.hunger_wave * _TURN + fall("hun", -1.0)
    hunger *= np.abs(1.0 - c.distaste_hunger * distaste)
    wakeful = (abs(c.alert_wave) + 2.0 * abs(c.alert_half_wave)) * _TURN + fall("L") + fall("W")
    spent = 0.125 * abs(c.kss_slope) * wakeful
    sugar = abs(c.glucose_fasting) * fall("gly")
    for place, residue in enumerate(GLU, start=1):
        name = f"glu_{place}"
        off = np.abs(_row(bank, name, columns) - target(name))
        sugar += abs(c.gain_glu * residue) / getattr(c, f"tau_{name}") * off
    lowest = target("ser") - abs(c.slow_ser_pressure) - abs(c.slow_ser_alone)
    speed = 0.35 / 0.4 * hunger + 0.45 / 0.35 * spent + 0.5 * fall("iso", -1.0)
    speed += np.maximum(_row(bank, "ser", columns) - lowest, 0.0) / c.tau_ser
    speed += 0.25 * np.maximum(_row(bank, "oxy", columns) - target("oxy"), 0.0) / c.tau_oxy
    # Want of sugar takes so much energy at most, however fast it comes.
    most = 0.15 * 0.45 / 0.35
    left: Floats = np.maximum(
        margin / (speed + most * sugar), np.maximum(margin - most, 0.0) / speed
    )
    left[_unusual(bank, columns) | (margin <= 0.0)] = 0.0
    return left


def _unusual(bank: Bank, columns: Instants) -> Flags:
    """Return in whom anything moves that a usual day leaves at rest."""
    unusual = np.zeros(len(columns), dtype=np.bool_)
    if not (bank.rest and bank.rest.rests[_UNUSUAL].all()):
        unusual |= bank.modes[_UNUSUAL[:, None], columns].any(axis=0)
    acted = _UNUSUAL[bank.pulled[_UNUSUAL]]
    if len(acted):
        unusual |= bank.x[acted[:, None], columns].any(axis=0)
    return unusual
