"""Pictures of lives: every mark is in them, and the same lives give the same octets."""

import io
import re

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.person.plots.lives import DAY_US, HOUR_US, DrawnLife, PlotMark
from mindpipe.person.plots.picture import picture

pytestmark = pytest.mark.heavy

matplotlib = pytest.importorskip("matplotlib")


def life(person: str, *, rise: float = 1.0, events: int = 2) -> DrawnLife:
    """A day with a night, two readouts, events at full hours and a thought of each mode."""
    t_us = [hour * HOUR_US for hour in range(25)]
    return DrawnLife(
        person=person,
        t_us=t_us,
        curves={
            "arousal": [rise * hour / 24 for hour in range(25)],
            "heart_rate_bpm": [66.0 - rise * (hour % 5) for hour in range(25)],
        },
        asleep=[not 7 <= hour < 23 for hour in range(25)],
        events=[PlotMark((hour + 8) * HOUR_US, "task") for hour in range(events)],
        thoughts=[PlotMark(9 * HOUR_US, mode) for mode in ("react", "respond", "spontaneous")],
    )


def text_of(lives: list[DrawnLife]) -> str:
    return picture(lives, "svg").decode()


def test_a_drawing_holds_every_curve_and_every_mark() -> None:
    drawn = text_of([life("ann"), life("bo", rise=0.5)])
    named = re.findall(r'<g id="([a-z_]+:[a-z:0-9]+)"', drawn)
    for person in ("ann", "bo"):
        assert named.count(f"arousal:{person}") == named.count(f"heart_rate_bpm:{person}") == 1
        # Three panels: two readouts and the thoughts.
        assert named.count(f"event:{person}:0") == named.count(f"event:{person}:1") == 3
        assert named.count(f"sleep:{person}:0") == named.count(f"sleep:{person}:1") == 3
        for mode in ("react", "respond", "spontaneous"):
            assert named.count(f"{mode}:{person}") == 1
        assert f">{person}</text>" in drawn
    for words in ("08:00 task", "09:00 task", "arousal", "heart_rate_bpm", "day 0", "day 1"):
        assert f">{words}</text>" in drawn


def test_a_week_is_marked_by_its_days() -> None:
    week = life("ann")
    week.t_us = [number * 7 * HOUR_US for number in range(25)]
    assert all(f">day {day}</text>" in text_of([week]) for day in range(8))


def test_many_events_have_lines_but_no_words() -> None:
    drawn = text_of([life("ann", events=16)])
    assert drawn.count(" task</text>") == 16
    crowd = life("ann")
    crowd.events = [PlotMark(number * HOUR_US // 2, "task") for number in range(48)]
    drawn = text_of([crowd])
    assert " task</text>" not in drawn
    assert drawn.count('id="event:ann:') == 48 * 3


def test_the_same_lives_give_the_same_octets_whatever_is_set() -> None:
    plain = text_of([life("ann")])
    with matplotlib.rc_context({"svg.hashsalt": "other", "lines.linewidth": 9, "axes.grid": True}):
        assert text_of([life("ann")]) == plain
    assert "<dc:date>" not in plain
    assert text_of([life("ann", rise=0.9)]) != plain
    assert picture([life("ann")], "png") == picture([life("ann")], "png")


def test_a_png_shows_curve_sleep_and_thoughts() -> None:
    from matplotlib.image import imread

    octets = picture([life("ann")], "png")
    assert octets.startswith(b"\x89PNG\r\n\x1a\n")
    colours = imread(io.BytesIO(octets))[..., :3].reshape(-1, 3).round(2)
    blue = (abs(colours - (0.12, 0.47, 0.71)) < 0.02).all(axis=1)
    shade = (abs(colours - 0.88) < 0.02).all(axis=1)
    assert blue.sum() > 1000
    assert shade.sum() > 10_000
    empty = life("ann")
    empty.thoughts = []
    bare = imread(io.BytesIO(picture([empty], "png")))[..., :3].reshape(-1, 3).round(2)
    assert (abs(bare - (0.12, 0.47, 0.71)) < 0.02).all(axis=1).sum() < blue.sum()


def test_of_two_equal_lives_both_curves_and_both_names_are_seen() -> None:
    drawn = text_of([life("ann"), life("bo")])
    curves = dict(re.findall(r'<g id="(arousal:[a-z]+)">\s*<path [^>]*style="([^"]*)"', drawn))
    assert "stroke-dasharray" not in curves["arousal:ann"]
    assert "stroke-dasharray" in curves["arousal:bo"]
    assert drawn.count(">ann</text>") == drawn.count(">bo</text>") == 1


def test_more_persons_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(UsageError, match="11 persons are too many"):
        picture([life(f"p{number}") for number in range(11)], "png")
    assert picture([life(f"p{number}") for number in range(10)], "svg")


def test_one_instant_is_a_picture_too() -> None:
    one = DrawnLife("ann", [DAY_US], {"pain": [0.5]}, [True], [], [])
    assert b'id="pain:ann"' in picture([one], "svg")
