"""Write a history in the form of another program, piece by piece, and say what it cannot carry."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from mindpipe.core.errors import InputOutputError, NothingToDoError, UsageError
from mindpipe.core.messages import Head, Message
from mindpipe.core.ports import Store
from mindpipe.formats.exporters import export_chunks
from mindpipe.formats.records import Loss
from mindpipe.formats.rendering import forget
from mindpipe.formats.restore import restore_document
from mindpipe.history import tables
from mindpipe.history.records import LossCount, StoredImport, Wanted
from mindpipe.history.verbs.blobs import StoredBlobs, blobs
from mindpipe.history.verbs.segments import current_segment
from mindpipe.history.verbs.show import show

Listen = Callable[[Loss], None]
Draw = Callable[[Listen], Iterator[bytes]]
"""Gives the pieces of a document, and tells what it is given of each loss."""

NO_BLOBS: Mapping[str, bytes] = {}
_OWN = "mindpipe"


class Export:
    """One document in pieces; what its form cannot carry is known when the last piece is drawn."""

    def __init__(self, draw: Draw, *, listen: Listen = forget) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._listen = listen
        self._chunks = draw(self._hear)

    def chunks(self) -> Iterator[bytes]:
        """Return the document; no more than one turn of it is held."""
        return self._chunks

    def counts(self) -> list[LossCount]:
        """Return what was lost so far: which part, why, and how often."""
        return [
            LossCount(part=part, why=why, times=times)
            for (part, why), times in sorted(self._counts.items())
        ]

    def _hear(self, loss: Loss) -> None:
        """Count a loss and pass it on."""
        self._counts[loss.part, loss.why] += 1
        self._listen(loss)


def rendered(
    head: Head,
    said: Iterable[Message],
    *,
    wanted: Wanted,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    listen: Listen = forget,
) -> Export:
    """Return messages, from a store or not, as a document in the form that is wanted.

    Raises:
        UsageError: there is no such form.
    """

    def draw(report: Listen) -> Iterator[bytes]:
        return export_chunks(
            head, said, format=wanted.format, options=wanted.options, blobs=blobs, report=report
        )

    return Export(draw, listen=listen)


def export(store: Store, *, agent: str, wanted: Wanted, listen: Listen = forget) -> Export:
    """Return an agent's history, one cycle of it, or one imported document.

    A history that is nothing but one imported file comes back in that file's form as it was read.
    Everything else is written under the newest head, without its summary, as the log is whole.
    `listen` hears of every single loss while the pieces are drawn.

    Raises:
        NothingToDoError: there are no messages.
        UsageError: there is no such form or import.
    """
    if not wanted.render and (imports := _as_read(store, agent, wanted)):
        return Export(lambda _: (_restored(store, stored) for stored in imports))
    said = show(store, agent=agent, cycle=wanted.cycle)
    first = next(said, None)
    if first is None:
        place = "" if wanted.cycle is None else f" in cycle {wanted.cycle}"
        raise NothingToDoError(f"{agent} has no history{place}.")
    segment = current_segment(store, agent=agent)
    head = Head(system="") if segment is None else segment.head
    return rendered(
        Head(system=head.system, tools=head.tools),
        itertools.chain([first], said),
        wanted=wanted,
        blobs=StoredBlobs(store),
        listen=listen,
    )


def _as_read(store: Store, agent: str, wanted: Wanted) -> list[StoredImport]:
    """Return the imports that are to come back as they were read; none if messages are wanted."""
    with store.read() as rows:
        imports = tables.imports(rows, agent=agent)
        last = tables.log_head(rows, agent=agent).seq
    if wanted.document is None:
        ours = wanted.cycle is not None or wanted.format == _OWN
        whole = not ours and _is_one_file(imports, format=wanted.format, last=last)
        return imports if whole else []
    found = [one for one in imports if one.id == wanted.document]
    if not found or found[0].format != wanted.format:
        raise UsageError(f"{agent} has no import {wanted.document} of {wanted.format}.")
    return found


def _is_one_file(imports: list[StoredImport], *, format: str, last: int) -> bool:
    """Tell whether a log is exactly the documents of one file in one form."""
    files = {(one.format, one.document_sha256) for one in imports}
    held = sum(one.last_seq - one.first_seq + 1 for one in imports)
    return len(files) == 1 and imports[0].format == format and held == last


def _restored(store: Store, stored: StoredImport) -> bytes:
    """Return one imported document as it was read, ending with a line end."""
    with store.read() as rows:
        held = tables.page(
            rows,
            agent=stored.agent,
            after=stored.first_seq - 1,
            until=stored.last_seq,
            limit=stored.last_seq,
        )
    sources = {row.id: row.source for row in held if row.source is not None}
    wanted = {*sources.values(), stored.envelope_sha256}
    found = blobs(store, shas=wanted)
    if len(found) < len(wanted):
        raise InputOutputError(f"the sources of import {stored.id} are no longer kept.")
    octets = restore_document(
        found[stored.envelope_sha256],
        map(tables.message_of, held),
        {message: found[sha256] for message, sha256 in sources.items()},
    )
    return octets if octets.endswith(b"\n") else octets + b"\n"
