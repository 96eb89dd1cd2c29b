"""Quiet minutes of few persons: decided on together, with the very results of one by one."""

import numpy as np

from mindpipe.person.body import flow, habits, sleeping, vitals
from mindpipe.person.body.bank import Bank, Flags
from mindpipe.person.life import deciding
from mindpipe.person.life.cut import GRID_US
from mindpipe.person.psyche import coping
from mindpipe.person.psyche.mood import mood_of

FEW = 4
"""For more persons minutes one by one are as fast."""


def glide(bank: Bank, last_us: int) -> int:
    """Let persons pass the minutes in which nobody does or decides anything anew.

    Args:
        bank: Persons who are all at an anchor on the decision grid, without attention.
        last_us: An instant of that grid, up to which there is no slow sample, and nothing of
            anybody's own ends, is due or happens.

    Returns:
        The instant that they reached, the anchor itself where the very next minute stirs somebody.
    """
    start_us, count = int(bank.anchor_us[0]), len(bank.persons)
    minutes = range(start_us + GRID_US, last_us + 1, GRID_US)
    kept = [bank.modes.copy()]
    for t_us in minutes:
        flow.advance(bank, t_us)
        kept.append(bank.modes.copy())
    many = bank.take(np.tile(np.arange(count), len(minutes)))
    many.modes = np.concatenate(kept[1:], axis=1)
    many.t_us = many.anchor_us = np.repeat(np.asarray(minutes), count)
    quiet = _quiet(many, count)
    reached_us = start_us + quiet * GRID_US
    bank.modes[:] = kept[quiet]
    bank.anchor_us[:] = bank.t_us[:] = reached_us
    if quiet:
        deciding.decide(bank, reached_us, np.zeros(count, dtype=np.bool_))
    return reached_us


def _quiet(many: Bank, count: int) -> int:
    """Return after how many minutes of `count` persons each somebody is stirred next."""
    stirs = habits.stirred(many) | sleeping.roused(many)
    if many.awake.any():
        stirs |= coping.stirred(many, mood_of(vitals.view_of(many, many.modes, many.t_us)))
    stirring: Flags = np.logical_or.reduce(stirs.reshape(-1, count), axis=1)
    return int(stirring.argmax()) if stirring.any() else len(stirring)
