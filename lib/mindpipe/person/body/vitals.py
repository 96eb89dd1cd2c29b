"""What the body shows at an instant, from modes, channels and the clock (section 9.1)."""

from dataclasses import dataclass

import numpy as np

from mindpipe.person.body import circadian
from mindpipe.person.body.bank import CHANNEL, Bank, Flags, Floats, Instants
from mindpipe.person.body.circadian import CircadianClock
from mindpipe.person.body.constants import Constants
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.personality import GAIN

HPA = (-7.061672073580146, 7.207270463193941, 0.8544016103862058)
"""Residues of the HPA cascade."""
CAR = (-6.07728153989302, 21.669286848302328, -20.503890767987198, 4.91188545957788)
"""Weights of the awakening response: a unit impulse peaks at 1."""
PAINS = np.array([MODE[name] for name in ("pain_s", "pain_1", "pain_2", "pain_3")])
"""The rows that pain is felt from."""
GLU = (12.5, -36.0, 24.5)
"""Residues of the glucose cascade."""


_NOTHING: Floats = np.float64(0.0)  # type: ignore[assignment]  # it broadcasts as any row does


@dataclass(slots=True)
class View:
    """Modes [55, *S] of persons at instants, and what does not change between cuts.

    `t_us`, `awake`, and the rows of `channel` and `gains` broadcast to *S: [N] for one instant of
    a bank, [T, N] for a block with `t_us` [T, 1] or [T, N]. Of a mode that `rests`, being 0 for
    everybody, one zero is read, so that what follows from it is computed once and not for each.
    With `columns` [N] modes and channels are those of a whole bank, of which these alone are read.
    """

    modes: Floats
    t_us: Instants
    awake: Flags
    channel: Floats
    gains: Floats
    constants: Constants
    rests: frozenset[str] = frozenset()
    columns: Instants | None = None

    def mode(self, name: str) -> Floats:
        """Return one mode."""
        if name in self.rests:
            return _NOTHING
        row: Floats = self.modes[MODE[name]]
        return row if self.columns is None else row.take(self.columns)

    def level(self, name: str) -> Floats:
        """Return one channel."""
        row: Floats = self.channel[CHANNEL[name]]
        return row if self.columns is None else row.take(self.columns)


def view_of(bank: Bank, modes: Floats, t_us: Instants) -> View:
    """Return the view of a bank's persons with given modes at instants not past their next cut."""
    return View(modes, t_us, bank.awake, bank.channel, bank.gains, bank.constants)


_READ = GAIN["regulation"] + 1
"""How many rows of gains are read with a view; those behind belong to events."""


def view_of_some(bank: Bank, columns: Instants) -> View:
    """Return the view of some of a bank's persons at their anchors, before these change."""
    return View(
        bank.modes,
        bank.t_us[columns],
        bank.awake[columns],
        bank.channel,
        bank.gains[:_READ].take(columns, axis=1),
        bank.constants,
        bank.rest.names if bank.rest else frozenset(),
        columns,
    )


def clipped(level: Floats, least: float = 0.0, most: float = 1.0) -> Floats:
    """Return min(max(level, least), most)."""
    return level.clip(least, most)


def at_most(level: Floats, most: float) -> Floats:
    """Return min(level, most)."""
    return level.clip(None, most)


def above(level: Floats) -> Floats:
    """Return (level)₊ = max(level, 0)."""
    return level.clip(0.0, None)


def cortisol(view: View, now: CircadianClock) -> Floats:
    """Return salivary cortisol in nmol/L, above 0."""
    c = view.constants
    level = circadian.basal_cortisol(now)
    for name, residue in zip(("hpa_1", "hpa_2", "hpa_3"), HPA, strict=True):
        level += c.gain_hpa * residue * view.mode(name)
    for name, weight in zip(("car_1", "car_2", "car_3", "car_4"), CAR, strict=True):
        level += weight * view.mode(name)
    level += view.mode("exo")
    level += c.thought_cortisol * view.mode("cort_up")
    level *= 1.0 - c.thought_relief * view.mode("cort_dn")
    return level


def adrenaline(view: View) -> Floats:
    """Return adrenaline in pmol/L, 200 or more."""
    c = view.constants
    level = c.thought_adrenaline * view.mode("adr_up")
    level += view.mode("adr")
    level += c.adrenaline_base
    return level


