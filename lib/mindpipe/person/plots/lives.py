"""Pick from lines about persons what is drawn of each, and the marks of its axis of time."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import NothingToDoError, UsageError
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import Thought

COLUMNS = tuple(one.name for one in msgspec.structs.fields(Readouts) if one.type is float)
"""The readouts that are numbers, which alone can be drawn."""
USUAL = ("arousal", "valence", "energy", "cortisol_nmol_l")
"""What is drawn where nothing is asked for."""
HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US
FAR_US = 6 * HOUR_US
"""Between two states farther apart than that nobody can tell how somebody was."""
_FEWEST = 3
"""The first and the latest state alone, which a store keeps of everybody, are no curve."""


class PlotMark(NamedTuple):
    """Something that happened at an instant: an event by its type, a thought by its mode."""

    t_us: int
    word: str


@dataclass
class DrawnLife:
    """What is drawn of one person: `curves` by readout, a value for each of `t_us`, ascending.

    `asleep` says for each instant whether the person slept.
    """

    person: str
    t_us: list[int]
    curves: dict[str, list[float]]
    asleep: list[bool]
    events: list[PlotMark]
    thoughts: list[PlotMark]

    def stretches(self) -> list[range]:
        """Return the places of `t_us` over which curves go: states near enough to each other."""
        ends = [
            place
            for place, (one, other) in enumerate(pairwise(self.t_us), start=1)
            if other - one > FAR_US
        ]
        spans = pairwise((0, *ends, len(self.t_us)))
        return [range(first, end) for first, end in spans if end - first >= _FEWEST]

    def curve_of(self, from_us: int, to_us: int) -> list[list[int]]:
        """Return the pieces of each curve between two instants, as places of `t_us`."""
        found = (
            [place for place in stretch if from_us <= self.t_us[place] <= to_us]
            for stretch in self.stretches()
        )
        return [places for places in found if len(places) > 1]

    def nights(self) -> list[tuple[int, int]]:
        """Return the spans of sleep, each from its first instant asleep to the first awake."""
        found: list[tuple[int, int]] = []
        for stretch in self.stretches():
            began: int | None = None
            for place in stretch:
                if self.asleep[place] and began is None:
                    began = self.t_us[place]
                elif not self.asleep[place] and began is not None:
                    found.append((began, self.t_us[place]))
                    began = None
            if began is not None:
                found.append((began, self.t_us[stretch[-1]]))
        return found


def drawable(names: Sequence[str]) -> tuple[str, ...]:
    """Return the readouts that are asked for, each once, or the usual ones.

    Raises:
        UsageError: one of them is no readout or no number; names the nearest.
    """
    for name in names:
        if name in COLUMNS:
            continue
        if name in Readouts.__struct_fields__:
            raise UsageError(f"{name} is not a number and cannot be drawn.")
        near = difflib.get_close_matches(name, COLUMNS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"they are {', '.join(COLUMNS)}."
        raise UsageError(f'no readout "{name}"; {hint}')
    return tuple(dict.fromkeys(names)) or USUAL


class _Seen(NamedTuple):
    """What one state is drawn by."""

    asleep: bool
    values: tuple[float, ...]


def gather(records: Iterable[object], readouts: Sequence[str]) -> list[DrawnLife]:
    """Return the lives that states tell of, in the order in which persons are met.

    States may come in any order; of two at one instant the later one counts. Events and thoughts of
    a person without states, or outside the span of its states, are left out; two events of one type
    at one instant are one mark.

    Raises:
        NothingToDoError: no state has readouts.
    """
    seen: dict[str, dict[int, _Seen]] = {}
    marks: dict[str, tuple[list[PlotMark], list[PlotMark]]] = {}
    for record in records:
        if isinstance(record, PersonState) and isinstance(record.read, Readouts):
            values = tuple(float(getattr(record.read, name)) for name in readouts)
            seen.setdefault(record.person, {})[record.t_us] = _Seen(not record.flags.awake, values)
        elif isinstance(record, PersonEvent):
            events, _ = marks.setdefault(record.person, ([], []))
            events.append(PlotMark(record.t_us, record.type))
        elif isinstance(record, Thought):
            _, thoughts = marks.setdefault(record.person, ([], []))
            thoughts.append(PlotMark(record.t_us, record.mode))
    if not seen:
        raise NothingToDoError("no state has readouts. Pipe in what mind simulate run prints.")
    return [
        _life(person, states, readouts, *marks.get(person, ((), ())))
        for person, states in seen.items()
    ]


def _life(
    person: str,
    states: dict[int, _Seen],
    readouts: Sequence[str],
    events: Iterable[PlotMark],
    thoughts: Iterable[PlotMark],
) -> DrawnLife:
    """Return a person's states and marks in order of time."""
    instants = sorted(states)
    first, last = instants[0], instants[-1]
    return DrawnLife(
        person=person,
        t_us=instants,
        curves={
            name: [states[instant].values[place] for instant in instants]
            for place, name in enumerate(readouts)
        },
        asleep=[states[instant].asleep for instant in instants],
        events=sorted({mark for mark in events if first <= mark.t_us <= last}),
        thoughts=sorted(mark for mark in thoughts if first <= mark.t_us <= last),
    )


_MOST_TICKS = 13
_STEPS = (1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 28)


class AxisTick(NamedTuple):
    """One mark of the axis."""

    t_us: int
    label: str


def ticks(from_us: int, to_us: int) -> list[AxisTick]:
    """Return the full hours or midnights of a span, few enough to be read, in order of time.

    Steps of less than a day are labelled with the hour and, at midnight, the day; longer ones with
    the day alone.
    """
    hours = (to_us - from_us) / HOUR_US
    step = next((one for one in _STEPS if hours / one < _MOST_TICKS), _STEPS[-1])
    while hours / step >= _MOST_TICKS:
        step *= 2
    first = -(-from_us // (step * HOUR_US))
    last = to_us // (step * HOUR_US)
    return [
        AxisTick(number * step * HOUR_US, _label(number * step, by_day=step >= 24))
        for number in range(first, last + 1)
    ]


def spread(places: Sequence[float], gap: float, most: float) -> list[float]:
    """Return places in their order moved apart, so that between two is a gap, none beyond `most`.

    Where there is no room for all gaps they are as wide as there is.
    """
    if not places:
        return []
    gap = min(gap, most / len(places))
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + gap) if found else place)
    last = most
    for number in reversed(range(len(found))):
        found[number] = min(found[number], last)
        last = found[number] - gap
    return found


def clock(t_us: int) -> str:
    """Return an instant as `HH:MM`, with its day before it where that is not day 0."""
    day, rest = divmod(t_us, DAY_US)
    minutes = rest // 60_000_000
    told = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{day}d{told}" if day else told


def _label(hours: int, *, by_day: bool) -> str:
    """Return what stands below a mark at some hours since midnight of day 0."""
    day, hour = divmod(hours, 24)
    return f"day {day}" if by_day or not hour else f"{hour:02d}:00"
