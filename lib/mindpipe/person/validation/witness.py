"""The three-process model of alertness from its published constants, as a witness of row 14.

It shares no code with the body, which computes the same by modes. Sources: Åkerstedt & Folkard
(1997), Ingre et al. (2014), and the constants as FIPS (JOSS 2020) prints them. Hours and units of
the model throughout: alertness is S + C + U + W.
"""

from collections.abc import Sequence
from math import cos, exp, log, pi

LOWER, UPPER = 2.4, 14.3
"""What S falls to awake and rises to asleep."""
FALL = 0.0353
"""Rate of S awake, per hour."""
RISE = log((UPPER - 7.96) / (UPPER - 14.0)) / 8.0
"""Rate of S asleep, per hour: from 7.96 to 14 in 8 hours."""
BREAK = 12.2
"""Below this S rises in a straight line."""
AMPLITUDE, PEAK_H = 2.5, 16.8
HALF_MEAN, HALF_AMPLITUDE, HALF_PEAK_H = -0.5, 0.5, 19.8
INERTIA, INERTIA_RATE = -5.72, 1.51


def asleep(reserve: float, hours: float) -> float:
    """Return S after some hours of sleep, from S at sleep onset."""
    slope = RISE * (UPPER - BREAK)
    until = max(0.0, (BREAK - reserve) / slope)
    if hours < until:
        return reserve + slope * hours
    start = max(reserve, BREAK)
    return UPPER - (UPPER - start) * exp(-RISE * (hours - until))


def awake(reserve: float, hours: float) -> float:
    """Return S after some hours awake, from S at waking."""
    return LOWER + (reserve - LOWER) * exp(-FALL * hours)


def alertness(reserve: float, clock_h: float, awake_h: float) -> float:
    """Return S + C + U + W at an hour of the clock, some hours after waking with S `reserve`."""
    circadian = AMPLITUDE * cos(2 * pi / 24 * (clock_h - PEAK_H))
    ultradian = HALF_MEAN + HALF_AMPLITUDE * cos(2 * pi / 12 * (clock_h - HALF_PEAK_H))
    inertia = INERTIA * exp(-INERTIA_RATE * awake_h)
    return awake(reserve, awake_h) + circadian + ultradian + inertia


def curve(
    reserve: float, switches: Sequence[float], instants: Sequence[float]
) -> list[float | None]:
    """Return alertness at ascending hours since a midnight, None where the person sleeps.

    Args:
        reserve: S at hour 0, at which the person sleeps.
        switches: The hours at which it wakes, sleeps, wakes and so on.
        instants: The hours that are asked for.
    """
    found: list[float | None] = []
    for hour in instants:
        level, since, sleeps = reserve, 0.0, True
        for switch in switches:
            if switch > hour:
                break
            level = asleep(level, switch - since) if sleeps else awake(level, switch - since)
            since, sleeps = switch, not sleeps
        found.append(None if sleeps else alertness(level, hour, hour - since))
    return found
