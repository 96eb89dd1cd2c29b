"""What goes round with the day: rows 3 to 5, 15 and 17."""

from mindpipe.person.validation.courses import Course, Courses, Stretch
from mindpipe.person.validation.judging import Figures

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


def _basal(courses: Courses) -> Stretch:
    """Return cortisol from noon to noon of somebody who is awake all the time."""
    return courses["woken"].between("cortisol_nmol_l", 36, 60)


def _temperature(course: Course) -> Stretch:
    """Return core temperature of the second day, from noon to noon."""
    return course.between("core_temp_c", 36, 60)


def _of_midnight(hour: float) -> float:
    """Return an hour of the day as hours from the nearest midnight, negative before it."""
    return (hour + 12) % 24 - 12


def _only(figures: Figures, name: str) -> Figures:
    """Return one of several figures."""
    return {name: figures[name]}
