"""Awareness of many persons over many instants at once, with the very outcome of stepping.

Between two cuts a person's state is one flow from one anchor. So the dimensions of all instants can
be computed in one go, and where they move too little for anything to be noticed, whatever else is
the case, the first and the last instant suffice.
"""

from collections.abc import Sequence

import numpy as np

from mindpipe.person.awareness.dimensions import WATCHED
from mindpipe.person.awareness.pace import SPAN_S, paces
from mindpipe.person.awareness.salience import (
    LEAST_THRESHOLD,
    MOST_MODIFIER,
    MOST_NOVELTY,
    SECOND_US,
    Salience,
    Sense,
)
from mindpipe.person.body import flow, psychology
from mindpipe.person.body.bank import Bank, Flags, Floats
from mindpipe.person.body.vitals import view_of

UNNOTICED = LEAST_THRESHOLD / (MOST_NOVELTY * MOST_MODIFIER) * (1.0 - 1e-9)
"""A pace in 1/s that never breaks into awareness without a breach."""


def dimensions(bank: Bank, dts_us: Sequence[int]) -> Floats:
    """Return the four dimensions [4, T, N] at T spans in µs after the anchors.

    Args:
        bank: Persons who share their anchor.
        dts_us: The spans, none of them past the next cut.
    """
    modes = flow.block(bank, dts_us)
    felt = psychology.dimensions(view_of(bank, modes, _instants(bank, dts_us)))
    return np.stack((felt.pain, felt.arousal, felt.valence, felt.energy))


def senses(bank: Bank, dts_us: Sequence[int]) -> list[list[Sense]]:
    """Return all that salience looks at, for every person at every instant in turn.

    Args:
        bank: N persons who share their anchor.
        dts_us: Spans in µs after it, none of them past the next cut.
    """
    view = view_of(bank, flow.block(bank, dts_us), _instants(bank, dts_us))
    felt = psychology.dimensions(view)
    load = psychology.cognitive_load(view, felt, psychology.sleepiness(felt.kss))
    attention = psychology.attention(view, felt)
    rows = (felt.pain, felt.arousal, felt.valence, felt.energy, load, attention)
    columns = [np.broadcast_to(row, load.shape).T.tolist() for row in rows]
    return [list(map(Sense, *person)) for person in zip(*columns, strict=True)]


def unmoved(bank: Bank, ends: Floats, dts_us: Sequence[int]) -> Flags:
    """Return for whom nothing can break into awareness at any of some instants [N].

    That is so where no dimension jumps at the first instant, none can move fast enough or cross a
    level of breach until the last, no alert waits, and sleep was not before.

    Args:
        bank: Persons who share their anchor.
        ends: The dimensions [4, 2, N] at the first and the last instant.
        dts_us: Spans in µs after the anchor, whole seconds from each other.
    """
    first_us = int(bank.anchor_us[0]) + dts_us[0]
    calm: Flags = bank.awake & bank.ready & (bank.prev_us >= bank.since_us)
    seconds = np.maximum(1.0, (first_us - bank.prev_us) / SECOND_US)
    calm &= (np.abs(ends[:, 0] - bank.prev) <= UNNOTICED * seconds).all(axis=0)
    calm &= ~bank.latch.any(axis=0)
    if not calm.any():
        return calm
    pace = paces(bank)
    reach = pace * ((dts_us[-1] - dts_us[0]) / SECOND_US)
    calm &= (pace <= UNNOTICED).all(axis=0)
    for row, watched in enumerate(WATCHED):
        sign = 1.0 if watched.side == "+" else -1.0
        level = sign * ends[row, 0]
        stays_in = level - reach[row] >= sign * watched.rearm
        stays_out = level + reach[row] <= sign * watched.enter
        calm &= np.where(bank.inside[row], stays_in, stays_out)
    return calm if dts_us[-1] <= SPAN_S * SECOND_US else calm & (len(dts_us) == 1)


def salience_of(bank: Bank, column: int) -> Salience:
    """Return what the next salience of one person is compared with."""
    salience = Salience()
    salience.ready = bool(bank.ready[column])
    salience.prev = bank.prev[:, column].tolist()
    salience.prev_us = int(bank.prev_us[column])
    salience.aware_us = bank.aware_us[:, column].tolist()
    salience.inside = bank.inside[:, column].tolist()
    salience.latch = bank.latch[:, column].tolist()
    return salience


def keep(bank: Bank, column: int, salience: Salience) -> None:
    """Write what the next salience of one person is compared with."""
    bank.ready[column] = salience.ready
    bank.prev[:, column] = salience.prev
    bank.prev_us[column] = salience.prev_us
    bank.aware_us[:, column] = salience.aware_us
    bank.inside[:, column] = salience.inside
    bank.latch[:, column] = salience.latch


def _instants(bank: Bank, dts_us: Sequence[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the instants [T, 1] of spans after the anchor that persons share."""
    return (int(bank.anchor_us[0]) + np.array(dts_us, dtype=np.int64))[:, None]
