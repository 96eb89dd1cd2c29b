"""How long tests wait for what must come: until it is there, and far longer than it ever takes."""

import time
from collections.abc import Callable

LONGEST = 300.0
"""Seconds after which something will never come, however busy the machine is."""
_LOOK_EVERY = 0.02


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds; fail where it never comes."""
    deadline = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < deadline, f"not in {LONGEST:.0f} s: {what}"
        time.sleep(_LOOK_EVERY)
