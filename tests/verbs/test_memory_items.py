"""Items are kept once, as they were given, and nothing of them is lost or rewritten."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from fakes import FixedClock
from mindpipe.core.errors import BadInputError, MindError
from mindpipe.core.ports import Store
from mindpipe.memory.records import ITEM_BYTES, Added, Item, NewItem, Span
from mindpipe.memory.tables.schema import MIGRATIONS
from mindpipe.memory.verbs import items
from mindpipe.wiring.chance import SeededChance
from stores import store_at

CHANCE = SeededChance(1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = store_at(tmp_path / "mind.db", *MIGRATIONS)
    yield opened
    opened.close()


def add(store: Store, *given: NewItem, agent: str = "ava") -> list[Added]:
    return items.add(store, FixedClock(), CHANCE, agent=agent, given=given)


def kept(store: Store) -> list[Item]:
    return [found.item for found in items.after(store, number=0)]


def test_what_is_added_is_found_in_its_order(store: Store) -> None:
    added = add(store, NewItem(text="one"), NewItem(text="two", id="t", speaker="Bob"))
    assert [found.item.text for found in items.after(store, number=0)] == ["one", "two"]
    assert [found.item.text for found in items.after(store, number=1)] == ["two"]
    assert [found.item.id for found in items.of_ids(store, agent="ava", ids=["t"])] == ["t"]
    assert [one.id for one in added] == [one.id for one in kept(store)]


def test_a_thing_given_without_times_was_learnt_now(store: Store) -> None:
    add(store, NewItem(text="x"), NewItem(text="y", learnt="2026-01-01T00:00+01:00"))
    now = FixedClock().now()
    assert [(one.at, one.learnt) for one in kept(store)] == [
        (now, now),
        ("2025-12-31T23:00:00Z", "2025-12-31T23:00:00Z"),
    ]


@pytest.mark.parametrize(
    "given",
    [NewItem(text="x", key="k"), NewItem(text="x", id="i"), NewItem(text="x", id="i", key="k")],
)
def test_adding_twice_is_harmless(store: Store, given: NewItem) -> None:
    first = add(store, given)[0]
    again = add(store, given)[0]
    assert again == msgspec.structs.replace(first, duplicate=True)
    assert add(store, NewItem(text="x", key=first.key))[0] == again
    assert len(kept(store)) == 1
    assert add(store, given, agent="bo")[0].duplicate is False
