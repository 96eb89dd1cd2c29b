"""A life that comes to where others write meanwhile: nothing waits for it but what is of it.

Its file is read whole before anything is held, as it may come slowly, and nothing is kept of one
that is broken. What stands under its hash, which others may be adding, too, comes first, a few rows
at a time. In the log it is given numbers that nobody else gets from then on, so that others
commit while its rows come; what is left of that where it does not come after all is no one's.
"""

import contextlib
import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.core.ports import NOBODY, Rows
from mindpipe.core.records import MOST_WHOLE, to_json
from mindpipe.life.archive import LifeReader
from mindpipe.life.numbers import Numbering
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import reserved
from mindpipe.life.verbs.rows import sound_blobs, sound_setups
from mindpipe.store.changes import columns_of

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore

Open = Callable[[Iterable[bytes]], LifeReader]
"""Opens a file of pieces."""
_PIECE = 1 << 16
_AT_ONCE = 20
_HASHED = {"blob": sound_blobs, "operation_setup": sound_setups}
_PAIR = msgspec.json.Decoder(tuple[str, str])


class Arrival(NamedTuple):
    """A file that was read whole: a reader of it, and by table its highest number, and a file.

    That has the lines of the rows that stand under their hash.
    """

    reader: LifeReader
    highest: Mapping[str, int]
    hashed: Mapping[str, IO[bytes]]

    def begin(self, store: "EngineStore") -> Mapping[str, int]:
        """Keep what can be kept before; return by how much its numbers in the log are to move."""
        for table, lines in self.hashed.items():
            found = _HASHED[table](map(_PAIR.decode, lines), self.reader.fault)
            while some := sorted(itertools.islice(found, _AT_ONCE)):
                with store.write(NOBODY) as rows:
                    names = columns_of(rows, table).all
                    tables.insert(rows, table, names, some, agent=self.reader.manifest.agent)
        with store.write(NOBODY) as rows:
            return reserved.reserve_log(rows, self.highest)

    def numbering(self, rows: Rows, log: Mapping[str, int] | None) -> Numbering:
        """Return how its numbers move: to such as nobody else gets, held until they have rows.

        Where it has none in the log yet, nobody else writes there until it has come.
        """
        columns, log = tables.numbered(rows), log or reserved.end_of_log(rows)
        by = {
            table: log[table]
            if table in log
            else reserved.reserve_numbers(rows, table, column, count=self.highest.get(table, 0))
            for table, column in columns.items()
        }
        return Numbering(columns, by)

    def end(self, rows: Rows, log: Mapping[str, int]) -> None:
        """Take away what stood for operations that have come."""
        reserved.forget_reserved(rows, log, self.highest)


@contextlib.contextmanager
def read_before(store: "EngineStore", pieces: Iterable[bytes], open_: Open) -> Iterator[Arrival]:
    """Give a life file that has been read whole and checked, once more from its beginning.

    Raises:
        InputOutputError: it is not as it was written.
    """
    with contextlib.ExitStack() as left:
        kept = left.enter_context(tempfile.TemporaryFile())
        hashed = {table: left.enter_context(tempfile.TemporaryFile()) for table in _HASHED}
        reader = open_(_kept(pieces, kept))
        with store.read() as rows:
            columns = tables.numbered(rows)
            shapes = {table: columns_of(rows, table).all for table in _HASHED}
        highest: dict[str, int] = {}
        for header, found in reader.tables():
            if header.table in shapes and header.columns != shapes[header.table]:
                raise reader.fault(f"{header.table} has other columns")
            place = _place(header.columns, columns.get(header.table))
            for row in found:
                if place is not None and isinstance(number := row[place], int):
                    highest[header.table] = max(number, highest.get(header.table, 0))
                if header.table in hashed:
                    for _ in _HASHED[header.table](iter([row]), reader.fault):
                        hashed[header.table].write(to_json(row) + b"\n")
        reader.finish()
        with store.read() as rows:
            for table, number in highest.items():
                # Each of them is added to what is there.
                last = tables.last_number(rows, table, columns[table])
                if last + number + reserved.BETWEEN >= MOST_WHOLE:
                    raise reader.fault(f"a row of {table} has a number that is too great")
        for one in (kept, *hashed.values()):
            one.seek(0)
        yield Arrival(open_(iter(lambda: kept.read(_PIECE), b"")), highest, hashed)


def _kept(pieces: Iterable[bytes], into: IO[bytes]) -> Iterator[bytes]:
    """Yield pieces that are kept, too."""
    for piece in pieces:
        into.write(piece)
        yield piece


def _place(names: tuple[str, ...], column: str | None) -> int | None:
    """Return where a column stands, or None."""
    return names.index(column) if column in names else None
