"""How long tests wait for what must come: until it is there, and far longer than it ever takes."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable

LONGEST = 300.0
"""Seconds after which something will never come, however busy the machine is."""
SPANS = (0.3, 3.0, 30.0)
"""Seconds after which tests have something cut that would never end."""
_LOOK_EVERY, _LOOK_AGAIN = 0.02, 1.0
"""Seconds from one look to the next: at least, and at most."""
_RESTS = 4
"""So many times as long as a look took nobody looks: what is waited for needs the core, too."""


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds; fail where it never comes."""
    deadline = time.monotonic() + LONGEST
    while True:
        looked = time.monotonic()
        if holds():
            return
        now = time.monotonic()
        assert now < deadline, f"not in {LONGEST:.0f} s: {what}"
        time.sleep(min(_LOOK_AGAIN, max(_LOOK_EVERY, _RESTS * (now - looked))))


def woken(process: subprocess.Popen[bytes]) -> bytes:
    """Let a process that stops itself go on to its end, however late it stops; return stderr."""

    def has_ended() -> bool:
        process.send_signal(signal.SIGCONT)
        return process.poll() is not None

    until(has_ended, "the end of a process that was stopped")
    return process.communicate()[1]


def in_some_span(shows: Callable[[float], None]) -> None:
    """Try what a cut after so many seconds has to show, with ever more of them until it does.

    A machine that stands still for all of a short time cuts what has not begun.
    """
    for seconds in SPANS[:-1]:
        with contextlib.suppress(AssertionError):
            shows(seconds)
            return
    shows(SPANS[-1])
