"""Precision, recall, F1 and kappa are those of the textbook, and nothing is told of no rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.person.mind.parsers.scores import ANY, EACH, LabelledText, Score, scores
from mindpipe.person.records.state import DISTORTIONS

FOUND = {"a": ("labeling",), "b": ("mind_reading",), "c": (), "d": ("labeling",), "e": ("denial",)}


def row(text: str, *labels: str, part: str = "dev") -> LabelledText:
    """Return a thought that somebody labelled."""
    return LabelledText(text=text, labels=frozenset(labels), part=part)


def one(found: list[Score], label: str, part: str = "dev") -> Score:
    """Return the score of a label in a part."""
    (only,) = [score for score in found if (score.label, score.part) == (label, part)]
    return only


def test_counts_and_shares_of_any_distortion() -> None:
    rows = [row("a", "labeling"), row("b", "labeling"), row("c", "labeling"), row("d"), row("e")]
    found = one(scores(rows, FOUND.__getitem__, parser="mine"), ANY)
    counts = (found.true_positives, found.false_positives, found.false_negatives)
    assert (*counts, found.true_negatives, found.rows) == (2, 1, 1, 1, 5)
    assert (found.precision, found.recall, found.f1) == (0.6667, 0.6667, 0.6667)
    # Observed agreement 3/5, expected 3/5 * 3/5 + 2/5 * 2/5 = 13/25.
    assert found.kappa == pytest.approx((15 - 13) / (25 - 13), abs=1e-4)
    assert found.parser == "mine"


def test_a_class_counts_only_its_own_label() -> None:
    rows = [row("a", "labeling"), row("b", "labeling"), row("d", "mind_reading")]
    found = scores(rows, FOUND.__getitem__, parser="mine")
    own = one(found, "labeling")
    assert (own.true_positives, own.false_positives, own.false_negatives) == (1, 1, 1)
    each = one(found, EACH)
    assert (each.true_positives, each.false_positives, each.false_negatives) == (1, 2, 2)
    assert each.rows == 3 * len(DISTORTIONS)


def test_what_no_row_tells_is_none() -> None:
    found = one(scores([row("c")], FOUND.__getitem__, parser="mine"), ANY)
    assert (found.precision, found.recall, found.f1, found.kappa) == (None, None, None, None)


def test_ways_of_coping_are_told_where_the_set_names_them() -> None:
    told = [score.label for score in scores([row("e", "denial")], FOUND.__getitem__, parser="m")]
    assert told[:4] == [ANY, EACH, "catastrophizing", "denial"]
    assert set(told) == {ANY, EACH, "denial", *DISTORTIONS}
    assert one(scores([row("e", "denial")], FOUND.__getitem__, parser="m"), ANY).recall is None


def test_parts_are_told_apart_and_together() -> None:
    rows = [row("a", "labeling"), row("c", "labeling", part="test")]
    found = scores(rows, FOUND.__getitem__, parser="mine")
    assert [one(found, ANY, part).recall for part in ("dev", "test", "all")] == [1.0, 0.0, 0.5]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_kappa_is_one_for_agreement_and_lies_within_its_range(
    pairs: list[tuple[bool, bool]],
) -> None:
    rows = [row(str(at), *(["labeling"] if so else [])) for at, (so, _) in enumerate(pairs)]
    found = one(
        scores(rows, lambda text: ["labeling"] if pairs[int(text)][1] else [], parser="m"), ANY
    )
    assert found.kappa is None or -1.0 <= found.kappa <= 1.0
    if all(so == said for so, said in pairs):
        assert found.kappa in (None, 1.0)
