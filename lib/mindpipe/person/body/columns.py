"""States on lines of JSON into the columns of a bank, and back, bit for bit."""

from collections.abc import Iterable, Sequence
from typing import Any, get_args

import msgspec
import numpy as np

from mindpipe.person.body import personality, rates
from mindpipe.person.body.bank import (
    CHANNELS,
    FIRST_HOLD,
    FIRST_REGIME,
    LAST_HOLD,
    Bank,
    Codes,
    Flags,
    Floats,
    Instants,
    LifeRecords,
)
from mindpipe.person.body.constants import Constants
from mindpipe.person.body.habits import latest
from mindpipe.person.body.modes import MODES
from mindpipe.person.body.readouts import PHASES, BodyReading
from mindpipe.person.body.week import EMPTY, Week, is_in_bed, quality_of, span_of
from mindpipe.person.chance_arrays import keys_of
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import (
    Coping,
    Dimension,
    DimensionFlags,
    DimensionInstants,
    Dimensions,
    Distortion,
    HabitState,
    Mind,
    Modes,
    PersonState,
    Psyche,
    Readouts,
    SalienceState,
    Sampled,
)
from mindpipe.person.records.state import Flags as FlagsRecord

COPING: tuple[Coping, ...] = get_args(Coping)
DISTORTIONS: tuple[Distortion, ...] = get_args(Distortion)
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
NEVER_US = np.iinfo(np.int64).min


def bank_of(
    persons: Sequence[Person],
    states: Sequence[PersonState],
    constants: Constants,
    weeks: Sequence[Week] | None = None,
) -> Bank:
    """Return a bank of persons at the anchors of their states, channels and targets computed.

    Args:
        persons: N persons who share their constants.
        states: The state of each, in the same order.
        constants: Those constants.
        weeks: The week that reaches each of them; without them none does.
    """
    weeks = weeks or [EMPTY] * len(persons)
    bank = Bank(
        persons=list(persons),
        constants=constants,
        lives=[_life(state, week) for state, week in zip(states, weeks, strict=True)],
        **who(persons, constants),
        **_bodies(states),
        **_psyches([state.psyche for state in states]),
        **salience([state.mind.salience for state in states]),
        **company_of(weeks, [state.anchor_us for state in states]),
        **untargeted(len(persons)),
    )
    rates.retarget(bank)
    return bank


def who(persons: Sequence[Person], constants: Constants) -> dict[str, Any]:
    """Return the columns of who persons are."""
    count = len(persons)
    traits = _floats((msgspec.structs.astuple(one.traits) for one in persons), count)
    z = personality.standard_traits(traits)
    phi = np.array([one.chronotype_h for one in persons], dtype=np.float64)
    return {
        "z": z,
        "phi": phi,
        "lonely": np.array([one.loneliness_trait for one in persons], dtype=np.float64),
        "gains": personality.gains_of(z, phi, constants),
        "habits": _flags((msgspec.structs.astuple(one.habits) for one in persons), count),
        "keys": keys_of((one.seed, one.person) for one in persons),
        "draws": np.zeros((len(DISTORTIONS), count)),
        "draws_us": np.full(count, NEVER_US, dtype=np.int64),
    }


def _bodies(states: Sequence[PersonState]) -> dict[str, Any]:
    """Return the columns of bodies and of their sleep and waking."""
    flags = [state.flags for state in states]
    modes = (msgspec.structs.astuple(state.modes) for state in states)
    return {
        "t_us": _instants(state.t_us for state in states),
        "anchor_us": _instants(state.anchor_us for state in states),
        "modes": _floats(modes, len(states)),
        "awake": np.array([one.awake for one in flags], dtype=np.bool_),
        "forced": np.array([one.forced for one in flags], dtype=np.bool_),
        "ramp": np.array([one.l_regime == "ramp" for one in flags], dtype=np.bool_),
        "since_us": _instants(one.since_us for one in flags),
        "stay_awake_us": _instants(one.stay_awake_until_us for one in flags),
        "last_meal_us": _instants(state.habit.last_meal_us for state in states),
        "meal": _instants(latest(state.habit.meal_slots) for state in states),
        "x_ser": np.array([state.sampled.x_ser for state in states], dtype=np.float64),
        "x_allo": np.array([state.sampled.x_allo for state in states], dtype=np.float64),
    }


