"""Deadlines on the clock since boot, which no change of the wall clock can move."""

from mindpipe.core.ports import BootTime


def deadline(now: BootTime, *, seconds: float) -> BootTime:
    """Return the boot time that lies `seconds` ahead."""
    return BootTime(boot=now.boot, seconds=now.seconds + seconds)


def expired(limit: BootTime, now: BootTime) -> bool:
    """Tell whether a deadline has passed; one set under another boot always has."""
    return limit.boot != now.boot or now.seconds >= limit.seconds
