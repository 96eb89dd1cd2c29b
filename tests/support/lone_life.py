"""Lives to test with: a person who lives alone, and events told in one line."""

from collections.abc import Sequence

from mindpipe.person.calendar import instant_us
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonSettings, Traits
from mindpipe.person.records.state import PersonState, Readouts

MINUTE_US = 60_000_000
SECOND_US = 1_000_000


def person(name: str = "ann", *, seed: int = 7, **traits: float) -> Person:
    """Return a person of average traits but for those that are given, at the pace of the seed.

    So it is as alone as events leave it.
    """
    settings = PersonSettings(pacing="seed")
    return Person(
        person=name, name=name.title(), seed=seed, traits=Traits(**traits), settings=settings
    )


def happening(
    at: str, what: str, *, to: str = "ann", number: int = 0, **fields: object
) -> PersonEvent:
    """Return an event at an instant like `2d16:00`."""
    t_us = instant_us(at)
    return PersonEvent(
        v=1,
        person=to,
        t_us=t_us,
        id=f"ev:{to}:{t_us}:{number}",
        type=what,  # type: ignore[arg-type]  # tests name types as text
        **fields,  # type: ignore[arg-type]
    )


class Alone:
    """One person who lives from the first midnight on."""

    def __init__(self, who: Person, events: Sequence[PersonEvent] = ()) -> None:
        self.population = Population([who], [first_state(who)])
        self._events = {who.person: list(events)}

    def at(self, instant: str) -> PersonState:
        """Return the state, with readouts, at an instant not before the last one asked for."""
        self.population.advance(instant_us(instant), self._events)
        self._events = {}
        return self.population.states(read=True)[0]

    def read(self, instant: str) -> Readouts:
        """Return the readouts at an instant."""
        found = self.at(instant).read
        assert isinstance(found, Readouts)
        return found
