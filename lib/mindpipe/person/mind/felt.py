"""How a person's state is felt and how its thinking tends to go: words instead of numbers."""

import math
from typing import NamedTuple

import msgspec

from mindpipe.person.records.state import Coping, Distortion, PersonState, Phase, Readouts

HOUR_US = 3_600_000_000
DAY_HOURS = 24
LINES = {
    "A1": "Your body is highly activated — heart pounding, alert, on edge.",
    "A2": "Your body is alert; your pulse is quicker than usual.",
    "A3": "Your body is slow and quiet.",
    "V1": "Everything feels bad. A heavy, dark quality pervades your experience.",
    "V2": "There is a low, uneasy note under everything.",
    "V3": "Things feel good; there is a lightness in you.",
    "E1": "You are deeply exhausted. Every movement feels effortful.",
    "E2": "You are tired and would like to rest.",
    "E3": "You feel fresh and rested.",
    "C1": "Your thinking feels muddled, hard to concentrate.",
    "R1": "You feel emotionally raw, unable to hold things together.",
    "R2": "Small things get to you more easily than usual.",
    "I1": "You feel lonely. You miss being around people.",
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
"""The line of each code, in the order of the state block; the time of day comes last, as `D`."""
NOTHING = "0"
TIME_OF_DAY = "D"
_TIMES = (
    (5, "It is night."),
    (9, "It is early morning."),
    (12, "It is morning."),
    (17, "It is afternoon."),
    (22, "It is evening."),
    (DAY_HOURS, "It is night."),
)


class Felt(NamedTuple):
    """What of a state is felt: shares, `valence` and `thermal` between -1 and 1, fever in °C.

    What is not known is NaN, or None for the phase and the instant; it is then not felt.
    """

    arousal: float = math.nan
    valence: float = math.nan
    energy: float = math.nan
    cognitive_load: float = math.nan
    regulation: float = math.nan
    isolation_phase: Phase | None = None
    pain: float = math.nan
    hunger: float = math.nan
    thirst: float = math.nan
    bladder: float = math.nan
    thermal: float = math.nan
    fever: float = math.nan
    t_us: int | None = None


def felt_of(read: Readouts, *, fever: float, t_us: int) -> Felt:
    """Return what is felt of whole readouts, of the mode `fever` in °C and at an instant."""
    return Felt(
        arousal=read.arousal,
        valence=read.valence,
        energy=read.energy,
        cognitive_load=read.cognitive_load,
        regulation=read.regulation,
        isolation_phase=read.isolation_phase,
        pain=read.pain,
        hunger=read.hunger,
        thirst=read.thirst,
        bladder=read.bladder,
        thermal=read.thermal,
        fever=fever,
        t_us=t_us,
    )


def codes_of(felt: Felt) -> tuple[str, ...]:
    """Return the codes of all lines that hold, in the order of the state block.

    Within a group of codes, named by their letter, the first that holds stands for the others;
    only `I3` comes beside `I1`. `0` stands alone where nothing holds; `D` is last, where the
    instant is known.
    """
    phase = felt.isolation_phase
    groups = (
        (("A1", felt.arousal > 0.7), ("A2", felt.arousal > 0.5), ("A3", felt.arousal < 0.2)),
        (("V1", felt.valence < -0.5), ("V2", felt.valence < -0.2), ("V3", felt.valence > 0.4)),
        (("E1", felt.energy < 0.2), ("E2", felt.energy < 0.35), ("E3", felt.energy > 0.7)),
        (("C1", felt.cognitive_load > 0.6),),
        (("R1", felt.regulation < 0.2), ("R2", felt.regulation < 0.4)),
        (("I1", phase in ("loneliness", "despair")),),
        (("I3", phase == "despair"), ("I2", phase == "boredom")),
        (("P1", felt.pain > 0.6), ("P2", felt.pain > 0.25)),
        (("H1", felt.hunger > 0.75), ("H2", felt.hunger > 0.55)),
        (("T1", felt.thirst > 0.6),),
        (("B1", felt.bladder > 0.7),),
        (("K1", felt.thermal < -0.3), ("K2", felt.thermal > 0.3)),
        (("F1", felt.fever > 0.7),),
    )
    found = (next((code for code, holds in group if holds), None) for group in groups)
    codes = tuple(code for code in found if code) or (NOTHING,)
    return codes if felt.t_us is None else (*codes, TIME_OF_DAY)


def lines_of(codes: tuple[str, ...], *, t_us: int | None = None) -> tuple[str, ...]:
    """Return the line of each code; `D` needs the instant, in µs since midnight of day 0."""
    return tuple(
        time_of_day(t_us) if code == TIME_OF_DAY and t_us is not None else LINES[code]
        for code in codes
    )


def time_of_day(t_us: int) -> str:
    """Return the line of the local time of day at an instant."""
    hour = t_us % (DAY_HOURS * HOUR_US) // HOUR_US
    return next(line for until, line in _TIMES if hour < until)


DISTORTED: dict[Distortion, str] = {
    "all_or_nothing": "seeing things as all good or all bad",
    "overgeneralization": "taking one bad thing as a rule",
    "mental_filter": "noticing only what went wrong",
    "disqualifying_positive": "brushing aside what is good",
    "mind_reading": "being sure what others think of you",
    "fortune_telling": "expecting things to turn out badly",
    "catastrophizing": "assuming the worst possible outcome",
    "emotional_reasoning": "treating your feelings as evidence of reality",
    "should_statements": "holding yourself to rigid shoulds",
    "labeling": "calling yourself names",
    "personalization": "blaming yourself for what is not in your hands",
}
"""What stands in a prompt for each distortion that is active."""
IMPULSES: dict[Coping, str] = {
    "problem_solving": "work out what to do",
    "reappraisal": "look for another side of it",
    "acceptance": "let it be",
    "distraction": "turn to something else",
    "suppression": "push it away",
    "rumination": "go over it again",
    "denial": "tell yourself nothing is the matter",
}
"""What stands in a prompt for the primary way of coping."""
PATTERNS: dict[str, str] = {
    "rumination": "goes over things again and again",
    "acceptance": "lets things be",
    "reappraisal": "finds another side",
    "suppression": "pushes feelings down",
    "catastrophizing": "expects the worst",
    "problem_solving": "makes plans",
    "distraction": "turns away from trouble",
    "denial": "says nothing is wrong",
} | {label: phrase for label, phrase in DISTORTED.items() if label != "catastrophizing"}
"""What a label says of somebody whose thoughts often carry it, in the order of labels."""


def with_felt(state: PersonState, *, timed: bool = True) -> PersonState:
    """Return a state with the lines of its state block and their codes.

    Args:
        state: It must have readouts.
        timed: Whether its instant is known, so that the time of day is felt.

    Raises:
        ValueError: the state has no readouts.
    """
    if not isinstance(state.read, Readouts):
        raise ValueError("the state has no readouts")
    felt = felt_of(state.read, fever=state.modes.fever, t_us=state.t_us)
    codes = codes_of(felt if timed else felt._replace(t_us=None))
    return msgspec.structs.replace(state, felt=lines_of(codes, t_us=state.t_us), codes=codes)
