"""How persons begin: made by name, or many with drawn traits; asleep at midnight of day 0."""

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.person.body.constants import constants_of
from mindpipe.person.chance import BITS, key_of, whole
from mindpipe.person.lines import id_of
from mindpipe.person.mind.identity import IdentityCore
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.person import AGE_YEAR_US, Person, PersonSettings, Traits
from mindpipe.person.records.scales import VERSION
from mindpipe.person.records.state import Flags, HabitState, Modes, Pending, PersonState

HOUR_US = 3_600_000_000
ASLEEP_US = -62 * 60_000_000
"""When the first sleep began."""
LAST_MEAL_US = -5 * HOUR_US
_RESTED = {
    "S": 0.4862,
    "L": 9.7385,
    "hun": 0.4564,
    "thirst": 0.3466,
    "bladder": 0.2430,
    "gly": 0.7779,
    "sleepf": 0.7479,
    "bore": 0.2521,
}


def first_state(person: Person) -> PersonState:
    """Return the state of a new person, at 0 µs; every other mode is 0."""
    constants = constants_of(tuple(sorted(person.consts.items())))
    missing = constants.break_L - _RESTED["L"]
    recovered_us = round(missing / constants.ramp_L_h * HOUR_US)
    modes = {name: _RESTED.get(name, 0.0) for name in Modes.__struct_fields__}
    return PersonState(
        v=VERSION,
        person=person.person,
        t_us=0,
        anchor_us=0,
        modes=msgspec.convert(modes, Modes),
        flags=Flags(awake=False, since_us=ASLEEP_US, l_regime="ramp"),
        pending=(Pending(at_us=recovered_us, what="l_break", since_us=ASLEEP_US),),
        habit=HabitState(last_meal_us=LAST_MEAL_US),
    )


AT_ONCE = 1024
"""How many of many are drawn together."""
DRAWS = 6
STREAM = 6
"""The stream of chance that traits are drawn from, at 0 µs: slots 0 to 4, and 5 for chronotype."""
AGE_SLOT = 6
"""The slot of the same that an age is drawn from."""
MEAN, SPREAD = 0.5, 0.17
CHRONOTYPE_SPREAD_H, CHRONOTYPE_MOST_H = 0.7, 2.5
_NORMAL = NormalDist()


class DrawnTraits(NamedTuple):
    """What a generated person is born with: traits, and a chronotype in hours."""

    traits: Traits
    chronotype_h: float


def draw_traits(seed: int, person: str) -> DrawnTraits:
    """Return what a person of this id is born with: normal draws, clipped (section 10, chosen).

    Traits have mean 0.5 and standard deviation 0.17 between 0 and 1, chronotypes mean 0 and 0.7 h
    between -2.5 and 2.5 h.
    """
    return _clipped(normals(seed, person))


def _clipped(draws: Sequence[float]) -> DrawnTraits:
    """Return what six standard normal draws make of somebody."""
    o, c, e, a, n, late = draws
    o, c, e, a, n = (min(max(MEAN + SPREAD * one, 0.0), 1.0) for one in (o, c, e, a, n))
    hours = min(max(CHRONOTYPE_SPREAD_H * late, -CHRONOTYPE_MOST_H), CHRONOTYPE_MOST_H)
    return DrawnTraits(Traits(o=o, c=c, e=e, a=a, n=n), hours)


def normals(seed: int, person: str) -> list[float]:
    """Return the six standard normal draws of a person."""
    key = key_of(seed, person)
    return [_normal(whole(key, 0, STREAM, slot)) for slot in range(DRAWS)]


def _normal(whole: int) -> float:
    """Return the standard normal draw of a whole number of 53 bits."""
    return _NORMAL.inv_cdf(math.ldexp(whole + 0.5, -BITS))


def _drawn(seed: int, count: int) -> Iterator[tuple[str, DrawnTraits]]:
    """Yield the ids of many and what they are born with, many drawn at once."""
    for first in range(1, count + 1, AT_ONCE):
        ids = [f"p{number:06d}" for number in range(first, min(first + AT_ONCE, count + 1))]
        if len(ids) < AT_ONCE:
            yield from ((person, draw_traits(seed, person)) for person in ids)
            continue
        # Few persons do without arrays.
        import numpy as np

        from mindpipe.person.chance_arrays import keys_of, wholes

        keys = keys_of((seed, person) for person in ids)
        draws = wholes(keys, 0, STREAM, np.arange(DRAWS)[:, None]).T.tolist()
        for person, some in zip(ids, draws, strict=True):
            yield person, _clipped([_normal(one) for one in some])


class Birth(Record):
    """How new persons are wished: `count` of them with drawn traits, or one by name or id.

    `traits` and `chronotype_h` stand above what is drawn; `settings` and `consts` are theirs.
    `ages` are the least and the most years at 0 µs, between which each is as likely.
    """

    name: str | None = None
    id: str | None = None
    seed: int = 0
    traits: dict[str, float] = {}
    chronotype_h: float | None = None
    count: int | None = None
    settings: PersonSettings = PersonSettings()
    consts: dict[str, float] = {}
    routine: tuple[RoutineBlock, ...] | None = None
    ages: tuple[float, float] | None = None


def new_persons(birth: Birth) -> Iterator[Person]:
    """Yield new persons at midnight of day 0, with words for marked traits in their identity.

    The id of the n-th of many has six digits or as many as n needs, however many there are.

    Raises:
        UsageError: one has neither name nor id, or a name that gives none, or many have one.
    """
    if birth.count is None:
        person = birth.id or id_of(birth.name or "")
        if birth.name and not person:
            raise UsageError(f'no letter of "{birth.name}" can stand in an id; give --id ID too.')
        yield _born(birth, person, birth.name, None)
        return
    if birth.name or birth.id:
        raise UsageError("--count makes persons p000001, p000002 …; leave --name and --id out.")
    for person, drawn in _drawn(birth.seed, birth.count):
        yield _born(birth, person, None, drawn)


def _born_us(seed: int, person: str, ages: tuple[float, float]) -> int:
    """Return when a person was born who is of an age between two, in years, at 0 µs."""
    least, most = ages
    share = math.ldexp(whole(key_of(seed, person), 0, STREAM, AGE_SLOT), -BITS)
    return -round((least + (most - least) * share) * AGE_YEAR_US)


def _born(birth: Birth, person: str, name: str | None, drawn: DrawnTraits | None) -> Person:
    """Return one new person."""
    if not person:
        raise UsageError("who is it? Give --name NAME, --id ID or --count N.")
    found = Person(person=person, name=name or person, seed=birth.seed)
    if drawn is not None:
        traits, chronotype_h = drawn
        found = msgspec.structs.replace(found, traits=traits, chronotype_h=chronotype_h)
    if birth.chronotype_h is not None:
        found = msgspec.structs.replace(found, chronotype_h=birth.chronotype_h)
    if birth.ages is not None:
        found = msgspec.structs.replace(found, born_us=_born_us(birth.seed, person, birth.ages))
    traits = msgspec.structs.replace(found.traits, **birth.traits)
    identity = IdentityCore.created(traits).identity
    return msgspec.structs.replace(
        found,
        traits=traits,
        identity=identity,
        settings=birth.settings,
        consts=birth.consts,
        routine=birth.routine,
    )
