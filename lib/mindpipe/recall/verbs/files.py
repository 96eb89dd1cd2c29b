"""Fill a store with what files remember and hold true, so that it is searched as any is."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.knowledge.keys import Slots
from mindpipe.knowledge.records import BeliefChange, BeliefMark, Changes, Observation
from mindpipe.knowledge.verbs.publish import publish
from mindpipe.memory.records import GivenEntity, GivenItem, GivenLesson, GivenReflection
from mindpipe.memory.verbs import entity, lesson, memory, reflection
from mindpipe.recall.verbs import reindex


class FileRecords(NamedTuple):
    """What files hold, kind by kind.

    `sources` are the names by which problems say where lessons, reflections and entities stand.
    """

    items: Sequence[GivenItem]
    lessons: Sequence[GivenLesson]
    reflections: Sequence[GivenReflection]
    entities: Sequence[GivenEntity]
    known: Sequence[Observation]
    marks: Sequence[BeliefMark]
    sources: Mapping[str, str]


def fill(
    store: Store, clock: Clock, chance: Chance, *, agent: str, held: FileRecords, slots: Slots
) -> None:
    """Keep what files hold as an agent's, with the index abreast of it.

    Raises:
        BadInputError: something is at fault, or there twice with other content.
    """
    if held.items:
        memory.add(store, clock, chance, agent=agent, given=held.items)
    whole = AllOrNothing()
    if held.lessons:
        with lesson.add(store, clock, chance, agent=agent, bad_lines=whole) as lessons:
            lessons.add(held.lessons, source=held.sources["lessons"])
    if held.reflections:
        with reflection.add(store, clock, chance, agent=agent, bad_lines=whole) as reflections:
            reflections.add(held.reflections, source=held.sources["reflections"])
    if held.entities:
        with entity.add(store, clock, agent=agent, bad_lines=whole) as entities:
            entities.add(held.entities, source=held.sources["entities"])
    there = {one.id for one in held.known}
    # The older first: what replaced something is there after it.
    changes = [
        BeliefChange(observation=_among(one, there), why="it was given")
        for one in sorted(held.known, key=lambda one: one.learnt)
    ]
    publish(
        store,
        Changes(agent=agent, at=clock.now(), changes=tuple(changes), marks=tuple(held.marks)),
        slots=slots,
    )
    for _ in reindex.catch_up(store):
        pass


def _among(observation: Observation, there: set[str]) -> Observation:
    """Return an observation that names what it replaced only if that is there."""
    if observation.supersedes_observation_id in there:
        return observation
    return msgspec.structs.replace(observation, supersedes_observation_id=None)
