"""Entities and their versions, relations, lessons with outcomes, and what a revocation takes."""

from collections.abc import Iterator

import pytest

from mindpipe.core.errors import MindError, UsageError
from mindpipe.core.lines import AllOrNothing
from mindpipe.core.ports import Store
from mindpipe.io.chance import SeededChance
from mindpipe.memory.records import (
    ItemFilter,
    LessonOutcome,
    NewEntity,
    NewItem,
    NewLesson,
    NewReflection,
    Period,
    Relation,
)
from mindpipe.memory.verbs import entity, lesson, memory, reflection
from mindpipe.memory.verbs import memory as revoking
from support.beliefs import empty_store
from support.fakes import FixedClock

CHANCE = SeededChance(1)
EARLY, NOW, LATE = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


@pytest.fixture
def store() -> Iterator[Store]:
    with empty_store() as opened:
        yield opened


def know(store: Store, *given: NewEntity, at: str = NOW) -> None:
    with entity.add(store, FixedClock(at), agent="ava", bad_lines=AllOrNothing()) as adding:
        adding.add(given)


def learn(store: Store, *given: NewLesson, at: str = NOW) -> None:
    with lesson.add(store, FixedClock(at), CHANCE, agent="ava", bad_lines=AllOrNothing()) as adding:
        adding.add(given)


def test_an_entity_is_shown_in_the_version_of_an_instant(store: Store) -> None:
    know(store, NewEntity(name="Jo Marsh", profile="Rows."), at=EARLY)
    know(store, NewEntity(name="jo marsh", profile="Sails.", type="person"), at=LATE)
    shown = [
        [(one.profile, one.type, one.version) for one in entity.list_(store, agent="ava", as_of=at)]
        for at in ("2025-01-01", NOW, None)
    ]
    assert shown == [[], [("Rows.", "thing", 1)], [("Sails.", "person", 2)]]
    numbered = entity.after(store, number=0)
    assert [one.record.version for one in numbered] == [1, 2]
    assert entity.after(store, number=numbered[-1].number) == []


def test_a_revoked_version_gives_way_to_the_one_before(store: Store) -> None:
    know(store, NewEntity(name="Jo", profile="Rows."))
    know(store, NewEntity(name="Jo", profile="Steals.", sources=("mail/bob",)))
    know(store, NewEntity(name="Bo", sources=("web",), relations=(Relation(type="is", to="Jo"),)))
    rehearsed = revoking.revoke(store, FixedClock(), agent="ava", source="mail", dry_run=True)
    assert entity.show(store, agent="ava", id="jo").profile == "Steals."
    gone = revoking.revoke(store, FixedClock(), agent="ava", source="mail")
    assert gone == rehearsed
    assert [(one.kind, one.id) for one in gone] == [("entity", "jo")]
    assert entity.show(store, agent="ava", id="jo").profile == "Rows."
    assert entity.show(store, agent="ava", id="bo").relations == (Relation(type="is", to="jo"),)
    know(store, NewEntity(name="Jo", profile="Swims."))
    assert entity.show(store, agent="ava", id="jo").version == 3


def test_a_revocation_leaves_nothing_that_depends_on_the_source(store: Store) -> None:
    poisoned, sound = ("web/evil",), ("mail",)
    for sources in (poisoned, sound):
        memory.add(
            store, FixedClock(), CHANCE, agent="ava", given=[NewItem(text="t", sources=sources)]
        )
        learn(store, NewLesson(text=f"l {sources}", sources=sources))
        know(store, NewEntity(name=f"e {sources}", sources=sources))
        told = NewReflection(text="r", since=EARLY, until=NOW, sources=sources, id=sources[0])
        with reflection.add(
            store, FixedClock(), CHANCE, agent="ava", bad_lines=AllOrNothing()
        ) as adding:
            adding.add([told])
    know(
        store,
        NewEntity(name="Jo", sources=poisoned, relations=(Relation(type="has", to="it"),)),
    )
    gone = revoking.revoke(store, FixedClock(), agent="ava", source="web")
    assert [one.kind for one in gone] == [
        *("memory_item", "reflection", "lesson", "entity", "entity", "relation")
    ]
    left = [
        *memory.list_(store, agent="ava", wanted=ItemFilter()),
        *reflection.list_(store, agent="ava"),
        *lesson.list_(store, agent="ava"),
        *entity.list_(store, agent="ava"),
    ]
    assert [one.sources for one in left] == [sound] * 4
    assert entity.neighbours(store, agent="ava", ids=["jo"]) == []
    assert revoking.revoke(store, FixedClock(), agent="ava", source="web") == []
    assert len(lesson.list_(store, agent="ava", archived=True)) == 2


def test_a_neighbourhood_reaches_two_hops_whichever_way_edges_point(store: Store) -> None:
    for name, to in (("a", "b"), ("c", "b"), ("c", "d"), ("d", "e")):
        know(store, NewEntity(name=name, relations=(Relation(type="knows", to=to),)))

    def ends(hops: int) -> list[tuple[str, str]]:
        near = entity.neighbours(store, agent="ava", ids=["A"], hops=hops)
        return [(one.source, one.target) for one in near]

    assert ends(1) == [("a", "b")]
    assert ends(2) == [("a", "b"), ("c", "b")]
    assert ends(3) == [("a", "b"), ("c", "b"), ("c", "d")]