def _psyches(psyches: Sequence[Psyche]) -> dict[str, Any]:
    """Return the columns of coping, distortions and control."""
    count = len(psyches)
    distortions = (tuple(name in one.distortions for name in DISTORTIONS) for one in psyches)
    return {
        "control": np.array([one.control for one in psyches], dtype=np.float64),
        "episode_us": _instants(one.episode_us for one in psyches),
        "coping": _codes((_strategies(one) for one in psyches), count),
        "distortions": _flags(distortions, count),
    }


def salience(minds: Sequence[SalienceState]) -> dict[str, Any]:
    """Return the columns that the next salience is compared with."""
    count = len(minds)
    return {
        "ready": np.array([one.ready for one in minds], dtype=np.bool_),
        "prev": _floats((msgspec.structs.astuple(one.prev) for one in minds), count),
        "prev_us": _instants(one.prev_us for one in minds),
        "aware_us": _rows((msgspec.structs.astuple(one.aware_us) for one in minds), count),
        "inside": _flags((msgspec.structs.astuple(one.inside) for one in minds), count),
        "latch": _flags((msgspec.structs.astuple(one.latch) for one in minds), count),
    }


def company_of(weeks: Sequence[Week], anchors_us: Sequence[int]) -> dict[str, Any]:
    """Return the columns of what the weeks of persons have at their anchors."""
    # Many persons share the very same few weeks, and one anchor.
    known: dict[tuple[int, int], tuple[float, bool, int]] = {}
    rows: list[tuple[float, bool, int]] = []
    for week, anchor_us in zip(weeks, anchors_us, strict=True):
        key = id(week), anchor_us
        if (row := known.get(key)) is None:
            span = span_of(week, anchor_us)
            row = known[key] = quality_of(span), is_in_bed(week, span), span.end_us
        rows.append(row)
    return {
        "company": np.array([company for company, _, _ in rows], dtype=np.float64),
        "in_bed": np.array([in_bed for _, in_bed, _ in rows], dtype=np.bool_),
        "company_us": _instants(end_us for _, _, end_us in rows),
    }


def untargeted(count: int) -> dict[str, Any]:
    """Return the columns that `rates.retarget` fills."""
    return {
        "channel": np.zeros((len(CHANNELS), count)),
        "x": np.zeros((len(MODES), count)),
        "regime_k": np.zeros((len(MODES) - FIRST_REGIME, count)),
        "hold_k": np.zeros((LAST_HOLD + 1 - FIRST_HOLD, count)),
        "held": np.zeros(count, dtype=np.bool_),
    }


def states_of(bank: Bank) -> list[PersonState]:
    """Return the state of every person of a bank at its `t_us`, without readouts."""
    columns = _Lists(bank)
    return [columns.state(index) for index in range(len(bank.persons))]


def readouts_of(reading: BodyReading) -> list[Readouts]:
    """Return what was read at one instant [N] as one record for each person, without drives."""
    rows = [getattr(reading, name).tolist() for name in _MEASURED]
    phases = [PHASES[code] for code in reading.isolation_phase.tolist()]
    return [
        Readouts(**dict(zip(_MEASURED, levels, strict=True)), isolation_phase=phase)
        for *levels, phase in zip(*rows, phases, strict=True)
    ]


