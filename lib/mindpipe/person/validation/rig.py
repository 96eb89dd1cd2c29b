"""Let the persons of all trials live side by side, and read them at the same instants."""

from collections.abc import Callable, Mapping, Sequence
from math import inf

import numpy as np

from mindpipe.person.body import flow, readouts, vitals
from mindpipe.person.body.bank import Bank, Flags, Floats, Instants
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.constants import constants_of
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.readouts import BodyReading
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import PersonGroup
from mindpipe.person.mind.routine import lived_week
from mindpipe.person.psyche.drives import readouts_of
from mindpipe.person.records.state import Readouts
from mindpipe.person.validation.figures import Course, Courses
from mindpipe.person.validation.trials import (
    DAY_US,
    HOUR_US,
    LAST_DAY,
    SECOND_US,
    TRIALS,
    events_of,
    person_of,
)

_SHARE = (0.0, 1.0)
_OTHER: dict[str, tuple[float, float]] = {
    "cortisol_nmol_l": (0.0, inf),
    "adrenaline_pmol_l": (200.0, inf),
    "noradrenaline_nmol_l": (1.5, inf),
    "core_temp_c": (34.0, 41.0),
    "heart_rate_bpm": (40.0, 190.0),
    "skin_temp_c": (0.0, 45.0),
    "thermal": (-1.0, 1.0),
    "glucose_mmol_l": (3.5, 11.0),
    "endorphin_pmol_l": (5.0, inf),
    "alertness": (-inf, inf),
    "kss": (1.0, 9.0),
    "valence": (-1.0, 1.0),
    "attention": (-1.0, 1.0),
}
RANGES: dict[str, tuple[float, float]] = {
    name: _OTHER.get(name, _SHARE) for name in Readouts.__struct_fields__[:-2]
}
"""Least and most of every readout that is a number; both belong to the range."""

Advance = Callable[[int, int], None]
"""Is told how much is done and how much there is."""
QUANTITIES = (
    "cortisol_nmol_l",
    "adrenaline_pmol_l",
    "heart_rate_bpm",
    "core_temp_c",
    "glucose_mmol_l",
    "hunger",
    "sleep_pressure",
    "alertness",
    "kss",
    "regulation",
    "valence",
)
NEEDS = ("hun",)
"""Modes that are read beside readouts."""
PARTS = ((0, 72, 60), (16, 19, 30), (72, 168, 600), (168, 24 * LAST_DAY, 3600))
"""How often everybody is read: from hour to hour, every so many seconds."""
THEN_US = 19 * HOUR_US
"""The instant at which everything is read of everybody."""


def run(days: int, consts: Mapping[str, float], advance: Advance) -> Courses:
    """Return the readings of all trials over some days, 0 for those that need none.

    Args:
        days: How long the persons live.
        consts: Overrides of constants, by name, for all persons.
        advance: Is told after each hour how many instants were read, and of how many.
    """
    names = list(TRIALS)
    persons = [person_of(name, consts) for name in names]
    constants = constants_of(tuple(sorted(consts.items())))
    weeks = [lived_week(person) for person in persons]
    bank = bank_of(persons, [first_state(person) for person in persons], constants, weeks)
    group = PersonGroup(bank)
    for column, name in enumerate(names):
        group.expect(column, events_of(name))
    t_us = _instants(days)
    tape = _Tape(len(t_us), len(names))
    then: list[Readouts] = []
    for place, instant in enumerate(t_us.tolist()):
        group.advance(instant)
        modes = flow.at(group.bank, instant)
        reading = readouts.read(vitals.view_of(group.bank, modes, group.bank.t_us))
        tape.keep(place, group.bank, modes, reading)
        if instant == THEN_US:
            then = readouts_of(group.bank, reading)
        if not instant % HOUR_US:
            advance(place + 1, len(t_us))
    return tape.courses(t_us, names, then)


def _instants(days: int) -> Instants:
    """Return the instants of all readings of some days."""
    parts = [
        np.arange(first * HOUR_US, last * HOUR_US + 1, every * SECOND_US, dtype=np.int64)
        for first, last, every in PARTS
    ]
    instants = np.unique(np.concatenate(parts))
    return instants[instants <= days * DAY_US]


class _Tape:
    """Readings of N persons at T instants."""

    def __init__(self, instants: int, persons: int) -> None:
        self._values: Floats = np.empty((len(QUANTITIES) + len(NEEDS), instants, persons))
        self._awake: Flags = np.empty((instants, persons), dtype=np.bool_)
        self._since: Instants = np.empty((instants, persons), dtype=np.int64)
        shape = (len(RANGES), persons)
        self._least, self._most = np.full(shape, np.inf), np.full(shape, -np.inf)

    def keep(self, place: int, bank: Bank, modes: Floats, reading: BodyReading) -> None:
        """Keep what was read at one instant."""
        for row, quantity in enumerate(QUANTITIES):
            self._values[row, place] = getattr(reading, quantity)
        for row, mode in enumerate(NEEDS, len(QUANTITIES)):
            self._values[row, place] = modes[MODE[mode]]
        self._awake[place], self._since[place] = bank.awake, bank.since_us
        everything = np.stack([getattr(reading, name) for name in RANGES])
        np.minimum(self._least, everything, out=self._least)
        np.maximum(self._most, everything, out=self._most)

    def courses(self, t_us: Instants, names: Sequence[str], then: Sequence[Readouts]) -> Courses:
        """Return the readings by person."""
        bounds = np.array(list(RANGES.values()))
        inside = (self._least >= bounds[:, :1]) & (self._most <= bounds[:, 1:])
        quantities = (*QUANTITIES, *NEEDS)
        return Courses(
            by_name={
                name: Course(
                    t_us,
                    {
                        quantity: self._values[row, :, column]
                        for row, quantity in enumerate(quantities)
                    },
                    self._awake[:, column],
                    self._since[:, column],
                )
                for column, name in enumerate(names)
            },
            then=dict(zip(names, then, strict=False)),
            out={
                name: tuple(
                    readout for row, readout in enumerate(RANGES) if not inside[row, column]
                )
                for column, name in enumerate(names)
            },
        )
