"""Ids of events end in their place, and can be read back."""

from mindpipe.inbox import content
from support.tables import each_row

STEM = content.stem("e_0123456789ABCDefghijkl")


def test_a_stem_is_the_random_part_of_an_id() -> None:
    assert STEM == "e_0123456789ABCD"


@each_row("first", [1, 61, 62, 3843, 3844, 3845, 62**3 - 5, 62**5])
@each_row("count", [0, 1, 61, 62, 4000, 8000])
def test_ids_run_on_from_any_number(first: int, count: int) -> None:
    made = content.event_ids(STEM, first, count)
    assert [content.seq_of(one) for one in made] == list(range(first, first + count))
    assert made == [content.event_id(STEM, seq) for seq in range(first, first + count)]
    assert all(len(one) == 24 for one in made)


def test_later_ids_sort_behind_earlier_ones_of_the_same_push() -> None:
    made = content.event_ids(STEM, 60, 5000)
    assert made == sorted(made)


@each_row(
    "name",
    [
        "",
        "e_",
        "k1",
        "o_0123456789ABCD00000001",
        "e_0123456789ABCD0000001",
        "e_0123456789ABCD000000010",
        "e_0123456789ABC!00000001",
        "e_0123456789ABCD0000000é",
    ],
)
def test_what_is_no_id_has_no_number(name: str) -> None:
    assert content.seq_of(name) is None
