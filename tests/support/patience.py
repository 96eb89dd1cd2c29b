"""How long tests wait for what must come: until it is there, and far longer than it ever takes."""

import contextlib
import time
from collections.abc import Callable

LONGEST = 300.0
"""Seconds after which something will never come, however busy the machine is."""
SPANS = (0.3, 3.0, 30.0)
"""Seconds after which tests have something cut that would never end."""
_LOOK_EVERY = 0.02


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds; fail where it never comes."""
    deadline = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < deadline, f"not in {LONGEST:.0f} s: {what}"
        time.sleep(_LOOK_EVERY)


def in_some_span(shows: Callable[[float], None]) -> None:
    """Try what a cut after so many seconds has to show, with ever more of them until it does.

    A machine that stands still for all of a short time cuts what has not begun.
    """
    for seconds in SPANS[:-1]:
        with contextlib.suppress(AssertionError):
            shows(seconds)
            return
    shows(SPANS[-1])
