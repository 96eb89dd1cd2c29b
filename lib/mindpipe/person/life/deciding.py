"""What the psyche decides at a cut: how a person copes, and which distortions bend its thinking."""

import numpy as np

from mindpipe.person.body import vitals
from mindpipe.person.body.bank import Bank, Flags
from mindpipe.person.psyche import coping, distortions
from mindpipe.person.psyche.mood import Mood, mood_of

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
        anew = bank.episode_us == t_us
        bank.episode_us[anew] = bank.coping[:, anew] = coping.NONE
    if not bank.awake.any():
        return
    if t_us % GRID_US == 0:
        mood = _mood(bank)
        coping.decide(bank, mood, t_us)
        distortions.decide(bank, mood, t_us)
    elif met.all():
        coping.decide(bank, _mood(bank), t_us)
    else:
        columns = np.flatnonzero(met)
        some = bank.take(columns)
        coping.decide(some, _mood(some), t_us)
        bank.put(columns, some)


def _mood(bank: Bank) -> Mood:
    """Return how the persons of a bank feel at their anchors."""
    return mood_of(vitals.view_of(bank, bank.modes, bank.t_us))
