"""What a user may change of knowledge: which slots there are, and how long a claim lasts."""

from typing import NamedTuple

from mindpipe.knowledge.freshness import WINDOWS, Windows, changed_windows
from mindpipe.knowledge.keys import SLOTS, Slots, extended


class Rules(NamedTuple):
    """The slots of each kind and its window in days, as they are in force."""

    slots: Slots = SLOTS
    windows: Windows = WINDOWS


def rules_of(*, slots: str | None, windows: str | None) -> Rules:
    """Return the rules under the settings `knowledge.slots` and `knowledge.windows`.

    Raises:
        UsageError: one of them names no kind, no slot or no days.
    """
    return Rules(extended(slots), changed_windows(windows))
