"""What of all readouts the psyche decides by."""

from dataclasses import dataclass

from mindpipe.person.body import psychology
from mindpipe.person.body.bank import Floats
from mindpipe.person.body.vitals import View


@dataclass(slots=True)
class Mood:
    """Readouts of N persons, each of the very numbers that `readouts.read` has."""

    arousal: Floats
    valence: Floats
    regulation: Floats
    stress: Floats
    sleepiness: Floats


def mood_of(view: View) -> Mood:
    """Return how persons feel, and nothing that coping and distortions do not ask for."""
    felt = psychology.dimensions(view)
    sleepiness = psychology.sleepiness(felt.kss)
    return Mood(
        arousal=felt.arousal,
        valence=felt.valence,
        regulation=psychology.regulation(view, felt, sleepiness),
        stress=psychology.stress(view, felt),
        sleepiness=sleepiness,
    )
