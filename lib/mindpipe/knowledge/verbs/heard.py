"""What an agent hears in a cycle, and which of it counts before the next consolidation."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.ports import Store
from mindpipe.knowledge.keys import Slots, added_to, normal_subject
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.tables.observations import DeniedSlot
from mindpipe.language.guards import denies_unnamed, disowned, may_deny, rights
from mindpipe.language.records import NO_CHILDREN, Statement, Utterance
from mindpipe.language.withdrawals import withdrawn
from mindpipe.memory.records import Item


class HeardItems(NamedTuple):
    """What an agent hears in a cycle, as items; `answered` gives what these may answer."""

    agent: str
    items: Sequence[Item]
    answered: Callable[[], str]


def counting(store: Store, heard: HeardItems, slots: Slots) -> HeardItems:
    """Return what was heard without the items that wait for a consolidation.

    At once counts what denies something that is held, by its name, as named before or in plain
    words, what takes back a slip or what was said right before it, and what tells or answers what
    is right where something was denied. Few items do, and only then is loaded what beliefs are
    weighed by.
    """
    may = [one for one in heard.items if may_deny(one.text)]
    with store.read() as rows:
        denied = observations.denied_slots(rows, agent=heard.agent)
        counts = {
            one.id
            for one in may
            if denies_unnamed(one.text)
            or rights(one.text)
            or disowned(one.text)
            or observations.has_value_in(rows, agent=heard.agent, text=one.text)
        }
    counts |= {one.id for one in heard.items if withdrawn(one.text) is not None}
    counts |= {one.id for one in may if one.id not in counts and _states_denial(one, slots)}
    counts |= {one.id for one in heard.items if _tells_right(one, heard, denied, slots)}
    return heard._replace(items=[one for one in heard.items if one.id in counts])


def denied_of(item: Item, denied: Sequence[DeniedSlot]) -> list[DeniedSlot]:
    """Return where something was denied of who says an item."""
    with suppress(UsageError):
        subject = normal_subject(item.speaker or item.subject or "")
        return [one for one in denied if one.subject_id == subject]
    return []


def _tells_right(item: Item, heard: HeardItems, denied: Sequence[DeniedSlot], slots: Slots) -> bool:
    """Tell whether an item says what is right in the place of what was denied of its speaker."""
    own = denied_of(item, denied)
    if not own:
        return False
    from mindpipe.knowledge.claims.answers import answer_in
    from mindpipe.knowledge.claims.attributes import known_attribute

    if answer_in(item, question=heard.answered(), denied=own) is not None:
        return True
    told = {known_attribute(one.attribute).slot for one in _read(item, slots) if one.holds}
    return any(one.slot.partition(".")[0] in told for one in own)


def _states_denial(item: Item, slots: Slots) -> bool:
    """Tell whether an item says plainly that something is not so: `I don't have any kids`."""
    read = _read(item, slots)
    return any(one.meant in ("denied", "ended") or one.value == NO_CHILDREN for one in read)


def _read(item: Item, slots: Slots) -> list[Statement]:
    """Return the statements of an item but for its figures."""
    from mindpipe.language.strict import strict_reader

    said = Utterance(item.text, item.speaker or "", item.at)
    (read,) = strict_reader(added_to(slots)).read([said])
    return [one for one in read if one.unit is None]
