"""Processes that work on after this one: started in a session of their own, and waited for late."""

import subprocess  # noqa: TID251 - what is started here is this very program
from collections.abc import Mapping, Sequence

from mindpipe.core.errors import UnavailableError

_started: list[subprocess.Popen[bytes]] = []


def start(argv: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start a process that outlives this one and hears and says nothing.

    Those started before that have ended are waited for now.

    Raises:
        UnavailableError: it cannot start.
    """
    _started[:] = [one for one in _started if one.poll() is None]
    try:
        made = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise UnavailableError(
            f"no worker can be started ({error.strerror or error}); try again later."
        ) from None
    _started.append(made)
