"""Lines made coarser stay on their side of a cycle that is sent."""

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.extractive import coarser, fitted, line_sizes
from support.long_histories import told, words

LINES = [
    SummaryLine(
        text=f"Done {number}: {told(number, 8)}. {told(number + 1, 9)}. {told(number + 2, 10)}.",
        cycle=number,
    )
    for number in range(1, 13)
]


def reach(staying: tuple[int, ...]) -> list[tuple[int, int]]:
    room = sum(words(line.text) for line in LINES) // 3
    found = fitted(LINES, room, words, staying=staying)
    return [(line.cycle, line.until or line.cycle) for line in found]


def test_older_lines_are_gathered_into_spans() -> None:
    assert any(first <= 3 < last for first, last in reach(()))


def test_no_span_reaches_across_a_cycle_that_stays() -> None:
    found = reach((3, 7))
    assert found
    assert not [one for one in found for cycle in (3, 7) if one[0] < cycle < one[1]]
    assert {1, 2} & {first for first, _ in found}


def test_what_spans_many_cycles_is_measured_with_them() -> None:
    many = [
        SummaryLine(text=f"Ana: {told(number, 30)}.", cycle=number * 100, until=number * 100 + 99)
        for number in range(1, 13)
    ]
    for room in range(8, 400, 7):
        assert sum(line_sizes(coarser(many, (), room=room, count=words), words)) <= room
