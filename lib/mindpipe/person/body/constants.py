"""The constants of the person, each with what it rests on: literature, a fit, or a choice.

A mark is `L` (literature), `L?` (literature, not yet checked against the paper), `F` (fitted to
rows of the validation table) or `C` (chosen). Spans are seconds where a name ends in `_s`.
"""

import math
from functools import cache
from typing import Annotated, NamedTuple, get_type_hints

from mindpipe.core.records import Record


class ConstantMark(NamedTuple):
    """What a constant rests on, and the source or the rows of validation it was fitted to."""

    mark: str
    source: str = ""


C = ConstantMark("C")
TPM = ConstantMark("L", "three-process model of alertness (TPM)")
SD25 = ConstantMark("L", "two-process model of sleep (SD25)")
HOUR_S = 3600.0
DAY_S = 86_400.0
_LN2 = math.log(2.0)


class Constants(Record):
    """The named constants of a person's body; a person's `consts` replace some of them."""

    tau_hpa_1: Annotated[float, ConstantMark("F", "rows 7, 8")] = 660.0
    tau_hpa_2: Annotated[float, ConstantMark("F", "rows 7, 8")] = 600.0 / _LN2
    tau_hpa_3: Annotated[float, ConstantMark("F", "rows 7, 8")] = 360.0
    tau_car_1: Annotated[float, ConstantMark("F", "row 1")] = 300.0
    tau_car_2: Annotated[float, ConstantMark("F", "row 1")] = 420.0
    tau_car_3: Annotated[float, ConstantMark("F", "row 1")] = 600.0
    tau_car_4: Annotated[float, ConstantMark("F", "row 1")] = 1200.0 / _LN2
    tau_glu_1: Annotated[float, ConstantMark("F", "row 19")] = 1200.0
    tau_glu_2: Annotated[float, ConstantMark("F", "row 19")] = 1440.0
    tau_glu_3: Annotated[float, ConstantMark("F", "row 19")] = 1680.0
    tau_adr: Annotated[float, ConstantMark("L", "half-life 2 to 3.5 min")] = 150.0 / _LN2
    tau_nor: Annotated[float, ConstantMark("L?")] = 138.0 / _LN2
    tau_vag: Annotated[float, C] = 15.0
    tau_endo: Annotated[float, ConstantMark("L")] = 1320.0 / _LN2
    tau_oxy: Annotated[float, C] = 1800.0
    tau_dopa: Annotated[float, C] = 1200.0
    tau_ser: Annotated[float, C] = DAY_S
    tau_act: Annotated[float, C] = 45.0
    tau_fphys: Annotated[float, C] = 2700.0
    tau_fment: Annotated[float, C] = 3600.0
    tau_depl: Annotated[float, C] = 1800.0
    tau_exo: Annotated[float, ConstantMark("L", "WEI71; row 10")] = 3960.0 / _LN2
    tau_caf: Annotated[float, ConstantMark("L?")] = 18_000.0 / _LN2
    tau_alc: Annotated[float, C] = 5400.0 / _LN2
    tau_cort_up: Annotated[float, C] = 3600.0
    tau_cort_dn: Annotated[float, C] = 3600.0
    tau_adr_up: Annotated[float, C] = 150.0 / _LN2
    tau_ser_up: Annotated[float, C] = 7200.0
    tau_ser_dn: Annotated[float, C] = 7200.0
    tau_rum: Annotated[float, ConstantMark("F", "row 21")] = 120.0
    tau_hpa24: Annotated[float, C] = DAY_S
    tau_allo: Annotated[float, C] = 14 * DAY_S
    tau_sleepf: Annotated[float, C] = 2700.0
    tau_fever: Annotated[float, C] = 10_800.0
    tau_env: Annotated[float, C] = 5400.0
    tau_skin: Annotated[float, C] = 600.0
    tau_pain_s: Annotated[float, C] = 2.0
    tau_pain_1: Annotated[float, C] = 600.0
    tau_pain_2: Annotated[float, C] = 6 * HOUR_S
    tau_pain_3: Annotated[float, C] = 3 * DAY_S
    tau_v1: Annotated[float, ConstantMark("F", "row 20")] = 600.0
    tau_v2: Annotated[float, ConstantMark("F", "row 20")] = 2 * HOUR_S
    tau_v3: Annotated[float, ConstantMark("F", "row 20")] = 12 * HOUR_S
    tau_v4: Annotated[float, ConstantMark("F", "row 20")] = 40 * HOUR_S
    tau_v5: Annotated[float, ConstantMark("F", "row 20")] = 96 * HOUR_S
    tau_aev: Annotated[float, C] = 90.0
    tau_S_awake: Annotated[float, ConstantMark("L", "SD25; row 13")] = 18.2 * HOUR_S
    tau_S_asleep: Annotated[float, ConstantMark("L", "SD25; row 13")] = 4.2 * HOUR_S
    k_L_awake_h: Annotated[float, TPM] = 0.0353
    k_L_asleep_h: Annotated[float, TPM] = 0.38135644659688384
    ramp_L_h: Annotated[float, TPM] = 0.8008485378534561
    break_L: Annotated[float, TPM] = 12.2
    low_L: Annotated[float, TPM] = 2.4
    high_L: Annotated[float, TPM] = 14.3
    k_W_h: Annotated[float, TPM] = 1.51
    inertia_W: Annotated[float, TPM] = -5.72
    tau_hun: Annotated[float, C] = 7 * HOUR_S
    full_hun: Annotated[float, C] = 0.85
    tau_thirst: Annotated[float, C] = 12 * HOUR_S
    tau_bladder_awake: Annotated[float, C] = 4 * HOUR_S
    tau_bladder_asleep: Annotated[float, C] = 10 * HOUR_S
    tau_gly_fed: Annotated[float, ConstantMark("L?")] = 6 * HOUR_S
    tau_gly_fasting: Annotated[float, ConstantMark("L?")] = DAY_S
    tau_iso_contact: Annotated[float, ConstantMark("L?", "TOM20")] = 1500.0
    tau_iso_alone: Annotated[float, ConstantMark("L?", "TOM20")] = DAY_S
    tau_bore: Annotated[float, C] = 2700.0
    adr_symp: Annotated[float, ConstantMark("F", "row 12")] = 260.0
    adr_most: Annotated[float, ConstantMark("F", "row 12")] = 8000.0
    adr_exercise: Annotated[float, ConstantMark("F", "row 12")] = 3800.0
    nor_symp: Annotated[float, ConstantMark("L?")] = 0.9
    nor_exercise: Annotated[float, ConstantMark("L?")] = 4.0
    nor_cold: Annotated[float, ConstantMark("L?")] = 1.5
    vag_noise: Annotated[float, C] = 0.3
    vag_pain: Annotated[float, C] = 0.5
    endo_u: Annotated[float, C] = 20.0
    endo_pain: Annotated[float, C] = 15.0
    endo_exercise: Annotated[float, C] = 20.0
    oxy_touch: Annotated[float, C] = 0.35
    ser_light: Annotated[float, C] = 0.08
    ser_contact: Annotated[float, C] = 0.04
    ser_u: Annotated[float, C] = 0.15
    bright_lux: Annotated[float, C] = 1000.0
    env_shift: Annotated[float, C] = 0.05
    env_comfort: Annotated[float, C] = 6.0
    env_most: Annotated[float, C] = 3.0
    skin_shift: Annotated[float, C] = 0.35
    v1_u: Annotated[float, ConstantMark("F", "row 20")] = -0.6
    v1_contact: Annotated[float, ConstantMark("F", "row 20")] = 0.25
    gain_hpa: Annotated[float, ConstantMark("F", "row 7")] = 23.530536402949455
    gain_glu: Annotated[float, ConstantMark("F", "row 19")] = 178.79995952768942
    thought_cortisol: Annotated[float, ConstantMark("F", "row 21")] = 4.0
    thought_relief: Annotated[float, ConstantMark("F", "row 21")] = 0.3
    thought_adrenaline: Annotated[float, ConstantMark("F", "row 21")] = 400.0
    thought_serotonin: Annotated[float, ConstantMark("F", "row 21")] = 0.3
    rum_rate: Annotated[float, ConstantMark("F", "row 21")] = 0.3
    vagal_rum: Annotated[float, ConstantMark("F", "row 21")] = 0.35
    core_temp: Annotated[float, ConstantMark("L?", "row 15")] = 36.95
    core_temp_wave: Annotated[float, ConstantMark("L?", "BAE00; row 15")] = 0.30
    core_temp_peak_h: Annotated[float, ConstantMark("L", "BAE00")] = 17.0
    core_temp_sleep: Annotated[float, ConstantMark("L?", "row 15")] = 0.20
    heart_rate: Annotated[float, C] = 66.0
    heart_wave: Annotated[float, C] = 3.0
    heart_peak_h: Annotated[float, C] = 16.0
    heart_sleep: Annotated[float, C] = 8.0
    heart_vagal: Annotated[float, C] = 12.0
    heart_adrenaline: Annotated[float, C] = 0.020
    heart_heat: Annotated[float, ConstantMark("L", "KAR86; row 16")] = 8.5
    heart_exercise: Annotated[float, C] = 100.0
    hunger_wave: Annotated[float, ConstantMark("L", "SCH13")] = 0.085
    hunger_peak_h: Annotated[float, ConstantMark("L", "SCH13")] = 20.0
    alert_wave: Annotated[float, TPM] = 2.5
    alert_peak_h: Annotated[float, TPM] = 16.8
    alert_half_mean: Annotated[float, TPM] = -0.5
    alert_half_wave: Annotated[float, TPM] = 0.5
    alert_half_peak_h: Annotated[float, TPM] = 19.8
    alert_caffeine: Annotated[float, C] = 1.2
    kss_top: Annotated[float, TPM] = 10.6
    kss_slope: Annotated[float, TPM] = 0.6
    adrenaline_base: Annotated[float, ConstantMark("L")] = 200.0
    noradrenaline_base: Annotated[float, ConstantMark("L?")] = 1.5
    glucose_base: Annotated[float, ConstantMark("F", "row 19")] = 5.2
    glucose_fasting: Annotated[float, ConstantMark("F", "row 19")] = 0.9
    analgesia: Annotated[float, C] = 0.35
    analgesia_pmol_l: Annotated[float, C] = 10.0
    endorphin_base: Annotated[float, C] = 5.0
    serotonin_base: Annotated[float, C] = 0.5
    oxytocin_base: Annotated[float, C] = 0.3
    dopamine_base: Annotated[float, C] = 0.5
    sleep_at: Annotated[float, SD25] = 0.67
    wake_at: Annotated[float, SD25] = 0.17
    resleep_at: Annotated[float, C] = 0.19
    threshold_wave: Annotated[float, SD25] = 0.12
    threshold_phase_h: Annotated[float, ConstantMark("L?", "DBB84")] = 8.6
    sleep_unstoppable: Annotated[float, C] = 0.97
    forced_awake_s: Annotated[float, C] = 900.0
    blocked_vagal: Annotated[float, C] = 0.3
    blocked_pain: Annotated[float, C] = 0.5
    blocked_aev: Annotated[float, C] = 0.3
    blocked_noise: Annotated[float, C] = 0.4
    waking_pain: Annotated[float, C] = 0.4
    waking_u: Annotated[float, C] = 0.3
    waking_noise: Annotated[float, C] = 0.2
    car_gain: Annotated[float, ConstantMark("F", "rows 1, 2, 6")] = 7.0
    car_delay_s: Annotated[float, ConstantMark("L", "latency; rows 1, 2")] = 360.0
    car_least_sleep_s: Annotated[float, C] = 3 * HOUR_S
    toilet_at: Annotated[float, C] = 0.7
    drink_at: Annotated[float, C] = 0.35
    drink_ml: Annotated[float, C] = 400.0
    meal_gap_s: Annotated[float, C] = 2 * HOUR_S
    unrest_onset: Annotated[float, ConstantMark("F", "rows 34, 36, 37, 38, 39")] = 0.10
    unrest_early: Annotated[float, ConstantMark("F", "rows 34, 36")] = 0.05
    unrest_resleep: Annotated[float, C] = 0.20
    broken_rate: Annotated[float, ConstantMark("F", "rows 34, 40, 41")] = 0.06
    broken_awake: Annotated[float, ConstantMark("F", "rows 40, 41")] = 1.0
    distaste_hunger: Annotated[float, ConstantMark("F", "row 35")] = 0.6
    distaste_meal: Annotated[float, ConstantMark("F", "row 35")] = 0.5
    weary_energy: Annotated[float, C] = 0.25
    weary_regulation: Annotated[float, C] = 0.25
    breakfast_awake_s: Annotated[float, C] = 1800.0
    grave_base: Annotated[float, ConstantMark("F", "row 9")] = 0.05
    grave_social: Annotated[float, ConstantMark("F", "DK04 in direction; row 9")] = 0.30
    grave_helpless: Annotated[float, ConstantMark("F", "DK04 in direction; row 9")] = 0.30
    grave_both: Annotated[float, ConstantMark("F", "DK04 in direction; row 9")] = 0.35
    symp_least: Annotated[float, ConstantMark("F", "row 9")] = 0.33
    symp_grave: Annotated[float, ConstantMark("F", "row 9")] = 0.67
    support_relief: Annotated[float, C] = 0.4
    slow_ser_pressure: Annotated[float, C] = 0.10
    slow_ser_alone: Annotated[float, C] = 0.08
    slow_pressure_at: Annotated[float, C] = 0.67
    slow_alone_at: Annotated[float, C] = 0.30
    slow_allo_hpa: Annotated[float, C] = 3.0
    slow_allo_pressure: Annotated[float, C] = 0.6
    slow_allo_pain: Annotated[float, C] = 0.4
    phase_boredom: Annotated[float, ConstantMark("C", "row 18")] = 0.08
    phase_loneliness: Annotated[float, ConstantMark("C", "row 18")] = 0.30
    phase_despair: Annotated[float, ConstantMark("C", "row 18")] = 0.92


