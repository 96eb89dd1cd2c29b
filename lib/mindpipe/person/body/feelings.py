"""How a person feels and what it can do, read off its body without memory (section 9.2; chosen)."""

from dataclasses import dataclass

import numpy as np

from mindpipe.person.body import circadian, vitals
from mindpipe.person.body.bank import Floats
from mindpipe.person.body.circadian import CircadianClock
from mindpipe.person.body.personality import GAIN
from mindpipe.person.body.vitals import View, above, at_most, clipped


@dataclass(slots=True)
class Feeling:
    """The four dimensions of salience, and what of the body they are read from."""

    now: CircadianClock
    adrenaline: Floats
    withdrawal: Floats
    discomfort: Floats
    glucose: Floats
    hunger: Floats
    serotonin: Floats
    oxytocin: Floats
    hungry: Floats
    spent: Floats
    alertness: Floats
    kss: Floats
    pain: Floats
    arousal: Floats
    valence: Floats
    energy: Floats


def dimensions(view: View) -> Feeling:
    """Return pain, arousal, valence and energy, and nothing that these do not need."""
    now = circadian.clock(view.t_us, view.gains)
    alertness = vitals.alertness(view, now)
    kss = vitals.kss(alertness, view.constants)
    glucose, hunger = vitals.glucose(view), vitals.hunger(view, now)
    adrenaline, withdrawal = vitals.adrenaline(view), vitals.vagal_withdrawal(view)
    discomfort, pain = vitals.discomfort(view), vitals.pain(view)
    serotonin, oxytocin = vitals.serotonin(view), vitals.oxytocin(view)
    energy = _energy(view, kss, glucose)
    hungry, spent = _beyond(hunger, 0.6, 0.4), _beyond(-energy, -0.35, 0.35)
    distress = 0.9 * pain
    distress += 0.35 * hungry
    distress += 0.45 * spent
    distress += 0.3 * discomfort
    return Feeling(
        now=now,
        adrenaline=adrenaline,
        withdrawal=withdrawal,
        discomfort=discomfort,
        glucose=glucose,
        hunger=hunger,
        serotonin=serotonin,
        oxytocin=oxytocin,
        hungry=hungry,
        spent=spent,
        alertness=alertness,
        kss=kss,
        pain=pain,
        arousal=_arousal(view, energy, pain, adrenaline, withdrawal),
        valence=_valence(view, distress, serotonin, oxytocin),
        energy=energy,
    )


def _energy(view: View, kss: Floats, glucose: Floats) -> Floats:
    """Return energy, 0 to 1."""
    level = kss * -0.125
    level += 9.0 * 0.125
    level -= 0.25 * view.mode("fphys")
    level -= 0.15 * clipped(4.5 - glucose)
    level -= 0.15 * clipped(view.mode("fever") * 0.5)
    level -= 0.10 * at_most(view.mode("alc"), 1.0)
    level -= view.constants.weary_energy * view.level("weary")
    return clipped(level)


def _arousal(
    view: View, energy: Floats, pain: Floats, adrenaline: Floats, withdrawal: Floats
) -> Floats:
    """Return arousal, 0 to 1: none of its causes hides the others."""
    calm = energy * view.awake
    calm *= -0.30
    calm += 1.0 - 0.05
    calm *= np.exp(above(adrenaline - 200.0) * (-1.0 / 500.0))
    calm *= 1.0 - 0.5 * withdrawal
    calm *= 1.0 - 0.6 * pain
    calm *= view.level("quiet")
    calm *= 1.0 - 0.1 * vitals.caffeine(view)
    calm *= 1.0 - clipped(view.mode("aev") * view.gains[GAIN["aev"]])
    return 1.0 - calm


def _valence(view: View, distress: Floats, serotonin: Floats, oxytocin: Floats) -> Floats:
    """Return valence, -1 to 1."""
    mood = _emotion(view)
    mood += view.gains[GAIN["setpoint"]] + (0.25 - 0.5 - 0.25 * 0.3)
    mood -= distress
    mood -= 0.35 * view.level("u")
    mood -= 0.5 * view.mode("iso")
    mood += serotonin
    mood += 0.25 * oxytocin
    valence: Floats = np.tanh(mood)
    return valence


def _emotion(view: View) -> Floats:
    """Return 0.6·Σv."""
    level = view.mode("v1") + view.mode("v2")
    level += view.mode("v3")
    level += view.mode("v4")
    level += view.mode("v5")
    level *= 0.6
    return level


def _beyond(level: Floats, least: float, reach: float) -> Floats:
    """Return (level - least)₊/reach."""
    over = above(level - least)
    over *= 1.0 / reach
    return over


def sleepiness(kss: Floats) -> Floats:
    """Return sl, 0 to 1."""
    level = kss - 3.0
    level *= 1.0 / 6.0
    return clipped(level)


def cognitive_load(view: View, felt: Feeling, sleepiness: Floats) -> Floats:
    """Return how much of thinking is taken, 0 to 1."""
    free = view.mode("rum") * -0.45
    free += 1.0
    free *= 0.9 * view.level("untaxed")
    free *= 1.0 - 0.35 * felt.pain
    free *= 1.0 - above(felt.arousal - 0.6)
    free *= 1.0 - 0.3 * sleepiness
    return 1.0 - free


def regulation(view: View, felt: Feeling, sleepiness: Floats) -> Floats:
    """Return how well feelings can be regulated, 0 to 1."""
    able = 1.0 - 0.45 * sleepiness
    able *= view.gains[GAIN["regulation"]]
    able *= 1.0 - 0.35 * view.mode("fment")
    able *= view.level("undriven")
    able *= 1.0 - 0.25 * view.mode("allo")
    able *= 1.0 - 0.15 * felt.hungry
    able *= 1.0 - 0.30 * felt.pain
    able *= 1.0 - 0.02 * view.mode("depl")
    able *= 1.0 - 0.25 * view.mode("rum")
    able *= 1.0 - 0.3 * at_most(view.mode("alc"), 1.0)
    able *= 1.0 - view.constants.weary_regulation * view.level("weary")
    return able


def attention(view: View, felt: Feeling) -> Floats:
    """Return where attention is, -1 outward to 1 inward."""
    inward = 0.6 * felt.pain
    inward += 0.5 * view.mode("rum")
    inward += 0.4 * felt.spent
    inward += view.level("inward")
    return clipped(inward, -1.0, 1.0)


def stress(view: View, felt: Feeling) -> Floats:
    """Return stress, 0 to 1."""
    strained = above(-felt.valence)
    strained *= 0.35
    strained += 0.20 / 0.5 * above(felt.arousal - 0.5)
    strained += 0.45 * view.level("u")
    return clipped(strained)


def performance(view: View, felt: Feeling) -> Floats:
    """Return how near arousal is to what the task at hand wants (Yerkes-Dodson), 0 to 1."""
    off = felt.arousal - view.level("wanted")
    off *= off
    off *= -1.0 / (2.0 * 0.25 * 0.25)
    near: Floats = np.exp(off)
    return near
