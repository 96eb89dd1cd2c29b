"""What the body shows at an instant, from modes, channels and the clock (section 9.1)."""

from dataclasses import dataclass

import numpy as np

from mindpipe.person.body import circadian
from mindpipe.person.body.bank import CHANNEL, Bank, Flags, Floats, Instants
from mindpipe.person.body.circadian import Clock
from mindpipe.person.body.modes import MODE
from mindpipe.person.constants import Constants

HPA = (-7.061672073580146, 7.207270463193941, 0.8544016103862058)
"""Residues of the HPA cascade."""
CAR = (-6.07728153989302, 21.669286848302328, -20.503890767987198, 4.91188545957788)
"""Weights of the awakening response: a unit impulse peaks at 1."""
GLU = (12.5, -36.0, 24.5)
"""Residues of the glucose cascade."""


@dataclass(slots=True)
class View:
    """Modes [55, *S] of persons at instants, and what does not change between cuts.

    `t_us`, `awake`, and the rows of `channel` and `gains` broadcast to *S: [N] for one instant of
    a bank, [T, N] for a block with `t_us` [T, 1] or [T, N].
    """

    modes: Floats
    t_us: Instants
    awake: Flags
    channel: Floats
    gains: Floats
    constants: Constants

    def mode(self, name: str) -> Floats:
        """Return one mode."""
        row: Floats = self.modes[MODE[name]]
        return row

    def level(self, name: str) -> Floats:
        """Return one channel."""
        row: Floats = self.channel[CHANNEL[name]]
        return row


def view_of(bank: Bank, modes: Floats, t_us: Instants) -> View:
    """Return the view of a bank's persons with given modes at instants not past their next cut."""
    return View(modes, t_us, bank.awake, bank.channel, bank.gains, bank.constants)


def clipped(level: Floats, least: float = 0.0, most: float = 1.0) -> Floats:
    """Return min(max(level, least), most)."""
    bounded: Floats = np.minimum(np.maximum(level, least), most)
    return bounded


def at_most(level: Floats, most: float) -> Floats:
    """Return min(level, most)."""
    bounded: Floats = np.minimum(level, most)
    return bounded


def above(level: Floats) -> Floats:
    """Return (level)₊ = max(level, 0)."""
    positive: Floats = np.maximum(level, 0.0)
    return positive


def cortisol(view: View, now: Clock) -> Floats:
    """Return salivary cortisol in nmol/L, above 0."""
    c = view.constants
    hpa = HPA[0] * view.mode("hpa_1") + HPA[1] * view.mode("hpa_2") + HPA[2] * view.mode("hpa_3")
    morning = CAR[0] * view.mode("car_1") + CAR[1] * view.mode("car_2")
    morning += CAR[2] * view.mode("car_3") + CAR[3] * view.mode("car_4")
    thought = c.thought_cortisol * view.mode("cort_up")
    level = circadian.basal_cortisol(now) + c.gain_hpa * hpa + morning + view.mode("exo") + thought
    return level * (1.0 - c.thought_relief * view.mode("cort_dn"))


def adrenaline(view: View) -> Floats:
    """Return adrenaline in pmol/L, 200 or more."""
    c = view.constants
    return c.adrenaline_base + view.mode("adr") + c.thought_adrenaline * view.mode("adr_up")


def vagal_withdrawal(view: View) -> Floats:
    """Return V, 0 to 1."""
    return clipped(view.mode("vag") + view.constants.vagal_rum * view.mode("rum"))


def core_temp(view: View, now: Clock) -> Floats:
    """Return core temperature in °C, 34 to 41."""
    c = view.constants
    day = c.core_temp + c.core_temp_wave * circadian.wave(now, c.core_temp_peak_h)
    night = c.core_temp_sleep * view.mode("sleepf")
    return clipped(day - night + view.mode("fever") + view.mode("env"), 34.0, 41.0)


def heart_rate(view: View, now: Clock, adrenaline: Floats, withdrawal: Floats) -> Floats:
    """Return heart rate in beats per minute, 40 to 190."""
    c = view.constants
    day = c.heart_rate + c.heart_wave * circadian.wave(now, c.heart_peak_h)
    rest = day - c.heart_sleep * view.mode("sleepf") + c.heart_vagal * withdrawal
    driven = c.heart_adrenaline * (adrenaline - c.adrenaline_base) * (1.0 - view.mode("act"))
    heat = c.heart_heat * (view.mode("fever") + above(view.mode("env")))
    return clipped(rest + driven + heat + c.heart_exercise * view.mode("act"), 40.0, 190.0)


def discomfort(view: View) -> Floats:
    """Return th, how far the skin is from comfort, 0 to 1."""
    return clipped((np.abs(view.mode("skin")) - 1.5) / 6.0)


def glucose(view: View) -> Floats:
    """Return blood glucose in mmol/L, 3.5 to 11."""
    c = view.constants
    eaten = GLU[0] * view.mode("glu_1") + GLU[1] * view.mode("glu_2") + GLU[2] * view.mode("glu_3")
    fasting = c.glucose_fasting * (1.0 - view.mode("gly"))
    return clipped(c.glucose_base + c.gain_glu * eaten - fasting, 3.5, 11.0)


def hunger(view: View, now: Clock) -> Floats:
    """Return hunger, 0 to 1."""
    c = view.constants
    return clipped(view.mode("hun") + c.hunger_wave * circadian.wave(now, c.hunger_peak_h))


def pain(view: View) -> Floats:
    """Return pain as a share of the numeric rating scale, 0 to 1, eased by endorphin."""
    c = view.constants
    hurt = view.mode("pain_s") + view.mode("pain_1") + view.mode("pain_2") + view.mode("pain_3")
    eased = c.analgesia * (1.0 - np.exp(view.mode("endo") * (-1.0 / c.analgesia_pmol_l)))
    return at_most(hurt, 1.0) * (1.0 - eased)


def serotonin(view: View) -> Floats:
    """Return the serotonin proxy, 0 to 1."""
    c = view.constants
    thought = c.thought_serotonin * (view.mode("ser_up") - view.mode("ser_dn"))
    return clipped(c.serotonin_base + view.mode("ser") + thought)


def oxytocin(view: View) -> Floats:
    """Return the oxytocin proxy, 0 to 1."""
    return clipped(view.constants.oxytocin_base + view.mode("oxy"))


def caffeine(view: View) -> Floats:
    """Return the caffeine that counts, in units of 200 mg, at most 1.5."""
    return at_most(view.mode("caf"), 1.5)


def alertness(view: View, now: Clock, caffeine: Floats) -> Floats:
    """Return alertness in units of the three-process model."""
    c = view.constants
    day = c.alert_wave * circadian.wave(now, c.alert_peak_h) + c.alert_half_mean
    half = c.alert_half_wave * circadian.half_wave(now, c.alert_half_peak_h)
    return view.mode("L") + day + half + view.mode("W") + c.alert_caffeine * caffeine


def kss(alertness: Floats, constants: Constants) -> Floats:
    """Return sleepiness on the Karolinska scale, 1 to 9."""
    return clipped(constants.kss_top - constants.kss_slope * alertness, 1.0, 9.0)
