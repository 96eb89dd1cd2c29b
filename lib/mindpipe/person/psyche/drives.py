"""What persons want, and what of all readouts the psyche decides by; all chosen (C)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mindpipe.person.body import feelings
from mindpipe.person.body.bank import CHANNEL, Bank, Floats
from mindpipe.person.body.readouts import PHASES, BodyReading
from mindpipe.person.body.vitals import View
from mindpipe.person.records.state import Readouts

DRIVES = (
    ("eat", 1.0),
    ("drink", 1.0),
    ("toilet", 0.8),
    ("sleep", 1.0),
    ("warmth", 1.0),
    ("pain_relief", 1.2),
    ("recovery", 0.7),
    ("safety", 1.2),
    ("contact", 1.0),
    ("stimulation", 0.4),
)
"""Names and weights."""
TOP = 3


def strengths(bank: Bank, reading: BodyReading) -> Floats:
    """Return the strength of every drive [10, N], 0 to 1: clip(weight·need²).

    Args:
        bank: N persons.
        reading: Their readouts.
    """
    lack = 1.0 - np.exp(-3.5 * reading.isolation)
    needs = (
        reading.hunger,
        reading.thirst,
        reading.bladder,
        np.where(bank.awake, reading.sleepiness, 0.0),
        np.abs(reading.thermal),
        reading.pain,
        np.maximum(reading.physical_fatigue, reading.mental_fatigue),
        np.maximum(bank.channel[CHANNEL["u"]], 0.8 * reading.vagal_withdrawal),
        lack * (1.0 - 0.5 * bank.lonely),
        reading.boredom,
    )
    found = np.empty((len(DRIVES), bank.t_us.size))
    for row, ((_, weight), need) in enumerate(zip(DRIVES, needs, strict=True)):
        np.multiply(weight, need * need, out=found[row])
    return np.minimum(found, 1.0, out=found)


def ranked(strong: Sequence[float]) -> tuple[tuple[str, float], ...]:
    """Return names and strengths of one person's drives, strongest first, ties in table order."""
    order = sorted(range(len(DRIVES)), key=lambda row: -strong[row])
    return tuple((DRIVES[row][0], strong[row]) for row in order)


@dataclass(slots=True)
class Mood:
    """Readouts of N persons, each of the very numbers that `readouts.read` has."""

    arousal: Floats
    valence: Floats
    regulation: Floats
    stress: Floats
    sleepiness: Floats


class MoodOfView:
    """The same as `Mood`, of which what is seldom asked for is computed when it is."""

    __slots__ = ("_sleepiness", "_view", "arousal", "felt", "stress", "valence")

    def __init__(self, view: View) -> None:
        self._view = view
        self.felt = felt = feelings.dimensions(view)
        self._sleepiness: Floats | None = None
        self.arousal, self.valence = felt.arousal, felt.valence
        self.stress = feelings.stress(view, felt)

    @property
    def sleepiness(self) -> Floats:
        """Return sleepiness, 0 to 1."""
        if self._sleepiness is None:
            self._sleepiness = feelings.sleepiness(self.felt.kss)
        return self._sleepiness

    @property
    def regulation(self) -> Floats:
        """Return how well feelings can be regulated, 0 to 1."""
        return feelings.regulation(self._view, self.felt, self.sleepiness)


_NUMBERS = Readouts.__struct_fields__[:-2]


def readouts_of(bank: Bank, reading: BodyReading) -> list[Readouts]:
    """Return the readouts [N] of a bank, one record for each person."""
    strong = strengths(bank, reading).T.tolist()
    columns = [getattr(reading, name).tolist() for name in _NUMBERS]
    phases = reading.isolation_phase.tolist()
    return [
        Readouts(
            **dict(zip(_NUMBERS, numbers, strict=True)),
            isolation_phase=PHASES[phase],
            drives=ranked(drive)[:TOP],
        )
        for numbers, phase, drive in zip(zip(*columns, strict=True), phases, strong, strict=True)
    ]
