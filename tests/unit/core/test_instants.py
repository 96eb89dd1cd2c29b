"""An instant has one stored form, whatever form it was written in."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindpipe.core.errors import UsageError
from mindpipe.core.instants import format_instant, later, normal_instant, parse_instant
from support.tables import each_row

NEAR = r"\A\d{4}-[W\d]\d-\d[\dT](T|\d)\d\d:?\d\d:?\d\d(\.\d)?Z\Z"


@each_row(
    ("text", "stored"),
    [
        ("2026-11-21T20:00:00Z", "2026-11-21T20:00:00Z"),
        ("2026-11-21T20:00:00.9Z", "2026-11-21T20:00:00Z"),
        ("2026-11-21T20:00:00+02:00", "2026-11-21T18:00:00Z"),
        ("2026-W01-4T09:00:00Z", "2026-01-01T09:00:00Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"),
    ],
)
def test_every_form_becomes_the_stored_one(text: str, stored: str) -> None:
    assert normal_instant(text) == stored


@given(st.one_of(st.from_regex(NEAR), st.datetimes().map(datetime.datetime.isoformat)))
def test_what_is_stored_already_is_what_it_would_be_made(text: str) -> None:
    try:
        made = format_instant(parse_instant(text))
    except UsageError:
        with pytest.raises(UsageError):
            normal_instant(text)
        return
    assert normal_instant(text) == made == normal_instant(made)


@each_row(
    ("instant", "seconds", "found"),
    [
        ("2026-11-21T20:00:00Z", 1.9, "2026-11-21T20:00:01Z"),
        ("2026-11-21T20:00:00Z", -60, "2026-11-21T19:59:00Z"),
        ("9999-12-01T00:00:00Z", 1e8, "9999-12-31T23:59:59Z"),
        ("9999-12-01T00:00:00Z", 1e18, "9999-12-31T23:59:59Z"),
        ("0001-01-01T00:00:00Z", -1, "0001-01-01T00:00:00Z"),
    ],
)
def test_what_is_later_stays_within_the_years_there_are(
    instant: str, seconds: float, found: str
) -> None:
    assert later(instant, seconds=seconds) == found
