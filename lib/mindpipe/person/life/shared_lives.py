"""Share the lives of persons among processes; how many there are changes nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import msgspec

from mindpipe.person.life.lives import LifeSpan, Lives, PersonLines, Ticked, tick
from mindpipe.person.life.people import People
from mindpipe.person.life.population import Happening
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState

if TYPE_CHECKING:
    from mindpipe.person.voice.speech import Speakers

MakeSpeakers = Callable[[], "Speakers"]
"""Makes who speaks in a process: models cannot be sent, so that each process makes its own."""

# Those who live in a process of the pool, and who speaks there.
_lives: list[Lives] = []
_speakers: "list[Speakers | None]" = []


class SharedLives:
    """Persons who live on together, shared among processes: to be used like `Lives`."""

    def __init__(self, people: People, speakers: "MakeSpeakers", *, jobs: int) -> None:
        order = people.order()
        self._order = {person: place for place, person in enumerate(order)}
        size = -(-len(order) // jobs)
        self._shares = [order[start : start + size] for start in range(0, len(order), size)]
        self._pools = [
            ProcessPoolExecutor(
                1, initializer=_begin_lives, initargs=(_some(people, ids), speakers)
            )
            for ids in self._shares
        ]

    def live(
        self, until_us: int, events: Mapping[str, Sequence[PersonEvent]] | None = None
    ) -> list[Happening]:
        """Live until an instant, itself included; return what came of it in the order of time."""
        given = [
            {one: events[one] for one in ids if one in events} if events else None
            for ids in self._shares
        ]
        waiting = [
            pool.submit(_live, until_us, some)
            for pool, some in zip(self._pools, given, strict=True)
        ]
        found = [happening for one in waiting for happening in one.result()]
        return sorted(found, key=lambda one: (one.t_us, self._order[one.person]))

    def states(self, *, read: bool) -> list[PersonState]:
        """Return the states of all, in their order, with readouts where they are wanted."""
        waiting = [pool.submit(_states, read) for pool in self._pools]
        return [state for one in waiting for state in one.result()]

    def persons(self) -> list[Person]:
        """Return who all are by now, in their order."""
        return [one for pool in self._pools for one in pool.submit(_persons).result()]

    def notes(self) -> list[str]:
        """Return the warnings since they were last asked for."""
        return [note for pool in self._pools for note in pool.submit(_notes).result()]

    def refused(self) -> bool:
        """Tell whether somebody made all calls of a run and wanted one more."""
        return any(pool.submit(_refused).result() for pool in self._pools)

    def close(self) -> None:
        """End the processes."""
        for pool in self._pools:
            pool.shutdown()


def _some(people: People, ids: Sequence[str]) -> PersonLines:
    """Return some of the people with what they look back on."""
    return PersonLines(
        [people.persons[one] for one in ids],
        [people.states[one] for one in ids],
        {},
        {one: people.past[one] for one in ids if one in people.past},
    )


def _begin_lives(some: PersonLines, speakers: MakeSpeakers) -> None:
    """Remember the persons of this process."""
    persons = [msgspec.json.decode(line, type=Person) for line in some.persons]
    states = [msgspec.json.decode(line, type=PersonState) for line in some.states]
    _lives.append(Lives(persons, states, some.past, speakers()))


def _live(until_us: int, events: Mapping[str, Sequence[PersonEvent]] | None) -> list[Happening]:
    """Let the persons of this process live."""
    return _lives[0].live(until_us, events)


def _states(read: bool) -> list[PersonState]:  # noqa: FBT001 - a pool passes arguments by place
    """Return the states of the persons of this process."""
    return _lives[0].states(read=read)


def _persons() -> list[Person]:
    """Return who the persons of this process are."""
    return _lives[0].persons()


def _notes() -> list[str]:
    """Return the warnings of this process."""
    return _lives[0].notes()


def _refused() -> bool:
    """Tell whether somebody of this process wanted more calls than a run has."""
    return _lives[0].refused()


def shared_ticks(
    chunks: Iterable[PersonLines], span: LifeSpan, speakers: MakeSpeakers | None, *, jobs: int
) -> Iterator[Ticked]:
    """Yield what became of the persons of each chunk, in the order of chunks."""
    with ProcessPoolExecutor(jobs, initializer=_begin_ticks, initargs=(speakers,)) as pool:
        waiting = []
        for some in chunks:
            waiting.append(pool.submit(_tick, some, span))
            if len(waiting) > jobs:
                yield waiting.pop(0).result()
        for one in waiting:
            yield one.result()


def _begin_ticks(speakers: MakeSpeakers | None) -> None:
    _speakers.append(speakers() if speakers else None)


def _tick(some: PersonLines, span: LifeSpan) -> Ticked:
    return tick(some, span, _speakers[0])
