"""The state block: every code at its condition, every line byte for byte."""

import re

from mindpipe.person.mind.felt import LINES, Felt, codes_of, lines_of, time_of_day
from support.tables import each_row

HOUR_US = 3_600_000_000
# The lines of the founding requirements, as they stand there.
FOUNDING = {
    "A1": "Your body is highly activated — heart pounding, alert, on edge.",
    "V1": "Everything feels bad. A heavy, dark quality pervades your experience.",
    "E1": "You are deeply exhausted. Every movement feels effortful.",
    "C1": "Your thinking feels muddled, hard to concentrate.",
    "R1": "You feel emotionally raw, unable to hold things together.",
    "I1": "You feel lonely. You miss being around people.",
}
OWN = {
    "A2": "Your body is alert; your pulse is quicker than usual.",
    "A3": "Your body is slow and quiet.",
    "V2": "There is a low, uneasy note under everything.",
    "V3": "Things feel good; there is a lightness in you.",
    "E2": "You are tired and would like to rest.",
    "E3": "You feel fresh and rested.",
    "R2": "Small things get to you more easily than usual.",
    "I3": "It feels as if nobody is left out there for you.",
    "I2": "Time drags; you would like something to happen.",
    "P1": "Something hurts badly; it is hard to think of anything else.",
    "P2": "There is a nagging pain.",
    "H1": "You are very hungry.",
    "H2": "You could eat.",
    "T1": "Your mouth is dry.",
    "B1": "You need the toilet.",
    "K1": "You are cold; your hands are stiff.",
    "K2": "You are too hot; your clothes cling.",
    "F1": "You feel feverish; your skin aches.",
    "0": "Nothing in particular presses on you; you feel ordinary.",
}


@each_row("code", FOUNDING)
def test_a_line_of_the_founding_requirements_stands_byte_for_byte(code: str) -> None:
    assert LINES[code].encode() == FOUNDING[code].encode()


def test_the_other_lines_stand_as_they_are_specified() -> None:
    assert {code: line for code, line in LINES.items() if code not in FOUNDING} == OWN


@each_row(
    ("felt", "codes"),
    [
        ({"arousal": 0.701}, "A1"),
        ({"arousal": 0.7}, "A2"),
        ({"arousal": 0.501}, "A2"),
        ({"arousal": 0.5}, "0"),
        ({"arousal": 0.2}, "0"),
        ({"arousal": 0.1999}, "A3"),
        ({"valence": -0.501}, "V1"),
        ({"valence": -0.5}, "V2"),
        ({"valence": -0.201}, "V2"),
        ({"valence": -0.2}, "0"),
        ({"valence": 0.4}, "0"),
        ({"valence": 0.401}, "V3"),
        ({"energy": 0.1999}, "E1"),
        ({"energy": 0.2}, "E2"),
        ({"energy": 0.35}, "0"),
        ({"energy": 0.3499}, "E2"),
        ({"energy": 0.7}, "0"),
        ({"energy": 0.701}, "E3"),
        ({"cognitive_load": 0.601}, "C1"),
        ({"cognitive_load": 0.6}, "0"),
        ({"regulation": 0.1999}, "R1"),
        ({"regulation": 0.2}, "R2"),
        ({"regulation": 0.3999}, "R2"),
        ({"regulation": 0.4}, "0"),
        ({"isolation_phase": "none"}, "0"),
        ({"isolation_phase": "boredom"}, "I2"),
        ({"isolation_phase": "loneliness"}, "I1"),
        ({"isolation_phase": "despair"}, "I1 I3"),
        ({"pain": 0.601}, "P1"),
        ({"pain": 0.6}, "P2"),
        ({"pain": 0.251}, "P2"),
        ({"pain": 0.25}, "0"),
        ({"hunger": 0.751}, "H1"),
        ({"hunger": 0.75}, "H2"),
        ({"hunger": 0.551}, "H2"),
        ({"hunger": 0.55}, "0"),
        ({"thirst": 0.6}, "0"),
        ({"bladder": 0.7}, "0"),
        ({"thermal": -0.3}, "0"),
        ({"thirst": 0.601}, "T1"),
        ({"bladder": 0.701}, "B1"),
        ({"thermal": -0.301}, "K1"),
        ({"thermal": 0.301}, "K2"),
        ({"thermal": 0.3}, "0"),
        ({"fever": 0.701}, "F1"),
        ({"fever": 0.7}, "0"),
        ({}, "0"),
        ({"t_us": 0}, "0 D"),
    ],
)
def test_each_condition_has_its_code(felt: dict[str, object], codes: str) -> None:
    assert codes_of(Felt(**felt)) == tuple(codes.split())  # type: ignore[arg-type] # a table


def test_all_groups_stand_in_the_order_of_the_block() -> None:
    worst = Felt(
        arousal=1.0,
        valence=-1.0,
        energy=0.0,
        cognitive_load=1.0,
        regulation=0.0,
        isolation_phase="despair",
        pain=1.0,
        hunger=1.0,
        thirst=1.0,
        bladder=1.0,
        thermal=-1.0,
        fever=2.0,
        t_us=0,
    )
    assert codes_of(worst) == tuple(
        ["A1", "V1", "E1", "C1", "R1", "I1", "I3", "P1", "H1", "T1", "B1", "K1", "F1", "D"]
    )


@each_row(
    ("hour", "line"),
    [
        (0.0, "It is night."),
        (4.99, "It is night."),
        (5.0, "It is early morning."),
        (8.99, "It is early morning."),
        (9.0, "It is morning."),
        (12.0, "It is afternoon."),
        (17.0, "It is evening."),
        (21.99, "It is evening."),
        (22.0, "It is night."),
        (24.0, "It is night."),
        (24.0 * 400 + 10, "It is morning."),
        (-1.0, "It is night."),
        (-3.0, "It is evening."),
    ],
)
def test_the_time_of_day_is_the_local_one(hour: float, line: str) -> None:
    assert time_of_day(round(hour * HOUR_US)) == line
    assert lines_of(("0", "D"), t_us=round(hour * HOUR_US))[1] == line


def test_no_line_has_a_number() -> None:
    lines = [*LINES.values(), *(time_of_day(hour * HOUR_US) for hour in range(24))]
    assert [line for line in lines if re.search(r"\d", line)] == []
