"""For how long somebody is likely in a state of health that passes by itself."""

import pytest

from mindpipe.language.times import passes_within, told_days
from support.tables import each_row

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


# When it is said, what is said, and which day is meant.
POINTED = (
    ("2026-02-01", "The deadline is 20 August.", "2026-08-20"),
    ("2026-02-01", "The deadline was extended to 20 August.", "2026-08-20"),
    ("2026-03-05", "My exam is on 3 January.", "2027-01-03"),
    ("2026-03-05", "the exam isn't on 3 January", "2027-01-03"),
    ("2026-03-05", "I have an exam on 3 January", "2027-01-03"),
    ("2026-03-05", "I've got an exam on 3 January", "2027-01-03"),
    ("2026-03-05", "It is scheduled for 3 January", "2027-01-03"),
    ("2026-03-05", "We booked the hall for 3 January", "2027-01-03"),
    ("2026-03-05", "I will be away from 3 January", "2027-01-03"),
    ("2026-03-05", "On 3 January we are flying to Rome", "2027-01-03"),
    ("2026-01-08", "My exam is on 3 January.", "2026-01-03"),
    ("2026-01-25", "My exam is on 3 January.", "2027-01-03"),
    ("2026-03-05", "On 3 January we flew to Rome", "2026-01-03"),
    ("2026-03-05", "I moved here on 20 August", "2025-08-20"),
    ("2026-03-05", "We have lived here from 20 August", "2025-08-20"),
    ("2026-03-05", "The meeting was on 3 October", "2025-10-03"),
    ("2026-03-05", "I'm off sick since 3 May", "2025-05-03"),
    ("2026-03-05", "It was moved from 3 May to 4 June", "2025-05-03"),
    ("2026-03-05", "Deadline: 20 August", "2026-08-20"),
    ("2026-03-05", "I'm worried that the launch was moved to 15 November", "2026-11-15"),
    ("2026-05-05", "I'm looking for help after the talk on 2 March", "2026-03-02"),
    ("2026-05-05", "I'm happy, since the trip on 2 March is over", "2026-03-02"),
    ("2026-03-05", "The review has been extended through 19 November", "2026-11-19"),
    ("2026-03-05", "I met her on Friday", "2026-02-27"),
    ("2026-03-05", "My appointment is on Wednesday", "2026-03-11"),
)


NEAREST = (
    ("I just accepted a role starting June 1", "2026-06-01"),
    ("I booked a session with the consultant on May 20", "2026-05-20"),
    ("I've got a rescheduled session on April 7", "2026-04-07"),
    ("I took the early train to my aunt in Oslo on May 3", "2026-05-03"),
)


@each_row(("text", "day"), NEAREST)
def test_what_was_done_about_a_day_leaves_its_side_open(text: str, day: str) -> None:
    (one,) = told_days(text, at="2026-03-05T10:00:00Z", otherwise="near", done="near")
    assert one.since[:10] == day


@each_row(("at", "text", "day"), POINTED)
def test_only_a_past_verb_points_back(at: str, text: str, day: str) -> None:
    first, *_ = told_days(text, at=f"{at}T10:00:00Z", otherwise="near", done="behind")
    assert first.since[:10] == day
