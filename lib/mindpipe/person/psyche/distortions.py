"""Cognitive distortions: which of eleven bend a person's thinking right now."""

import numpy as np

from mindpipe.person.body.bank import Bank, Floats
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.body.readouts import BodyReading
from mindpipe.person.chance_arrays import uniforms
from mindpipe.person.psyche.drives import Mood, MoodOfView
from mindpipe.person.records.state import Distortion

STREAM = 2
BLOCK_US = 600_000_000

DISTORTIONS: tuple[tuple[Distortion, float], ...] = (
    ("all_or_nothing", 0.3),
    ("overgeneralization", -0.5),
    ("mental_filter", -0.5),
    ("disqualifying_positive", -0.5),
    ("mind_reading", 1.0),
    ("fortune_telling", 1.0),
    ("catastrophizing", 1.0),
    ("emotional_reasoning", 0.3),
    ("should_statements", 0.3),
    ("labeling", -0.5),
    ("personalization", 0.3),
)
"""Each with the slope of its arousal; all chosen (C)."""
SLEEPY = 0
"""The one that sleepiness adds to: all_or_nothing."""
_SLOTS = np.arange(len(DISTORTIONS))[:, None]
SLOPES = tuple(sorted({slope for _, slope in DISTORTIONS}))


def probabilities(reading: BodyReading | Mood | MoodOfView, z_n: Floats) -> Floats:
    """Return how likely each distortion is while awake [11, N].

    Args:
        reading: Readouts of N persons.
        z_n: Their neuroticism in standard deviations [N].
    """
    shared = -3.6 + 1.6 * np.maximum(-reading.valence, 0.0)
    shared += 0.8 * (1.0 - reading.regulation)
    shared += 0.4 * z_n
    arousal = 1.2 * (reading.arousal - 0.4)
    by_slope = {slope: _logistic(shared + slope * arousal) for slope in SLOPES}
    likely = np.stack([by_slope[slope] for _, slope in DISTORTIONS])
    likely[SLEEPY] = _logistic(shared + DISTORTIONS[SLEEPY][1] * arousal + reading.sleepiness)
    return likely


def decide(bank: Bank, reading: BodyReading | Mood | MoodOfView, t_us: int) -> None:
    """Set which distortions are active, in place; none asleep.

    Args:
        bank: Persons who are all at `t_us`, an instant of the decision grid.
        reading: Their readouts at that instant.
        t_us: The instant; the uniform numbers are those of its block of 600 s.
    """
    start_us = t_us - t_us % BLOCK_US
    stale = np.flatnonzero(bank.draws_us != start_us)
    if stale.size:
        keys = bank.keys[:, stale]
        bank.draws[:, stale] = uniforms(keys, start_us, STREAM, _SLOTS)
        bank.draws_us[stale] = start_us
    bank.distortions[:] = (
        probabilities(reading, bank.z[TRAITS.index("n")]) > bank.draws
    ) & bank.awake


def _logistic(logit: Floats) -> Floats:
    """Return 1/(1 + exp(-logit))."""
    likely: Floats = 1.0 / (1.0 + np.exp(-logit))
    return likely
