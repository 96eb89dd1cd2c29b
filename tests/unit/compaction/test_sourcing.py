"""A line that a model wrote names the messages whose words it shares."""

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.strategies.model import MOST_SEQS, sourced
from mindpipe.compaction.task import SpokenWords
from mindpipe.core.messages import Role
from support.tables import each_row

SAID = [
    SpokenWords(1, 1, Role.USER, None, "The boiler is cold again, and nobody came."),
    SpokenWords(2, 1, Role.ASSISTANT, None, "I called the plumber about the boiler."),
    SpokenWords(3, 2, Role.USER, None, "The plumber wants to come on Thursday about the boiler."),
    SpokenWords(4, 3, Role.USER, None, "The roof leaks."),
]


@each_row(
    ("line", "seqs"),
    [
        (SummaryLine(text="The plumber comes on Thursday.", cycle=1, until=3), (3, 2)),
        (SummaryLine(text="The plumber comes on Thursday.", cycle=1), (2,)),
        (SummaryLine(text="The plumber comes on Thursday.", cycle=3), ()),
        (SummaryLine(text="The roof LEAKS!", cycle=3), (4,)),
        (SummaryLine(text="roof", cycle=3), ()),
        (SummaryLine(text="", cycle=1, until=3), ()),
    ],
)
def test_sources_are_messages_of_its_cycles_that_share_two_words(
    line: SummaryLine, seqs: tuple[int, ...]
) -> None:
    (made,) = sourced([line], SAID)
    assert made.seqs == seqs
    assert (made.text, made.cycle, made.until) == (line.text, line.cycle, line.until)


def test_a_line_names_no_more_than_a_few_sources() -> None:
    many = [SpokenWords(seq, seq, Role.USER, None, "The boiler is cold.") for seq in range(1, 99)]
    (made,) = sourced([SummaryLine(text="The boiler is cold.", cycle=1, until=99)], many)
    assert made.seqs == tuple(range(1, MOST_SEQS + 1))
