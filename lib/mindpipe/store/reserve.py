"""The reserve file beside a store: space that a full disk gives back, to save what is under way."""

import contextlib
import os
from pathlib import Path

RESERVE_BYTES = 1 << 20
ENOUGH_BYTES = 64 << 20


def reserve_of(store: Path) -> Path:
    """Return where the reserve of a store is."""
    return store.with_name(f"{store.name}.reserve")


def keep(store: Path) -> None:
    """Make the reserve if it is missing and 64 MiB are free; a disk without room is no error."""
    reserve = reserve_of(store)
    if reserve.exists() or free_bytes(store) < ENOUGH_BYTES:
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(reserve, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(bytes(RESERVE_BYTES))


def release(store: Path) -> None:
    """Give the reserve's space back to a full disk."""
    with contextlib.suppress(OSError):
        reserve_of(store).unlink(missing_ok=True)


def free_bytes(store: Path) -> int:
    """Return how many bytes are free where the store lies."""
    found = os.statvfs(store.absolute().parent)
    return found.f_bavail * found.f_frsize
