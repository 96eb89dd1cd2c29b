"""What the removal of a need does: a bright moment, and a reason to come back."""

from math import exp

import numpy as np

from mindpipe.person.body.bank import Bank, Floats, Instants
from mindpipe.person.body.modes import MODE

PLEASURE = 0.3
REWARD = 0.2
"""What removing a whole need adds to the modes v1 and dopa."""
EMPTYING_ML = 600.0
"""The drink that takes all of a thirst."""


def satisfy(bank: Bank, columns: Instants, removed: Floats | float) -> None:
    """Let persons feel that `removed` (0 to 1) of a need is gone."""
    bank.modes[MODE["v1"], columns] += PLEASURE * removed
    bank.modes[MODE["dopa"], columns] += REWARD * removed


def drink(bank: Bank, columns: Instants, ml: float) -> None:
    """Let persons drink some millilitres."""
    before = bank.modes[MODE["thirst"], columns]
    after = before * max(0.0, 1.0 - ml / EMPTYING_ML)
    bank.modes[MODE["thirst"], columns] = after
    satisfy(bank, columns, before - after)


def toilet(bank: Bank, columns: Instants) -> None:
    """Let persons empty their bladders."""
    before = bank.modes[MODE["bladder"], columns]
    bank.modes[MODE["bladder"], columns] = 0.0
    satisfy(bank, columns, 0.5 * before)


def meet(bank: Bank, column: int) -> None:
    """Let a person find company, in the measure in which it missed it."""
    isolation = float(bank.modes[MODE["iso"], column])
    satisfy(bank, np.array([column]), 1.0 - exp(-3.5 * isolation))
