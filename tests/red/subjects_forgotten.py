"""A build that does not note which subjects of a window are done."""

from mindpipe.core.ports import Rows
from mindpipe.knowledge.records import ConsolidationWindow
from mindpipe.knowledge.tables import windows


def _forget(rows: Rows, window: ConsolidationWindow, subject: str) -> None:
    pass


PATCHES = ((windows, "add_subject", _forget),)
