"""A machine beside this one: it has another boot, and its clocks are ten minutes ahead."""

import time
from typing import Any

from mindpipe.core.instants import later
from mindpipe.io import clock as machine
from mindpipe.store.postgres import clock
from support import lasting_server

AHEAD = 600.0
_now = machine.SystemClock.now


def _ahead(self: Any) -> str:
    return later(_now(self), seconds=AHEAD)


def _boot() -> str:
    return "another machine"


def _local() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME) + AHEAD


PATCHES = (
    (machine.SystemClock, "now", _ahead),
    (machine, "machine_boot", _boot),
    (clock, "process_place", _boot),
    (clock, "_local", _local),
    *lasting_server.PATCHES,
)
