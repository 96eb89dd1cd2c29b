"""What the psyche decides at a cut: how a person copes, and which distortions bend its thinking."""

import numpy as np

from mindpipe.person.body import readouts, vitals
from mindpipe.person.body.bank import Bank, Flags
from mindpipe.person.body.readouts import Reading
from mindpipe.person.psyche import coping, distortions

GRID_US = 60_000_000


def decide(bank: Bank, t_us: int, met: Flags, *, again: bool = False) -> None:
    """Let all decide on the decision grid, and elsewhere those whom an event met.

    Args:
        bank: Persons who are all at `t_us`.
        t_us: The instant.
        met: For whom an external event happened at that instant [N].
        again: Whether they decided then before: an episode that began with that begins anew.
    """
    if again:
        bank.episode_us[bank.episode_us == t_us] = coping.NONE
    if t_us % GRID_US == 0:
        reading = _read(bank)
        coping.decide(bank, reading, t_us)
        distortions.decide(bank, reading, t_us)
    elif met.all():
        coping.decide(bank, _read(bank), t_us)
    else:
        columns = np.flatnonzero(met)
        some = bank.take(columns)
        coping.decide(some, _read(some), t_us)
        bank.put(columns, some)


def _read(bank: Bank) -> Reading:
    """Return the readouts of a bank at its anchors."""
    return readouts.read(vitals.view_of(bank, bank.modes, bank.t_us))
