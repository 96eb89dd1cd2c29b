"""What is kept of thoughts, and how a thousand memories stay a thousand without a loss."""

import pytest

from mindpipe.person.mind.memory import (
    Recollection,
    bounded,
    gist_of,
    importance_of,
    memory_of,
)
from mindpipe.person.records.thought import Snapshot, Thought, ThoughtTrigger
from support.persons import DAY_US, memory, readouts, thought
from support.tables import each_row


@each_row(
    ("salience", "valence", "arousal", "importance"),
    [
        (0.6, -0.5, 0.8, 0.61),
        (9.0, -1.0, 1.0, 1.0),
        (1.5, 0.0, 0.0, 0.5),
        (0.0, 0.4, 0.25, 0.17),
    ],
)
def test_importance(salience: float, valence: float, arousal: float, importance: float) -> None:
    found = importance_of(salience, valence=valence, arousal=arousal)
    assert found == pytest.approx(importance, abs=1e-12)


@each_row(
    ("mode", "salience", "read", "importance"),
    [
        ("react", 0.6, {"valence": -0.5, "arousal": 0.8}, 0.61),
        ("react", 0.2, {"valence": -0.5, "arousal": 0.24}, None),
        ("respond", None, {"valence": 0.1, "arousal": 0.2}, 0.32),
        ("respond", None, {"valence": 0.0, "arousal": 0.25}, 0.3),
        ("respond", None, {"valence": 0.0, "arousal": 0.2}, None),
        ("spontaneous", None, {"valence": -0.4, "arousal": 0.2}, 0.16),
        ("spontaneous", None, {"valence": 0.41, "arousal": 0.0}, 0.123),
        ("spontaneous", None, {"valence": 0.39, "arousal": 0.9}, None),
    ],
)
def test_what_matters_is_kept(
    mode: str, salience: float | None, read: dict[str, object], importance: float | None
) -> None:
    made = thought(7, "I fell.", mode=mode, trigger=ThoughtTrigger(salience=salience))
    kept = memory_of(made, readouts(**read))
    if importance is None:
        assert kept is None
    else:
        assert kept is not None
        assert kept.importance == pytest.approx(importance)
        assert (kept.id, kept.thought, kept.content) == ("me:ann:7", "th:ann:7", "I fell.")


def test_all_six_dimensions_are_kept() -> None:
    read = readouts(valence=-0.5, arousal=0.8, core_temp_c=37.2, pain=0.6, fatigue=0.27, hunger=0.4)
    kept = memory_of(thought(7, mode="respond"), read)
    assert kept is not None
    assert kept.snapshot == Snapshot(
        arousal=0.8, valence=-0.5, body_temp_c=37.2, pain=0.6, fatigue=0.27, hunger=0.4
    )
    assert (kept.valence, kept.arousal, kept.gist, kept.count) == (-0.5, 0.8, False, 1)


def test_a_thousand_stay_as_they_are() -> None:
    stored = [memory(number) for number in range(1000)]
    assert bounded(stored) == (stored, (), ())


