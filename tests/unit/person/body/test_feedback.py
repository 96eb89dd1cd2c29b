"""What labels do to the body: the seed's rates, rise and relief apart, and the penalty."""

import itertools

import pytest

from mindpipe.person.body.modes import RATED, feedback_to_changes
from mindpipe.person.records.state import COPING, DISTORTIONS, LABELS
from support.tables import each_row

UP, DOWN = "cort_up", "cort_dn"


@each_row(
    ("label", "rates"),
    [
        ("rumination", {"cort_up": 0.02, "ser_dn": 0.01, "rum": 0.3}),
        ("acceptance", {"cort_dn": 0.01, "ser_up": 0.005}),
        ("reappraisal", {"cort_dn": 0.01, "ser_up": 0.005}),
        ("suppression", {"cort_up": 0.01, "adr_up": 0.005}),
        ("catastrophizing", {"cort_up": 0.02, "adr_up": 0.03}),
        ("problem_solving", {}),
        ("distraction", {}),
        ("denial", {}),
        ("labeling", {}),
    ],
)
def test_a_label_carries_the_rates_of_its_row(label: str, rates: dict[str, float]) -> None:
    assert feedback_to_changes([label]) == rates


def test_labels_are_eight_patterns_and_the_distortions_each_once() -> None:
    assert len(LABELS) == len(set(LABELS)) == 18
    assert set(LABELS) == set(COPING) | set(DISTORTIONS)


@each_row("chosen", [*itertools.combinations(DISTORTIONS[:6], 2)])
def test_two_distortions_have_no_penalty(chosen: tuple[str, ...]) -> None:
    assert feedback_to_changes(chosen).get(UP, 0.0) == 0.0


@each_row("chosen", [*itertools.combinations(DISTORTIONS[:6], 3)])
def test_three_distortions_have_the_penalty(chosen: tuple[str, ...]) -> None:
    assert feedback_to_changes(chosen) == {UP: 0.01}


def test_the_penalty_does_not_grow() -> None:
    mild = [name for name in DISTORTIONS if name != "catastrophizing"]
    assert feedback_to_changes(mild) == {UP: 0.01}


def test_ways_of_coping_are_no_distortions() -> None:
    assert UP not in feedback_to_changes(["labeling", "mind_reading", "denial", "distraction"])


def test_a_label_that_comes_twice_counts_once() -> None:
    assert feedback_to_changes(["rumination", "rumination"]) == feedback_to_changes(["rumination"])
    assert feedback_to_changes(["labeling", "labeling", "labeling"]) == {}


def test_rise_and_relief_of_one_thought_stay_apart() -> None:
    labels = ["catastrophizing", "mind_reading", "should_statements", "acceptance"]
    assert feedback_to_changes(labels) == {UP: 0.03, DOWN: 0.01, "adr_up": 0.03, "ser_up": 0.005}


def test_rates_do_not_depend_on_the_order_of_labels() -> None:
    found = {tuple(feedback_to_changes(own).items()) for own in itertools.permutations(LABELS[:5])}
    assert len(found) == 1
    assert [name for name, _ in found.pop()] == list(RATED)


def test_what_is_no_label_is_refused() -> None:
    with pytest.raises(ValueError, match="sadness is no label"):
        feedback_to_changes(["acceptance", "sadness"])
