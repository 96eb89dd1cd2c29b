"""What the hour of the day does: closed forms of the clock and the chronotype, without state.

Every wave comes from the cosine and sine of θ = 2π(h - φ)/24 by angle addition.
"""

import math
from typing import NamedTuple

import numpy as np

from mindpipe.person.body.bank import Floats, Instants
from mindpipe.person.body.personality import GAIN

DAY_US = 86_400_000_000


class Clock(NamedTuple):
    """Cosine and sine of θ and of 2θ, for each instant of each person."""

    cos: Floats
    sin: Floats
    cos2: Floats
    sin2: Floats


def clock(t_us: Instants, gains: Floats) -> Clock:
    """Return the clock at instants [*S], which broadcast with the gains [rows, *S] of persons."""
    angle = np.remainder(t_us, DAY_US) * (2.0 * math.pi / DAY_US)
    cos_t, sin_t = np.cos(angle), np.sin(angle)
    cos_phi, sin_phi = gains[GAIN["cos_phi"]], gains[GAIN["sin_phi"]]
    cos = cos_t * cos_phi + sin_t * sin_phi
    sin = sin_t * cos_phi - cos_t * sin_phi
    return Clock(cos, sin, cos * cos - sin * sin, 2.0 * sin * cos)


def wave(now: Clock, peak_h: float) -> Floats:
    """Return w(24, peak_h), the cosine of the day that is 1 at an hour of the own clock."""
    angle = 2.0 * math.pi * peak_h / 24.0
    return math.cos(angle) * now.cos + math.sin(angle) * now.sin


def half_wave(now: Clock, peak_h: float) -> Floats:
    """Return w(12, peak_h), the cosine of the half day."""
    angle = 2.0 * math.pi * peak_h / 12.0
    return math.cos(angle) * now.cos2 + math.sin(angle) * now.sin2


def basal_cortisol(now: Clock) -> Floats:
    """Return the basal cortisol C_b in nmol/L of saliva (timing DEB09, fitted to rows 3 to 5)."""
    cos3 = now.cos2 * now.cos - now.sin2 * now.sin
    sin3 = now.sin2 * now.cos + now.cos2 * now.sin
    first = -0.8050 * now.cos + 0.4368 * now.sin
    second = -0.3324 * now.cos2 - 0.1989 * now.sin2
    third = 0.0272 * cos3 - 0.1023 * sin3
    basal: Floats = np.exp(1.3531 + first + second + third)
    return basal


def sleep_wave(now: Clock, phase_h: float) -> Floats:
    """Return C(h) of the sleep thresholds, five harmonics of θ - 2π·phase_h/24 (DBB84)."""
    shift = 2.0 * math.pi * phase_h / 24.0
    sin1 = math.cos(shift) * now.sin - math.sin(shift) * now.cos
    cos1 = math.cos(shift) * now.cos + math.sin(shift) * now.sin
    sin2, cos2 = 2.0 * sin1 * cos1, cos1 * cos1 - sin1 * sin1
    sin3 = sin2 * cos1 + cos2 * sin1
    sin4, cos4 = 2.0 * sin2 * cos2, cos2 * cos2 - sin2 * sin2
    sin5 = sin4 * cos1 + cos4 * sin1
    return 0.97 * sin1 + 0.22 * sin2 + 0.07 * sin3 + 0.03 * sin4 + 0.001 * sin5