def test_the_end_of_a_relation_is_told_later(store: Store) -> None:
    know(store, NewEntity(name="a"))
    for until, at in ((None, EARLY), (NOW, LATE)):
        edge = Relation(type="owns", to="b", since=EARLY, until=until)
        entity.relate(store, FixedClock(at), agent="ava", id="a", relation=edge)
    told = entity.show(store, agent="ava", id="a").relations
    assert [(one.since, one.until) for one in told] == [(EARLY, NOW)]
    (then,) = entity.neighbours(store, agent="ava", ids=["a"], as_of=NOW)
    assert then.until is None


def test_a_new_relation_makes_a_new_version_so_that_what_reads_versions_sees_it(
    store: Store,
) -> None:
    know(store, NewEntity(name="a"))
    last = entity.after(store, number=0)[-1].number
    edge = Relation(type="owns", to="b")
    for _ in range(2):
        entity.relate(store, FixedClock(LATE), agent="ava", id="a", relation=edge)
    (newer,) = entity.after(store, number=last)
    assert (newer.record.version, newer.record.learnt) == (2, LATE)


def test_one_of_each_is_shown_as_it_was_known_at_an_instant(store: Store) -> None:
    web = ("web",)
    item = NewItem(id="it", text="Jo sails.", sources=web)
    memory.add(store, FixedClock(EARLY), CHANCE, agent="ava", given=[item])
    learn(store, NewLesson(id="ls", text="Test first.", sources=web), at=EARLY)
    know(store, NewEntity(name="Jo", sources=web), at=EARLY)
    adding = reflection.add(store, FixedClock(EARLY), CHANCE, agent="ava", bad_lines=AllOrNothing())
    with adding as addition:
        addition.add([NewReflection(id="rf", text="Calm.", since=EARLY, until=EARLY, sources=web)])
    revoking.revoke(store, FixedClock(LATE), agent="ava", source="web")
    for verb, id in ((memory, "it"), (lesson, "ls"), (reflection, "rf"), (entity, "jo")):
        assert verb.show(store, agent="ava", id=id, as_of=NOW).retracted is None
        with pytest.raises(UsageError, match=id):
            verb.show(store, agent="ava", id=id, as_of="2025-01-01")
    assert [one.retracted for one in lesson.list_(store, agent="ava", as_of=NOW)] == [None]
    assert lesson.show(store, agent="ava", id="ls").retracted == LATE
    with pytest.raises(UsageError, match="jo"):
        entity.show(store, agent="ava", id="jo")


def test_outcomes_move_the_confidence_of_a_lesson(store: Store) -> None:
    learn(store, NewLesson(text="x", id="x"), at=EARLY)
    for good, at in ((True, NOW), (True, LATE)):
        lesson.outcome(
            store, FixedClock(at), agent="ava", id="x", outcome=LessonOutcome(at=at, good=good)
        )
    shown = [lesson.list_(store, agent="ava", as_of=at)[0] for at in (EARLY, NOW, LATE)]
    assert [one.confidence for one in shown] == [0.5, 2 / 3, 0.75]
    assert [len(one.outcomes) for one in shown] == [0, 1, 2]
    with pytest.raises(UsageError):
        lesson.outcome(
            store, FixedClock(), agent="ava", id="y", outcome=LessonOutcome(at=NOW, good=True)
        )


def test_a_reflection_that_is_made_twice_is_one_and_reads_no_words_of_the_model(
    store: Store,
) -> None:
    memory.add(
        store,
        FixedClock(),
        CHANCE,
        agent="ava",
        given=[
            NewItem(text="It rained.", at=EARLY, sources=("mail",)),
            NewItem(text="I suppose that it snowed.", at=EARLY, origin="agent"),
            NewItem(text="Somebody recalls hail.", at=EARLY, origin="recalled"),
        ],
    )
    for _ in range(2):
        made = reflection.make(
            store, FixedClock(), CHANCE, agent="ava", period=Period(since=EARLY, until=NOW)
        )
    assert reflection.list_(store, agent="ava") == [made]
    assert "rained" in made.text
    assert "snowed" not in made.text
    assert "hail" not in made.text
    assert made.sources == ("mail",)
    assert len(made.items) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE reflection SET body = body",
        "UPDATE lesson SET learnt = ''",
        "UPDATE lesson_outcome SET good = 1",
        "UPDATE memory_entity SET version = 9",
        "UPDATE relation SET until = NULL",
        *(
            f"DELETE FROM {table}"
            for table in ("reflection", "lesson", "lesson_outcome", "memory_entity", "relation")
        ),
    ],
)
def test_no_statement_rewrites_or_deletes_what_was_learnt(store: Store, sql: str) -> None:
    learn(store, NewLesson(text="x", id="x"))
    lesson.outcome(
        store, FixedClock(), agent="ava", id="x", outcome=LessonOutcome(at=NOW, good=True)
    )
    know(store, NewEntity(name="a", relations=(Relation(type="is", to="b"),)))
    told = NewReflection(text="r", since=EARLY, until=NOW)
    with reflection.add(
        store, FixedClock(), CHANCE, agent="ava", bad_lines=AllOrNothing()
    ) as adding:
        adding.add([told])
    with pytest.raises(MindError, match="never"), store.write() as rows:
        rows.run(sql)