MARKS: dict[str, ConstantMark] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Constants, include_extras=True).items()
}
"""What each constant rests on, by its name."""


_MOST = 1e6
_LEAST_SPAN = 1e-3
_DIVISORS = ("ramp_L_h", "analgesia_pmol_l")
_AMOUNTS = ("drink_ml",)


def range_of(name: str) -> tuple[float, float]:
    """Return the least and the greatest value of a constant, by its name, that can be lived with.

    Spans and what is divided by are above 0; rates, delays and amounts are not below it.
    """
    if name.startswith("tau_"):
        return _LEAST_SPAN, 1e9
    if name in _DIVISORS:
        return _LEAST_SPAN, _MOST
    if name.startswith("k_") or name.endswith("_s") or name in _AMOUNTS:
        return 0.0, _MOST
    return -_MOST, _MOST


def fault_of(name: str, value: float) -> str | None:
    """Return what is wrong with an override of a constant, None where nothing is."""
    if name not in MARKS:
        from mindpipe.core.text import did_you_mean

        hint = did_you_mean(name, MARKS).rstrip() or "man mind-simulate lists them"
        return f"no such constant; {hint}"
    least, most = range_of(name)
    return None if least <= value <= most else f"expected {least:g}..{most:g}, got {value:g}"


@cache
def constants_of(changed: tuple[tuple[str, float], ...]) -> Constants:
    """Return the constants with some replaced, `changed` being sorted pairs of name and number.

    Equal pairs give the very same object, so that persons can be grouped by it.

    Raises:
        ValueError: If a name is no constant.
    """
    if strangers := [name for name, _ in changed if name not in MARKS]:
        raise ValueError(f"no constant is called {', '.join(strangers)}")
    return Constants(**dict(changed))
