"""The benchmark of populations measures what it says, and calls a line through that a line."""

import pytest

from mindpipe_cli.benchmarks.populations import FAR, PopulationFigure, extrapolated
from support.command import Mind


def _row(persons: int, seconds: float) -> PopulationFigure:
    return PopulationFigure(
        way="processes", persons=persons, seconds=seconds, persons_days_s=1.0, at_rest=110.0
    )


def test_very_many_are_what_a_straight_line_says() -> None:
    far = extrapolated("processes", [_row(1000, 12.0), _row(3000, 13.0), _row(6000, 17.0)], 2)
    assert far is not None
    assert (far.way, far.persons, far.at_rest) == ("processes, extrapolated", FAR, 110.0)
    assert far.seconds == pytest.approx(11.0 + FAR / 1000)
    assert far.persons_days_s == pytest.approx(2 * FAR / far.seconds, rel=1e-3)


def test_one_number_of_persons_has_a_line_through_nothing() -> None:
    far = extrapolated("processes", [_row(1000, 5.0)], 1)
    assert far is not None
    assert far.seconds == FAR / 200


def test_nothing_follows_where_more_took_no_longer() -> None:
    assert extrapolated("processes", [_row(1000, 5.0), _row(2000, 5.0)], 1) is None


def test_each_number_of_persons_is_measured(mind: Mind) -> None:
    pytest.importorskip("pyarrow", reason="persons in columns need the extra arrow")
    arguments = ("--persons", "20", "--persons", "10", "--jobs", "2")
    rows = mind("bench", "populations", *arguments).records()
    assert [(one["way"], one["persons"]) for one in rows[:2]] == [
        ("processes", 10),
        ("processes", 20),
    ]
    assert all(one["seconds"] > 0 and one["at_rest"] > 100 for one in rows[:2])
    assert list(mind.folder.iterdir()) == []
