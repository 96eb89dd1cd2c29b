"""The Clock port: the machine's clocks, or a wall clock that stands still for reproducible runs."""

import datetime
import os
import time

from mindpipe.core.instants import format_instant, normal_instant
from mindpipe.core.ports import BootTime, Clock
from mindpipe.io.files import read_if_there

_BOOT_ID = "/proc/sys/kernel/random/boot_id"
_SELF, _NUMBERS = "/proc/self", "/proc/self/ns/pid"
UNKNOWN = "unknown"
"""What stands for a machine where the system does not tell it from others."""


def machine_boot() -> str:
    """Return what tells this machine, and this time that it runs, from all others, or UNKNOWN."""
    return (read_if_there(_BOOT_ID) or UNKNOWN.encode()).decode().strip()


def process_place() -> str:
    """Return what tells where the number of a process means the same as here, or UNKNOWN.

    Containers of one machine share its boot, and have numbers of their own. A place that is used
    again has none of the processes that were there before.
    """
    boot = machine_boot()
    try:
        if boot == UNKNOWN or os.readlink(_SELF) != str(os.getpid()):  # noqa: PTH115 - no pathlib
            return UNKNOWN
        return f"{boot} {os.stat(_NUMBERS).st_ino}"  # noqa: PTH116 - loads no pathlib
    except OSError:
        return UNKNOWN


class SystemClock:
    """The machine's wall clock and its clock since boot."""

    def __init__(self) -> None:
        self._boot: str | None = None

    def now(self) -> str:
        """Return the wall-clock instant."""
        return format_instant(datetime.datetime.now(datetime.UTC))  # noqa: TID251 - the one clock

    def boot(self) -> BootTime:
        """Return boot id and seconds since boot, sleep included where the system can."""
        if self._boot is None:
            self._boot = machine_boot()
        number = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
        return BootTime(boot=self._boot, seconds=time.clock_gettime(number))

    def pause(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class StandingClock(SystemClock):
    """A wall clock that always shows one instant; the boot clock runs on."""

    def __init__(self, instant: str) -> None:
        super().__init__()
        self._instant = normal_instant(instant)

    def now(self) -> str:
        """Return the given instant."""
        return self._instant


def make_clock(now: str | None) -> Clock:
    """Return the machine's clock, or one that stands at `now`."""
    return StandingClock(now) if now else SystemClock()
