"""The three-process model of alertness, integrated step by step, as a witness for the body.

Written from the published equations and constants (Åkerstedt & Folkard 1997; Ingre et al. 2014;
FIPS, JOSS 2020) without a look at what it judges: rates of change and steps of ten
seconds, no closed form, no code of the program.
"""

import math
from collections.abc import Iterator

LA, HA, D, G_FROM, G_TO, BREAK = 2.4, 14.3, -0.0353, 7.96, 14.0, 12.2
CM, CA, P = 0.0, 2.5, 16.8
UM, UA = -0.5, 0.5
WC, WD = -5.72, -1.51
STEPS = 360
"""Steps of an hour."""
G = math.log((HA - G_TO) / (HA - G_FROM)) / 8


def slope(s: float, *, awake: bool) -> float:
    """Return how fast S changes, per hour."""
    if awake:
        return D * (s - LA)
    return G * (max(s, BREAK) - HA)


def alertness(s: float, clock_h: float, since_waking_h: float) -> float:
    """Return S + C + U + W."""
    c = CM + CA * math.cos(math.tau / 24 * (clock_h - P))
    u = UM + UA * math.cos(math.tau / 12 * (clock_h - P - 3))
    return s + c + u + WC * math.exp(WD * since_waking_h)


def course(s: float, switches: list[float], end_h: float) -> Iterator[tuple[float, float]]:
    """Yield hour and alertness at each full minute awake; asleep at hour 0, then by turns.

    Midpoint steps; what a step is off is of the third order in it.
    """
    awake, woke_h, pending = False, 0.0, list(switches)
    for step in range(round(end_h * STEPS) + 1):
        hour = step / STEPS
        while pending and hour >= pending[0] - 1e-9:
            woke_h = pending.pop(0)
            awake = not awake
        if awake and not step % (STEPS // 60):
            yield hour, alertness(s, hour, hour - woke_h)
        middle = s + slope(s, awake=awake) / STEPS / 2
        s += slope(middle, awake=awake) / STEPS
