"""Drives: what persons want, and how strongly; all chosen (C)."""

from collections.abc import Sequence

import numpy as np

from mindpipe.person.body.bank import CHANNEL, Bank, Floats
from mindpipe.person.body.readouts import Reading

DRIVES = (
    ("eat", 1.0),
    ("drink", 1.0),
    ("toilet", 0.8),
    ("sleep", 1.0),
    ("warmth", 1.0),
    ("pain_relief", 1.2),
    ("recovery", 0.7),
    ("safety", 1.2),
    ("contact", 1.0),
    ("stimulation", 0.4),
)
"""Names and weights."""
TOP = 3


def strengths(bank: Bank, reading: Reading) -> Floats:
    """Return the strength of every drive [10, N], 0 to 1: clip(weight·need²).

    Args:
        bank: N persons.
        reading: Their readouts.
    """
    lack = 1.0 - np.exp(-3.5 * reading.isolation)
    needs = (
        reading.hunger,
        reading.thirst,
        reading.bladder,
        np.where(bank.awake, reading.sleepiness, 0.0),
        np.abs(reading.thermal),
        reading.pain,
        np.maximum(reading.physical_fatigue, reading.mental_fatigue),
        np.maximum(bank.channel[CHANNEL["u"]], 0.8 * reading.vagal_withdrawal),
        lack * (1.0 - 0.5 * bank.lonely),
        reading.boredom,
    )
    found = np.empty((len(DRIVES), bank.t_us.size))
    for row, ((_, weight), need) in enumerate(zip(DRIVES, needs, strict=True)):
        np.multiply(weight, need * need, out=found[row])
    return np.minimum(found, 1.0, out=found)


def ranked(strong: Sequence[float]) -> tuple[tuple[str, float], ...]:
    """Return names and strengths of one person's drives, strongest first, ties in table order."""
    order = sorted(range(len(DRIVES)), key=lambda row: -strong[row])
    return tuple((DRIVES[row][0], strong[row]) for row in order)