def test_of_more_the_hundred_weakest_become_one_gist_a_day() -> None:
    weak = [memory(number * DAY_US // 50, importance=0.1) for number in range(100)]
    strong = [memory(10 * DAY_US + number, importance=0.9) for number in range(901)]
    found = bounded([*strong, *weak])
    assert len(found.memories) == 903
    assert [gist.count for gist in found.gists] == [50, 50]
    assert [gist.t_us // DAY_US for gist in found.gists] == [0, 1]
    assert all(gist.gist and gist in found.memories for gist in found.gists)
    kept = {one.id for one in found.memories}
    assert {one.id for one in strong} <= kept
    assert set(found.forgotten) == {one.id for one in weak}
    assert not kept & set(found.forgotten)
    assert sum(one.count for one in found.memories) == 1001


def test_old_and_unimportant_go_first() -> None:
    fresh = [memory(60 * DAY_US + number, importance=0.2) for number in range(950)]
    old = [memory(number, importance=0.4) for number in range(51)]
    # Fresh ones are worth .12 + .4, old ones of two months .24 + .1.
    found = bounded([*fresh, *old])
    assert not {one.id for one in old[:50]} & {one.id for one in found.memories}


@each_row(("importance", "gone"), [(0.16, "fresh"), (0.175, "old")])
def test_worth_is_six_tenths_importance_and_four_tenths_freshness(
    importance: float, gone: str
) -> None:
    # What is a month old and of .5 is worth .5, as is what is of today and of .1667.
    now_us = 30 * DAY_US
    strong = [memory(now_us, id=f"strong {number}", importance=0.9) for number in range(900)]
    worthless = [memory(-900 * DAY_US, id=f"weak {number}", importance=0.0) for number in range(99)]
    rivals = [
        memory(0, id="old", importance=0.5),
        memory(now_us, id="fresh", importance=importance),
    ]
    found = bounded([*strong, *rivals, *worthless])
    whole = {one.id for one in found.memories if not one.gist}
    assert {"old", "fresh"} - whole == {gone}


def test_days_share_a_gist_where_one_a_day_would_be_too_many() -> None:
    weak = [memory(number * DAY_US, importance=0.1, gist=True) for number in range(100)]
    strong = [memory(200 * DAY_US + number, importance=0.9) for number in range(901)]
    found = bounded([*weak, *strong])
    assert len(found.memories) == 1000
    assert [gist.count for gist in found.gists] == [2] + [1] * 98
    assert sum(one.count for one in found.memories) == 1001


def test_a_gist_is_weighed_by_importance() -> None:
    one = memory(
        1,
        "The harbour was silent that evening.",
        importance=0.2,
        valence=-0.6,
        arousal=0.1,
        snapshot=Snapshot(arousal=0.1, valence=-0.6, pain=0.4),
    )
    two = memory(
        2,
        "Laughter filled the kitchen.",
        importance=0.6,
        valence=0.6,
        arousal=0.5,
        count=3,
        snapshot=Snapshot(arousal=0.5, valence=0.6),
    )
    gist = gist_of([one, two])
    assert gist.content == (
        "a joyful moment: laughter, filled, kitchen; a painful moment: harbour, silent, evening"
    )
    assert (gist.id, gist.t_us, gist.thought, gist.count, gist.gist) == (
        "gi:ann:2:4",
        2,
        "th:ann:2",
        4,
        True,
    )
    assert gist.importance == 0.6
    assert gist.valence == pytest.approx(0.3)
    assert gist.arousal == pytest.approx(0.4)
    assert gist.snapshot.arousal == pytest.approx(0.4)
    assert (gist.snapshot.pain, gist.snapshot.hunger) == (pytest.approx(0.4), None)


def test_a_gist_tells_its_three_most_important_and_needs_no_weight() -> None:
    names = ("alpha", "bravo", "candy", "delta")
    weights = (0.1, 0.4, 0.3, 0.2)
    group = [
        memory(number, name, importance=weight)
        for number, (name, weight) in enumerate(zip(names, weights, strict=True))
    ]
    tone = "a plain moment"
    assert gist_of(group).content == f"{tone}: bravo; {tone}: candy; {tone}: delta"
    even = [memory(1, importance=0.0, valence=-0.5), memory(2, importance=0.0, valence=0.1)]
    assert gist_of(even).valence == pytest.approx(-0.2)


def test_what_was_spoken_of_in_the_last_day_is_known() -> None:
    told = ((1, "Yaw, my room-mate, sings."), (20, "Rain."), (26, "My sister Ama."))
    past = Recollection(
        Thought(person="ann", t_us=hour * DAY_US // 24, id=f"th:{hour}", mode="react", content=one)
        for hour, one in told
    )
    assert past.lately[:2] == ("My sister Ama.", "Rain.")
    assert past.spoken_of(("Yaw, my room-mate", "my sister Ama.", "Esi")) == ("my sister Ama.",)
