"""Rows have places one apart exactly where one follows the other."""

from mindpipe.recall.ranking import Neighbours, places


def test_rows_side_by_side_have_places_one_apart_and_no_others() -> None:
    around = {5: Neighbours((4, 2), (6, 9)), 20: Neighbours((18, 9), ()), 30: Neighbours((), (31,))}
    found = places(around)
    assert {number: found[number] - found[5] for number in (2, 4, 5, 6, 9, 18, 20)} == {
        2: -2,
        4: -1,
        5: 0,
        6: 1,
        9: 2,
        18: 3,
        20: 4,
    }
    assert found[30] - found[20] > 2
    assert found[31] - found[30] == 1
