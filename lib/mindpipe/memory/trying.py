"""What an outcome makes of a lesson: its confidence is the mean of a Beta distribution.

A lesson of confidence c and n outcomes stands for c * (2 + n) successes in 2 + n trials: Laplace's
rule of succession where nothing is known but 0.5.
"""

PRIOR_TRIALS = 2
"""How many outcomes the confidence weighs that a lesson is given with."""


def after_outcome(confidence: float, *, outcomes: int, good: bool) -> float:
    """Return the confidence (0-1) after one more outcome beyond `outcomes` earlier ones."""
    trials = PRIOR_TRIALS + outcomes
    return (confidence * trials + good) / (trials + 1)