def vagal_withdrawal(view: View) -> Floats:
    """Return V, 0 to 1."""
    return clipped(view.mode("vag") + view.constants.vagal_rum * view.mode("rum"))


def core_temp(view: View, now: CircadianClock) -> Floats:
    """Return core temperature in °C, 34 to 41."""
    c = view.constants
    level = circadian.wave(now, c.core_temp_wave, c.core_temp_peak_h)
    level += c.core_temp
    level -= c.core_temp_sleep * view.mode("sleepf")
    level += view.mode("fever")
    level += view.mode("env")
    return clipped(level, 34.0, 41.0)


def heart_rate(view: View, now: CircadianClock, adrenaline: Floats, withdrawal: Floats) -> Floats:
    """Return heart rate in beats per minute, 40 to 190."""
    c = view.constants
    rate = circadian.wave(now, c.heart_wave, c.heart_peak_h)
    rate += c.heart_rate
    rate -= c.heart_sleep * view.mode("sleepf")
    rate += c.heart_vagal * withdrawal
    driven = adrenaline - c.adrenaline_base
    driven *= c.heart_adrenaline
    driven *= 1.0 - view.mode("act")
    rate += driven
    heat = above(view.mode("env"))
    heat += view.mode("fever")
    heat *= c.heart_heat
    rate += heat
    rate += c.heart_exercise * view.mode("act")
    return clipped(rate, 40.0, 190.0)


def discomfort(view: View) -> Floats:
    """Return th, how far the skin is from comfort, 0 to 1."""
    off: Floats = np.abs(view.mode("skin"))
    off -= 1.5
    off *= 1.0 / 6.0
    return clipped(off)


def glucose(view: View) -> Floats:
    """Return blood glucose in mmol/L, 3.5 to 11."""
    c = view.constants
    level = c.glucose_fasting * view.mode("gly")
    for name, residue in zip(("glu_1", "glu_2", "glu_3"), GLU, strict=True):
        level += c.gain_glu * residue * view.mode(name)
    level += c.glucose_base - c.glucose_fasting
    return clipped(level, 3.5, 11.0)


def hunger(view: View, now: CircadianClock) -> Floats:
    """Return hunger, 0 to 1."""
    c = view.constants
    level = circadian.wave(now, c.hunger_wave, c.hunger_peak_h)
    level += view.mode("hun")
    level *= 1.0 - c.distaste_hunger * view.level("distaste")
    return clipped(level)


def pain(view: View) -> Floats:
    """Return pain as a share of the numeric rating scale, 0 to 1, eased by endorphin."""
    c = view.constants
    hurt = view.mode("pain_s") + view.mode("pain_1")
    hurt += view.mode("pain_2")
    hurt += view.mode("pain_3")
    eased: Floats = np.exp(view.mode("endo") * (-1.0 / c.analgesia_pmol_l))
    eased *= c.analgesia
    eased += 1.0 - c.analgesia
    eased *= at_most(hurt, 1.0)
    return eased


def serotonin(view: View) -> Floats:
    """Return the serotonin proxy, 0 to 1."""
    c = view.constants
    level = view.mode("ser_up") - view.mode("ser_dn")
    level *= c.thought_serotonin
    level += view.mode("ser")
    level += c.serotonin_base
    return clipped(level)


def oxytocin(view: View) -> Floats:
    """Return the oxytocin proxy, 0 to 1."""
    return clipped(view.constants.oxytocin_base + view.mode("oxy"))


def caffeine(view: View) -> Floats:
    """Return the caffeine that counts, in units of 200 mg, at most 1.5."""
    return at_most(view.mode("caf"), 1.5)


def alertness(view: View, now: CircadianClock) -> Floats:
    """Return alertness in units of the three-process model."""
    c = view.constants
    level = circadian.wave(now, c.alert_wave, c.alert_peak_h)
    level += circadian.half_wave(now, c.alert_half_wave, c.alert_half_peak_h)
    level += c.alert_half_mean
    level += view.mode("L")
    level += view.mode("W")
    level += c.alert_caffeine * caffeine(view)
    return level


def kss(alertness: Floats, constants: Constants) -> Floats:
    """Return sleepiness on the Karolinska scale, 1 to 9."""
    level = alertness * -constants.kss_slope
    level += constants.kss_top
    return clipped(level, 1.0, 9.0)
