"""Conditions are of known columns, and of their kinds."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.person.stats.conditions import Condition, Kind, condition_of

KNOWN: dict[str, Kind] = {"n": "number", "awake": "flag", "person": "text"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("n>0.7", Condition("n", ">", 0.7)),
        ("n <= -1e-3", Condition("n", "<=", -0.001)),
        ("n=2", Condition("n", "=", 2.0)),
        ("awake != true", Condition("awake", "!=", value=True)),
        ("person=p000001", Condition("person", "=", "p000001")),
        ("person='; drop view persons; --", Condition("person", "=", "'; drop view persons; --")),
    ],
)
def test_a_condition_is_a_column_a_sign_and_a_value(text: str, found: Condition) -> None:
    assert condition_of(text, KNOWN) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n", "write NAME=VALUE"),
        ("n~1", "write NAME=VALUE"),
        ("=1", "write NAME=VALUE"),
        ("persn=1", "did you mean person"),
        ('n"=1', "write NAME=VALUE"),
        ("n=tall", "expected a number, got tall"),
        ("n=nan", "expected a number, got nan"),
        ("n=1 or 1=1", "expected a number"),
        ("awake=1", "expected true or false"),
        ("awake>true", "has no order"),
        ("person<p", "has no order"),
    ],
)
def test_what_is_no_condition_says_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        condition_of(text, KNOWN)
