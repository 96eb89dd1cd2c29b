"""What is measured of the trials, by subject; `table.py` says which row judges which of them."""

from itertools import pairwise
from math import exp, hypot, log, sqrt
from statistics import mean

import numpy as np

from mindpipe.person.body.emotions import DURATIONS_H, SPANS_H, shifted, weights
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.chance_arrays import keys_of, uniforms
from mindpipe.person.psyche.coping import STRATEGIES, probabilities
from mindpipe.person.validation.figures import Courses, CurveStretch, Figures
from mindpipe.person.validation.trials import EXAM_DAY
from mindpipe.person.validation.witness import curve as three_process_alertness

_CORTISOL, _ADRENALINE, _HEART = "cortisol_nmol_l", "adrenaline_pmol_l", "heart_rate_bpm"

# What goes round with the day, and cortisol after waking: rows 1 to 6, 15, 17 and 31.

_NOON_TO_NOON_H = (36, 60)
"""The second day: a span from noon has a whole night in its middle."""
_TEMPERATURES = (("lark", "early"), ("alone", "middle"), ("owl", "late"))


def cortisol_day(courses: Courses) -> Figures:
    """Measure cortisol over a day and night awake, which has no awakening response."""
    curve = courses["woken"].between(_CORTISOL, *_NOON_TO_NOON_H)
    top_h, top = curve.peak()
    bottom_h, bottom = curve.trough()
    return {
        # From the nearest midnight, negative before it: a band around 0 has no seam there.
        "nadir_h": (bottom_h + 12) % 24 - 12,
        "acrophase_h": top_h % 24,
        "peak_by_nadir": top / bottom,
    }


def cortisol_nadir(courses: Courses) -> Figures:
    """Measure when cortisol is lowest, in hours from midnight."""
    return _only(cortisol_day(courses), "nadir_h")


def cortisol_acrophase(courses: Courses) -> Figures:
    """Measure when cortisol is highest, in hours of the day."""
    return _only(cortisol_day(courses), "acrophase_h")


def cortisol_ratio(courses: Courses) -> Figures:
    """Measure the highest by the lowest cortisol of a day."""
    return _only(cortisol_day(courses), "peak_by_nadir")


def temperature_rhythm(courses: Courses) -> Figures:
    """Measure when core temperature is lowest, by chronotype, and half of its range."""
    days = {
        name: courses[trial].between("core_temp_c", *_NOON_TO_NOON_H)
        for trial, name in _TEMPERATURES
    }
    lowest = {f"{name}_h": day.trough()[0] % 24 for name, day in days.items()}
    middle = days["middle"]
    return {**lowest, "half_range_c": (middle.peak()[1] - middle.trough()[1]) / 2}


def hunger_rhythm(courses: Courses) -> Figures:
    """Measure the rhythm of hunger beside the need: what the readout adds to the mode."""
    course = courses["alone"]
    read, need = (course.between(name, 24, 48) for name in ("hunger", "hun"))
    rhythm = read.minus(need)
    return {
        "trough_h": rhythm.trough()[0] % 24,
        "peak_h": rhythm.peak()[0] % 24,
        "peak_to_peak_percent": 100 * (rhythm.peak()[1] - rhythm.trough()[1]),
    }


def _only(figures: Figures, name: str) -> Figures:
    """Return one of several figures."""
    return {name: figures[name]}


WAKE_H, EARLY_H, NAP_END_H = 7.0, 4.0, 19.0


def awakening_rise(courses: Courses) -> Figures:
    """Measure how far cortisol rises over its level at waking, and after how many minutes."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1.5)
    hour, peak = after.peak()
    return {
        "rise_percent": 100 * (peak / float(after.values[0]) - 1),
        "minutes": 60 * (hour - WAKE_H),
    }


def awakening_latency(courses: Courses) -> Figures:
    """Measure the highest rise within ten minutes of waking."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1 / 6)
    return {"rise_percent": 100 * (after.peak()[1] / float(after.values[0]) - 1)}


