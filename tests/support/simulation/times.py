"""The time of a simulated life, in a file that all its processes share.

Three numbers: the wall clock (seconds since 1970), the clock since boot, and the instant on the
latter at which the world does something next. A worker that waits lets the time pass at once; where
the world is due first, it stands at that instant until the world has acted.
"""

import datetime
import functools
import os
import random
import struct
import threading
import time
from pathlib import Path

from mindpipe.core.instants import format_instant
from mindpipe.core.models import ModelReply, ModelRequest
from mindpipe.core.ports import BootTime, Preview
from mindpipe.io.clock import SystemClock
from mindpipe.io.watch import StoreWatch
from mindpipe.providers.program.client import ProgramModel
from mindpipe.store.postgres.clock import SERVER, ServerClock
from mindpipe.store.postgres.watch import ServerWatch
from support.broken_builds import Patch

FILE, WORLD, GO = "time", "world", "go"
WORKER = "SIMULATED_WORKER"
"""Set in the environment of the one process whose waiting lets the time pass."""
_SHAPE = struct.Struct("3d")
_BOOT = "simulated"
_LONGEST_SECONDS = 60.0
_BESIDE_SECONDS = 0.02
_DURATIONS = (0.2, 0.4, 0.8, 1.5, 3.0, 6.0, 12.0)
_WEIGHTS = (30, 30, 20, 10, 6, 3, 1)
_chance = random.Random()
_reply = ProgramModel.reply


def read(folder: Path | str = ".") -> tuple[float, float, float]:
    """Return the wall clock, the clock since boot, and when the world acts next."""
    return _SHAPE.unpack(os.pread(_opened(folder, os.getpid()), _SHAPE.size, 0))


@functools.cache
def _opened(folder: Path | str, _process: int) -> int:
    """Return the file of a folder, opened once by each process, which looks very often."""
    return os.open(Path(folder, FILE), os.O_RDWR | os.O_CREAT, 0o600)


def write(wall: float, boot: float, due: float, folder: Path | str = ".") -> None:
    """Set all three, at once."""
    os.pwrite(_opened(folder, os.getpid()), _SHAPE.pack(wall, boot, due), 0)


def pass_by(seconds: float, folder: Path | str = ".") -> None:
    """Move both clocks on."""
    wall, boot, due = read(folder)
    write(wall + seconds, boot + seconds, due, folder)


def _wait(seconds: float) -> None:
    """Let the time pass, to the world's next act at the furthest, and let it act then.

    Only who lives the agent may; what observes beside it in a thread waits a little for real.
    """
    if threading.current_thread() is not threading.main_thread():
        time.sleep(min(seconds, _BESIDE_SECONDS))
        return
    wall, boot, due = read()
    if boot + seconds < due or WORKER not in os.environ:
        pass_by(max(0.0, seconds))
        return
    left = max(0.0, due - boot)
    write(wall + left, boot + left, due)
    _stand()


def _stand() -> None:
    """Let the world act, and go on when it says so."""
    with Path(WORLD).open("wb", buffering=0) as world:
        world.write(b".")
    with Path(GO).open("rb", buffering=0) as go:
        go.read(1)


def _now(_clock: SystemClock | ServerClock) -> str:
    """Return the simulated wall clock."""
    return format_instant(datetime.datetime.fromtimestamp(read()[0], datetime.UTC))


def _boot_time(_clock: SystemClock) -> BootTime:
    """Return the simulated clock since boot."""
    return BootTime(boot=_BOOT, seconds=read()[1])


def _server_time(_clock: ServerClock) -> BootTime:
    """Return the simulated clock of a server, which stands right where a machine's may jump."""
    return BootTime(boot=SERVER, seconds=read()[1])


def _pause(_clock: SystemClock, seconds: float) -> None:
    """Wait in simulated time."""
    _wait(seconds)


def _watch(_watch: StoreWatch | ServerWatch, seconds: float) -> None:
    """Wait in simulated time, as long as a store's watch would at the most."""
    _wait(min(seconds, _LONGEST_SECONDS))


def _lasting_reply(
    model: ProgramModel, request: ModelRequest, preview: Preview | None = None
) -> ModelReply:
    """Ask the program, and let it have taken a while."""
    reply = _reply(model, request, preview)
    _chance.seed(f"{os.getpid()}/{read()[1]}")
    slow = float(os.environ.get("SIMULATED_SLOWNESS", "1"))
    pass_by(slow * _chance.choices(_DURATIONS, _WEIGHTS)[0])
    _, boot, due = read()
    if boot >= due and WORKER in os.environ:
        _stand()
    return reply


PATCHES: tuple[Patch, ...] = (
    (SystemClock, "now", _now),
    (SystemClock, "boot", _boot_time),
    (SystemClock, "pause", _pause),
    (ServerClock, "now", _now),
    (ServerClock, "boot", _server_time),
    (StoreWatch, "__call__", _watch),
    (ServerWatch, "__call__", _watch),
    (ProgramModel, "reply", _lasting_reply),
)
