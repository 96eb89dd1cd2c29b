"""What is measured every ten minutes: the targets of serotonin and of the allostatic load."""

from mindpipe.person.body.bank import Bank, Flags
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import clipped, pain, view_of

SLOW_US = 600_000_000
"""The slow grid, in microseconds since midnight of day 0."""


def sample(bank: Bank) -> Flags:
    """Measure everybody; return who differs from the measure before."""
    constants, modes = bank.constants, bank.modes
    missing = (modes[MODE["S"]] - constants.slow_pressure_at) / 0.33
    sleepless = clipped(missing)
    alone = modes[MODE["iso"]] >= constants.slow_alone_at
    x_ser = -constants.slow_ser_pressure * sleepless - constants.slow_ser_alone * alone
    strained = constants.slow_allo_hpa * modes[MODE["hpa24"]]
    load = strained + constants.slow_allo_pressure * sleepless
    load = load + constants.slow_allo_pain * pain(view_of(bank, modes, bank.t_us))
    x_allo = clipped(load)
    changed: Flags = (x_ser != bank.x_ser) | (x_allo != bank.x_allo)
    bank.x_ser[:], bank.x_allo[:] = x_ser, x_allo
    return changed
