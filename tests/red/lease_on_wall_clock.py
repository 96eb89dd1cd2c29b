"""A build whose deadlines run on the wall clock, which people and servers of time may move."""

from mindpipe.core.instants import parse_instant
from mindpipe.core.ports import BootTime, Clock
from mindpipe.io.clock import StandingClock, SystemClock
from support.fakes import FixedClock


def _wall(clock: Clock) -> BootTime:
    return BootTime(boot="wall", seconds=parse_instant(clock.now()).timestamp())


PATCHES = tuple((kind, "boot", _wall) for kind in (FixedClock, SystemClock, StandingClock))
