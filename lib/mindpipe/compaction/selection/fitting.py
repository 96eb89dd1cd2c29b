"""How much room the lines of a summary take."""

from collections.abc import Sequence

from mindpipe.compaction.records import Line
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import written_lines


def line_sizes(lines: Sequence[Line], count: Count) -> list[int]:
    """Return the tokens of each line as it is written by itself, its line end included."""
    return [count(f"{written_lines((line,))[0]}\n") for line in lines]
