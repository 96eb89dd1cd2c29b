"""Write a history in the form of another program, piece by piece, and say what it cannot carry."""

import itertools

from mindpipe.core.errors import InputOutputError, NothingToDoError, UsageError
from mindpipe.core.messages import Head
from mindpipe.core.ports import Store
from mindpipe.formats.records import Loss
from mindpipe.formats.rendering import forget
from mindpipe.formats.restore import restore_document
from mindpipe.history import tables
from mindpipe.history.exporting import Export, Listen, rendered
from mindpipe.history.records import StoredImport, Wanted
from mindpipe.history.rows import message_of, segment_of
from mindpipe.history.verbs.blobs import StoredBlobs, blobs
from mindpipe.history.verbs.segments import current_segment
from mindpipe.history.verbs.show import show

_OWN = "mindpipe"


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
        lost=_older_heads(store, agent, head),
    )


def _older_heads(store: Store, agent: str, head: Head) -> list[Loss]:
    """Return the system texts of earlier segments, of which a document holds only the newest."""
    with store.read() as rows:
        found = {
            row.head_sha256: segment_of(row, head=octets)
            for row in tables.segments(rows, agent=agent)
            if (octets := tables.blob(rows, sha256=row.head_sha256)) is not None
        }
    why = "only the newest system text stands in a document"
    return [
        Loss(message=f"segment {segment.segment}", part="system", why=why)
        for segment in found.values()
        if segment.head.system not in ("", head.system)
    ]


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
        map(message_of, held),
        {message: found[sha256] for message, sha256 in sources.items()},
    )
    return octets if octets.endswith(b"\n") else octets + b"\n"
