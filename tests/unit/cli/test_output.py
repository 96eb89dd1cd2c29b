"""Tables keep words whole: what is wide gives way first, and where nothing fits there is none."""

import pytest

from mindpipe.core.instants import normal_instant
from mindpipe_cli.output import (
    Column,
    fitted_widths,
    in_minutes,
    left_for_words,
    measured_columns,
    needed_width,
    shortened,
    with_short_ids,
)
from support.tables import each_row

ID = "e_6RbOLumI1eNBjO00000001"
HEADINGS = ("id", "priority", "sender", "text")
ROWS = ((ID, "3", "", "hello there, how are you today"), (ID, "0", "", "well"))


def widths(room: int, rows: tuple[tuple[str, ...], ...] = ROWS) -> list[int] | None:
    whole = [name == "id" for name in HEADINGS]
    return fitted_widths(measured_columns(HEADINGS, rows, whole=whole, measure=len), room=room)


@each_row(
    ("room", "expected"),
    [
        (100, [24, 8, 6, 30]),
        (60, [24, 8, 6, 16]),
        (50, [24, 8, 6, 6]),
        (49, [24, 8, 0, 13]),
        (42, [24, 8, 0, 6]),
        (41, None),
    ],
)
def test_a_table_gives_way_where_it_costs_least(room: int, expected: list[int] | None) -> None:
    assert widths(room) == expected


def test_a_table_without_rows_is_its_headings_or_none() -> None:
    assert widths(26, ()) == [2, 8, 6, 4]
    assert widths(20, ()) is None


def test_a_word_that_is_longer_than_any_id_may_be_broken() -> None:
    rows = ((ID, "3", "", "x" * 200),)
    columns = measured_columns(HEADINGS, rows, whole=[True, False, False, False], measure=len)
    assert needed_width(columns) == 24 + 8 + 6 + 26 + 3 * 2


def test_a_hash_is_copied_whole() -> None:
    rows = ((ID, "3", "", f"{'ab' * 32} {'x' * 200}"),)
    columns = measured_columns(HEADINGS, rows, whole=[True, False, False, False], measure=len)
    assert needed_width(columns) == 24 + 8 + 6 + 64 + 3 * 2


@each_row(
    ("text", "expected"),
    [
        ("x" * 300, "x" * 300),
        ("x" * 301, "x" * 300 + "… (1 more character)"),
        ("x" * 5300, "x" * 300 + "… (5,000 more characters)"),
        ("\n".join("123456"), "\n".join("123456")),
        ("\n".join("1234567"), "\n".join("123456") + "… (2 more characters)"),
    ],
)
def test_a_long_cell_says_how_much_of_it_is_not_shown(text: str, expected: str) -> None:
    assert shortened(text) == expected


def test_an_id_is_shown_by_the_beginning_that_no_other_has() -> None:
    rows = [["ob_abcdefghijklmnopqrstuv", "open"], ["ob_abcdefghixlmnopqrstuv1", "ob_short"]]
    assert with_short_ids(rows) == [["ob_abcdefghij", "open"], ["ob_abcdefghix", "ob_short"]]
    assert with_short_ids([["it_570a08a26af8909918ac26"]]) == [["it_570a08"]]
    uuid = "mem0:892db2ae-06d9-49e5-8b3e-585ef9b85b8e"
    rows = [[uuid, "words"], ["m1", f"words, backs {uuid}"]]
    assert with_short_ids(rows) == [
        ["mem0:892db2ae-", "words"],
        ["m1", "words, backs mem0:892db2ae-"],
    ]


@pytest.mark.parametrize(
    ("room", "left_out"),
    [(61, ()), (60, (4,)), (50, (4,)), (49, (1, 4)), (10, (1, 4))],
)
def test_what_stands_beside_words_gives_way_to_them(room: int, left_out: tuple[int, ...]) -> None:
    names = ("id", "kind", "subject", "text", "sources")
    column = Column(heading=6, least=9, natural=20)
    columns = [column, column, column._replace(least=0), column._replace(natural=60), column]
    assert left_for_words(names, columns, room=room) == left_out


def test_where_nothing_is_said_the_last_give_way_to_whole_words() -> None:
    columns = [Column(heading=6, least=9, natural=20)] * 3
    names = ("id", "kind", "sources")
    left_out = [left_for_words(names, columns, room=room) for room in (31, 30, 19)]
    assert left_out == [(), (2,), (1, 2)]


def test_where_there_is_little_room_instants_have_no_seconds() -> None:
    rows = [["2026-11-27T12:34:25Z", "at 2026-11-27T12:34:25Z"]]
    assert in_minutes(rows) == [["2026-11-27T12:34Z", "at 2026-11-27T12:34:25Z"]]
    assert normal_instant("2026-11-27T12:34Z") == "2026-11-27T12:34:00Z"
