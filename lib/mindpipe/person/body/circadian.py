"""What the hour of the day does: closed forms of the clock and the chronotype, without state.

Every wave comes from the cosine and sine of θ = 2π(h - φ)/24 by angle addition.
"""

import math
from typing import NamedTuple

import numpy as np

from mindpipe.person.body.bank import Floats, Instants
from mindpipe.person.body.personality import GAIN

DAY_US = 86_400_000_000


class CircadianClock(NamedTuple):
    """The hour of instants, and the chronotypes that it is read with.

    `cos` and `sin` of 2πh/24 have the shape of the instants, or are plain numbers, so that what all
    persons share is computed once; `gains` are those of the persons.
    """

    cos: Floats | float
    sin: Floats | float
    gains: Floats


class _Harmonic(NamedTuple):
    """Cosine and sine of a multiple of 2πh/24."""

    cos: Floats | float
    sin: Floats | float


def clock(t_us: Instants, gains: Floats) -> CircadianClock:
    """Return the clock at instants [*S], which broadcast with the gains [rows, *S] of persons."""
    if t_us.ndim and bool((t_us == t_us[..., :1]).all()):
        t_us = t_us[..., :1]
    angle = np.remainder(t_us, DAY_US) * (2.0 * math.pi / DAY_US)
    cos, sin = np.cos(angle), np.sin(angle)
    if angle.shape == (1,):
        return CircadianClock(cos.item(), sin.item(), gains)
    return CircadianClock(cos, sin, gains)


def wave(now: CircadianClock, height: float, peak_h: float) -> Floats:
    """Return height·w(24, peak_h), the wave of the day that peaks at an hour of the own clock."""
    return _turned(now, 1, height, 2.0 * math.pi * peak_h / 24.0)


def half_wave(now: CircadianClock, height: float, peak_h: float) -> Floats:
    """Return height·w(12, peak_h), the wave of the half day."""
    return _turned(now, 2, height, 2.0 * math.pi * peak_h / 12.0)


def basal_cortisol(now: CircadianClock) -> Floats:
    """Return the basal cortisol C_b in nmol/L of saliva (timing DEB09, fitted to rows 3 to 5)."""
    level = _mixed(now, 1, -0.8050, 0.4368)
    level += _mixed(now, 2, -0.3324, -0.1989)
    level += _mixed(now, 3, 0.0272, -0.1023)
    level += 1.3531
    basal: Floats = np.exp(level)
    return basal


def _turned(now: CircadianClock, times: int, height: float, angle: float) -> Floats:
    """Return height·cos(times·θ - angle)."""
    return _mixed(now, times, height * math.cos(angle), height * math.sin(angle))


def _mixed(now: CircadianClock, times: int, even: float, odd: float) -> Floats:
    """Return even·cos(times·θ) + odd·sin(times·θ)."""
    cos, sin = _harmonic(now, times)
    cos_phi = now.gains[GAIN[f"cos{times}_phi"]]
    sin_phi = now.gains[GAIN[f"sin{times}_phi"]]
    mixed: Floats = (even * cos + odd * sin) * cos_phi
    mixed += (even * sin - odd * cos) * sin_phi
    return mixed


def _harmonic(now: CircadianClock, times: int) -> _Harmonic:
    """Return cosine and sine of one, two or three times 2πh/24."""
    cos, sin = now.cos, now.sin
    if times == 1:
        return _Harmonic(cos, sin)
    cos2, sin2 = cos * cos - sin * sin, 2.0 * sin * cos
    if times == 2:
        return _Harmonic(cos2, sin2)
    return _Harmonic(cos2 * cos - sin2 * sin, sin2 * cos + cos2 * sin)


def sleep_wave(now: CircadianClock, phase_h: float) -> Floats:
    """Return C(h) of the sleep thresholds, five harmonics of θ - 2π·phase_h/24 (DBB84)."""
    shift = 2.0 * math.pi * phase_h / 24.0
    cos1 = _turned(now, 1, 1.0, shift)
    sin1 = _mixed(now, 1, -math.sin(shift), math.cos(shift))
    sin2, cos2 = 2.0 * sin1 * cos1, cos1 * cos1 - sin1 * sin1
    sin3 = sin2 * cos1 + cos2 * sin1
    sin4, cos4 = 2.0 * sin2 * cos2, cos2 * cos2 - sin2 * sin2
    sin5 = sin4 * cos1 + cos4 * sin1
    return 0.97 * sin1 + 0.22 * sin2 + 0.07 * sin3 + 0.03 * sin4 + 0.001 * sin5
