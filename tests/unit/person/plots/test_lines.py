"""What is drawn of a life, picked from records and written as lines of text."""

from collections.abc import Sequence

import msgspec
import pytest

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.person.plots.lives import (
    COLUMNS,
    DAY_US,
    HOUR_US,
    USUAL,
    DrawnLife,
    PlotMark,
    clock,
    drawable,
    gather,
    ticks,
)
from mindpipe.person.plots.sparklines import SHADE, PlotSpan, lines, markline, sparkline
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.state import Flags, HabitState, Modes, PersonState, Readouts
from mindpipe.person.records.thought import Thought
from support.tables import each_row

MODES = Modes(**dict.fromkeys(Modes.__struct_fields__, 0.0))


def state(hour: float, *, awake: bool = True, person: str = "ann", **values: float) -> PersonState:
    t_us = int(hour * HOUR_US)
    read = Readouts(**{**dict.fromkeys(COLUMNS, 0.5), "isolation_phase": "none", **values})
    return PersonState(
        person=person,
        t_us=t_us,
        anchor_us=t_us,
        modes=MODES,
        flags=Flags(awake=awake, since_us=0),
        habit=HabitState(last_meal_us=0),
        read=read,
    )


def event(hour: float, kind: str = "task", person: str = "ann") -> PersonEvent:
    return msgspec.convert(
        {"kind": "event", "v": 1, "person": person, "t_us": int(hour * HOUR_US), "id": "x"}
        | {"type": kind},
        PersonEvent,
    )


def thought(hour: float, person: str = "ann") -> Thought:
    t_us = int(hour * HOUR_US)
    return Thought(person=person, t_us=t_us, id=f"th:{t_us}", mode="react", content="ouch")


DAY = [state(hour, awake=7 <= hour < 23, arousal=hour / 24) for hour in range(25)]


def test_a_life_has_its_states_in_order_and_its_marks_inside_of_them() -> None:
    marks = [event(16), event(9, "news"), thought(16), event(25), event(-1), thought(99)]
    (life,) = gather([*marks, *reversed(DAY)], ["arousal", "valence"])
    assert life.person == "ann"
    assert life.t_us == [hour * HOUR_US for hour in range(25)]
    assert life.curves == {"arousal": [hour / 24 for hour in range(25)], "valence": [0.5] * 25}
    assert life.nights() == [(0, 7 * HOUR_US), (23 * HOUR_US, 24 * HOUR_US)]
    assert life.events == [PlotMark(9 * HOUR_US, "news"), PlotMark(16 * HOUR_US, "task")]
    assert life.thoughts == [PlotMark(16 * HOUR_US, "react")]


@pytest.mark.parametrize(
    ("hours", "stretches", "nights"),
    [
        ((0, 24), [], []),
        ((0, 6), [], []),
        ((0, 6, 12), [(0, 3)], [(0, 12)]),
        ((0, 1, 2, 9, 10), [(0, 3)], [(0, 2)]),
        ((0, 1, 2, 26, 27, 28, 29), [(0, 3), (3, 7)], [(0, 2), (26, 29)]),
    ],
)
def test_nobody_is_drawn_where_no_states_tell(
    hours: tuple[int, ...], stretches: list[tuple[int, int]], nights: list[tuple[int, int]]
) -> None:
    (life,) = gather([state(hour, awake=False) for hour in hours], ["arousal"])
    assert life.stretches() == [range(*places) for places in stretches]
    assert life.nights() == [(began * HOUR_US, ended * HOUR_US) for began, ended in nights]
    joined = life.curve_of(0, 30 * HOUR_US)
    assert [len(places) for places in joined] == [end - first for first, end in stretches]


def test_each_person_has_a_life_of_its_own_and_strangers_have_none() -> None:
    bo = [state(hour, person="bo", energy=0.1) for hour in (0, 24)]
    found = gather([*DAY, *bo, thought(3, "bo"), thought(3, "cy")], ["energy"])
    assert [(life.person, len(life.t_us), len(life.thoughts)) for life in found] == [
        ("ann", 25, 0),
        ("bo", 2, 1),
    ]
    assert found[1].curves == {"energy": [0.1, 0.1]}


def test_of_two_states_at_one_instant_the_later_counts() -> None:
    (life,) = gather([state(0, pain=0.1), state(1), state(0, pain=0.9)], ["pain"])
    assert life.curves["pain"] == [0.9, 0.5]


def test_states_without_readouts_are_nothing_to_draw() -> None:
    bare = msgspec.structs.replace(DAY[0], read=msgspec.UNSET)
    with pytest.raises(NothingToDoError, match="no state has readouts"):
        gather([bare, event(1)], ["pain"])


