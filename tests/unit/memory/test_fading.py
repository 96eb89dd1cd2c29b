"""Strength fades by a published formula, and a lesson's confidence moves by another."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.memory.records import ItemKind
from mindpipe.memory.strength import HALF_LIFE_DAYS, Fading, after_outcome, strength
from support.tables import each_row

LEARNT = "2026-01-01T00:00:00Z"


def fading(kind: ItemKind = "episodic", recalled: int = 0, significance: float = 10) -> Fading:
    return Fading(number=1, kind=kind, significance=significance, learnt=LEARNT, recalled=recalled)


@each_row(
    ("item", "now", "expected"),
    [
        (fading(), LEARNT, 1.0),
        (fading(), "2026-01-31T00:00:00Z", 0.5),
        (fading(significance=4), "2026-03-02T00:00:00Z", 0.1),
        (fading("note"), "2026-04-01T00:00:00Z", 0.5),
        (fading("semantic"), "2026-06-30T00:00:00Z", 0.5),
        (fading("procedural"), "2026-06-30T00:00:00Z", 0.5),
        (fading(recalled=1), "2026-03-02T00:00:00Z", 0.5),
        (fading(recalled=6), "2031-04-05T00:00:00Z", 0.5),
        (fading(recalled=60), "2031-04-05T00:00:00Z", 0.5),
        (fading(), "2025-01-01T00:00:00Z", 1.0),
        (fading(significance=0), LEARNT, 0.0),
    ],
)
def test_strength(item: Fading, now: str, expected: float) -> None:
    assert strength(item, now=now) == pytest.approx(expected)


def test_age_counts_from_the_last_recall() -> None:
    item = Fading(
        number=1,
        kind="episodic",
        significance=10,
        learnt="2020-01-01T00:00:00Z",
        recalled_at=LEARNT,
    )
    assert strength(item, now=LEARNT) == 1.0


@given(
    st.sampled_from(sorted(HALF_LIFE_DAYS)),
    st.floats(0, 10),
    st.integers(0, 20),
    st.dates(),
    st.dates(),
)
def test_strength_lies_between_0_and_1_and_only_fades(
    kind: ItemKind, significance: float, recalled: int, one: date, other: date
) -> None:
    item = fading(kind, recalled, significance)
    early, late = sorted(f"{day.isoformat()}T00:00:00Z" for day in (one, other))
    assert 0 <= strength(item, now=late) <= strength(item, now=early) <= 1
    assert strength(fading(kind, recalled + 1, significance), now=late) >= strength(item, now=late)


@each_row(
    ("confidence", "outcomes", "good", "expected"),
    [
        (0.5, 0, True, 2 / 3),
        (2 / 3, 1, True, 3 / 4),
        (0.5, 0, False, 1 / 3),
        (0.9, 8, True, 10 / 11),
    ],
)
def test_confidence_after_an_outcome(
    confidence: float, outcomes: int, *, good: bool, expected: float
) -> None:
    assert after_outcome(confidence, outcomes=outcomes, good=good) == pytest.approx(expected)


@given(st.floats(0, 1), st.lists(st.booleans(), max_size=20))
def test_confidence_is_the_mean_of_a_beta_distribution_in_any_order(
    start: float, outcomes: list[bool]
) -> None:
    def end(order: list[bool]) -> float:
        confidence = start
        for place, good in enumerate(order):
            confidence = after_outcome(confidence, outcomes=place, good=good)
        return confidence

    expected = (2 * start + sum(outcomes)) / (2 + len(outcomes))
    assert end(outcomes) == pytest.approx(expected)
    assert end(sorted(outcomes)) == pytest.approx(expected)
    assert -1e-12 <= end(outcomes) <= 1 + 1e-12
