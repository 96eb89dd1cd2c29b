"""How long emotions last: their classes, and over which slow modes an impulse is spread."""

from functools import cache
from math import exp

SPANS_H = (1 / 6, 2.0, 12.0, 40.0, 96.0)
"""Time constants of the emotion modes v1…v5, in hours."""
REMAINING = 0.05
"""What is left of an impulse after the duration of its class."""
DURATIONS_H: dict[str, float] = {
    "sadness": 120.0,
    "hatred": 60.0,
    "joy": 35.0,
    "despair": 24.0,
    "hope": 24.0,
    "anxiety": 24.0,
    "disappointment": 24.0,
    "contentment": 24.0,
    "jealousy": 15.0,
    "relief": 8.0,
    "enthusiasm": 6.0,
    "admiration": 5.0,
    "gratitude": 5.0,
    "relaxation": 4.3,
    "guilt": 3.5,
    "stress": 3.0,
    "pride": 2.6,
    "touched": 2.5,
    "anger": 2.0,
    "boredom": 2.0,
    "surprise": 2.0,
    "irritation": 1.3,
    "compassion": 1.3,
    "humiliation": 0.8,
    "fear": 0.7,
    "shame": 0.5,
    "disgust": 0.5,
    "pain": 0.5,
}
"""Hours until 5 % of an emotion is left (Verduyn & Lavrijsen 2015, from recall; pain is chosen)."""

Weights = tuple[float, float, float, float, float]


@cache
def weights(emotion: str) -> Weights:
    """Return the shares of v1…v5 in an impulse of the class, so that 5 % remains at its duration.

    The two neighbouring modes that enclose the duration share it; they sum to 1.
    """
    left = [exp(-DURATIONS_H[emotion] / span) for span in SPANS_H]
    if left[0] > REMAINING:
        return (1.0, 0.0, 0.0, 0.0, 0.0)
    if left[-1] <= REMAINING:
        return (0.0, 0.0, 0.0, 0.0, 1.0)
    slower = next(index for index, share in enumerate(left) if share > REMAINING)
    shares = [0.0] * 5
    shares[slower] = (REMAINING - left[slower - 1]) / (left[slower] - left[slower - 1])
    shares[slower - 1] = 1.0 - shares[slower]
    return (shares[0], shares[1], shares[2], shares[3], shares[4])


def shifted(shares: Weights, shift: float) -> Weights:
    """Return the shares with `shift` (0 to 0.5) of each moved to the next slower mode."""
    first, second, third, fourth, fifth = shares
    kept = 1.0 - shift
    return (
        kept * first,
        kept * second + shift * first,
        kept * third + shift * second,
        kept * fourth + shift * third,
        fifth + shift * fourth,
    )
