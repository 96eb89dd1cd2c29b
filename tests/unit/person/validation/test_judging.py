"""Figures are judged in one place: within the band good, within twice of it fair, else poor."""

import math

from mindpipe.person.validation.figures import Band, Figures, around, below, between, judge, true
from support.tables import each_row


@each_row(
    ("band", "good", "fair", "poor"),
    [
        (around("x", 62, 5), (57, 67), (52, 72), (51.9, 72.1)),
        (between("x", 50, 75), (50, 75), (37.5, 87.5), (37.4, 87.6)),
        (between("x", 50, 75, fair=(38, 80)), (50, 75), (38, 80), (37.9, 80.1)),
        (below("x", 10), (0, 10), (10.1, 20), (20.1, -0.1)),
        (true("x"), (1.0,), (), (0.0, 0.5)),
    ],
)
def test_a_figure_is_judged_by_its_band(
    band: Band, good: tuple[float, ...], fair: tuple[float, ...], poor: tuple[float, ...]
) -> None:
    for mark, values in (("good", good), ("fair", fair), ("poor", poor)):
        for value in values:
            assert judge({"x": value}, [band]).mark == mark, value


@each_row("figures", [{}, {"x": math.nan}])
def test_what_was_not_found_is_poor(figures: Figures) -> None:
    assert judge(figures, [around("x", 1, 1)]) == ("poor", "x was not found.")


def test_the_worst_figure_decides_and_each_that_is_not_good_is_named() -> None:
    bands = [around("rise", 62, 5), true("smaller"), between("minutes", 10, 20)]
    assert judge({"rise": 60, "smaller": 1, "minutes": 13.5}, bands) == ("good", "")
    assert judge({"rise": 69.25, "smaller": 1, "minutes": 13.5}, bands) == (
        "fair",
        "rise is 69.2, outside 57 to 67.",
    )
    assert judge({"rise": 69.25, "smaller": 0, "minutes": 13.5}, bands) == (
        "poor",
        "rise is 69.2, outside 57 to 67; smaller is 0 and should be 1.",
    )
