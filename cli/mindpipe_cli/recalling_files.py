"""What files remember and hold true, in a store in memory, so that it is searched as any is."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

import msgspec

from mindpipe.core.bad_lines import AllOrNothing, BadLines
from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.ports import Store
from mindpipe.core.problems import Problem
from mindpipe.core.record_lines import RecordLines
from mindpipe.core.records import Record, to_json
from mindpipe.knowledge.records import Change, Changes, Mark, Observation
from mindpipe.knowledge.verbs.publishing import publish
from mindpipe.memory.faults import item_faults
from mindpipe.memory.records import GivenEntity, GivenItem, GivenLesson, GivenReflection
from mindpipe.memory.verbs import entities, items, lessons, reflections
from mindpipe.memory.verbs.settling_file import Settling
from mindpipe.recall.verbs import indexing
from mindpipe.wiring.stores import passing_store
from mindpipe_cli import believing, supposing
from mindpipe_cli.input import NO_INPUT, name_of, records
from mindpipe_cli.remembering import Adder, Wish, found_in
from mindpipe_cli.session import Session

NOBODY = "nobody"
"""Whose all of it is where no agent is named."""
R = TypeVar("R", bound=Record)
_Adding = Callable[[BadLines], AbstractContextManager[Adder[R]]]


class Files(Record):
    """The files that are searched in the place of a store, one for each kind of record."""

    items: str | None = None
    lessons: str | None = None
    reflections: str | None = None
    entities: str | None = None
    known: str | None = None
    marked: str | None = None

    @property
    def given(self) -> list[str]:
        """Return those that are named."""
        return [file for file in msgspec.structs.astuple(self) if file is not None]


def store_of(session: Session, files: Files) -> Store:
    """Return a store in memory that holds what the files do, its index abreast of it.

    Raises:
        BadInputError: lines are at fault.
        NothingToDoError: there is no item in a file of items.
    """
    store = passing_store()
    now = session.clock.now()
    place = (store, session.clock, session.chance)
    if files.items is not None:
        items.add(*place, agent=NOBODY, given=_items(session, files.items))
    _keep(
        files.lessons,
        GivenLesson,
        lambda: supposing.lessons_of(files.lessons, now=now),
        lambda bad_lines: lessons.adding(*place, agent=NOBODY, bad_lines=bad_lines),
    )
    _keep(
        files.reflections,
        GivenReflection,
        lambda: supposing.reflections_of(files.reflections, now=now),
        lambda bad_lines: reflections.adding(*place, agent=NOBODY, bad_lines=bad_lines),
    )
    _keep(
        files.entities,
        GivenEntity,
        lambda: supposing.entities_of(files.entities, now=now),
        lambda bad_lines: entities.adding(*place[:2], agent=NOBODY, bad_lines=bad_lines),
    )
    _believe(session, store, files)
    for _ in indexing.catch_up(store):
        pass
    return store


def _items(session: Session, file: str) -> list[GivenItem]:
    """Return the items of a file, settled as a file of items is."""
    settled: list[bytes] = []
    bad_lines = AllOrNothing()
    settling = Settling(session.clock, agent=None, keep=settled.append, bad_lines=bad_lines)
    lines = RecordLines(GivenItem, item_faults, source=name_of(file))
    for found in found_in(Wish(file=file), lines, bad_lines):
        settling.add(found.records, source=name_of(file), numbers=found.numbers)
    bad_lines.settle()
    if not settled:
        raise NothingToDoError(NO_INPUT)
    return msgspec.json.Decoder(GivenItem).decode_lines(b"".join(settled))


def _keep(
    file: str | None,
    into: type[R],
    read: Callable[[], Sequence[msgspec.Struct]],
    adding: _Adding[R],
) -> None:
    """Add the records of a file to the store; an empty file has none."""
    given = [msgspec.json.decode(to_json(one), type=into) for one in _read(read)]
    if given:
        with adding(AllOrNothing()) as adder:
            adder.add(given, source=name_of(file or "-"), numbers=())


def _believe(session: Session, store: Store, files: Files) -> None:
    """Add observations, the older first, and marks between items to the store."""
    known = _read(lambda: believing.of_file(session, files.known) if files.known else [])
    marks = _read(lambda: _marks(files.marked) if files.marked else [])
    there = {one.id for one in known}
    changes = [
        Change(observation=_among(one, there), why="it was given")
        for one in sorted(known, key=lambda one: one.learnt)
    ]
    publish(
        store,
        Changes(agent=NOBODY, at=session.clock.now(), changes=tuple(changes), marks=tuple(marks)),
        slots=believing.rules(session).slots,
    )


def _marks(file: str) -> list[Mark]:
    """Return the marks of a file; raises BadInputError for one of an item with itself."""
    marks = records(file, Mark)
    problems = [
        Problem(source=name_of(file), line=line, field="$.new", message="is the same as old")
        for line, one in enumerate(marks, 1)
        if one.old == one.new
    ]
    if problems:
        raise BadInputError(problems)
    return marks


def _among(observation: Observation, there: set[str]) -> Observation:
    """Return an observation that names what it replaced only if that is there."""
    if observation.supersedes_observation_id in there:
        return observation
    return msgspec.structs.replace(observation, supersedes_observation_id=None)


S = TypeVar("S")


def _read(read: Callable[[], Sequence[S]]) -> Sequence[S]:
    """Return what a file holds; an empty one holds nothing."""
    try:
        return read()
    except NothingToDoError:
        return ()
