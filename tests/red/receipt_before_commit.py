"""A build that prints receipts before what they acknowledge is committed."""

from collections.abc import Collection, Iterable

from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.inbox.batch import Batch
from mindpipe.inbox.push_rules import PushRules
from mindpipe.inbox.verbs import push as verbs
from mindpipe.inbox.verbs.push import KeepReceipts, push
from mindpipe_cli import output


def _push_and_print(
    store: Store,
    clock: Clock,
    chance: Chance,
    *,
    pieces: Iterable[Batch],
    agents: Collection[str],
    push_rules: PushRules,
    keep: KeepReceipts,
) -> None:
    def show(receipts: bytes) -> None:
        output.write_bytes([receipts])
        output.flush()

    push(store, clock, chance, pieces=pieces, agents=agents, push_rules=push_rules, keep=show)


PATCHES = ((verbs, "push", _push_and_print),)
