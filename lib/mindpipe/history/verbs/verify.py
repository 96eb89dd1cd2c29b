"""Walk the hash chain and name every row that is not what was written."""

from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Rows, Store
from mindpipe.history import tables
from mindpipe.history.chain import digest, link, row_octets
from mindpipe.history.records import GENESIS, BrokenRow, OctetRow, Verdict
from mindpipe.history.verbs.segments import row_sha256

PAGE = 200


class _Bytes(msgspec.Struct):
    """The one field that points to blobs, in a raw reply or a file part."""

    sha256: tuple[str, ...] | str = ()


class Walk:
    """One pass along an agent's chain, page by page; `verdict` is what it came to."""

    def __init__(self, store: Store, *, agent: str, anchor: str | None = None) -> None:
        self._store = store
        self._agent = agent
        self._anchor = anchor
        self._previous = GENESIS
        self._seq = 0
        self._rows = 0
        self._broken = 0
        self._met = anchor is None or anchor == GENESIS

    @property
    def verdict(self) -> Verdict:
        """Return what was found so far: rows, the anchor to keep elsewhere, broken rows."""
        return Verdict(
            agent=self._agent, rows=self._rows, anchor=self._previous, broken=self._broken
        )

    def broken(self) -> Iterator[BrokenRow]:
        """Yield every broken row: messages along the chain, segments and their heads, blobs.

        Raises:
            NothingToDoError: the agent has no rows and no anchor says that it should.
        """
        for one in self._found():
            self._broken += 1
            yield one

    def _found(self) -> Iterator[BrokenRow]:
        """Yield what is wrong, page by page."""
        yield from self._segments()
        while page := self._page():
            for row in page:
                yield from self._follow(row)
            with self._store.read() as rows:
                yield from self._blobs(rows, page)
        if not self._rows and self._anchor is None:
            raise NothingToDoError(f"{self._agent} has no history to verify.")
        if not self._met:
            yield self._break(
                self._seq, "no row has the hash of the anchor: the log was cut or written anew"
            )

    def _page(self) -> list[OctetRow]:
        """Return the next rows."""
        with self._store.read() as rows:
            return tables.octet_page(rows, agent=self._agent, after=self._seq, limit=PAGE)

    def _break(self, number: int, what: str, *, table: str = "message") -> BrokenRow:
        """Name a broken row."""
        return BrokenRow(agent=self._agent, table=table, number=number, what=what)

    def _follow(self, row: OctetRow) -> Iterator[BrokenRow]:
        """Check that a row follows the one before it, and go on from what it says."""
        if row.seq != self._seq + 1:
            yield self._break(row.seq, f"it follows seq {self._seq}: what was between is gone")
        *cells, stored, segment = msgspec.structs.astuple(row)
        sha256 = stored.decode("ascii", "replace")
        if link(self._previous, row_octets([*cells, segment])) != sha256:
            yield self._break(row.seq, "its hash does not fit its columns and the row before")
        # A damaged number never leads backwards: the walk has an end.
        self._seq = max(row.seq, self._seq + 1)
        self._previous, self._rows = sha256, self._rows + 1
        self._met = self._met or sha256 == self._anchor

    def _segments(self) -> Iterator[BrokenRow]:
        """Check every segment's row and the head that it points to."""
        with self._store.read() as rows:
            try:
                found = tables.segments(rows, agent=self._agent)
            except UnicodeDecodeError:
                yield self._break(0, "a segment's text is not UTF-8", table="segment")
                return
            for row in found:
                if row.sha256 != row_sha256(row):
                    what = "its hash does not fit its columns"
                    yield self._break(row.segment, what, table="segment")
                head = tables.blob(rows, sha256=row.head_sha256)
                if head is None or digest(head) != row.head_sha256:
                    yield self._break(row.segment, "its head is not what was kept", table="segment")

    def _blobs(self, rows: Rows, page: list[OctetRow]) -> Iterator[BrokenRow]:
        """Check the octets that a page of rows points to; octets no longer kept are no fault."""
        owners = {sha256: row.seq for row in page for sha256 in _pointed(row)}
        for sha256, octets in tables.blobs(rows, shas=owners):
            if digest(octets) != sha256:
                yield self._break(owners[sha256], "its raw, file or source bytes have changed")


def _pointed(row: OctetRow) -> list[str]:
    """Return the hashes of the blobs that a row points to; none where its JSON is broken."""
    shas: list[str] = [] if row.source is None else [row.source.decode("ascii", "replace")]
    try:
        parts = msgspec.json.decode(row.parts, type=list[_Bytes])
        raw = [] if row.raw is None else [msgspec.json.decode(row.raw, type=_Bytes)]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return shas
    for one in [*parts, *raw]:
        shas += [one.sha256] if isinstance(one.sha256, str) else one.sha256
    return shas