def awakening_after_nap(courses: Courses) -> Figures:
    """Measure what cortisol has more after a nap than without one."""
    hours = (NAP_END_H, NAP_END_H + 1.5)
    napped = courses["napping"].between(_CORTISOL, *hours)
    more = napped.minus(courses["woken"].between(_CORTISOL, *hours))
    return {"excess_nmol_l": max(0.0, more.peak()[1])}


def awakening_by_hour(courses: Courses) -> Figures:
    """Measure the awakening responses at 4:00 and at 7:00 over a day without either."""
    found = {}
    for name, trial, wake in (
        ("early_nmol_l", "woken early", EARLY_H),
        ("usual_nmol_l", "woken", WAKE_H),
    ):
        response = courses[trial].between(_CORTISOL, wake, wake + 1.5)
        # On the next day both stay awake, so that its curve has no response.
        without = courses[trial].between(_CORTISOL, wake + 24, wake + 25.5)
        found[name] = float((response.values - without.values).max())
    smaller = found["early_nmol_l"] < found["usual_nmol_l"]
    return {**found, "smaller": float(smaller)}


# Stress before judges and without them: rows 7 to 9, 12, 27 to 29.

STRESS_START_H, STRESS_END_H = 16.0, 16.0 + 1 / 3
RESPONDERS = (0.34, 0.88, 1.0, 0.87, 0.57)
"""Saliva cortisol of nine responders over their level before, by its highest value."""
RESPONDERS_MINUTES = (30, 40, 50, 60, 70)


def _over_rest(
    courses: Courses, trial: str, quantity: str, start_h: float = STRESS_START_H
) -> CurveStretch:
    """Return what a quantity has more than at rest, for three hours from the start on."""
    hours = (start_h, start_h + 3)
    rest = courses["alone"].between(quantity, *hours)
    return courses[trial].between(quantity, *hours).minus(rest)


def stress_peak(courses: Courses) -> Figures:
    """Measure how high cortisol rises, and how many minutes after the end."""
    hour, value = _over_rest(courses, "stressed at 16", _CORTISOL).peak()
    return {"rise_nmol_l": value, "minutes_after_end": 60 * (hour - STRESS_END_H)}


def stress_recovery(courses: Courses) -> Figures:
    """Measure what of the rise is left 60 and 90 minutes after the end."""
    rise = _over_rest(courses, "stressed at 16", _CORTISOL)
    highest = rise.peak()[1]
    return {
        f"left_percent_at_{minutes}": 100 * rise.at(STRESS_END_H + minutes / 60) / highest
        for minutes in (60, 90)
    }


def stress_unwatched(courses: Courses) -> Figures:
    """Measure the same tasks without judges: cortisol, and adrenaline beside that with judges."""
    calm = _over_rest(courses, "placebo", _ADRENALINE).peak()[1]
    judged = _over_rest(courses, "stressed at 16", _ADRENALINE).peak()[1]
    return {
        "rise_nmol_l": _over_rest(courses, "placebo", _CORTISOL).peak()[1],
        "adrenaline_percent": 100 * calm / judged,
    }


def stress_adrenaline(courses: Courses) -> Figures:
    """Measure how far adrenaline rises over its level at rest."""
    rise = _over_rest(courses, "stressed at 16", _ADRENALINE).peak()[1]
    return {"rise_percent": 100 * rise / courses["alone"].value(_ADRENALINE, STRESS_START_H)}


def stress_whole_drive(courses: Courses) -> Figures:
    """Measure saliva after half an hour of the whole drive, against responders' curve."""
    course = courses["driven"]
    before = course.value(_CORTISOL, STRESS_START_H - 1 / 60)
    rises = [
        course.value(_CORTISOL, STRESS_START_H + minutes / 60) - before
        for minutes in RESPONDERS_MINUTES
    ]
    errors = [rise / max(rises) - target for rise, target in zip(rises, RESPONDERS, strict=True)]
    return {
        "rmse": sqrt(sum(error * error for error in errors) / len(errors)),
        **{
            f"at_{minutes}": rise / max(rises)
            for minutes, rise in zip(RESPONDERS_MINUTES, rises, strict=True)
        },
    }


