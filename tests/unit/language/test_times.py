"""For how long somebody is likely in a state of health that passes by itself."""

import pytest

from mindpipe.language.times import passes_within

PASSING = (
    ("a cold", 21),
    ("stinking cold", 21),
    ("the flu", 21),
    ("Sick", 21),
    ("antibiotics", 21),
    ("a broken wrist", 90),
    ("fracture of the left arm", 90),
    ("on holiday", 14),
    ("pregnant", 210),
)
LASTING = ("asthma", "metformin", "diabetic", "terminally ill", "mentally ill", "scoliosis", "")


@pytest.mark.parametrize(("text", "days"), PASSING)
def test_what_passes_is_over_after_some_days(text: str, days: int) -> None:
    assert passes_within(text) == days


@pytest.mark.parametrize("text", LASTING)
def test_what_lasts_has_no_end(text: str) -> None:
    assert passes_within(text) is None
