"""A build in which every statement of a turn commits itself."""

import contextlib
from collections.abc import Iterator

from mindpipe.core.ports import Rows
from mindpipe.core.redaction import Redactor
from mindpipe.store.changes import ChangeLog
from mindpipe.store.sqlite import SqliteStore, sqlite_errors


@contextlib.contextmanager
def _no_transaction(
    store: SqliteStore, _begin: str, _log: ChangeLog | None, _redactor: Redactor | None = None
) -> Iterator[Rows]:
    with sqlite_errors(store.path):
        yield store._rows


PATCHES = ((SqliteStore, "_transaction", _no_transaction),)
