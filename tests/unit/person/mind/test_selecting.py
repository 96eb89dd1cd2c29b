"""Which memories come back, and how alike two bodies are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.mind.memory import ContextSelector, point_of, score, similarity, snapshot_of
from mindpipe.person.records.thought import Snapshot
from support.persons import memory, readouts
from support.tables import each_row

SHARES = st.floats(0.0, 1.0)
BODIES = st.builds(
    Snapshot,
    arousal=SHARES,
    valence=st.floats(-1.0, 1.0),
    body_temp_c=st.floats(34.0, 41.0),
    pain=SHARES,
    fatigue=SHARES,
    hunger=SHARES,
)


def body(*values: float) -> Snapshot:
    names = ("arousal", "valence", "body_temp_c", "pain", "fatigue", "hunger")
    return Snapshot(**dict(zip(names, values, strict=True)))


QUERY = body(0.6, -0.4, 37.0, 0.2, 0.5, 0.3)


def test_the_worked_example_of_the_score() -> None:
    stored = body(0.8, -0.6, 37.4, 0.5, 0.6, 0.2)
    alike = similarity(point_of(QUERY), point_of(stored))
    assert alike == pytest.approx(0.8334667200, abs=1e-10)
    kept = memory(0, importance=0.7, valence=-0.6, snapshot=stored)
    assert score(kept, alike) == pytest.approx(0.7167133520, abs=1e-10)


@given(BODIES, BODIES)
def test_likeness_is_a_share_and_whole_for_the_same_body(a: Snapshot, b: Snapshot) -> None:
    assert 0.0 <= similarity(point_of(a), point_of(b)) <= 1.0
    assert similarity(point_of(a), point_of(a)) == 1.0
    assert similarity(point_of(a), point_of(b)) == similarity(point_of(b), point_of(a))


def test_opposite_corners_are_not_alike_and_ordinary_bodies_are() -> None:
    low, high = body(0, -1, 34.0, 0, 0, 0), body(1, 1, 41.0, 1, 1, 1)
    assert similarity(point_of(low), point_of(high)) == 0.0
    ordinary = point_of(snapshot_of(readouts()))
    hurt = point_of(snapshot_of(readouts(pain=0.9, arousal=0.9, valence=-0.8)))
    assert 0.0 < similarity(ordinary, hurt) < 1.0


def test_at_most_five_come_back_best_first_then_newer_then_by_id() -> None:
    stored = [
        memory(1, importance=0.2),
        memory(2, importance=0.9),
        memory(3, importance=0.9),
        memory(3, importance=0.9, id="me:ann:2b"),
        memory(5, importance=0.1, valence=-0.9),
        memory(6, importance=0.3),
        memory(7, importance=0.25),
    ]
    chosen = ContextSelector().select(QUERY, stored)
    ids = ["me:ann:2b", "me:ann:3", "me:ann:2", "me:ann:5", "me:ann:6"]
    assert [one.id for one in chosen] == ids
    few = ContextSelector(most=10).select(QUERY, stored)
    assert [one.id for one in few] == [*ids, "me:ann:7", "me:ann:1"]
    assert ContextSelector(most=0).select(QUERY, stored) == []


def test_memories_of_thoughts_that_are_shown_do_not_come_back() -> None:
    stored = [memory(1), memory(2)]
    chosen = ContextSelector().select(QUERY, stored, shown=["th:ann:2"])
    assert [one.id for one in chosen] == ["me:ann:1"]


def test_a_memory_that_lacks_a_dimension_is_compared_by_the_others_and_counted() -> None:
    half = Snapshot(arousal=0.6, valence=-0.4, body_temp_c=None, pain=0.2, fatigue=0.5)
    assert similarity(point_of(QUERY), point_of(half)) == 1.0
    assert similarity(point_of(QUERY), point_of(Snapshot(arousal=0.1))) == pytest.approx(0.5)
    assert similarity(point_of(QUERY), point_of(Snapshot())) == 0.0
    selector = ContextSelector()
    selector.select(QUERY, [memory(1, snapshot=half), memory(2)])
    assert selector.incomplete == 1
    selector.select(QUERY, [memory(2)])
    assert selector.incomplete == 0


@each_row("name", ["arousal", "valence", "body_temp_c", "pain", "fatigue", "hunger"])
def test_a_present_body_that_lacks_a_dimension_is_refused(name: str) -> None:
    values = {field: getattr(QUERY, field) for field in QUERY.__struct_fields__}
    with pytest.raises(ValueError, match=f"lacks {name}"):
        ContextSelector().select(Snapshot(**(values | {name: None})), [])


def test_a_memory_that_was_replaced_is_measured_anew() -> None:
    selector = ContextSelector()
    near, far = memory(1, snapshot=QUERY), memory(1, snapshot=body(1, 1, 41.0, 1, 1, 1))
    other = memory(2, importance=0.2, snapshot=QUERY)
    assert selector.select(QUERY, [near, other])[0].id == "me:ann:1"
    assert selector.select(QUERY, [far, other])[0].id == "me:ann:2"
