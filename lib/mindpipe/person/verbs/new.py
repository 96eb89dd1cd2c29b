"""Make new persons: one by name, or many whose traits are drawn."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.person.generating import drawn
from mindpipe.person.inner.identity import IdentityCore
from mindpipe.person.reading import id_of
from mindpipe.person.records.person import Person, PersonSettings

MOST = 999_999
"""The most persons that are made at once: their ids have six digits."""


class Birth(Record):
    """How new persons are wished: `count` of them with drawn traits, or one by name or id.

    `traits` and `chronotype_h` stand above what is drawn; `settings` and `consts` are theirs.
    """

    name: str | None = None
    id: str | None = None
    seed: int = 0
    traits: dict[str, float] = {}
    chronotype_h: float | None = None
    count: int | None = None
    settings: PersonSettings = PersonSettings()
    consts: dict[str, float] = {}


def new(birth: Birth) -> Iterator[Person]:
    """Yield new persons at midnight of day 0, with words for marked traits in their identity.

    Raises:
        UsageError: one has neither name nor id, or a name that gives none, or many have one.
    """
    if birth.count is None:
        person = birth.id or id_of(birth.name or "")
        if not birth.id and person and not person.strip("-"):
            raise UsageError(f'no letter of "{birth.name}" can stand in an id; give --id ID too.')
        yield _born(birth, person, birth.name)
        return
    if birth.name or birth.id:
        raise UsageError("--count makes persons p000001, p000002 …; leave --name and --id out.")
    for number in range(1, birth.count + 1):
        yield _born(birth, f"p{number:06d}", None)


def _born(birth: Birth, person: str, name: str | None) -> Person:
    """Return one new person."""
    if not person:
        raise UsageError("who is it? Give --name NAME, --id ID or --count N.")
    found = Person(person=person, name=name or person, seed=birth.seed)
    if birth.count is not None:
        traits, chronotype_h = drawn(birth.seed, person)
        found = msgspec.structs.replace(found, traits=traits, chronotype_h=chronotype_h)
    if birth.chronotype_h is not None:
        found = msgspec.structs.replace(found, chronotype_h=birth.chronotype_h)
    traits = msgspec.structs.replace(found.traits, **birth.traits)
    identity = IdentityCore.created(traits).identity
    return msgspec.structs.replace(
        found, traits=traits, identity=identity, settings=birth.settings, consts=birth.consts
    )