def stress_clock(courses: Courses) -> Figures:
    """Measure the net rise at 9, 16 and 20 o'clock, and how far they are apart."""
    rises = [
        _over_rest(courses, f"stressed at {hour}", _CORTISOL, float(hour)).peak()[1]
        for hour in (9, 16, 20)
    ]
    average = sum(rises) / len(rises)
    return {
        "most_percent_apart": max(abs(100 * (rise / average - 1)) for rise in rises),
        "mean_rise_nmol_l": average,
    }


def stress_heart(courses: Courses) -> Figures:
    """Measure how far the heart rate rises."""
    return {"rise_bpm": _over_rest(courses, "stressed at 16", _HEART).peak()[1]}


# How fast hormones, sugar and feelings go: rows 10, 11, 19 and 20.

GIVEN_H = 10.0
FLOOD_END_H = 10.5
_RUMINATION_SHIFT = 0.3
"""The share of an emotion that a rumination of 1 moves to slower modes."""


def cortisol_decay(courses: Courses) -> Figures:
    """Measure the half-life of given cortisol between half an hour and two hours later."""
    hours = (GIVEN_H + 0.5, GIVEN_H + 2.0)
    quantity = "cortisol_nmol_l"
    given = courses["given cortisol"].between(quantity, *hours)
    left = given.minus(courses["alone"].between(quantity, *hours)).values
    return {"half_life_min": 90 * log(2) / log(float(left[0] / left[-1]))}


def adrenaline_decay(courses: Courses) -> Figures:
    """Measure the half-life of adrenaline once its source stops, and what is left after 30 min."""
    quantity = "adrenaline_pmol_l"
    hours = (FLOOD_END_H, FLOOD_END_H + 0.5)
    flooded = courses["flooded"].between(quantity, *hours)
    left = flooded.minus(courses["alone"].between(quantity, *hours))
    ended, later, last = (left.at(FLOOD_END_H + minutes / 60) for minutes in (0, 5, 30))
    return {
        "half_life_min": 5 * log(2) / log(ended / later),
        "left_percent_at_30": 100 * last / ended,
    }


def sugar_decay(courses: Courses) -> Figures:
    """Measure glucose after 75 g of carbohydrate: when and how high it peaks, and how it ends."""
    quantity = "glucose_mmol_l"
    hours = (GIVEN_H, GIVEN_H + 3.0)
    fed = courses["fed sugar"].between(quantity, *hours)
    excess = fed.minus(courses["unfed"].between(quantity, *hours))
    hour, _ = fed.peak()
    return {
        "peak_min": 60 * (hour - GIVEN_H),
        "peak_mmol_l": fed.peak()[1],
        "left_percent_at_180": 100 * float(excess.values[-1]) / excess.peak()[1],
    }


def emotion_decay(_courses: Courses) -> Figures:
    """Measure for each class when 5 % of an impulse is left, and what rumination leaves."""
    apart = [100 * abs(_faded_h(name) / hours - 1) for name, hours in DURATIONS_H.items()]
    longer = [
        _left(shifted(weights(name), 0.3 * _RUMINATION_SHIFT), hours) > _left(weights(name), hours)
        for name, hours in DURATIONS_H.items()
        if weights(name)[4] < 1
    ]
    sadness = weights("sadness")
    return {
        "most_percent_off": max(apart),
        "longer_with_rumination": float(all(longer)),
        "sadness_left_at_rum_0.3": _left(
            shifted(sadness, 0.3 * _RUMINATION_SHIFT), DURATIONS_H["sadness"]
        ),
        "sadness_left_at_rum_1": _left(shifted(sadness, _RUMINATION_SHIFT), DURATIONS_H["sadness"]),
    }


def _left(shares: tuple[float, ...], hours: float) -> float:
    """Return what of an impulse is left after some hours."""
    return sum(share * exp(-hours / span) for share, span in zip(shares, SPANS_H, strict=True))


def _faded_h(emotion: str) -> float:
    """Return after how many hours 5 % of an impulse of a class is left."""
    shares = weights(emotion)
    least, most = 0.0, 1000.0
    for _ in range(60):
        middle = (least + most) / 2
        least, most = (middle, most) if _left(shares, middle) > 0.05 else (least, middle)
    return least


# Sleep, its need and alertness: rows 13, 14, 24, 25 and 30.

