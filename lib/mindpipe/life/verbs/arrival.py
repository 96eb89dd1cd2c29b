"""A life that comes to where others write meanwhile: nothing waits for it but what is of it.

Its file is read whole before anything is held, as it may come slowly, and nothing is kept of one
that is broken. Octets under their hashes, of which others may be adding the same, come first, a
few at a time. In the log it is given numbers that nobody else gets from then on, so that others
commit while its rows come; what is left of that where it does not come after all is no one's.
"""

import contextlib
import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.core.ports import NOBODY, Rows
from mindpipe.core.records import to_json
from mindpipe.history import tables as history_tables
from mindpipe.life.archive import LifeReader
from mindpipe.life.numbers import Numbering
from mindpipe.life.tables import lives as tables
from mindpipe.life.tables import reserved
from mindpipe.life.verbs.rows import sound_blobs

if TYPE_CHECKING:
    from mindpipe.store.engine import EngineStore

Open = Callable[[Iterable[bytes]], LifeReader]
"""Opens a file of pieces."""
_PIECE = 1 << 16
_BLOBS_AT_ONCE = 20
_BLOB = msgspec.json.Decoder(tuple[str, str])


class Arrival(NamedTuple):
    """A file that was read whole: a reader of it, its octets, and its highest number by table."""

    reader: LifeReader
    highest: Mapping[str, int]
    blobs: IO[bytes]

    def begin(self, store: "EngineStore") -> Mapping[str, int]:
        """Keep what can be kept before; return by how much its numbers in the log are to move."""
        lines = map(_BLOB.decode, self.blobs)
        sound = sound_blobs(lines, self.reader.fault)
        while some := list(itertools.islice(sound, _BLOBS_AT_ONCE)):
            with store.write(NOBODY) as rows:
                history_tables.insert_blobs(rows, ((str(sha), _whole(cell)) for sha, cell in some))
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
    with tempfile.TemporaryFile() as kept, tempfile.TemporaryFile() as blobs:
        reader = open_(_kept(pieces, kept))
        with store.read() as rows:
            columns = tables.numbered(rows)
        highest: dict[str, int] = {}
        for header, found in reader.tables():
            place = _place(header.columns, columns.get(header.table))
            for row in found:
                if place is not None and isinstance(number := row[place], int):
                    highest[header.table] = max(number, highest.get(header.table, 0))
                if header.table == "blob":
                    blobs.write(to_json(row) + b"\n")
        reader.finish()
        for one in (kept, blobs):
            one.seek(0)
        yield Arrival(open_(iter(lambda: kept.read(_PIECE), b"")), highest, blobs)


def _kept(pieces: Iterable[bytes], into: IO[bytes]) -> Iterator[bytes]:
    """Yield pieces that are kept, too."""
    for piece in pieces:
        into.write(piece)
        yield piece


def _place(names: tuple[str, ...], column: str | None) -> int | None:
    """Return where a column stands, or None."""
    return names.index(column) if column in names else None


def _whole(cell: object) -> bytes:
    assert isinstance(cell, bytes)
    return cell
