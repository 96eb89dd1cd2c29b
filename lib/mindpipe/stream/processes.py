"""Tell processes of this machine apart, also where a number was given to another one later."""

import os

from mindpipe.core.errors import InputOutputError
from mindpipe.stream.files import read_if_there

_STATE, _BORN = 0, 19
_ENDED = (b"Z", b"X")


def born_of(pid: int) -> str | None:
    """Return what tells a process from any other that has or had its number; None if it ended.

    On Linux this is when it began, in clock ticks since boot. Elsewhere it is always the same, so
    that a number that was used again passes for the old process.
    """
    try:
        stat = read_if_there(f"/proc/{pid}/stat")
    except InputOutputError:
        return None
    if stat is None:
        return None if os.path.isdir("/proc/self") else _asked(pid)  # noqa: PTH112 - loads no pathlib
    fields = stat.rpartition(b")")[2].split()
    return None if fields[_STATE] in _ENDED else fields[_BORN].decode()


def _asked(pid: int) -> str | None:
    """Ask the system for a process where there is no /proc."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        pass
    return "unknown"
