"""Real servers as processes of their own, as long as a test needs them."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 240.0


@dataclass
class Served:
    """A server that runs: what matched its line that says so, and all that it said."""

    said: list[str] = field(default_factory=list)
    ready: re.Match[str] | None = None

    def group(self, number: int) -> str:
        """Return a part of the line that said it is ready."""
        assert self.ready is not None
        return self.ready[number]


@contextlib.contextmanager
def running(
    command: Sequence[str], *, ready: str, folder: Path, environment: Mapping[str, str]
) -> Iterator[Served]:
    """Start a server, wait until it says that it is ready, and end it and what it started."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    served, is_there = Served(), threading.Event()

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            served.said.append(line)
            served.ready = served.ready or re.search(ready, line)
            if served.ready:
                is_there.set()
        is_there.set()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        assert is_there.wait(PATIENCE), served.said
        assert served.ready, f"{command[0]} ended: {''.join(served.said)}"
        yield served
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        listener.join()
        assert process.stdout is not None
        process.stdout.close()


def free_port() -> int:
    """Return a port that nobody listens on now, for a server that cannot choose one by itself."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
