"""A note on the mood says from what to what it moved, against when, and beside yesterday."""

import pytest

from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.review.findings import findings_of
from mindpipe.review.records import (
    Chart,
    ChartDay,
    ChartLook,
    ChartMark,
    HeardThought,
    ObservedState,
)

DAY_US = 24 * HOUR_US


def note(
    hour: int, was: float, now: float, *, before: float = 0.0, about: str = "",
    felt: float | None = None, struck: float | None = None, worth: float | None = None,
) -> str:  # fmt: skip
    """Return the note on a mood that moved within two hours of the second day."""
    t_us = DAY_US + hour * HOUR_US
    looks = tuple(
        ChartLook(t_us=t_us - at * 10 * MINUTE_US, valence=now, arousal=0.2, energy=0.5)
        for at in (2, 1, 0)
    )
    days = (
        ChartDay(day=0, looks=90, valence=90 * before, arousal=18.0, energy=45.0),
        ChartDay(day=1, looks=3, valence=3 * now, arousal=0.6, energy=1.5),
    )
    mark = ChartMark(subject="mood", t_us=t_us - 2 * HOUR_US, value=was)
    thoughts = tuple(
        HeardThought(
            t_us=t_us - at * 15 * MINUTE_US,
            id=f"t{at}",
            origin="spontaneous",
            content="",
            episode=one,
            about=f"the {one}",
            event=one,
            valence=felt,
            worth=worth,
        )
        for at, one in enumerate(about.split(), 1)
    )
    seen = ObservedState(t_us=t_us, awake=True, since_us=t_us - 5 * HOUR_US, valence=now)
    blow = ChartMark(subject="event:e", t_us=t_us - 6 * HOUR_US, value=struck or 0.0)
    chart = Chart(looks=looks, days=days, marks=(mark, blow))
    notes = findings_of(chart, seen, thoughts)
    return next((one.words for one in notes if one.subject == "mood"), "")


@pytest.mark.parametrize(
    ("hour", "was", "now", "words"),
    [
        (10, -0.6, -0.3, "The morning is better than 08:00: the mood has gone up from very low to"),
        (10, 0.4, 0.0, "The morning has brought the mood down from very good to even since 08:00"),
        (14, 0.3, 0.0, "Since 12:00 the mood has fallen off from good to even"),
        (14, -0.9, -0.6, "Since 12:00 the mood has picked up somewhat and is still very low"),
        (20, 0.0, 0.3, "By evening the mood has recovered from even to good, against 18:00"),
        (23, 0.0, -0.3, "During the night the mood has sunk from even to low since 21:00"),
    ],
)
def test_each_part_of_the_day_has_its_own_words(
    hour: int, was: float, now: float, words: str
) -> None:
    assert note(hour, was, now).startswith(words)


def test_it_stands_beside_the_day_before() -> None:
    assert note(14, 0.3, 0.0, before=0.3).endswith(", below the good mean of yesterday.")
    assert "yesterday" not in note(14, 0.3, 0.0, before=0.05)


def test_two_things_on_the_mind_are_both_named() -> None:
    words = note(14, 0.3, 0.0, about="rent boat choir rent boat choir")
    assert "; the thoughts go between “the rent” and “the boat”" in words
    assert note(14, 0.3, 0.0, about="rent rent rent").endswith(", with “the rent” on the mind.")


@pytest.mark.parametrize(
    ("was", "now", "felt", "is_named"),
    [
        (0.3, 0.0, 0.0, True),
        (0.3, 0.0, 0.35, False),
        (-0.3, 0.1, -0.4, False),
        (-0.3, 0.1, 0.1, True),
    ],
)
def test_a_mood_is_put_down_only_to_what_went_along_with_it(
    was: float, now: float, felt: float, *, is_named: bool
) -> None:
    assert ("on the mind" in note(14, was, now, about="rent rent rent", felt=felt)) is is_named


def test_the_ebb_of_a_blow_is_no_recovery() -> None:
    assert note(20, -0.6, -0.3, about="death death", struck=-0.9) == ""
    assert note(20, -0.6, -0.3, about="visit visit", struck=-0.9, worth=0.6)
    assert note(20, -0.3, -0.6, about="death death", struck=-0.9)
    assert note(20, -0.6, -0.3, struck=None)
