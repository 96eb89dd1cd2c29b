"""A build that prints receipts before what they acknowledge is committed."""

from collections.abc import Iterable

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.inbox.filing import Filing
from mindpipe.inbox.piece import Piece
from mindpipe.inbox.verbs.push import KeepReceipts, push
from mindpipe_cli import output, pushing


def _push_and_print(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Piece],
    filing: Filing,
    keep: KeepReceipts,
) -> None:
    def show(receipts: bytes) -> None:
        output.write_bytes([receipts])
        output.flush()

    push(store, clock, chance, pieces=pieces, filing=filing, keep=show)


PATCHES = ((pushing, "push_lines", _push_and_print),)
