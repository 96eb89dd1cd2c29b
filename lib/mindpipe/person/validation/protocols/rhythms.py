"""What goes round with the day, and cortisol after waking: rows 1 to 6, 15, 17 and 31."""

from mindpipe.person.validation.figures import Course, Courses, CurveStretch, Figures

_TEMPERATURES = (("lark", "early"), ("alone", "middle"), ("owl", "late"))


def basal(courses: Courses) -> Figures:
    """Measure cortisol over a day and night awake, which has no awakening response."""
    curve = _basal(courses)
    top_h, top = curve.peak()
    bottom_h, bottom = curve.trough()
    return {
        "nadir_h": _of_midnight(bottom_h),
        "acrophase_h": top_h % 24,
        "peak_by_nadir": top / bottom,
    }


def nadir(courses: Courses) -> Figures:
    """Measure when cortisol is lowest, in hours from midnight."""
    return _only(basal(courses), "nadir_h")


def acrophase(courses: Courses) -> Figures:
    """Measure when cortisol is highest, in hours of the day."""
    return _only(basal(courses), "acrophase_h")


def ratio(courses: Courses) -> Figures:
    """Measure the highest by the lowest cortisol of a day."""
    return _only(basal(courses), "peak_by_nadir")


def temperature(courses: Courses) -> Figures:
    """Measure when core temperature is lowest, by chronotype, and half of its range."""
    days = {name: _temperature(courses[trial]) for trial, name in _TEMPERATURES}
    lowest = {f"{name}_h": day.trough()[0] % 24 for name, day in days.items()}
    middle = days["middle"]
    return {**lowest, "half_range_c": (middle.peak()[1] - middle.trough()[1]) / 2}


def hunger(courses: Courses) -> Figures:
    """Measure the rhythm of hunger beside the need: what the readout adds to the mode."""
    course = courses["alone"]
    read, need = (course.between(name, 24, 48) for name in ("hunger", "hun"))
    rhythm = read.minus(need)
    return {
        "trough_h": rhythm.trough()[0] % 24,
        "peak_h": rhythm.peak()[0] % 24,
        "peak_to_peak_percent": 100 * (rhythm.peak()[1] - rhythm.trough()[1]),
    }


def _basal(courses: Courses) -> CurveStretch:
    """Return cortisol from noon to noon of somebody who is awake all the time."""
    return courses["woken"].between("cortisol_nmol_l", 36, 60)


def _temperature(course: Course) -> CurveStretch:
    """Return core temperature of the second day, from noon to noon."""
    return course.between("core_temp_c", 36, 60)


def _of_midnight(hour: float) -> float:
    """Return an hour of the day as hours from the nearest midnight, negative before it."""
    return (hour + 12) % 24 - 12


def _only(figures: Figures, name: str) -> Figures:
    """Return one of several figures."""
    return {name: figures[name]}


WAKE_H, EARLY_H, NAP_END_H = 7.0, 4.0, 19.0
_CORTISOL = "cortisol_nmol_l"


def rise(courses: Courses) -> Figures:
    """Measure how far cortisol rises over its level at waking, and after how many minutes."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1.5)
    hour, peak = after.peak()
    return {
        "rise_percent": 100 * (peak / float(after.values[0]) - 1),
        "minutes": 60 * (hour - WAKE_H),
    }


def latency(courses: Courses) -> Figures:
    """Measure the highest rise within ten minutes of waking."""
    after = courses["woken"].between(_CORTISOL, WAKE_H, WAKE_H + 1 / 6)
    return {"rise_percent": 100 * (after.peak()[1] / float(after.values[0]) - 1)}


def nap(courses: Courses) -> Figures:
    """Measure what cortisol has more after a nap than without one."""
    hours = (NAP_END_H, NAP_END_H + 1.5)
    napped = courses["napping"].between(_CORTISOL, *hours)
    more = napped.minus(courses["woken"].between(_CORTISOL, *hours))
    return {"excess_nmol_l": max(0.0, more.peak()[1])}


def hour_of_waking(courses: Courses) -> Figures:
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
