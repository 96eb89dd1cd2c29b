"""Coping: which of seven strategies a person under stress turns to."""

from typing import NamedTuple

import numpy as np

from mindpipe.person.body.bank import Bank, Flags, Floats, Instants
from mindpipe.person.body.readouts import BodyReading
from mindpipe.person.chance_arrays import uniforms
from mindpipe.person.psyche.drives import Mood, MoodOfView
from mindpipe.person.records.state import Coping

STREAM = 1
BEGINS_AT = 0.15
ENDS_BELOW = 0.10
SECOND_AT = 0.5
"""Stress at which a second strategy joins the first."""
GRID_US = 60_000_000
SLOW_GRID_US = 600_000_000
NONE = -1


class Strategy(NamedTuple):
    """What makes a strategy likelier: a base, slopes of standard traits, control, regulation."""

    name: Coping
    base: float
    n: float
    e: float
    c: float
    o: float
    a: float
    control: float
    regulation: float


STRATEGIES = (
    Strategy("problem_solving", 0.2, -0.25, 0.35, 0.55, 0.0, 0.0, 1.0, 0.4),
    Strategy("reappraisal", 0.2, -0.30, 0.40, 0.35, 0.28, 0.0, -0.2, 0.6),
    Strategy("acceptance", 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, -0.5, 0.3),
    Strategy("distraction", 0.1, 0.18, 0.0, 0.0, 0.0, 0.0, -0.1, -0.2),
    Strategy("suppression", -0.2, 0.20, 0.0, -0.15, 0.0, -0.10, -0.2, -0.1),
    Strategy("rumination", -0.2, 0.60, 0.0, -0.10, 0.0, 0.0, -0.3, -0.6),
    Strategy("denial", -1.0, 0.33, 0.0, -0.31, 0.0, -0.24, -0.3, -0.6),
)
"""Signs from CF07 (abstract: 165 samples, n = 33,094); sizes L? or chosen."""


def probabilities(z: Floats, control: Floats, regulation: Floats) -> Floats:
    """Return how likely each strategy is to be the first [7, N]; every column sums to 1.

    Args:
        z: Standard traits [5, N], order o, c, e, a, n.
        control: Control over the latest event [N], -1 to 1.
        regulation: The readout of that name [N].
    """
    weights = _weights(z, control, regulation)
    likely: Floats = weights / np.add.accumulate(weights, axis=0)[-1]
    return likely


def decide(
    bank: Bank,
    reading: BodyReading | Mood | MoodOfView,
    t_us: int,
    columns: Instants | None = None,
) -> None:
    """Begin and end episodes of coping and draw strategies, in place.

    An episode begins where stress is high enough and ends, on the decision grid, where it is low,
    or with sleep. Strategies are drawn when it begins and every 600 s.

    Args:
        bank: Persons who are all at `t_us`, an instant of the grid or of an external event.
        reading: Their readouts at that instant.
        t_us: The instant.
        columns: Whose readouts these are where they are not everybody's.
    """
    some = slice(None) if columns is None else columns
    stress, awake = reading.stress, bank.awake[some]
    going = bank.episode_us[some] != NONE
    begins = awake & ~going & (stress >= BEGINS_AT)
    if not going.any():
        if not begins.any():
            return
        over = going
    else:
        over = going & (~awake | ((stress < ENDS_BELOW) & (t_us % GRID_US == 0)))
        ended = _places(columns, over)
        bank.episode_us[ended] = NONE
        bank.coping[:, ended] = NONE
    bank.episode_us[_places(columns, begins)] = t_us
    due = begins | (going & ~over) if t_us % SLOW_GRID_US == 0 else begins
    if due.any():
        where = _places(columns, due)
        _draw(bank, stress[due], reading.regulation[due], where, t_us)


def _places(columns: Instants | None, chosen: Flags) -> Instants:
    """Return the columns of those chosen among some persons, or among all."""
    places: Instants = chosen.nonzero()[0]
    return places if columns is None else columns[places]


def stirred(bank: Bank, mood: Mood | MoodOfView) -> Flags:
    """Return for whom an episode would begin or end at an instant of the decision grid [N]."""
    going = bank.episode_us != NONE
    begins = bank.awake & ~going & (mood.stress >= BEGINS_AT)
    stirs: Flags = begins | (going & (~bank.awake | (mood.stress < ENDS_BELOW)))
    return stirs


def _draw(bank: Bank, stress: Floats, regulation: Floats, columns: Instants, t_us: int) -> None:
    """Draw the strategies of some persons: the second without putting the first back."""
    weights = _weights(bank.z[:, columns], bank.control[columns], regulation)
    keys = bank.keys[:, columns]
    u = uniforms(keys, t_us, STREAM, np.arange(2)[:, None])
    first = _choose(weights, u[0])
    weights[first, np.arange(columns.size)] = 0.0
    second = _choose(weights, u[1])
    bank.coping[0, columns] = first
    bank.coping[1, columns] = np.where(stress >= SECOND_AT, second, NONE)


def _weights(z: Floats, control: Floats, regulation: Floats) -> Floats:
    """Return the exponentials of the logits [7, N], the largest of each column being 1."""
    openness, conscience, extraversion, agreeable, neurotic = z
    centred = 2.0 * (regulation - 0.5)
    logits = np.empty((len(STRATEGIES), control.size))
    for row, one in enumerate(STRATEGIES):
        logit = one.base + one.n * neurotic + one.e * extraversion + one.c * conscience
        logit += one.o * openness + one.a * agreeable
        logits[row] = logit + one.control * control + one.regulation * centred
    weights: Floats = np.exp(logits - logits.max(axis=0))
    return weights


def _choose(weights: Floats, u: Floats) -> Instants:
    """Return the row of each column's choice, u [N] being uniform, cumulative in table order."""
    cumulative = np.add.accumulate(weights, axis=0)
    below = (cumulative <= u * cumulative[-1]).sum(axis=0)
    chosen: Instants = np.minimum(below, len(weights) - 1)
    return chosen
