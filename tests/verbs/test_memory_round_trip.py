"""What was printed of a memory makes the same memory elsewhere; adding it twice changes nothing."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.errors import BadInputError
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.records import to_json
from mindpipe.io.chance import SeededChance
from mindpipe.memory.entities import slug
from mindpipe.memory.faults import entity_faults, item_faults, written_faults
from mindpipe.memory.records import (
    GivenEntity,
    GivenItem,
    GivenLesson,
    GivenReflection,
    Item,
    ItemFilter,
    NewEntity,
    NewLesson,
    NewReflection,
)
from mindpipe.memory.verbs import entity, lesson, memory, reflection
from mindpipe.store.sqlite import SqliteStore
from support.beliefs import ENTITIES, ITEMS, LESSONS, REFLECTIONS, empty_store
from support.draws import tries
from support.fakes import FixedClock

R = TypeVar("R")
CHANCE = SeededChance(1)
ALL = ItemFilter(archived=True)
OWN = ("id", "agent", "learnt")
SOME = settings(max_examples=tries(40), deadline=None)


def add_items(store: SqliteStore, given: Sequence[GivenItem]) -> list[bool]:
    added = memory.add(store, FixedClock(), CHANCE, agent="ava", given=given)
    return [one.duplicate for one in added]


def listed(store: SqliteStore) -> list[Item]:
    return list(memory.list_(store, agent="ava", wanted=ALL))


def said_by(one: msgspec.Struct) -> dict[str, object]:
    """Return all that was said by what was given, in which every instant is in the stored form."""
    fields = msgspec.structs.asdict(one)
    return {name: fields[name] for name in fields if name not in OWN}


def as_kept(one: GivenItem) -> dict[str, object]:
    """Return what is kept of an item: with untrusted sources, of which none is a space, a claim."""
    said = said_by(one)
    said["vouched"] = None if one.vouched is None else not one.sources
    if one.speaker is not None and one.sources:
        said |= {"speaker": None, "claimed_speaker": one.claimed_speaker or one.speaker}
    elif one.speaker is not None:
        said["claimed_speaker"] = None
    return said


def again(records: Sequence[msgspec.Struct], into: type[R]) -> list[R]:
    """Return printed records as lines say them."""
    return [msgspec.json.decode(to_json(one), type=into) for one in records]


@SOME
@given(st.lists(ITEMS, max_size=5, unique_by=lambda one: (one.id or "", one.key or "")))
def test_items(given: list[GivenItem]) -> None:
    with empty_store() as store, empty_store() as other:
        try:
            add_items(store, given)
        except BadInputError as error:
            # Two that were drawn with one id and other words.
            assert all("other content" in one.message for one in error.problems)
            assert listed(store) == []
            return
        kept = listed(store)
        assert list(map(said_by, kept)) == [as_kept(one) for one in given]
        assert add_items(store, again(kept, GivenItem)) == [True] * len(kept)
        assert listed(store) == kept
        lines = again(kept, GivenItem)
        assert not any(map(item_faults, lines))
        add_items(other, lines)
        assert listed(other) == kept


@SOME
@given(st.lists(REFLECTIONS, max_size=3, unique_by=lambda one: one.id or one.text))
def test_reflections(given: list[NewReflection]) -> None:
    with empty_store() as store, empty_store() as other:
        for place in (store, store, other):
            lines = again(reflection.list_(store, agent="ava"), GivenReflection) or given
            assert not any(map(written_faults, lines))
            with reflection.add(
                place, FixedClock(), CHANCE, agent="ava", bad_lines=AllOrNothing()
            ) as adding:
                adding.add(lines)
        kept = reflection.list_(store, agent="ava")
        assert list(map(said_by, kept)) == list(map(said_by, again(given, GivenReflection)))
        assert reflection.list_(other, agent="ava") == kept


@SOME
@given(st.lists(LESSONS, max_size=3, unique_by=lambda one: one.id or one.text))
def test_lessons(given: list[NewLesson]) -> None:
    with empty_store() as store, empty_store() as other:
        for place in (store, store, other):
            lines = again(lesson.list_(store, agent="ava"), GivenLesson) or given
            assert not any(map(written_faults, lines))
            with lesson.add(
                place, FixedClock(), CHANCE, agent="ava", bad_lines=AllOrNothing()
            ) as adding:
                adding.add(lines)
        kept = lesson.list_(store, agent="ava")
        assert list(map(said_by, kept)) == list(map(said_by, again(given, GivenLesson)))
        assert lesson.list_(other, agent="ava") == kept


@SOME
@given(st.lists(ENTITIES, max_size=6))
def test_entities(given: list[NewEntity]) -> None:
    with empty_store() as store, empty_store() as other:
        duplicates = []
        for place in (store, store, other):
            lines = again(entity.list_(store, agent="ava"), GivenEntity) or given
            assert not any(map(entity_faults, lines))
            with entity.add(place, FixedClock(), agent="ava", bad_lines=AllOrNothing()) as adding:
                duplicates.append([one.duplicate for one in adding.add(lines)])
        kept = entity.list_(store, agent="ava")
        assert {one.id for one in kept} == {slug(one.name) for one in given}
        assert all(duplicates[1])
        assert entity.list_(other, agent="ava") == kept