class _Lists:
    """The columns of a bank as plain lists, person by person."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._modes = bank.modes.T.tolist()
        self._prev, self._aware = bank.prev.T.tolist(), bank.aware_us.T.tolist()
        self._inside, self._latch = bank.inside.T.tolist(), bank.latch.T.tolist()
        self._coping, self._distortions = bank.coping.T.tolist(), bank.distortions.T.tolist()

    def state(self, index: int) -> PersonState:
        """Return the state of one person."""
        bank = self._bank
        life = bank.lives[index]
        return PersonState(
            person=bank.persons[index].person,
            t_us=int(bank.t_us[index]),
            anchor_us=int(bank.anchor_us[index]),
            modes=Modes(**dict(zip(_MODE_NAMES, self._modes[index], strict=True))),
            flags=FlagsRecord(
                awake=bool(bank.awake[index]),
                since_us=int(bank.since_us[index]),
                forced=bool(bank.forced[index]),
                l_regime="ramp" if bank.ramp[index] else "exp",
                stay_awake_until_us=int(bank.stay_awake_us[index]),
            ),
            active=tuple(life.active),
            pending=tuple(life.pending),
            holds=tuple(life.holds),
            habit=HabitState(
                last_meal_us=int(bank.last_meal_us[index]), meal_slots=tuple(life.meal_slots)
            ),
            sampled=Sampled(x_ser=float(bank.x_ser[index]), x_allo=float(bank.x_allo[index])),
            psyche=self._psyche(index),
            mind=msgspec.structs.replace(life.mind, salience=self.salience(index)),
        )

    def _psyche(self, index: int) -> Psyche:
        """Return coping, distortions and control of one person."""
        return Psyche(
            coping=tuple(COPING[code] for code in self._coping[index] if code >= 0),
            distortions=tuple(
                name
                for name, active in zip(DISTORTIONS, self._distortions[index], strict=True)
                if active
            ),
            control=float(self._bank.control[index]),
            episode_us=int(self._bank.episode_us[index]),
        )

    def salience(self, index: int) -> SalienceState:
        """Return what one person's next salience is compared with."""
        return SalienceState(
            ready=bool(self._bank.ready[index]),
            prev=Dimensions(**dict(zip(DIMENSIONS, self._prev[index], strict=True))),
            prev_us=int(self._bank.prev_us[index]),
            aware_us=DimensionInstants(**dict(zip(DIMENSIONS, self._aware[index], strict=True))),
            inside=DimensionFlags(**dict(zip(DIMENSIONS, self._inside[index], strict=True))),
            latch=DimensionFlags(**dict(zip(DIMENSIONS, self._latch[index], strict=True))),
        )


def minds_of(bank: Bank) -> list[Mind]:
    """Return what everybody has in mind, with what its next salience is compared with."""
    evaluated = bank.ready | (bank.prev_us != 0)
    for rows in (bank.prev, bank.aware_us, bank.inside, bank.latch):
        evaluated |= rows.any(axis=0)
    minds = [life.mind for life in bank.lives]
    if evaluated.any():
        lists = _Lists(bank)
        for index in evaluated.nonzero()[0].tolist():
            minds[index] = msgspec.structs.replace(minds[index], salience=lists.salience(index))
    return minds


_MEASURED = tuple(name for name in Readouts.__struct_fields__ if name in BodyReading.__slots__)[:-1]
_MODE_NAMES = tuple(mode.name for mode in MODES)


def _life(state: PersonState, week: Week) -> LifeRecords:
    """Return what of a state is no number."""
    return LifeRecords(
        active=list(state.active),
        pending=list(state.pending),
        holds=list(state.holds),
        meal_slots=list(state.habit.meal_slots),
        mind=state.mind,
        week=week,
    )


def _strategies(psyche: Psyche) -> tuple[int, int]:
    """Return the indices of the primary and the secondary strategy, -1 for none."""
    codes = [COPING.index(name) for name in psyche.coping]
    return (codes[0] if codes else -1, codes[1] if len(codes) > 1 else -1)


def _instants(numbers: Iterable[int]) -> Instants:
    """Return instants or spans [N] in µs."""
    return np.array(list(numbers), dtype=np.int64)


def _rows(records: Iterable[tuple[int, ...]], count: int) -> Instants:
    """Return integers of N records as rows [fields, N]."""
    return np.ascontiguousarray(np.array(list(records), dtype=np.int64).reshape(count, -1).T)


def _floats(records: Iterable[tuple[float, ...]], count: int) -> Floats:
    """Return numbers of N records as rows [fields, N]."""
    return np.ascontiguousarray(np.array(list(records), dtype=np.float64).reshape(count, -1).T)


def _flags(records: Iterable[tuple[bool, ...]], count: int) -> Flags:
    """Return flags of N records as rows [fields, N]."""
    return np.ascontiguousarray(np.array(list(records), dtype=np.bool_).reshape(count, -1).T)


def _codes(records: Iterable[tuple[int, ...]], count: int) -> Codes:
    """Return small codes of N records as rows [fields, N]."""
    return np.ascontiguousarray(np.array(list(records), dtype=np.int8).reshape(count, -1).T)
