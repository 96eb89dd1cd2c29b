"""Whole weeks of people's lives, as tables: what `mind simulate new --routine NAME` gives."""

import re
from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.person.calendar import SPAN_FORM, span_us
from mindpipe.person.lines import plain
from mindpipe.person.mind.routine import HOUSEHOLD, WORKDAYS
from mindpipe.person.records.episode import RoutineBlock, RoutineKind
from mindpipe.person.records.event import MINUTE_US

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


MOST_BLOCKS = 200


def read_week(octets: bytes, source: str) -> tuple[RoutineBlock, ...]:
    """Return the blocks of a week that is written as a JSON list, or as one object on each line.

    `at` may stand for `start_min`, as `21:00`, and `dur` for `minutes`, as `8h`.

    Raises:
        BadInputError: it is none; says where and why.
    """
    blocks: list[RoutineBlock] = []
    problems: list[Problem] = []
    for given, place in _pieces(octets, source):
        read = _block_of(given, place)
        if isinstance(read, RoutineBlock):
            blocks.append(read)
        else:
            problems += read
    if len(blocks) > MOST_BLOCKS:
        words = f"expected at most {MOST_BLOCKS} blocks, got {len(blocks)}"
        problems.append(Problem(source=source, line=None, field="$", message=words))
    if problems:
        raise BadInputError(problems)
    return tuple(blocks)


def _pieces(octets: bytes, source: str) -> Iterator[tuple[object, Problem]]:
    """Yield what stands for each block, with a problem without words that names its place."""
    if octets.lstrip().startswith(b"["):
        given = load_json(octets, source=source)
        assert isinstance(given, list)
        for number, one in enumerate(given):
            yield one, Problem(source=source, line=None, field=f"$[{number}]", message="")
        return
    for line, written in enumerate(octets.splitlines(), 1):
        if written.strip():
            place = Problem(source=source, line=line, field="$", message="")
            yield load_json(written, source=source, line=line), place


def _block_of(given: object, place: Problem) -> RoutineBlock | list[Problem]:
    """Return a block as it was written, or all that is wrong with it."""
    if isinstance(given, dict):
        given = dict(given)
        for short, name, read in (("at", "start_min", _minute_of), ("dur", "minutes", _minutes_of)):
            if short not in given:
                continue
            said = given.pop(short)
            try:
                if name in given:
                    raise ValueError(f"stands beside {name}; give one")
                given[name] = read(said)
            except ValueError as error:
                return [
                    msgspec.structs.replace(
                        place, field=f"{place.field}.{short}", message=str(error)
                    )
                ]
    problems = problems_of(
        given, RoutineBlock, source=place.source, line=place.line, at=place.field or "$"
    )
    if problems:
        return [msgspec.structs.replace(one, message=plain(one.message)) for one in problems]
    block = msgspec.convert(given, RoutineBlock)
    if not block.days:
        words = "expected a day at least; without days a block is on every day"
        return [msgspec.structs.replace(place, field=f"{place.field}.days", message=words)]
    return block


def _minute_of(said: object) -> int:
    """Return the minute of a day that `21:00` is."""
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", said) if isinstance(said, str) else None
    if found is None:
        raise ValueError("expected a time of day such as 21:00")
    return 60 * int(found.group(1)) + int(found.group(2))


def _minutes_of(said: object) -> int:
    """Return how many minutes a span is, such as `8h`."""
    if not isinstance(said, str):
        raise ValueError(f"expected {SPAN_FORM}")
    minutes, rest = divmod(span_us(said), MINUTE_US)
    if rest:
        raise ValueError("expected whole minutes")
    return minutes
