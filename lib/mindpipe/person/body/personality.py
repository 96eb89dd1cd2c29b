"""What a person's traits and chronotype change about its body and psyche, as plain factors.

All chosen (C), and small enough that every range holds for traits between 0 and 1.
"""

import numpy as np
import numpy.typing as npt

from mindpipe.person.body.constants import Constants

Floats = npt.NDArray[np.float64]

TRAITS = ("o", "c", "e", "a", "n")
TRAIT_MEAN = 0.5
TRAIT_SPREAD = 0.17

GAINS = (
    "cos1_phi",
    "sin1_phi",
    "cos2_phi",
    "sin2_phi",
    "cos3_phi",
    "sin3_phi",
    "setpoint",
    "aev",
    "alone_rate",
    "regulation",
    "stress",
    "support",
    "oxy",
    "news",
    "shift",
)
"""Chronotype as a rotation of the day, its half and its third; valence set-point; gain of event
arousal; rate of isolation while alone and awake, 1/s; R0; stress gain without its social part;
support gain; oxytocin gain; dopamine gain of news; share of emotion shifted to slower modes."""
GAIN: dict[str, int] = {name: row for row, name in enumerate(GAINS)}


def standard_traits(traits: Floats) -> Floats:
    """Return traits [5, N] in standard deviations from their mean: z = (trait - 0.5)/0.17."""
    return (traits - TRAIT_MEAN) / TRAIT_SPREAD


def gains_of(z: Floats, phi: Floats, constants: Constants) -> Floats:
    """Return the factors of `GAINS` [rows, N] for standard traits [5, N] and chronotypes [N]."""
    openness, conscience, extraversion, agreeable, neurotic = z
    angle = phi * (2.0 * np.pi / 24.0)
    return np.stack(
        (
            np.cos(angle),
            np.sin(angle),
            np.cos(2.0 * angle),
            np.sin(2.0 * angle),
            np.cos(3.0 * angle),
            np.sin(3.0 * angle),
            np.clip(0.12 * extraversion - 0.18 * neurotic, -0.45, 0.45),
            1.0 + 0.15 * neurotic,
            1.0 / (constants.tau_iso_alone * (1.0 - 0.15 * extraversion)),
            np.clip(0.75 + 0.08 * conscience - 0.12 * neurotic, 0.3, 0.95),
            1.0 + 0.10 * neurotic,
            1.0 + 0.1 * agreeable,
            1.0 + 0.1 * extraversion,
            1.0 + 0.1 * openness,
            0.15 * neurotic,
        )
    )
