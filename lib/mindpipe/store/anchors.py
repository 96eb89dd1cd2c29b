"""What a store's rows come to: their number and a hash, by table and by agent's log of changes.

The hash is SHA-256 over the rows in the order of the key, each as a list in MessagePack: of the
same rows it is the same in a file and on a server.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec

from mindpipe.core.ports import Cell, Rows
from mindpipe.store.changes import columns_of
from mindpipe.store.engine import EngineStore

What = Literal["table", "log"]
_LOG = "change"
_encoded = msgspec.msgpack.Encoder().encode


class RowsAnchor(NamedTuple):
    """How many rows there are of something, and their hash in hexadecimal digits."""

    rows: int
    sha256: str


Anchors = dict[tuple[What, str], RowsAnchor]
"""Anchors by what they are of, and its name: a table's, or an agent's (none for what all share)."""


class _Sum:
    """An anchor while rows are added to it."""

    def __init__(self) -> None:
        self._rows = 0
        self._hash = hashlib.sha256()

    def add(self, octets: bytes) -> None:
        self._rows += 1
        self._hash.update(octets)

    def anchor(self) -> RowsAnchor:
        return RowsAnchor(self._rows, self._hash.hexdigest())


def anchors_of(store: EngineStore, tables: Iterable[str]) -> Iterator[tuple[str, Anchors]]:
    """Yield each table, and the anchors of its rows, of one state of the store."""
    with store.read() as rows:
        for table in tables:
            yield table, dict(_anchors(store, rows, table))


def _anchors(
    store: EngineStore, rows: Rows, table: str
) -> Iterator[tuple[tuple[What, str], RowsAnchor]]:
    names = columns_of(rows, table).all
    whole, logs = _Sum(), defaultdict[Cell, _Sum](_Sum)
    owner = names.index("agent") if table == _LOG else None
    for row in store.rows_behind(table, None):
        octets = _encoded(row)
        whole.add(octets)
        if owner is not None:
            logs[row[owner]].add(octets)
    yield ("table", table), whole.anchor()
    for agent, log in logs.items():
        yield ("log", str(agent)), log.anchor()