RESERVE = 9.7385
"""The alertness reserve at midnight of day 0, asleep."""
_SCHEDULED_SWITCHES = tuple(24.0 * day + hour for day in range(5) for hour in (7, 23))
_SCHEDULED_WAKE_H = 127.0
_AWAKE_H = 7 + 1 / 60
"""When somebody with its own habits wakes on day 0."""


def sleep_pressure(courses: Courses) -> Figures:
    """Measure sleep pressure on a schedule of 16 hours and 8, and after 24 hours awake."""
    course = courses["scheduled"]
    evening, morning, later = (
        course.value("sleep_pressure", hour) for hour in (119.0, 127.0, 151.0)
    )
    return {"evening": evening, "morning": morning, "awake_24_h": later}


def alertness(courses: Courses) -> Figures:
    """Measure how far alertness is from the three-process model over five days and 40 hours."""
    course = courses["scheduled"]
    read = course.between("alertness", 0, _SCHEDULED_WAKE_H + 40)
    expected = three_process_alertness(
        RESERVE, (*_SCHEDULED_SWITCHES, _SCHEDULED_WAKE_H), read.hours.tolist()
    )
    apart = [
        abs(value - known)
        for value, known in zip(read.values.tolist(), expected, strict=True)
        if known is not None
    ]
    return {"most_units_apart": max(apart)}


def sleep_free_running(courses: Courses) -> Figures:
    """Measure the sleep of two weeks: how long, from when on, and how far it drifts a day."""
    nights = courses["alone"].sleeps()
    onsets = [(began + 12) % 24 + 12 for began, _ in nights]
    steps = [later - earlier for earlier, later in pairwise(onsets)]
    return {
        "sleep_h": mean(ended - began for began, ended in nights),
        "onset_h": mean(onsets),
        "drift_min": 60 * abs(mean(steps)),
        "nights": float(len(nights)),
    }


def sleep_after_loss(courses: Courses) -> Figures:
    """Measure the sleep after 40 hours awake beside the usual one, and what of the loss it pays."""
    began, ended = courses["awake"].sleeps()[0]
    usual = mean(last - first for first, last in courses["alone"].sleeps())
    more = (ended - began) - usual
    return {
        "longer_min": 60 * more,
        "longer": float(more > 0),
        "repaid_percent": 100 * more / usual,
    }


def sleepiness(courses: Courses) -> Figures:
    """Measure sleepiness on the Karolinska scale after 24 hours awake."""
    return {"kss": courses["awake"].value("kss", _AWAKE_H + 24)}


# Needs, moods, thoughts and what they do: rows 16, 18, 21 to 23, 26 and 32.

CORTISOL_SD, HEART_SD = 3.0, 10.0
"""Spreads between persons in nmol/L and beats per minute, by which effects are divided."""
REGULATION_SD = hypot(0.08, 0.12)
"""Spread of regulation between persons at rest, from traits c and n."""
CHOOSING, CHOOSING_REGULATION = 20_000, 0.55
SIGNS = {
    "problem_solving": {"c": 1, "e": 1, "n": -1},
    "reappraisal": {"c": 1, "e": 1, "n": -1},
    "denial": {"n": 1, "c": -1, "a": -1},
    "rumination": {"n": 1},
}
"""How traits go with strategies (CF07)."""
_MULLED_H, _TASK_END_H, _FASTED_H = 15 + 1 / 6, 16.0, 17.75
_ILL_H, _EXERCISE_H = 36.0, 15.0


def fever(courses: Courses) -> Figures:
    """Measure what a degree of fever adds to the heart rate."""
    beats, degrees = (
        courses["feverish"].value(quantity, _ILL_H) - courses["alone"].value(quantity, _ILL_H)
        for quantity in ("heart_rate_bpm", "core_temp_c")
    )
    return {"bpm_per_degree": beats / degrees}


def fasting(courses: Courses) -> Figures:
    """Measure ten hours without food and ten without people, also of one used to be alone."""
    fasted = courses["fasting"].value("hunger", _FASTED_H)
    then = courses.then["fasting"]
    drives, used = dict(then.drives), dict(courses.then["fasting, lonely by trait"].drives)
    return {
        "hunger": fasted,
        "lonely": float(then.isolation_phase in ("loneliness", "despair")),
        "contact_in_top_2": float("contact" in list(drives)[:2]),
        "lonely_by_trait_is_smaller": float(used.get("contact", 0.0) < drives["contact"]),
        "contact_drive": drives["contact"],
    }


