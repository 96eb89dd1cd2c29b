"""How a person feels and what it can do, read off its body without memory (section 9.2; chosen)."""

from dataclasses import dataclass

import numpy as np

from mindpipe.person.body import circadian, vitals
from mindpipe.person.body.bank import Floats
from mindpipe.person.body.circadian import Clock
from mindpipe.person.body.personality import GAIN
from mindpipe.person.body.vitals import View, above, at_most, clipped


@dataclass(slots=True)
class Feeling:
    """The four dimensions of salience, and what of the body they are read from."""

    now: Clock
    adrenaline: Floats
    withdrawal: Floats
    discomfort: Floats
    glucose: Floats
    hunger: Floats
    serotonin: Floats
    oxytocin: Floats
    alertness: Floats
    kss: Floats
    pain: Floats
    arousal: Floats
    valence: Floats
    energy: Floats


def dimensions(view: View) -> Feeling:
    """Return pain, arousal, valence and energy, and nothing that these do not need."""
    now = circadian.clock(view.t_us, view.gains)
    caffeine = vitals.caffeine(view)
    alertness = vitals.alertness(view, now, caffeine)
    kss = vitals.kss(alertness, view.constants)
    glucose, hunger = vitals.glucose(view), vitals.hunger(view, now)
    adrenaline, withdrawal = vitals.adrenaline(view), vitals.vagal_withdrawal(view)
    discomfort, pain = vitals.discomfort(view), vitals.pain(view)
    serotonin, oxytocin = vitals.serotonin(view), vitals.oxytocin(view)
    energy = _energy(view, kss, glucose)
    body = (0.05 + 0.30 * energy) * view.awake + 0.05 * ~view.awake
    calm = (1.0 - body) * np.exp(above(adrenaline - 200.0) * (-1.0 / 500.0))
    calm *= (1.0 - 0.5 * withdrawal) * (1.0 - 0.6 * pain)
    calm *= (1.0 - 0.25 * view.level("noise")) * (1.0 - 0.1 * caffeine)
    calm *= 1.0 - clipped(view.mode("aev") * view.gains[GAIN["aev"]])
    mood = 0.25 + view.gains[GAIN["setpoint"]] + 0.6 * _emotion(view)
    mood -= 0.9 * pain + 0.35 * _hungry(hunger) + 0.45 * _spent(energy)
    mood -= 0.35 * view.level("u") + 0.5 * view.mode("iso") + 0.3 * discomfort
    mood += (serotonin - 0.5) + 0.25 * (oxytocin - 0.3)
    return Feeling(
        now=now,
        adrenaline=adrenaline,
        withdrawal=withdrawal,
        discomfort=discomfort,
        glucose=glucose,
        hunger=hunger,
        serotonin=serotonin,
        oxytocin=oxytocin,
        alertness=alertness,
        kss=kss,
        pain=pain,
        arousal=1.0 - calm,
        valence=np.tanh(mood),
        energy=energy,
    )


def _energy(view: View, kss: Floats, glucose: Floats) -> Floats:
    """Return energy, 0 to 1."""
    rested = (9.0 - kss) * 0.125 - 0.25 * view.mode("fphys")
    fed = 0.15 * clipped(4.5 - glucose)
    ill = 0.15 * clipped(view.mode("fever") * 0.5)
    return clipped(rested - fed - ill - 0.10 * at_most(view.mode("alc"), 1.0))


def _emotion(view: View) -> Floats:
    """Return Σv."""
    quick = view.mode("v1") + view.mode("v2") + view.mode("v3")
    return quick + view.mode("v4") + view.mode("v5")


def _hungry(hunger: Floats) -> Floats:
    """Return (hunger - 0.6)₊/0.4."""
    return above(hunger - 0.6) / 0.4


def _spent(energy: Floats) -> Floats:
    """Return (0.35 - energy)₊/0.35."""
    return above(0.35 - energy) / 0.35


def sleepiness(kss: Floats) -> Floats:
    """Return sl, 0 to 1."""
    return clipped((kss - 3.0) / 6.0)


def cognitive_load(view: View, felt: Feeling, sleepiness: Floats) -> Floats:
    """Return how much of thinking is taken, 0 to 1."""
    free = 0.9 * (1.0 - 0.9 * view.level("task")) * (1.0 - 0.45 * view.mode("rum"))
    free = free * (1.0 - 0.35 * felt.pain) * (1.0 - 0.4 * above(felt.arousal - 0.6) / 0.4)
    return 1.0 - free * (1.0 - 0.3 * sleepiness)


def regulation(view: View, felt: Feeling, sleepiness: Floats) -> Floats:
    """Return how well feelings can be regulated, 0 to 1."""
    able: Floats = view.gains[GAIN["regulation"]] * (1.0 - 0.45 * sleepiness)
    able = able * (1.0 - 0.35 * view.mode("fment")) * (1.0 - 0.35 * view.level("u"))
    able *= (1.0 - 0.25 * view.mode("allo")) * (1.0 - 0.15 * _hungry(felt.hunger))
    able *= (1.0 - 0.30 * felt.pain) * (1.0 - 0.02 * view.mode("depl"))
    return able * (1.0 - 0.25 * view.mode("rum")) * (1.0 - 0.3 * at_most(view.mode("alc"), 1.0))


def attention(view: View, felt: Feeling) -> Floats:
    """Return where attention is, -1 outward to 1 inward."""
    task, q = view.level("task"), view.level("q")
    inward = 0.6 * felt.pain + 0.5 * view.mode("rum") + 0.4 * _spent(felt.energy)
    idle = 0.2 * ((q == 0.0) & (task < 0.1))
    outward = 0.8 * task + 0.4 * q + 0.3 * view.level("noise")
    return clipped(inward + idle - outward, -1.0, 1.0)


def stress(view: View, felt: Feeling) -> Floats:
    """Return stress, 0 to 1."""
    stirred = above(felt.arousal - 0.5) / 0.5
    return clipped(0.45 * view.level("u") + 0.35 * above(-felt.valence) + 0.20 * stirred)


def performance(view: View, felt: Feeling) -> Floats:
    """Return how near arousal is to what the task at hand wants (Yerkes-Dodson), 0 to 1."""
    off = felt.arousal - (0.65 - 0.30 * view.level("task"))
    near: Floats = np.exp(off * off * (-1.0 / (2.0 * 0.25 * 0.25)))
    return near
