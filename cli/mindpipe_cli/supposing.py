"""What memory is made of where it is read from files: settled as a store would keep it."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.records import to_json
from mindpipe.formats.import_ids import import_id
from mindpipe.memory.entity_names import slug
from mindpipe.memory.faults import entity_faults, item_faults, written_faults
from mindpipe.memory.records import (
    Entity,
    GivenEntity,
    GivenItem,
    GivenLesson,
    GivenReflection,
    Item,
    Lesson,
    Reflection,
)
from mindpipe.memory.settling import instant, settle_item
from mindpipe_cli import input

LINE_BYTES = 8 << 20
G = TypeVar("G", GivenItem, GivenLesson, GivenReflection, GivenEntity)
K = TypeVar("K", Item, Lesson, Reflection, Entity)


def items_of(file: str, *, now: str) -> list[Item]:
    """Return the items of a file in their order; the same one twice is one.

    One without an id has one that its content makes, the same each time.

    Raises:
        BadInputError: an item is at fault, or two that differ have one id.
        NothingToDoError: there is no item.
    """
    given = _sound(file, GivenItem, item_faults)
    return _once(file, [settle_item(one, id=_id("it", one), agent=None, now=now) for one in given])


def lessons_of(file: str | None, *, now: str) -> list[Lesson]:
    """Return the lessons of a file, none where there is none; raises BadInputError."""
    given = _sound(file, GivenLesson, written_faults)
    return [_kept(one, Lesson, _id("ls", one), now) for one in given]


def reflections_of(file: str | None, *, now: str) -> list[Reflection]:
    """Return the reflections of a file, none where there is none; raises BadInputError."""
    given = _sound(file, GivenReflection, written_faults)
    return [_kept(one, Reflection, _id("rf", one), now) for one in given]


def entities_of(file: str | None, *, now: str) -> list[Entity]:
    """Return the entities of a file, none where there is none; raises BadInputError."""
    given = _sound(file, GivenEntity, entity_faults)
    return [_kept(one, Entity, one.id or slug(one.name), now) for one in given]


def _sound(
    file: str | None, into: type[G], faults: Callable[[G], Sequence[tuple[str, str]]]
) -> list[G]:
    """Read records that have no fault."""
    given = [] if file is None else input.records(file, into, limit=LINE_BYTES)
    problems = [
        Problem(source=input.name_of(file or "-"), line=line, field=field, message=words)
        for line, one in enumerate(given, 1)
        for field, words in faults(one)
    ]
    if problems:
        raise BadInputError(problems)
    return given


def _kept(given: msgspec.Struct, into: type[K], id: str, now: str) -> K:
    """Return a record as it is kept, learnt now unless it says when."""
    fields: dict[str, object] = msgspec.structs.asdict(given)
    for name in ("since", "until", "learnt"):
        if isinstance(text := fields.get(name), str):
            fields[name] = instant(text)
    fields.update(id=id, learnt=fields["learnt"] or now)
    return msgspec.convert(fields, into)


def _id(prefix: str, given: GivenItem | GivenLesson | GivenReflection) -> str:
    """Return the id or key that a record came with, or one that its content makes."""
    return given.id or given.key or import_id(prefix, to_json(given).decode())


def _once(file: str, items: Sequence[Item]) -> list[Item]:
    """Return items without repetitions; raises BadInputError where two of one id differ."""
    found: dict[str, Item] = {}
    problems = [
        Problem(
            source=input.name_of(file),
            line=line,
            field="$.id",
            message=f'"{one.id}" stands before with other content',
        )
        for line, one in enumerate(items, 1)
        if found.setdefault(one.id, one) != one
    ]
    if problems:
        raise BadInputError(problems)
    return list(found.values())