def rumination(courses: Courses) -> Figures:
    """Measure ten minutes of rumination by the spread between persons."""
    mulling, alone = courses["mulling"], courses["alone"]
    cortisol, heart = (
        mulling.value(quantity, _MULLED_H) - alone.value(quantity, _MULLED_H)
        for quantity in ("cortisol_nmol_l", "heart_rate_bpm")
    )
    return {"cortisol_g": cortisol / CORTISOL_SD, "heart_rate_g": heart / HEART_SD}


def self_control(courses: Courses) -> Figures:
    """Measure what two hours of self-control take of regulation, by its spread."""
    before = courses["alone"].value("regulation", _TASK_END_H)
    after = courses["controlled"].value("regulation", _TASK_END_H)
    return {"d": (before - after) / REGULATION_SD}


def coping(_courses: Courses) -> Figures:
    """Measure how traits of 20,000 persons go with what they choose."""
    keys = keys_of((7, f"p{number:06d}") for number in range(1, CHOOSING + 1))
    drawn = uniforms(keys[:, None, :], 0, 1, np.arange(11)[:, None])
    z = np.sqrt(-2 * np.log1p(-drawn[:5])) * np.cos(2 * np.pi * drawn[5:10])
    chances = probabilities(z, np.zeros(CHOOSING), np.full(CHOOSING, CHOOSING_REGULATION))
    chosen = (chances.cumsum(axis=0) <= drawn[10]).sum(axis=0)
    names: list[str] = [strategy.name for strategy in STRATEGIES]
    slopes = [
        sign * float(np.corrcoef(z[TRAITS.index(trait)], chosen == names.index(strategy))[0, 1])
        for strategy, signs in SIGNS.items()
        for trait, sign in signs.items()
    ]
    return {
        "signs": float(sum(slope > 0 for slope in slopes)),
        "smallest_r": min(slopes),
    }


def mood(courses: Courses) -> Figures:
    """Measure mean valence awake in three days with company."""
    course = courses["social"]
    days = course.between("valence", 0, 72)
    awake = course.awake[: len(days.values)]
    return {"valence": float(days.values[awake].mean())}


def exercise(courses: Courses) -> Figures:
    """Measure the highest heart rate in 20 minutes at 6 MET."""
    hours = (_EXERCISE_H, _EXERCISE_H + 1 / 3)
    return {"bpm": courses["exercised"].between("heart_rate_bpm", *hours).peak()[1]}


# Turns of a life, and work by night: rows 34 to 42.

_FIRST_DAY, _LAST_DAY = 1, 6
"""Until day 7 everybody is read often enough to see each waking."""
_SHIFTS = (1, 2, 3)
"""The days after whose nights of work a nurse sleeps."""


def _slept(courses: Courses, name: str, first: float, last: float) -> float:
    """Return the hours that somebody sleeps in 24 from noon of one day to noon of another."""
    begins, ends = 24 * first + 12, 24 * last + 12
    inside = (min(woke, ends) - max(began, begins) for began, woke in courses[name].sleeps())
    return sum(max(hours, 0.0) for hours in inside) / (last - first)


def _turned(courses: Courses, name: str, last: int = _LAST_DAY) -> dict[str, float]:
    """Return how much less somebody sleeps in the nights after a turn, and how often it wakes."""
    usual = _slept(courses, "alone", _FIRST_DAY, last)
    less = 60 * (usual - _slept(courses, name, _FIRST_DAY, last))
    begins, ends = 24 * _FIRST_DAY + 12, 24 * last + 12
    stretches = sum(begins <= began < ends for began, _ in courses[name].sleeps())
    nights = last - _FIRST_DAY
    return {"less_min": less, "wakings": stretches / nights - 1.0}


def bereavement_sleep(courses: Courses) -> Figures:
    """Measure the sleep of a week after a death."""
    return _turned(courses, "bereaved")


