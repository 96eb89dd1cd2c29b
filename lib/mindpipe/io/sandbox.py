"""Shut a program in with bubblewrap, or refuse: nothing that asks for it runs without it."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Sandbox

PATH = "/usr/local/bin:/usr/bin:/bin"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc")


def bubblewrap() -> str | None:
    """Return where bubblewrap is, or None."""
    return shutil.which("bwrap", path=PATH)


def shut_in(argv: Sequence[str], sandbox: Sandbox, folder: str) -> tuple[str, ...]:
    """Return the argument vector that runs `argv` in a sandbox with `folder` as its home.

    It sees the system's programs and `sandbox.visible` (read-only), its own folder, an empty /tmp
    and, unless `sandbox.network`, no network; it has no other processes and no terminal.

    Raises:
        UnavailableError: bubblewrap is not installed.
    """
    program = bubblewrap()
    if program is None:
        raise UnavailableError(
            f"{argv[0]} asks for a sandbox and bubblewrap is not installed, so it does not run; "
            "install it (apt install bubblewrap), or take sandbox out of the tool's manifest."
        )
    words = [program, "--die-with-parent", "--new-session", "--unshare-all"]
    words += ["--share-net"] if sandbox.network else []
    for path in _SYSTEM:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run"]
    for path in sandbox.visible:
        if Path(path).exists():
            words += ["--ro-bind", path, path]
    if folder:
        words += ["--bind", folder, folder, "--chdir", folder]
    return (*words, "--", *argv)
