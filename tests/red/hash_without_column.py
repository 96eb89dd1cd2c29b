"""A build that leaves one column (`at`) out of what the chain hashes."""

from collections.abc import Sequence

from mindpipe.core.ports import Cell
from mindpipe.history.records import MessageRow
from mindpipe.history.rows import row_octets
from mindpipe.history.verbs import history, log

_AT = MessageRow.__struct_fields__.index("at")


def _row_octets(cells: Sequence[Cell]) -> bytes:
    return row_octets([*cells[:_AT], *cells[_AT + 1 :]])


PATCHES = ((log, "row_octets", _row_octets), (history, "row_octets", _row_octets))
