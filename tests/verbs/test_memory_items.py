"""Items are kept once, as they were given, and nothing of them is lost or rewritten."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import BadInputError, MindError, NothingToDoError, UsageError
from mindpipe.core.ports import Store
from mindpipe.io.chance import SeededChance
from mindpipe.memory.records import ITEM_BYTES, Added, Item, ItemFilter, NewItem, QuotedSpan
from mindpipe.memory.tables import items as tables
from mindpipe.memory.verbs import memory
from support.command import Mind
from support.fakes import FixedClock
from support.stores import store_at

CHANCE = SeededChance(1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def add(store: Store, *given: NewItem, agent: str = "ava") -> list[Added]:
    return memory.add(store, FixedClock(), CHANCE, agent=agent, given=given)


def kept(store: Store) -> list[Item]:
    return [found.item for found in memory.after(store, number=0)]


def test_what_is_added_is_found_in_its_order(store: Store) -> None:
    added = add(store, NewItem(text="one"), NewItem(text="two", id="t", speaker="Bob"))
    assert [found.item.text for found in memory.after(store, number=0)] == ["one", "two"]
    assert [found.item.text for found in memory.after(store, number=1)] == ["two"]
    assert [found.item.id for found in memory.of_ids(store, agent="ava", ids=["t"])] == ["t"]
    assert [one.id for one in added] == [one.id for one in kept(store)]


def test_a_thing_given_without_times_was_learnt_now(store: Store) -> None:
    add(store, NewItem(text="x"), NewItem(text="y", learnt="2026-01-01T00:00+01:00"))
    now = FixedClock().now()
    assert [(one.at, one.learnt) for one in kept(store)] == [
        (now, now),
        ("2025-12-31T23:00:00Z", "2025-12-31T23:00:00Z"),
    ]


@pytest.mark.parametrize("name", ["id", "key"])
def test_no_item_is_called_like_an_observation(store: Store, name: str) -> None:
    with pytest.raises(BadInputError) as refused:
        add(store, NewItem(text="x", **{name: "ob_1"}))
    (problem,) = refused.value.problems
    assert problem.field == f"$.{name}"
    assert problem.message == "begins with ob_, as only observations do; give it another"
    assert kept(store) == []


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


def test_other_content_under_an_id_or_key_is_refused_and_nothing_is_kept(store: Store) -> None:
    add(store, NewItem(text="x", id="i", key="k"))
    for other in (NewItem(text="y", key="k"), NewItem(text="x", id="i", speaker="Bob")):
        with pytest.raises(BadInputError, match="other content"):
            add(store, NewItem(text="new"), other)
    assert [one.text for one in kept(store)] == ["x"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (NewItem(text=" "), "$.text"),
        (NewItem(text="x" * (ITEM_BYTES + 1)), "$.text"),
        (NewItem(text="ä" * (ITEM_BYTES // 2 + 1)), "$.text"),
        (NewItem(text="a\0"), "$.text"),
        (NewItem(text="x", at="2026-02-02", until="2026-02-01"), "$.until"),
        (NewItem(text="x", learnt="yesterday"), "$.learnt"),
        (NewItem(text="x", at="tuesday"), "$.at"),
        (NewItem(text="x", tags=("a\nb",)), "$.tags[0]"),
        (NewItem(text="x", span=QuotedSpan(message="m", start=3, end=2, quote="")), "$.span"),
        (NewItem(text="x", key="k" * 201), "$.key"),
        (NewItem(text="x", speaker="s" * 201), "$.speaker"),
    ],
)
def test_an_item_at_fault_is_refused(store: Store, given: NewItem, field: str) -> None:
    with pytest.raises(BadInputError) as refused:
        add(store, NewItem(text="sound"), given)
    assert [(one.line, one.field) for one in refused.value.problems] == [(2, field)]
    assert kept(store) == []


@pytest.mark.parametrize("kind", ["memory", "lesson"])
def test_what_options_say_is_held_to_what_a_line_may(mind: Mind, kind: str) -> None:
    mind("init", "--agent", "ava")
    ran = mind.run(kind, "add", "--text", "Read it twice", "--key", "k" * 201)
    assert (ran.status, "$.key: expected str of length <= 200" in ran.words) == (65, True)
    ran = mind.run(kind, "add", "--text", "Read it twice", "--source", "s" * 521)
    assert (ran.status, "at most 520 are kept" in ran.words) == (2, True)


def test_the_longest_text_is_taken(store: Store) -> None:
    add(store, NewItem(text="ä" * (ITEM_BYTES // 2)))
    assert len(kept(store)) == 1


@pytest.mark.parametrize("column", ["text", "at", "key", "sources", "learnt", "significance"])
def test_no_statement_changes_what_an_item_says_or_deletes_it(store: Store, column: str) -> None:
    add(store, NewItem(text="x", key="k"))
    for sql in (f"UPDATE memory_item SET {column} = {column}", "DELETE FROM memory_item"):
        with pytest.raises(MindError, match="never"), store.write() as rows:
            rows.run(sql)


def test_weak_items_are_set_aside_and_come_back_when_recalled(store: Store) -> None:
    add(
        store,
        NewItem(text="old", key="old", learnt="2020-01-01"),
        NewItem(text="fresh", significance=10),
    )
    rehearsed = memory.archive(store, FixedClock(), agent="ava", dry_run=True)
    assert [one.archived for one in rehearsed] == [None]
    before = kept(store)
    assert [one.id for one in memory.archive(store, FixedClock(), agent="ava")] == ["old"]
    texts = [one.text for one in memory.list_(store, agent="ava", wanted=ItemFilter())]
    assert texts == ["fresh"]
    with pytest.raises(NothingToDoError):
        memory.archive(store, FixedClock(), agent="ava")
    assert memory.recalled(store, FixedClock(), agent="ava", ids=["old", "nothing"]) == 1
    now = FixedClock().now()
    changed = msgspec.structs.replace(before[0], recalled=1, recalled_at=now)
    assert kept(store) == [changed, before[1]]


def test_as_of_shows_what_was_known_then_as_it_was_then(store: Store) -> None:
    add(store, NewItem(text="a", id="a", learnt="2026-01-01"), NewItem(text="b", id="b"))
    clock = FixedClock("2026-02-01T00:00:00Z")
    assert [one.id for one in memory.retract(store, clock, agent="ava", ids=["a"])] == ["a"]
    with pytest.raises(UsageError, match="a was taken back at 2026-02-01T00:00:00Z already"):
        memory.retract(store, clock, agent="ava", ids=["a"])

    def at(instant: str | None) -> list[tuple[str, str | None]]:
        wanted = ItemFilter(as_of=instant)
        return [(one.id, one.retracted) for one in memory.list_(store, agent="ava", wanted=wanted)]

    assert at("2025-12-31") == []
    assert at("2026-01-15") == [("a", None)]
    assert at("2026-02-01") == []
    assert at(None) == [("b", None)]


def test_the_case_of_letters_hides_no_word(store: Store) -> None:
    add(store, NewItem(text="Über den Wolken"), NewItem(text="darunter"))
    found = memory.search(store, agent="ava", words="WOLK über", wanted=ItemFilter())
    assert [one.text for one in found] == ["Über den Wolken"]


def test_what_is_added_inside_a_transaction_goes_with_it(store: Store) -> None:
    with pytest.raises(KeyError), store.write():
        add(store, NewItem(text="x"))
        raise KeyError
    assert kept(store) == []


@pytest.mark.of_a_file
def test_what_comes_next_is_read_without_sorting_all_that_there_is(store: Store) -> None:
    asked: list[str] = []

    class Asked:
        """Rows that remember what they were asked."""

        def each(self, into: type, sql: str, values: dict[str, object]) -> Iterator[object]:
            asked.append(sql)
            return iter(())

    list(tables.items_after(Asked(), 0, agent="ava", limit=5))  # type: ignore[arg-type]
    with store.read() as rows:
        values = {"number": 0, "agent": "ava", "limit": 5}
        plan = rows.all(dict[str, object], f"EXPLAIN QUERY PLAN {asked[0]}", values)
    assert [str(step["detail"]) for step in plan] == [
        "SEARCH memory_item USING INTEGER PRIMARY KEY (rowid>?)"
    ]
