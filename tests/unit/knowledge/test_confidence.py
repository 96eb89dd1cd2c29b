"""Confidence and freshness: the published formulas, and what must hold whatever the evidence."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import later
from mindpipe.knowledge.confidence import (
    WINDOWS,
    changed_windows,
    components_of,
    confidence_of,
    due_at,
    freshness_of,
    parts_of,
    recency,
    word_of,
)
from mindpipe.knowledge.records import Components, Evidence
from support.beliefs import T0, T2, evidence
from support.tables import each_row

SOURCES = ("memory_item", "lesson", "reflection", "entity")


def links(*stances: str) -> st.SearchStrategy[list[Evidence]]:
    """Draw evidence of some stances, no source twice in one stance."""
    one = st.builds(
        lambda source, ref, stance, weight, days: evidence(
            f"it_{ref}",
            source=source,
            stance=stance,
            weight=weight,
            at=later(T0, seconds=days * 86_400),
        ),
        st.sampled_from(SOURCES),
        st.integers(0, 40),
        st.sampled_from(stances),
        st.floats(0, 4),
        st.integers(-400, 40),
    )
    return st.lists(one, max_size=12, unique_by=lambda link: (link.source, link.ref, link.stance))


ANY = links("support", "contradict", "context")


def confidence(found: list[Evidence], *, confirmed: bool = False, reinforced: float = 0.0) -> float:
    made = components_of(found, now=T2, confirmed=confirmed, reinforced=reinforced)
    return confidence_of(made)


def components(**counted: float) -> Components:
    none = {
        "source_count": 0,
        "source_diversity": 0,
        "support_weight": 0.0,
        "contradiction_weight": 0.0,
        "recency_weight": 0.35,
        "operator_confirmed_boost": 0.0,
    }
    return msgspec.convert({**none, **counted}, Components)


@each_row(
    ("counted", "expected"),
    [
        ({}, 0.28 + 0.12 * 0.35),
        ({"source_count": 1}, 0.28 + 0.042 + 0.22 * math.log(2) / math.log(7)),
        ({"source_count": 6}, 0.28 + 0.042 + 0.22),
        ({"source_count": 600}, 0.28 + 0.042 + 0.22),
        ({"source_diversity": 2}, 0.28 + 0.042 + 0.09),
        ({"support_weight": 3.0}, 0.28 + 0.042 + 0.15),
        ({"support_weight": 9.0}, 0.28 + 0.042 + 0.20),
        ({"recency_weight": 1.0}, 0.28 + 0.12),
        ({"operator_confirmed_boost": 1.0}, 0.28 + 0.042 + 0.12),
        ({"contradiction_weight": 1.5}, 0.28 + 0.042 - 0.175),
        ({"contradiction_weight": 30.0, "recency_weight": 0.1}, 0.0),
        (
            {
                "source_count": 9,
                "source_diversity": 4,
                "support_weight": 9.0,
                "recency_weight": 1.0,
                "operator_confirmed_boost": 1.0,
            },
            1.0,
        ),
    ],
)
def test_confidence_is_the_published_formula(counted: dict[str, float], expected: float) -> None:
    assert confidence_of(components(**counted)) == pytest.approx(expected, abs=1e-6)


@each_row(("days", "expected"), [(0, 1.0), (15, 0.75), (54, 0.1), (400, 0.1), (-30, 1.0)])
def test_recency_falls_over_sixty_days(days: int, expected: float) -> None:
    assert recency(T0, now=later(T0, seconds=days * 86_400)) == expected


def test_what_was_never_supported_has_a_recency_of_its_own() -> None:
    assert recency(None, now=T0) == 0.35


@given(found=ANY, more=links("support"), confirmed=st.booleans())
def test_more_support_never_lowers_it(
    found: list[Evidence], more: list[Evidence], *, confirmed: bool
) -> None:
    assert confidence([*found, *more], confirmed=confirmed) >= confidence(
        found, confirmed=confirmed
    )


@given(found=ANY, more=links("contradict"), confirmed=st.booleans())
def test_more_contradiction_never_raises_it(
    found: list[Evidence], more: list[Evidence], *, confirmed: bool
) -> None:
    assert confidence([*found, *more], confirmed=confirmed) <= confidence(
        found, confirmed=confirmed
    )


@given(ANY, links("contradict", "context"))
def test_only_support_is_a_source_or_diversity(found: list[Evidence], more: list[Evidence]) -> None:
    before, after = (components_of(each, now=T2) for each in (found, [*found, *more]))
    assert after.source_count == before.source_count
    assert after.source_diversity == before.source_diversity
    assert after.support_weight == before.support_weight
    assert after.recency_weight == before.recency_weight


@given(ANY, st.randoms(use_true_random=False))
def test_order_never_matters(found: list[Evidence], chance: object) -> None:
    shuffled = list(found)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert components_of(shuffled, now=T2) == components_of(found, now=T2)


@given(found=ANY, confirmed=st.booleans(), reinforced=st.floats(0, 1))
def test_it_stays_between_none_and_whole_and_is_the_sum_of_its_points(
    found: list[Evidence], *, confirmed: bool, reinforced: float
) -> None:
    made = components_of(found, now=T2, confirmed=confirmed, reinforced=reinforced)
    points = 0.28 + sum(part.points for part in parts_of(made))
    assert all(0 <= part.share <= 1 for part in parts_of(made))
    assert 0 <= confidence_of(made) <= 1
    assert confidence_of(made) == pytest.approx(min(max(points, 0), 1), abs=1e-6)


@given(ANY)
def test_what_is_retracted_does_not_count(found: list[Evidence]) -> None:
    gone = [msgspec.structs.replace(one, retracted=T2) for one in found]
    assert components_of(gone, now=T2) == components_of([], now=T2)


@given(ANY, st.floats(0, 1), st.floats(0, 1))
def test_a_confirmation_and_reinforcement_never_lower_it(
    found: list[Evidence], one: float, other: float
) -> None:
    assert confidence(found, confirmed=True) >= confidence(found)
    less, more = sorted((one, other))
    assert confidence(found, reinforced=more) >= confidence(found, reinforced=less)


@each_row(("value", "word"), [(0.8, "high"), (0.79, "good"), (0.4, "fair"), (0, "low")])
def test_a_confidence_has_a_word(value: float, word: str) -> None:
    assert word_of(value) == word


@each_row(
    ("days", "contradicted_days", "expected"),
    [
        (0, None, 1.0),
        (30, None, 0.5),
        (60, None, 0.0),
        (90, None, 0.0),
        (30, 1, 0.3),
        (30, -1, 0.5),
    ],
)
def test_freshness_is_the_published_formula(
    days: int, contradicted_days: int | None, expected: float
) -> None:
    against = None
    if contradicted_days is not None:
        against = later(T0, seconds=contradicted_days * 86_400)
    now = later(T0, seconds=days * 86_400)
    found = freshness_of(T0, contradicted_at=against, now=now, window=30.0)
    assert found == pytest.approx(expected)


def test_what_was_never_supported_is_not_fresh() -> None:
    assert freshness_of(None, contradicted_at=None, now=T0, window=30.0) == 0.0


def test_what_is_of_a_day_to_come_is_fresh_from_that_day_on() -> None:
    for ahead, fresh in ((-1, 1.0), (0, 1.0), (1, 1.0), (1.1, 0.0), (900, 0.0)):
        day = later(T0, seconds=ahead * 86_400)
        found = freshness_of(day, contradicted_at=None, now=T0, window=3_000.0)
        assert round(found, 2) == fresh


@each_row(("kind", "days"), WINDOWS.items())
def test_at_the_end_of_its_window_it_is_due_and_half_fresh(kind: str, days: float) -> None:
    due = due_at(T0, window=days)
    assert freshness_of(T0, contradicted_at=None, now=due, window=days) == 0.5


def test_windows_can_be_set() -> None:
    assert dict(WINDOWS) == {
        "operator_preference": 30,
        "project_state": 7,
        "world_fact": 90,
        "self_model": 14,
        "relationship_fact": 60,
        "tooling_state": 3,
    }
    changed = changed_windows("tooling_state=1.5, world_fact=365")
    assert (changed["tooling_state"], changed["world_fact"]) == (1.5, 365)
    assert changed["self_model"] == 14


@each_row("entry", ["tooling_state", "tooling_state=0", "tooling_state=x", "mood=3"])
def test_a_window_that_is_none_is_refused(entry: str) -> None:
    with pytest.raises(UsageError, match=r"knowledge\.windows"):
        changed_windows(entry)
