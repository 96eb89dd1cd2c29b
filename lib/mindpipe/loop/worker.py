"""What a worker that stays needs beside what it thinks with."""

from collections.abc import Callable

import msgspec

from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.loop.records import Life
from mindpipe.think.records import CycleReport


class Worker(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of one life; `think` lives one cycle, `wait` returns when the store may have moved.

    `check` raises when the life has to end: it was asked to stop, or the store is in RECOVERY.
    `tell` hears in words why it waits.
    """

    store: Store
    clock: Clock
    chance: Chance
    deliver: Deliver
    run: Life
    think: Callable[[], CycleReport]
    wait: Callable[[float], None]
    check: Callable[[], None]
    tell: Callable[[str], None]