@each_row(
    ("name", "words"),
    [
        ("cortisol", "did you mean cortisol_nmol_l?"),
        ("isolation_phase", "not a number"),
        ("drives", "not a number"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("?", r"\?")):
        drawable(["pain", name])


def test_a_readout_is_drawn_once_and_the_usual_ones_without_any() -> None:
    assert drawable(["pain", "energy", "pain"]) == ("pain", "energy")
    assert drawable([]) == USUAL
    assert set(USUAL) < set(COLUMNS)


def test_a_sparkline_goes_from_its_least_to_its_greatest_value() -> None:
    span = PlotSpan(0, 8, 8)
    assert sparkline(range(8), range(8), span) == "▁▂▃▄▅▆▇█"
    assert sparkline([0, 1, 7], [-3.0, 5.0, 5.0], span) == "▁███████"
    assert sparkline([2, 5], [0.0, 4.0], span) == "  ▁▁▁█  "
    assert sparkline([2], [4.0], span) == "  ▄     "
    assert sparkline([], [], span) == " " * 8


def test_a_column_is_the_mean_of_its_part_and_the_last_instant_belongs_to_the_last() -> None:
    span = PlotSpan(0, 4, 2)
    assert sparkline([0, 1, 2, 4], [0.0, 4.0, 0.0, 0.0], span) == "█▁"
    assert span.column(4) == 1
    assert span.column(-1) is None and span.column(5) is None
    assert PlotSpan(3, 3, 5).column(3) == 0


def test_marks_are_one_or_many() -> None:
    span = PlotSpan(0, 9, 5)
    assert markline([0, 4, 5, 9, 12], span) == "▾ ▼ ▾"
    assert markline([0, 4, 5], span, SHADE) == "▒ ▒  "


def test_a_life_is_a_line_for_each_readout_and_three_for_what_happened() -> None:
    records = [*DAY, event(9, "news"), event(16), thought(16), thought(16.01)]
    drawn = list(lines(gather(records, ["arousal"]), width=24))
    assert [one.name for one in drawn] == ["arousal", "sleep", "events", "thoughts"]
    assert {(one.from_us, one.to_us, len(one.curve)) for one in drawn} == {(0, DAY_US, 24)}
    assert (drawn[0].least, drawn[0].most) == (0.0, 1.0)
    assert drawn[0].curve == "▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███"
    assert drawn[1].curve == "▒▒▒▒▒▒▒" + " " * 16 + "▒"
    assert drawn[1].words == "00:00 to 07:00, 23:00 to 1d00:00"
    assert drawn[2].curve == " " * 9 + "▾" + " " * 6 + "▾" + " " * 7
    assert drawn[2].words == "09:00 news, 16:00 task"
    assert drawn[3].curve == " " * 16 + "▼" + " " * 7
    assert drawn[3].words == "react 2"


def test_many_events_are_counted_and_not_named() -> None:
    records = [*DAY, *(event(hour) for hour in range(20)), event(3, "news")]
    assert list(lines(gather(records, ["pain"]), width=9))[2].words == "task 20, news 1"


def test_no_line_has_more_columns_than_its_longest_life_has_states() -> None:
    found = gather(DAY, ["arousal"])
    assert {len(one.curve) for one in lines(found, width=400)} == {25}
    assert " " not in next(lines(found, width=400)).curve


def test_all_lives_are_drawn_over_the_same_span() -> None:
    late = DrawnLife("bo", [DAY_US, 2 * DAY_US], {"pain": [0.0, 1.0]}, [False, False], [], [])
    drawn = list(lines([*gather(DAY, ["pain"]), late], width=4))
    assert [one.curve for one in drawn if one.name == "pain"] == ["▄▄▄ ", "  ▁█"]


@each_row(
    ("hours", "labels"),
    [
        ((0, 6), ["day 0", "01:00", "02:00", "03:00", "04:00", "05:00", "06:00"]),
        (
            (12, 36),
            [f"{h:02d}:00" if h else "day 1" for h in (*range(12, 24, 2), *range(0, 13, 2))],
        ),
        ((0, 7 * 24), [f"day {day}" for day in range(8)]),
        ((0, 40 * 24), [f"day {day}" for day in range(0, 41, 7)]),
        ((-2, 1), ["22:00", "23:00", "day 0", "01:00"]),
    ],
)
def test_the_axis_has_marks_that_can_be_read(hours: Sequence[int], labels: list[str]) -> None:
    found = ticks(hours[0] * HOUR_US, hours[1] * HOUR_US)
    assert [tick.label for tick in found] == labels
    assert [tick.t_us for tick in found] == sorted(tick.t_us for tick in found)


def test_a_very_long_axis_has_few_marks_as_well() -> None:
    assert len(ticks(0, 9_000 * DAY_US)) <= 13


def test_an_instant_is_told_as_a_clock_tells_it() -> None:
    assert [clock(at * HOUR_US // 2) for at in (0, 31, 48, 113)] == [
        "00:00",
        "15:30",
        "1d00:00",
        "2d08:30",
    ]
