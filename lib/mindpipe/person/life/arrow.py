"""Persons in columns of Arrow: a bank as a table, and back, bit for bit.

Numbers are columns of their own. What few persons have is JSON in the columns `who`, `acts` and
`mind`, and null where a person has none of it. All persons of a table are at one instant.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from mindpipe.core.records import Record, to_json
from mindpipe.person.body import columns, rates
from mindpipe.person.body.bank import Bank, Floats, LifeRecords
from mindpipe.person.body.constants import Constants, fault_of
from mindpipe.person.body.habits import latest
from mindpipe.person.body.modes import MODES
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.lines import faults_of_acts
from mindpipe.person.mind.identity import DEVIATION, MARKED, MEAN, IdentityCore
from mindpipe.person.mind.routine import lived_week
from mindpipe.person.records.person import Habits, Person, PersonIdentity, Traits
from mindpipe.person.records.state import (
    Contribution,
    Hold,
    MealSlots,
    Mind,
    Pending,
)

_HABITS = Habits.__struct_fields__
_NUMBERS = ("x_ser", "x_allo", "control")
_INSTANTS = ("anchor_us", "since_us", "stay_awake_us", "last_meal_us", "episode_us")
_FLAGS = ("awake", "forced", "ramp")
_WHO = (
    pa.field("person", pa.string(), nullable=False),
    pa.field("seed", pa.int64(), nullable=False),
    *(pa.field(name, pa.float64(), nullable=False) for name in TRAITS),
    pa.field("chronotype_h", pa.float64(), nullable=False),
    pa.field("loneliness_trait", pa.float64(), nullable=False),
    *(pa.field(f"habit_{name}", pa.bool_(), nullable=False) for name in _HABITS),
    pa.field("who", pa.binary()),
)
_STATE = (
    *(pa.field(name, pa.int64(), nullable=False) for name in _INSTANTS),
    *(pa.field(f"mode_{mode.name}", pa.float64(), nullable=False) for mode in MODES),
    *(pa.field(name, pa.bool_(), nullable=False) for name in _FLAGS),
    *(pa.field(name, pa.float64(), nullable=False) for name in _NUMBERS),
    pa.field("coping_1", pa.int8(), nullable=False),
    pa.field("coping_2", pa.int8(), nullable=False),
    pa.field("distortions", pa.uint16(), nullable=False),
    pa.field("meal_slots", pa.binary()),
    pa.field("acts", pa.binary()),
    pa.field("mind", pa.binary()),
)
SCHEMA = pa.schema((*_WHO, *_STATE))
"""The columns of a table: who persons are, then how they are."""
_BITS = 1 << np.arange(len(columns.DISTORTIONS), dtype=np.uint16)
_NO_MIND = Mind()
Overrides = tuple[tuple[str, float], ...]


class Acts(Record, omit_defaults=True):
    """What acts on a person, what is due, and what a thought holds."""

    active: tuple[Contribution, ...] = ()
    pending: tuple[Pending, ...] = ()
    holds: tuple[Hold, ...] = ()


def table_of(bank: Bank, who: pa.Table | None = None) -> pa.Table:
    """Return the persons of a bank and how they are at its `t_us`.

    Args:
        bank: N persons.
        who: A table with who they are, where that is known to be still so.
    """
    found = _who_of(bank) if who is None else {f.name: who.column(f.name) for f in _WHO}
    found |= {name: pa.array(getattr(bank, name)) for name in (*_INSTANTS, *_NUMBERS, *_FLAGS)}
    found |= {
        f"mode_{mode.name}": pa.array(row) for mode, row in zip(MODES, bank.modes, strict=True)
    }
    found |= {f"coping_{place + 1}": pa.array(row) for place, row in enumerate(bank.coping)}
    found["distortions"] = pa.array(_BITS @ bank.distortions.astype(np.uint16))
    slots = [_slots_json(tuple(life.meal_slots)) for life in bank.lives]
    found["meal_slots"] = pa.array(slots, pa.binary())
    found["acts"] = pa.array([_acts_json(life) for life in bank.lives], pa.binary())
    minds = [_mind_json(mind) for mind in columns.minds_of(bank)]
    found["mind"] = pa.array(minds, pa.binary())
    return pa.table([found[field.name] for field in SCHEMA], schema=SCHEMA)


def bank_of(table: pa.Table, t_us: int, constants: Constants) -> Bank:
    """Return the persons of a table, who share their constants, at their anchors.

    Args:
        table: N persons.
        t_us: The instant that they are at.
        constants: Those constants.
    """
    count, persons = table.num_rows, persons_of(table)
    minds = [_mind(octets) for octets in table.column("mind").to_pylist()]
    bodies: dict[str, Any] = {
        name: _numbers(table, name) for name in (*_INSTANTS, *_NUMBERS, *_FLAGS)
    }
    modes = np.empty((len(MODES), count))
    for mode, row in zip(MODES, modes, strict=True):
        row[:] = _numbers(table, f"mode_{mode.name}")
    bits = _numbers(table, "distortions")
    slots = [_slots(octets) for octets in table.column("meal_slots").to_pylist()]
    acts = [_acts(octets) for octets in table.column("acts").to_pylist()]
    weeks = [lived_week(person) for person in persons]
    bank = Bank(
        persons=persons,
        constants=constants,
        lives=[
            LifeRecords(
                active=list(one.active),
                pending=list(one.pending),
                holds=list(one.holds),
                meal_slots=list(eaten),
                mind=mind,
                week=week,
            )
            for one, eaten, mind, week in zip(acts, slots, minds, weeks, strict=True)
        ],
        t_us=np.full(count, t_us, dtype=np.int64),
        modes=modes,
        meal=np.array([latest(one) for one in slots], dtype=np.int64),
        coping=np.stack([_numbers(table, f"coping_{place}") for place in (1, 2)]),
        distortions=(bits & _BITS[:, None]) != 0,
        **bodies,
        **columns.who(persons, constants),
        **columns.salience([mind.salience for mind in minds]),
        **columns.company_of(weeks, bodies["anchor_us"].tolist()),
        **columns.untargeted(count),
    )
    rates.retarget(bank)
    return bank


def persons_of(table: pa.Table) -> list[Person]:
    """Return who the persons of a table are, in their order."""
    traits = np.stack([_numbers(table, name) for name in TRAITS])
    own = [Traits(**dict(zip(TRAITS, one, strict=True))) for one in traits.T.tolist()]
    habits = zip(*(_numbers(table, f"habit_{name}").tolist() for name in _HABITS), strict=True)
    rest = (table.column(name).to_pylist() for name in _REST)
    return [
        _person(given, identity, _habits(*follows), *others)
        for given, identity, follows, *others in zip(
            own, _identities(traits, own), habits, *rest, strict=True
        )
    ]


def rows_by_constants(table: pa.Table) -> list[tuple[Overrides, list[int]]]:
    """Return the rows of a table by the overrides of constants of their persons.

    Raises:
        ValueError: one of these is none; a MsgspecError where what is written there is no JSON.
    """
    found: dict[Overrides, list[int]] = {}
    for row, octets in enumerate(table.column("who").to_pylist()):
        consts = _NO_CONSTS if octets is None else msgspec.json.decode(octets, type=_Consts)
        found.setdefault(tuple(sorted(consts.consts.items())), []).append(row)
    for name, value in (one for overrides in found for one in overrides):
        if fault := fault_of(name, value):
            raise ValueError(f"{name}: {fault}")
    return list(found.items())


class _Consts(msgspec.Struct):
    """The overrides among what is written of a person."""

    consts: dict[str, float] = {}


_NO_CONSTS = _Consts()


def _who_of(bank: Bank) -> dict[str, pa.Array]:
    """Return the columns of who persons are."""
    persons = bank.persons
    found: dict[str, pa.Array] = {
        "person": pa.array([one.person for one in persons], pa.string()),
        "seed": pa.array([one.seed for one in persons], pa.int64()),
        "chronotype_h": pa.array(bank.phi),
        "loneliness_trait": pa.array(bank.lonely),
        "who": pa.array([_who_json(one) for one in persons], pa.binary()),
    }
    for name in TRAITS:
        found[name] = pa.array([getattr(one.traits, name) for one in persons], pa.float64())
    for name, row in zip(_HABITS, bank.habits, strict=True):
        found[f"habit_{name}"] = pa.array(row)
    return found


def _who_json(person: Person) -> bytes | None:
    """Return what of a person is in no column and not as all have it."""
    usual = Person(
        person=person.person,
        name=person.person,
        seed=person.seed,
        traits=person.traits,
        chronotype_h=person.chronotype_h,
        loneliness_trait=person.loneliness_trait,
        habits=person.habits,
        identity=IdentityCore.created(person.traits).identity,
    )
    if person == usual:
        return None
    return to_json(
        {
            name: value
            for name in Person.__struct_fields__
            if (value := getattr(person, name)) != getattr(usual, name)
        }
    )


_WRITTEN = {*Person.__struct_fields__} - {
    *("v", "person", "seed", "traits", "chronotype_h", "loneliness_trait", "habits")
}
"""What may be written of a person besides its columns."""
_REST = ("person", "seed", "chronotype_h", "loneliness_trait", "who")


def _person(
    traits: Traits,
    identity: PersonIdentity,
    habits: Habits,
    person: str,
    seed: int,
    chronotype_h: float,
    loneliness_trait: float,
    octets: bytes | None,
) -> Person:
    """Return a person from its columns and from what is written of it besides."""
    found = Person(
        person=person,
        name=person,
        seed=seed,
        traits=traits,
        chronotype_h=chronotype_h,
        loneliness_trait=loneliness_trait,
        habits=habits,
        identity=identity,
    )
    if octets is None:
        return found
    plain = msgspec.json.decode(octets, type=dict[str, object])
    if not plain.keys() <= _WRITTEN:
        raise ValueError(f"what is written of {person} says what its columns do")
    whole = msgspec.convert({"person": person, **plain}, Person)
    return msgspec.structs.replace(found, **{name: getattr(whole, name) for name in plain})


def _identities(traits: Floats, own: Sequence[Traits]) -> list[PersonIdentity]:
    """Return the identities of persons as they are at first, one for all with the same words."""
    z = (traits - MEAN) / DEVIATION
    marked = np.sign(z).astype(np.int64) * (np.abs(z) >= MARKED)
    codes = (3 ** np.arange(len(TRAITS))) @ marked
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    found = [IdentityCore.created(own[place]).identity for place in first.tolist()]
    return [found[place] for place in places.tolist()]


@cache
def _habits(*follows: bool) -> Habits:
    """Return the habits that are followed."""
    return Habits(**dict(zip(_HABITS, follows, strict=True)))


@cache
def _slots_json(slots: MealSlots) -> bytes | None:
    """Return the meals that were as JSON."""
    return to_json(slots) if slots else None


@cache
def _slots(octets: bytes | None) -> MealSlots:
    """Return the meals that were."""
    return msgspec.json.decode(octets, type=MealSlots) if octets else ()


def _acts_json(life: LifeRecords) -> bytes | None:
    """Return what acts on a person as JSON."""
    if not (life.active or life.pending or life.holds):
        return None
    acts = Acts(active=tuple(life.active), pending=tuple(life.pending), holds=tuple(life.holds))
    return to_json(acts)


_NO_ACTS = Acts()
_DECODE_ACTS = msgspec.json.Decoder(Acts)


def _acts(octets: bytes | None) -> Acts:
    """Return what acts on a person; raises ValueError where nothing can be counted with it."""
    if octets is None:
        return _NO_ACTS
    acts = _DECODE_ACTS.decode(octets)
    for field, words in faults_of_acts(acts.active, acts.pending, acts.holds):
        raise ValueError(f"{field}: {words}")
    return acts


def _mind_json(mind: Mind) -> bytes | None:
    """Return what a person has in mind as JSON, None for nothing."""
    return None if mind is _NO_MIND or mind == _NO_MIND else to_json(mind)


def _mind(octets: bytes | None) -> Mind:
    """Return what a person has in mind."""
    return _NO_MIND if octets is None else msgspec.json.decode(octets, type=Mind)


def _numbers(table: pa.Table, name: str) -> np.ndarray[Any, Any]:
    """Return a copy of a column of numbers or flags, none of which is missing.

    `to_numpy` would look for pandas on the disk each time.
    """
    column = table.column(name).combine_chunks()
    flags = pa.types.is_boolean(column.type)
    whole = column.cast(pa.uint8()) if flags else column
    numbers = np.frombuffer(whole.buffers()[1], dtype=str(whole.type).replace("double", "float64"))
    found = numbers[whole.offset : whole.offset + len(whole)]
    return found.astype(np.bool_) if flags else found.copy()
