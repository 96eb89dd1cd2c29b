"""A build whose deadlines run on the wall clock, which people and servers of time may move."""

from fakes import FixedClock
from mindpipe.core.instants import parse_instant
from mindpipe.core.ports import BootTime, Clock
from mindpipe.wiring.clock import StandingClock, SystemClock


def _wall(clock: Clock) -> BootTime:
    return BootTime(boot="wall", seconds=parse_instant(clock.now()).timestamp())


PATCHES = tuple((kind, "boot", _wall) for kind in (FixedClock, SystemClock, StandingClock))
