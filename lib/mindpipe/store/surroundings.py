"""What `mind store check` sees around the file: its place, modes, free space, and the machine."""

import ctypes
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from mindpipe.core.errors import RefusedError
from mindpipe.store import place, reserve
from mindpipe.store.records import Finding

_WAL_BYTES = 64 << 20
_GET_CHILD_SUBREAPER = 37


def place_of(store: Path) -> Iterator[Finding]:
    """Judge the folder and its file system; raises UnavailableError if there is no store here."""
    try:
        place.check_file(store)
        place.check_folder(store.absolute())
    except RefusedError as error:
        yield Finding(check="place", verdict="bad", found=str(error))
        return
    kind = place.file_system_of(store.absolute().parent)
    yield Finding(check="place", verdict="ok", found=f"{store.absolute().parent} on {kind}")


def modes_of(store: Path) -> Iterator[Finding]:
    """Judge the modes of the store and of every file that carries its name."""
    files = sorted(store.absolute().parent.glob(f"{store.name}*"))
    modes = {file.name: stat.S_IMODE(file.lstat().st_mode) for file in files}
    wide = [name for name, mode in modes.items() if mode & 0o077]
    found = ", ".join(f"{name} {mode:04o}" for name, mode in modes.items())
    yield Finding(
        check="modes",
        verdict="bad" if wide else "ok",
        found=found,
        advice=f"Run chmod 600 {' '.join(wide)}." if wide else None,
    )


def room_of(store: Path) -> Iterator[Finding]:
    """Judge the size of the -wal, the free space and the reserve."""
    wal = store.with_name(f"{store.name}-wal")
    size = wal.stat().st_size if wal.exists() else 0
    large = size > _WAL_BYTES
    yield Finding(
        check="wal",
        verdict="note" if large else "ok",
        found=f"{size} bytes",
        advice="End the reader that has been open for long." if large else None,
    )
    free = reserve.free_bytes(store)
    scarce = free < reserve.ENOUGH_BYTES
    yield Finding(
        check="space",
        verdict="note" if scarce else "ok",
        found=f"{free} bytes free",
        advice="Make room on this disk." if scarce else None,
    )
    kept = reserve.reserve_of(store).exists()
    yield Finding(
        check="reserve",
        verdict="ok" if kept else "note",
        found=f"{reserve.RESERVE_BYTES} bytes" if kept else "none",
        advice=None if kept else "It is made again when 64 MiB are free.",
    )


def abilities() -> Iterator[Finding]:
    """Say what this machine can do about the programs that tools start."""
    if _can_adopt():
        yield Finding(check="subreaper", verdict="ok", found="available")
    else:
        advice = "Children of a tool that leave its session outlive it here."
        yield Finding(check="subreaper", verdict="note", found="not available", advice=advice)
    yield _sandbox()


def _sandbox() -> Finding:
    """Run a program in a sandbox, where bubblewrap is there."""
    from mindpipe.core.ports import ProgramCall, Sandbox
    from mindpipe.stream.programs import LocalPrograms
    from mindpipe.stream.sandbox import bubblewrap

    program = bubblewrap()
    if program is None:
        advice = "Install bubblewrap; until then a tool that asks for a sandbox does not run."
        return Finding(check="sandbox", verdict="note", found="not available", advice=advice)
    run = LocalPrograms().run(ProgramCall(argv=("true",), sandbox=Sandbox(), seconds=10))
    if run.status == 0:
        return Finding(check="sandbox", verdict="ok", found=program)
    advice = f"A tool that asks for a sandbox fails; `{program} --unshare-all true` says why."
    return Finding(check="sandbox", verdict="note", found=f"{program} fails", advice=advice)


def _can_adopt() -> bool:
    """Tell whether a process may take in the orphans of its children, and find them (Linux)."""
    if sys.platform != "linux" or not Path("/proc/self/stat").exists():
        return False
    flag = ctypes.c_int()
    return bool(ctypes.CDLL(None).prctl(_GET_CHILD_SUBREAPER, ctypes.byref(flag), 0, 0, 0) == 0)
