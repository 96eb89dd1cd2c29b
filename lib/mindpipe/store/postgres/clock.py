"""The one clock of a store on a server: the server's, by which all machines agree on a deadline.

Each transaction is told the server's instant as it begins, with what begins it. Between two of them
this machine's clock since boot goes on from there, so that nobody asks twice.
"""

import datetime
import time

from mindpipe.core.instants import format_instant
from mindpipe.core.ports import BootTime, Clock
from mindpipe.io.clock import machine_boot
from mindpipe.store.address import Address

SERVER = "server"
"""What stands where a file's deadlines name the boot of the machine: a server has but one clock."""
INSTANT = "SELECT extract(epoch FROM clock_timestamp())::float8"
_AHEAD: dict[Address, float] = {}
"""By how many seconds the clock of a server is ahead of this machine's clock since boot."""


def machine_of(clock: Clock) -> str:
    """Return what tells the machine on which a store's clock is read, and this time that it runs.

    A file is on one, which its clock names; a server is read from many.
    """
    named = clock.boot().boot
    return machine_boot() if named == SERVER else named


def told(address: Address, instant: float) -> None:
    """Note the server's instant, in seconds since 1970, as it was told just now."""
    _AHEAD[address] = instant - _local()


def _local() -> float:
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ServerClock:
    """The clock of a server; the wall shows what `wall` does where that stands still."""

    def __init__(self, address: Address, wall: Clock, *, stands: bool) -> None:
        self._address, self.wall, self._stands = address, wall, stands

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
        if self._address not in _AHEAD:
            from mindpipe.store.postgres.connection import connect, server_errors

            with server_errors(self._address), connect(self._address) as connection:
                told(self._address, float(str((connection.execute(INSTANT).fetchone() or (0,))[0])))
        return _AHEAD[self._address] + _local()