def bereavement_body(courses: Courses) -> Figures:
    """Measure cortisol on the mornings, and hunger at noon, of a week after a death."""
    days = range(_FIRST_DAY + 1, _LAST_DAY)

    def usual(name: str, quantity: str, hour: float) -> float:
        return mean(courses[name].value(quantity, 24 * day + hour) for day in days)

    raised = usual("bereaved", "cortisol_nmol_l", 10) / usual("alone", "cortisol_nmol_l", 10)
    hunger = usual("bereaved", "hunger", 12) / usual("alone", "hunger", 12)
    return {"cortisol_percent": 100 * (raised - 1.0), "less_hunger_percent": 100 * (1.0 - hunger)}


def separation_sleep(courses: Courses) -> Figures:
    """Measure the sleep of a week after a partner left."""
    return _turned(courses, "parted")


def dismissal_sleep(courses: Courses) -> Figures:
    """Measure the sleep of a week after work was lost."""
    return _turned(courses, "dismissed")


def love_sleep(courses: Courses) -> Figures:
    """Measure the sleep of a week of new love, and how sleepy its afternoons are."""
    days = range(_FIRST_DAY + 1, _LAST_DAY)
    more = mean(
        courses["in love"].value("kss", 24 * day + 15)
        - courses["alone"].value("kss", 24 * day + 15)
        for day in days
    )
    return {**_turned(courses, "in love"), "sleepier_kss": more}


def exam_sleep(courses: Courses) -> Figures:
    """Measure the sleep before an exam, and in the two nights after it."""
    usual = _slept(courses, "alone", EXAM_DAY, _LAST_DAY)
    later = 60 * (usual - _slept(courses, "before an exam", EXAM_DAY, _LAST_DAY))
    before = _turned(courses, "before an exam", EXAM_DAY)
    night = (EXAM_DAY - 1, EXAM_DAY)
    last = _slept(courses, "alone", *night) - _slept(courses, "before an exam", *night)
    return {"last_night_min": 60 * last, **before, "after_it_min": later}


def birth_sleep(courses: Courses) -> Figures:
    """Measure the sleep of a week with a newborn child."""
    return _turned(courses, "with a newborn")


def cold_sleep(courses: Courses) -> Figures:
    """Measure the sleep of the nights of a cold."""
    return _turned(courses, "with a cold", _FIRST_DAY + 5)


def night_work_sleep(courses: Courses) -> Figures:
    """Measure how long a nurse sleeps by day after nights of work, beside nights at home."""
    by_day = [
        woke - began
        for began, woke in courses["nurse on nights"].sleeps()
        if began // 24 in _SHIFTS and 6 <= began % 24 < 12
    ]
    usual = mean(woke - began for began, woke in courses["alone"].sleeps())
    return {"day_sleep_h": mean(by_day), "less_min": 60 * (usual - mean(by_day))}


# Lives far from rest: row 33.

HARD_LIVES = ("at work by night", "worn and stressed", "stressed on waking", "stressed, sleepless")
_STRESS_WAKING_H, _STRESS_SLEEPLESS_H, _STRESS_SPAN_H = 7.25, 31.25, 3.0


def hard_lives(courses: Courses) -> Figures:
    """Measure whether every readout of hard lives stays in range, and whether cortisol adds up.

    Stress on waking must add to the awakening response what the same stress adds to a morning
    after a night awake, which has none.
    """
    outside = sum(len(courses.out[name]) for name in HARD_LIVES)
    apart = np.abs(
        _added_cortisol(courses, "stressed on waking", _STRESS_WAKING_H)
        - _added_cortisol(courses, "stressed, sleepless", _STRESS_SLEEPLESS_H)
    )
    return {
        "in_range": float(outside == 0),
        "adds_up": float(apart.max() < 1e-9),
        "most_nmol_l_apart": float(apart.max()),
    }


def _added_cortisol(courses: Courses, trial: str, start_h: float) -> np.ndarray:
    """Return what stress adds to cortisol over somebody who is as long awake without it."""
    hours = (start_h, start_h + _STRESS_SPAN_H)
    stressed = courses[trial].between("cortisol_nmol_l", *hours)
    return stressed.minus(courses["woken"].between("cortisol_nmol_l", *hours)).values
