"""Make failpoints bite, as `MIND_FAIL=name:action[@n]` asks, only when MIND_TESTING=1."""

import errno
import os
import signal
import time
from collections.abc import Mapping

from mindpipe.core.errors import UsageError
from mindpipe.core.failpoints import FAILPOINTS, install


def install_from(environment: Mapping[str, str]) -> None:
    """Install the hook that the environment asks for; raises UsageError for an unknown name."""
    wish = environment.get("MIND_FAIL")
    if not wish or environment.get("MIND_TESTING") != "1":
        return
    name, _, rest = wish.partition(":")
    action, _, passage = rest.partition("@")
    if name not in FAILPOINTS:
        raise UsageError(f"MIND_FAIL names no failpoint: {name}.")
    left = [int(passage or 1)]

    def hook(reached: str) -> None:
        if reached != name:
            return
        left[0] -= 1
        if left[0] == 0:
            _act(action)

    install(hook)


def _act(action: str) -> None:
    """Do what the failpoint was told to do."""
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif action == "enospc":
        raise OSError(errno.ENOSPC, "No space left on device")
    elif action == "raise":
        raise RuntimeError("a failpoint was told to raise")
    elif action.startswith("sleep="):
        time.sleep(float(action.removeprefix("sleep=")))
    else:
        raise UsageError(f"MIND_FAIL knows no action {action}; use kill, stop, raise, enospc.")
