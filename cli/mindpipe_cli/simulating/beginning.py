"""Make persons, let them live until they are wanted, and print them or keep them in a store."""

from collections.abc import Iterator, Mapping

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record, to_json
from mindpipe.person.body.beginning import first_state
from mindpipe.person.records.person import Person, PersonSettings, Traits
from mindpipe.person.verbs.new import Birth, new
from mindpipe.wiring.living import AT_ONCE, Some, Span, tick
from mindpipe_cli import spans
from mindpipe_cli.session import Session
from mindpipe_cli.simulating.telling_persons import write_lines

_TRAITS = Traits.__struct_fields__


class Wish(Record):
    """What the options of `mind simulate new` ask for."""

    title: str | None = None
    id_: str | None = None
    traits: tuple[str, ...] = ()
    chronotype: float | None = None
    count: int | None = None
    at: str | None = None
    settings: tuple[str, ...] = ()
    consts: tuple[str, ...] = ()


def begin(session: Session, wishes: Mapping[str, object]) -> None:
    """Print new persons with their states, or keep them in the store that was named.

    Raises:
        RefusedError: the store has a person or an agent of that name.
        UsageError: a person cannot be as it is wished.
    """
    wish = msgspec.convert(wishes, Wish)
    spans.require_finite(wish.chronotype, option="--chronotype")
    at_us = spans.instant_of(wish.at, option="--at") if wish.at else 0
    lines = _lines(list(_born(session, wish)), at_us)
    if session.settings.value("store").source == "option":
        from mindpipe_cli.simulating import keeping_persons

        lines = keeping_persons.settle(session, list(lines))
    write_lines(session, lines)


def _born(session: Session, wish: Wish) -> Iterator[Person]:
    """Yield the persons who are wished; raises UsageError for ones that cannot be."""
    traits = spans.numbers_of(wish.traits, option="--trait")
    for name, share in traits.items():
        if name not in _TRAITS or not 0 <= share <= 1:
            raise UsageError(f"--trait {name}={share:g}: write one of o, c, e, a, n = 0..1.")
    birth = Birth(
        name=wish.title,
        id=wish.id_,
        seed=session.settings.number("seed") or 0,
        traits=traits,
        chronotype_h=wish.chronotype,
        count=wish.count,
        settings=spans.settings_with(PersonSettings(), wish.settings),
        consts=spans.constants_with({}, wish.consts),
    )
    for number, person in enumerate(new(birth)):
        if number == 0:
            spans.require_person(person)
        yield person


def _lines(persons: list[Person], at_us: int) -> Iterator[bytes]:
    """Yield a person line and a state line for each person at an instant."""
    for start in range(0, len(persons), AT_ONCE):
        some = persons[start : start + AT_ONCE]
        whole = [to_json(person) for person in some]
        states = [to_json(first_state(person)) for person in some]
        lived = tick(Some(whole, states, {}, {}), Span(at_us, 0, read=True)).lived
        for line, after in zip(whole, lived, strict=True):
            yield line
            yield after.state
