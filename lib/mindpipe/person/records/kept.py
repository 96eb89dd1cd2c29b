"""How persons rest in a store, and what one tick of them adds there."""

from typing import Literal

from mindpipe.core.records import Natural, Record
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.ranges import Instant, PersonId
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Failure, Memory, Thought

RowKind = Literal["person", "state", "event", "thought", "memory", "failure"]


class Kept(Record):
    """The row of a person after tick `tick`: its latest version and state, both as JSON."""

    person: PersonId
    tick: Natural
    t_us: Instant
    body: str
    state: str


class Row(Record):
    """One record as it rests, as JSON; `number` is the tick that a version of a person is of."""

    kind: RowKind
    person: PersonId
    t_us: Instant
    body: str
    id: str = ""
    number: Natural = 0


class Lived(Record):
    """A person after tick `tick`, with what it remembers, oldest first."""

    person: Person
    state: State
    tick: Natural
    thoughts: tuple[Thought, ...] = ()
    memories: tuple[Memory, ...] = ()


class Tick(Record):
    """What one tick makes of a person: who and how it is then, and what happened until then.

    `happenings` are in time order and then the new gists, `forgotten` the ids of the memories that
    these stand for.
    With `states` the state is kept beside the latest one, for those who look back.
    """

    person: Person
    state: State
    events: tuple[Event, ...] = ()
    happenings: tuple[Person | Thought | Memory | Failure, ...] = ()
    forgotten: tuple[str, ...] = ()
    states: bool = False
