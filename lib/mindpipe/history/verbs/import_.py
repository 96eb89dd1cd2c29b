"""Take foreign conversations into an agent's history, whole files or nothing."""

import itertools
from collections.abc import Callable, Iterable, Iterator

import msgspec

from mindpipe.core.errors import BadInputError, TemporaryError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Clock, Rows, Store, Tokens
from mindpipe.core.problems import Problem
from mindpipe.formats.import_ids import import_id
from mindpipe.formats.records import Imported
from mindpipe.history import tables
from mindpipe.history.adoption import Foreign, checked, raw_hashes, read, target_of
from mindpipe.history.records import (
    Cycle,
    CycleState,
    ImportReceipt,
    LogHead,
    NewSegment,
    Outcome,
    StoredImport,
)
from mindpipe.history.verbs.blobs import blobs, put_blobs
from mindpipe.history.verbs.cycles import open_one
from mindpipe.history.verbs.log import append
from mindpipe.history.verbs.segments import current_segment, open_segment

Advance = Callable[[int, int], None]
"""Hears how many conversations of a file are done, and how many there are."""


def _silent(_done: int, _all: int) -> None:
    """Hear and do nothing."""


def import_(
    store: Store, clock: Clock, tokens: Tokens, *, foreign: Foreign, advance: Advance = _silent
) -> list[ImportReceipt]:
    """Import every conversation of a file into one agent's history, in one transaction.

    Each opens a segment and cycles of its own. A file that was imported before is not imported
    again: its receipts say `duplicate`.

    Raises:
        BadInputError: the file breaks its form or a rule of histories; nothing is stored.
        TemporaryError: the agent is in the middle of a cycle.
    """
    agent, sha256 = foreign.options.agent, foreign.sha256
    if known := _known(store, foreign, sha256):
        return known
    documents = read(foreign)
    with store.write() as rows:
        if known := _known(store, foreign, sha256):
            return known
        if open_one(store, agent=agent) is not None:
            raise TemporaryError(f"{agent} is in the middle of a cycle. Try again after it.")
        intake = _Intake(store, clock, tokens, foreign)
        receipts: list[ImportReceipt] = []
        for position, imported in enumerate(documents):
            receipts.append(intake.take(rows, imported, sha256=sha256, position=position))
            advance(position + 1, len(documents))
    return receipts


def _known(store: Store, foreign: Foreign, sha256: str) -> list[ImportReceipt]:
    """Return the receipts of a file that was imported before."""
    with store.read() as rows:
        return [
            ImportReceipt(**msgspec.structs.asdict(stored), duplicate=True)
            for stored in tables.imports(rows, agent=foreign.options.agent)
            if (stored.format, stored.document_sha256) == (foreign.format, sha256)
        ]


