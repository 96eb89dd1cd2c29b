"""Whole weeks of people's lives, as tables: what `mind simulate new --routine NAME` gives."""

from mindpipe.person.records.episode import RoutineBlock, RoutineKind

HOUSEHOLD = "household"
"""A name in a routine that stands for whoever lives with the person."""
WORKDAYS = (0, 1, 2, 3, 4)
_Row = tuple[RoutineKind, tuple[int, ...], str, int, str, tuple[str, ...], float, float]
"""What, on which days, from when on, for how many minutes, where, with whom, quality, load."""

DAILY = (0, 1, 2, 3, 4, 5, 6)
HOME = (HOUSEHOLD,)

_OFFICE: tuple[_Row, ...] = (
    ("meal", WORKDAYS, "07:00", 30, "at home", HOME, 0.5, 0.0),
    ("work", WORKDAYS, "09:00", 210, "at work", ("your colleagues",), 0.3, 0.4),
    ("meal", WORKDAYS, "12:30", 45, "at work", ("your colleagues",), 0.5, 0.0),
    ("work", WORKDAYS, "13:15", 225, "at work", ("your colleagues",), 0.3, 0.4),
    ("errand", (1, 4), "17:15", 40, "at the shops", (), 0.2, 0.0),
    ("household", WORKDAYS, "18:00", 45, "at home", HOME, 0.4, 0.0),
    ("meal", DAILY, "19:15", 45, "at home", HOME, 0.6, 0.0),
    ("company", DAILY, "20:00", 120, "at home", HOME, 0.5, 0.0),
    ("call", (2,), "20:30", 30, "at home", ("an old friend",), 0.5, 0.0),
    ("play", (3,), "20:00", 90, "out", ("your friends",), 0.6, 0.0),
    ("household", (5,), "10:00", 120, "at home", HOME, 0.4, 0.1),
    ("errand", (5,), "14:00", 90, "at the shops", HOME, 0.3, 0.0),
    ("company", (6,), "11:00", 240, "out", HOME, 0.6, 0.0),
    ("call", (6,), "17:30", 30, "at home", ("your family",), 0.5, 0.0),
    ("rest", DAILY, "22:30", 500, "at home", HOME, 0.4, 0.0),
)
_NURSE_NIGHTS: tuple[_Row, ...] = (
    ("meal", DAILY, "18:00", 45, "at home", HOME, 0.6, 0.0),
    ("company", DAILY, "18:45", 75, "at home", HOME, 0.6, 0.0),
    ("work", (0, 1, 2, 6), "21:00", 240, "on the ward", ("your colleagues",), 0.4, 0.45),
    ("meal", (1, 2, 3, 0), "01:00", 30, "on the ward", ("your colleagues",), 0.5, 0.0),
    ("work", (1, 2, 3, 0), "01:30", 330, "on the ward", ("your colleagues",), 0.4, 0.45),
    ("household", (1, 2, 3), "07:30", 30, "at home", HOME, 0.4, 0.0),
    ("rest", (0, 1, 2, 3), "08:30", 360, "at home", (), 0.0, 0.0),
    ("household", DAILY, "16:00", 90, "at home", HOME, 0.5, 0.0),
    ("errand", (4,), "11:00", 90, "at the shops", (), 0.2, 0.0),
    ("call", (4,), "17:30", 30, "at home", ("your family",), 0.5, 0.0),
    ("company", (4, 5), "20:00", 150, "at home", HOME, 0.6, 0.0),
    ("household", (5,), "10:00", 120, "at home", HOME, 0.4, 0.1),
    ("company", (5,), "14:00", 120, "out", ("your friends",), 0.6, 0.0),
    ("rest", (3, 4, 5), "22:30", 510, "at home", HOME, 0.4, 0.0),
)
_STUDENT: tuple[_Row, ...] = (
    ("meal", DAILY, "08:30", 20, "at home", HOME, 0.4, 0.0),
    ("study", WORKDAYS, "10:00", 120, "in a lecture", ("your fellow students",), 0.3, 0.4),
    ("meal", WORKDAYS, "12:30", 45, "in the canteen", ("your fellow students",), 0.6, 0.0),
    ("study", (0, 1, 2, 3), "14:00", 120, "in the library", (), 0.1, 0.5),
    ("errand", (4,), "16:00", 60, "at the shops", (), 0.2, 0.0),
    ("play", (1, 3), "17:30", 90, "out", ("your friends",), 0.6, 0.0),
    ("meal", DAILY, "19:00", 45, "at home", HOME, 0.6, 0.0),
    ("study", (0, 2, 6), "20:00", 90, "at home", (), 0.0, 0.4),
    ("company", (1, 3), "20:00", 120, "at home", HOME, 0.6, 0.0),
    ("company", (4, 5), "20:30", 180, "out", ("your friends",), 0.7, 0.0),
    ("household", (5,), "12:00", 60, "at home", HOME, 0.4, 0.1),
    ("play", (5,), "15:00", 120, "out", ("your friends",), 0.6, 0.0),
    ("company", (6,), "13:00", 150, "out", ("your friends",), 0.5, 0.0),
    ("call", (6,), "17:00", 40, "at home", ("your family",), 0.6, 0.0),
    ("rest", DAILY, "23:30", 500, "at home", HOME, 0.3, 0.0),
)
_PUPIL: tuple[_Row, ...] = (
    ("meal", DAILY, "07:15", 25, "at home", HOME, 0.4, 0.0),
    ("study", WORKDAYS, "08:30", 210, "in class", ("your classmates",), 0.4, 0.4),
    ("meal", WORKDAYS, "12:00", 45, "in the canteen", ("your classmates",), 0.6, 0.0),
    ("study", WORKDAYS, "13:00", 120, "in class", ("your classmates",), 0.4, 0.4),
    ("play", WORKDAYS, "15:30", 75, "out", ("your friends",), 0.6, 0.0),
    ("study", (0, 1, 2, 3), "17:00", 40, "at home", (), 0.0, 0.3),
    ("meal", DAILY, "18:30", 40, "at home", HOME, 0.6, 0.0),
    ("company", DAILY, "19:10", 75, "at home", HOME, 0.6, 0.0),
    ("play", (5,), "10:00", 120, "out", ("your friends",), 0.6, 0.0),
    ("household", (5,), "12:15", 45, "at home", HOME, 0.4, 0.1),
    ("company", (5,), "14:00", 180, "out", HOME, 0.6, 0.0),
    ("call", (6,), "17:45", 20, "at home", ("your family",), 0.5, 0.0),
    ("company", (6,), "11:00", 240, "out", HOME, 0.6, 0.0),
    ("play", (6,), "16:00", 90, "at home", (), 0.0, 0.0),
    ("rest", DAILY, "20:30", 620, "at home", HOME, 0.3, 0.0),
)
_RETIRED: tuple[_Row, ...] = (
    ("meal", DAILY, "08:00", 40, "at home", HOME, 0.5, 0.0),
    ("household", WORKDAYS, "09:00", 75, "at home", HOME, 0.3, 0.1),
    ("errand", (0, 2, 4), "10:45", 60, "at the shops", ("people you know by sight",), 0.3, 0.0),
    ("company", (1, 3), "10:30", 90, "out", ("a neighbour",), 0.5, 0.0),
    ("meal", DAILY, "12:45", 45, "at home", HOME, 0.5, 0.0),
    ("rest", DAILY, "14:00", 45, "at home", HOME, 0.2, 0.0),
    ("play", (2,), "15:00", 150, "at the club", ("your friends",), 0.6, 0.0),
    ("company", (5,), "15:00", 150, "at home", ("your family",), 0.6, 0.0),
    ("call", (1, 4, 6), "17:30", 30, "at home", ("your family",), 0.5, 0.0),
    ("meal", DAILY, "18:45", 45, "at home", HOME, 0.5, 0.0),
    ("company", DAILY, "19:30", 120, "at home", HOME, 0.5, 0.0),
    ("rest", DAILY, "22:00", 540, "at home", HOME, 0.4, 0.0),
)


def _week(rows: tuple[_Row, ...]) -> tuple[RoutineBlock, ...]:
    """Return the blocks of a table."""
    return tuple(
        RoutineBlock(
            what=what,
            days=tuple(sorted(days)),
            start_min=60 * int(at[:2]) + int(at[3:]),
            minutes=minutes,
            place=place,
            people=people,
            quality=quality,
            load=load,
        )
        for what, days, at, minutes, place, people, quality, load in rows
    )


ROUTINES: dict[str, tuple[RoutineBlock, ...]] = {
    "nurse-nights": _week(_NURSE_NIGHTS),
    "office": _week(_OFFICE),
    "student": _week(_STUDENT),
    "pupil": _week(_PUPIL),
    "retired": _week(_RETIRED),
}
"""The weeks by their names; their company of the household has the names of the person's own."""


def of_age(week: tuple[RoutineBlock, ...], *, child: bool) -> tuple[RoutineBlock, ...]:
    """Return a week as somebody of an age has it: a student who is a child goes to school."""
    return ROUTINES["pupil"] if child and week == ROUTINES["student"] else week
