"""The one clock of a store on a server: the server's, by which all machines agree on a deadline.

Each transaction is told the server's instant as it begins, with what begins it. Between two of them
this machine's clock since boot goes on from there, so that nobody asks twice.
"""

import datetime
import math
import time
from typing import NamedTuple

from mindpipe.core.instants import format_instant
from mindpipe.core.ports import BootTime, Clock
from mindpipe.io.clock import UNKNOWN, SystemClock, process_place
from mindpipe.store.address import Address

SERVER = "server"
"""What stands where a file's deadlines name the boot of the machine: a server has but one clock."""
INSTANT = "SELECT extract(epoch FROM clock_timestamp())::float8"
SILENCE_SECONDS = 30.0
"""After so long between two answers a server was away, for all that is known."""


class _Heard(NamedTuple):
    """What is known of a server: its last instant, and since when it always answered, as it tells.

    `ahead` is by how many seconds its clock is ahead of this machine's clock since boot.
    """

    ahead: float
    last: float
    since: float


_HEARD: dict[Address, _Heard] = {}


def machine_of(clock: Clock) -> str:
    """Return what tells the machine on which a store's clock is read, and this time that it runs.

    A file is on one, which its clock names; a server is read from many, each of whose containers
    counts as one.
    """
    named = clock.boot().boot
    return process_place() if named == SERVER else named


def sees(clock: Clock, machine: str) -> bool:
    """Tell whether a process of such a machine can be seen from here."""
    here = machine_of(clock)
    return machine == here and (here != UNKNOWN or clock.boot().boot != SERVER)


def told(address: Address, instant: float) -> None:
    """Note the server's instant, in seconds since 1970, as it was told just now."""
    before = _HEARD.get(address)
    since = -math.inf if before is None else before.since
    if before is not None and instant - before.last > SILENCE_SECONDS:
        since = instant
    _HEARD[address] = _Heard(instant - _local(), instant, since)


def is_known(address: Address) -> bool:
    """Tell whether a server has told its instant yet."""
    return address in _HEARD


def heard_since(address: Address) -> float:
    """Return since which instant the server has always answered this process, as it tells.

    That is long ago where this process does not know of a time in which it did not.
    """
    before = _HEARD.get(address)
    return -math.inf if before is None else before.since


def _local() -> float:
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ServerClock:
    """The clock of a server; the wall shows what `wall` does where that stands still."""

    def __init__(self, address: Address, wall: Clock, *, stands: bool) -> None:
        self._address, self.wall, self._stands = address, wall, stands

    @property
    def machine(self) -> Clock:
        """Return the clock of this machine, also where somebody says what time it is."""
        return SystemClock() if self._stands else self.wall

    def now(self) -> str:
        """Return the server's wall-clock instant."""
        if self._stands:
            return self.wall.now()
        return format_instant(datetime.datetime.fromtimestamp(self._seconds(), datetime.UTC))

    def boot(self) -> BootTime:
        """Return the server's clock, in seconds since 1970."""
        return BootTime(boot=SERVER, seconds=self._seconds())

    def pause(self, seconds: float) -> None:
        """Wait."""
        self.wall.pause(seconds)

    def _seconds(self) -> float:
        """Return the server's instant; it is asked once where no transaction was told of it yet."""
        if self._address not in _HEARD:
            from mindpipe.store.postgres.connection import connect, server_errors

            with server_errors(self._address), connect(self._address) as connection:
                told(self._address, float(str((connection.execute(INSTANT).fetchone() or (0,))[0])))
        return _HEARD[self._address].ahead + _local()
