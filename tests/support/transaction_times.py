"""Parts for a `mind` process that make it note how long each of its transactions lasted."""

import contextlib
import os
import time
from collections.abc import Iterator

from mindpipe.core.ports import Rows
from mindpipe.store.sqlite import SqliteStore
from support.broken_builds import Patch

FILE = "transactions"
"""In the folder of the process: one line of milliseconds per transaction that may write."""
_write = SqliteStore.write


@contextlib.contextmanager
def _timed(self: SqliteStore) -> Iterator[Rows]:
    """Hold a transaction, and note how long it was held if it is one of its own."""
    joined = self.connection.in_transaction
    with _write(self) as rows:
        begun = time.perf_counter()
        yield rows
    if not joined:
        _note((time.perf_counter() - begun) * 1000)


def _note(milliseconds: float) -> None:
    descriptor = os.open(FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, b"%.3f\n" % milliseconds)
    finally:
        os.close(descriptor)


PATCHES: tuple[Patch, ...] = ((SqliteStore, "write", _timed),)
