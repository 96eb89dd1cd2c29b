"""A build, counted and killed, in which each statement is committed by itself."""

from types import TracebackType

from mindpipe.core.ports import Rows
from mindpipe.store import sqlite
from mindpipe.store.sqlite import _Transaction
from support import killed_steps


def _enter(self: _Transaction) -> Rows:
    """Begin nothing."""
    return self._rows


def _exit(
    self: _Transaction,
    kind: type[BaseException] | None,
    error: BaseException | None,
    trace: TracebackType | None,
) -> None:
    """Commit nothing; it is there already."""


PATCHES = (
    *killed_steps.PATCHES,
    (sqlite._Transaction, "__enter__", _enter),
    (sqlite._Transaction, "__exit__", _exit),
)
