"""Persons, banks of them and readings, as tests of the person need them."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from mindpipe.person.body import vitals
from mindpipe.person.body.bank import Bank
from mindpipe.person.body.beginning import first_state
from mindpipe.person.body.columns import bank_of
from mindpipe.person.body.readouts import Reading, read
from mindpipe.person.constants import constants_of
from mindpipe.person.records.person import Person, Traits


def person(number: int = 0, **settings: Any) -> Person:
    """Return one of many persons who differ in seed and id."""
    return Person(person=f"p{number:06d}", **{"seed": 7, **settings})


def bank(persons: Sequence[Person]) -> Bank:
    """Return a bank of new persons."""
    return bank_of(persons, [first_state(one) for one in persons], constants_of(()))


def of_traits(**traits: float) -> Traits:
    """Return traits from standard ones: z = (trait - 0.5)/0.17."""
    return Traits(**{name: 0.5 + 0.17 * z for name, z in traits.items()})


def reading(count: int, **known: Any) -> Reading:
    """Return readouts of `count` persons, zero but for those that are given."""
    return Reading(
        **{
            field.name: np.broadcast_to(np.asarray(known.get(field.name, 0.0)), (count,)).copy()
            for field in fields(Reading)
        }
    )


def reading_of(one: Bank) -> Reading:
    """Return the readouts of a bank at its anchors."""
    return read(vitals.view_of(one, one.modes, one.anchor_us))
