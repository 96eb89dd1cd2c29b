"""The four dimensions that can break into awareness: one literal table, in tie order."""

from typing import NamedTuple

from mindpipe.person.records.state import Dimension, Direction


class Watched(NamedTuple):
    """One dimension: where it becomes extreme, and what that adds to its salience.

    `enter` and `bonus` are the founding requirements', `rearm` a modelling choice. `side` is `+`
    where high values are extreme and `-` where low ones are.
    """

    name: Dimension
    side: Direction
    enter: float
    bonus: float
    rearm: float


WATCHED = (
    Watched("pain", "+", enter=0.6, bonus=0.6, rearm=0.45),
    Watched("arousal", "+", enter=0.8, bonus=0.5, rearm=0.70),
    Watched("valence", "-", enter=-0.6, bonus=0.4, rearm=-0.45),
    Watched("energy", "-", enter=0.15, bonus=0.3, rearm=0.25),
)
PAIN, AROUSAL, VALENCE, ENERGY = range(4)
WAKING_BONUS = 0.5
"""What being pulled out of sleep by an event adds to the salience of arousal; chosen (C)."""
