"""A build that opens a store in RECOVERY like any other."""

from mindpipe.store import access, check, worker_sessions
from mindpipe.store.sqlite import connect


def _writable(path, *, read_only=False, **how):  # noqa: ANN001, ANN003, ANN202 - as what it replaces
    return connect(path, **how)


PATCHES = tuple((module, "connect", _writable) for module in (check, access, worker_sessions))