class _Intake:
    """The taking in of one file's conversations, one after the other."""

    def __init__(self, store: Store, clock: Clock, tokens: Tokens, foreign: Foreign) -> None:
        self._store = store
        self._clock = clock
        self._tokens = tokens
        self._foreign = foreign
        self._agent = foreign.options.agent

    def take(self, rows: Rows, imported: Imported, *, sha256: str, position: int) -> ImportReceipt:
        """Write one conversation: blobs, segment, cycles, messages, and where it came from."""
        put_blobs(self._store, octets=imported.blobs.values())
        known = blobs(self._store, shas=raw_hashes(imported)).keys()
        behind = self._behind(rows)
        messages = checked(imported, behind=behind, kept=set(known), foreign=self._foreign)
        stored = self._stored(imported, behind, messages, sha256=sha256, position=position)
        repeats = self._repeats(rows, imported)
        if messages:
            self._open(imported, stored)
            self._append(rows, imported, stored, messages)
        tables.insert(rows, stored)
        return ImportReceipt(
            **msgspec.structs.asdict(stored),
            repeats=repeats,
            repairs=imported.repairs,
            left_out=imported.left_out,
        )

    def _behind(self, rows: Rows) -> LogHead:
        """Return the log's end, with the last segment and cycle that are taken."""
        segment = current_segment(self._store, agent=self._agent)
        return msgspec.structs.replace(
            tables.log_head(rows, agent=self._agent),
            segment=0 if segment is None else segment.segment,
            cycle=tables.next_cycle(rows, agent=self._agent) - 1,
        )

    def _append(
        self, rows: Rows, imported: Imported, stored: StoredImport, messages: list[Message]
    ) -> None:
        """Write the cycles and messages of one conversation, and what they were read from."""
        self._refuse_known(rows, messages)
        for cycle in _cycles(messages, stored):
            tables.insert_cycle(rows, cycle)
        shas = put_blobs(self._store, octets=imported.sources.values())
        sources = dict(zip(imported.sources, shas, strict=True))
        append(self._store, self._tokens, messages=messages, sources=sources)

    def _stored(
        self,
        imported: Imported,
        behind: LogHead,
        messages: list[Message],
        *,
        sha256: str,
        position: int,
    ) -> StoredImport:
        """Return what is remembered of one conversation, and keep its envelope."""
        last = messages[-1] if messages else behind
        return StoredImport(
            agent=self._agent,
            id=import_id("i", self._agent, self._foreign.format, sha256, position),
            format=self._foreign.format,
            name=imported.name or self._foreign.options.name,
            document_sha256=sha256,
            position=position,
            envelope_sha256=put_blobs(self._store, octets=[imported.envelope])[0],
            segment=last.segment,
            first_cycle=behind.cycle + 1,
            last_cycle=last.cycle,
            first_seq=behind.seq + 1,
            last_seq=last.seq,
            at=self._clock.now(),
        )

    def _open(self, imported: Imported, stored: StoredImport) -> None:
        """Open the segment of one conversation; what was sent or summarised before stays so."""
        before = current_segment(self._store, agent=self._agent)
        head = imported.head
        if before is not None:
            head = msgspec.structs.replace(head, summary=before.head.summary)
        new = NewSegment(
            head=head,
            target=target_of(imported, format=stored.format, tokenizer=self._tokens.name),
            first_cycle=stored.first_cycle if before is None else before.first_cycle,
            raw_from_cycle=stored.first_cycle,
            reason=f"import of {stored.name}",
        )
        open_segment(self._store, self._clock, agent=self._agent, new=new)

    def _repeats(self, rows: Rows, imported: Imported) -> str | None:
        """Return the id of an earlier import with all of whose items this conversation begins."""
        said = [one.id for one in imported.messages if one.id in imported.sources]
        items = _items(imported.sources[one] for one in said)
        for stored in reversed(tables.imports(rows, agent=self._agent)):
            if stored.format != self._foreign.format:
                continue
            first = tables.sources(rows, stored=stored, limit=1)
            if not items.startswith(_items(first)):
                continue
            if items.startswith(
                _items(tables.sources(rows, stored=stored, limit=stored.last_seq)) + b","
            ):
                return stored.id
        return None

    def _refuse_known(self, rows: Rows, messages: list[Message]) -> None:
        """Refuse messages that the agent has already; raises BadInputError."""
        ids = [one.id for one in messages]
        if used := tables.used_ids(rows, table="message", agent=self._agent, ids=ids):
            what = f"message {used[0]} is in the history of {self._agent} already"
            raise BadInputError([Problem(source=self._foreign.options.name, message=what)])


def _items(sources: Iterable[bytes]) -> bytes:
    """Return the items of some sources, each a JSON array, joined by commas."""
    return b",".join(source[1:-1] for source in sources)


def _cycles(messages: list[Message], stored: StoredImport) -> Iterator[Cycle]:
    """Yield the cycles of imported messages, with the times that their messages have."""
    for number, found in itertools.groupby(messages, key=lambda message: message.cycle):
        held = list(found)
        models = [message.raw.model for message in held if message.raw is not None]
        yield Cycle(
            agent=stored.agent,
            cycle=number,
            state=CycleState.CLOSED,
            outcome=Outcome.IMPORTED,
            trigger=f"import of {stored.name}",
            events=(),
            model=models[-1] if models else "",
            input_tokens=0,
            output_tokens=0,
            cost_micros=0,
            milliseconds=0,
            opened=held[0].at,
            closed=held[-1].at,
            epoch=0,
        )
