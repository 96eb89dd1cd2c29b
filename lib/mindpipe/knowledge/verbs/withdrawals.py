"""Take back what somebody takes back with his next word: `Rex died`, then `I was joking`."""

import functools
from collections.abc import Sequence

from mindpipe.core.ports import Clock, Store
from mindpipe.knowledge.claims.of_items import is_next_word, takes_back
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.verbs.revoke import Revoking
from mindpipe.language.withdrawals import withdrawn
from mindpipe.memory.records import Item
from mindpipe.memory.verbs import memory
from mindpipe.providers.items import import_id


def withdraw(
    store: Store, clock: Clock, *, agent: str, items: Sequence[Item], rules: SlotRules
) -> bool:
    """Take back what each item that withdraws comes right behind; tell whether there was any.

    What that had ended or replaced is held again. What was taken back before stays so.
    """
    found = False
    for item in items:
        said = memory.said_before(store, item) if withdrawn(item.text) is not None else None
        if said is None or said.retracted is not None:
            continue
        if not (takes_back(item, said) and is_next_word(said, item)):
            continue
        taken: dict[str, list[str]] = {}
        for one in memory.retract(store, clock, agent=agent, ids=(said.id,)):
            taken.setdefault(one.kind, []).append(one.id)
        revoking = Revoking(
            store,
            clock,
            functools.partial(_name_of, item.id),
            agent=agent,
            source=None,
            rules=rules,
        )
        revoking.revoke(taken)
        found = True
    return found


def _name_of(by: str, prefix: str, before: str) -> str:
    """Name what an item that withdraws makes anew in the place of something."""
    return import_id(prefix, before, by)
