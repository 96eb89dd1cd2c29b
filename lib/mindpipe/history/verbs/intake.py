"""One imported conversation written into a history, some of its messages after the other."""

import itertools
from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Clock, Rows, Store, Tokens
from mindpipe.core.problems import Problem
from mindpipe.history import tables
from mindpipe.history.adoption import (
    Adoption,
    ForeignDocument,
    ReadConversation,
    raw_hashes,
    redacted,
    redacted_frame,
    target_of,
)
from mindpipe.history.records import (
    Cycle,
    CycleOutcome,
    CycleState,
    ImportReceipt,
    LogHead,
    NewSegment,
    StoredImport,
)
from mindpipe.history.verbs.log import append, current_segment, open_segment, put_blobs
from mindpipe.providers.formats import item_id_of
from mindpipe.providers.items import import_id
from mindpipe.providers.turns import ImportedPiece


class Intake:
    """The taking in of one conversation of a file, some of its messages after the other."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        tokens: Tokens,
        foreign: ForeignDocument,
        conversation: ReadConversation,
    ) -> None:
        self._store = store
        self._clock = clock
        self._tokens = tokens
        self._foreign = foreign
        self._conversation = redacted_frame(conversation, store.redactor)
        self._agent = foreign.options.agent
        self._cycle: Cycle | None = None

    def take(
        self, rows: Rows, batches: Iterator[ImportedPiece], *, sha256: str, position: int
    ) -> ImportReceipt:
        """Write one conversation: blobs, segment, cycles, messages, and where it came from."""
        behind = self._behind(rows)
        adoption = Adoption(behind=behind, foreign=self._foreign)
        # Where items have ids, those that an earlier import took are not here.
        growth = [
            _Growth(stored.id, tables.sources(rows, stored=stored))
            for stored in self._earlier(rows)
            if stored.format == self._foreign.format
        ]
        for number, batch in enumerate(batches):
            if not number:
                self._open(behind)
            batch = redacted(batch, self._store.redactor)
            put_blobs(self._store, octets=batch.blobs.values())
            known = tables.known_blobs(rows, shas=raw_hashes(batch.messages))
            for message in batch.messages:
                growth = [one for one in growth if one.goes_on(batch.sources.get(message.id))]
            self._append(rows, adoption.take(batch.messages, kept=known), batch.sources)
        self._append(rows, adoption.end(), {})
        stored = self._stored(behind, adoption.head, sha256=sha256, position=position)
        tables.insert(rows, stored)
        return ImportReceipt(
            **msgspec.structs.asdict(stored),
            repeats=next((one.id for one in reversed(growth) if one.is_longer), None),
            repairs=self._conversation.repairs,
            left_out=self._conversation.left_out,
        )

    def _earlier(self, rows: Rows) -> list[StoredImport]:
        """Return the imports that a conversation may begin with."""
        if item_id_of(self._foreign.format):
            return []
        return tables.imports(rows, agent=self._agent)

    def _behind(self, rows: Rows) -> LogHead:
        """Return the log's end, with the last segment and cycle that are taken."""
        segment = current_segment(self._store, agent=self._agent)
        return msgspec.structs.replace(
            tables.log_head(rows, agent=self._agent),
            segment=0 if segment is None else segment.segment,
            cycle=tables.next_cycle(rows, agent=self._agent) - 1,
        )

    def _append(self, rows: Rows, messages: list[Message], read_from: dict[str, bytes]) -> None:
        """Write cycles and messages of the conversation, and what they were read from."""
        self._refuse_known(rows, messages)
        for cycle in _cycles(messages, trigger=f"import of {self._name}"):
            self._write_cycle(rows, cycle)
        own = [one.id for one in messages if one.id in read_from]
        shas = put_blobs(self._store, octets=(read_from[one] for one in own))
        sources = dict(zip(own, shas, strict=True))
        append(self._store, self._tokens, messages=messages, sources=sources)

    def _write_cycle(self, rows: Rows, cycle: Cycle) -> None:
        """Write a cycle, or what has come to the one that was written last."""
        before = self._cycle
        if before is None or before.cycle != cycle.cycle:
            tables.insert_cycle(rows, cycle)
        else:
            cycle = msgspec.structs.replace(
                before, closed=cycle.closed, model=cycle.model or before.model
            )
            tables.update_cycle(rows, cycle)
        self._cycle = cycle

    @property
    def _name(self) -> str:
        """Return what the conversation calls itself, or the file is called."""
        return self._conversation.name or self._foreign.options.name

    def _stored(self, behind: LogHead, end: LogHead, *, sha256: str, position: int) -> StoredImport:
        """Return what is remembered of the conversation, and keep its envelope."""
        return StoredImport(
            agent=self._agent,
            id=import_id("i", self._agent, self._foreign.format, sha256, position),
            format=self._foreign.format,
            name=self._name,
            document_sha256=sha256,
            position=position,
            envelope_sha256=put_blobs(self._store, octets=[self._conversation.envelope])[0],
            segment=end.segment,
            first_cycle=behind.cycle + 1,
            last_cycle=end.cycle,
            first_seq=behind.seq + 1,
            last_seq=end.seq,
            at=self._clock.now(),
        )

    def _open(self, behind: LogHead) -> None:
        """Open the segment of the conversation; what was sent or summarised before stays so."""
        before = current_segment(self._store, agent=self._agent)
        conversation = self._conversation
        head = conversation.head
        if before is not None:
            head = msgspec.structs.replace(head, summary=before.head.summary)
        first = behind.cycle + 1
        new = NewSegment(
            head=head,
            target=target_of(
                conversation, format=self._foreign.format, tokenizer=self._tokens.name
            ),
            first_cycle=first if before is None else before.first_cycle,
            raw_from_cycle=first,
            reason=f"import of {self._name}",
        )
        open_segment(self._store, self._clock, agent=self._agent, new=new)

    def _refuse_known(self, rows: Rows, messages: list[Message]) -> None:
        """Refuse messages that the agent has already; raises BadInputError."""
        ids = [one.id for one in messages]
        if used := tables.used_ids(rows, table="message", agent=self._agent, ids=ids):
            what = f"message {used[0]} is in the history of {self._agent} already"
            raise BadInputError([Problem(source=self._foreign.options.name, message=what)])


class _Growth:
    """Whether a conversation begins with all items of an earlier import, and goes on."""

    def __init__(self, id: str, sources: Iterator[bytes]) -> None:
        self.id = id
        self.is_longer = False
        self._sources = sources
        self._theirs = b""
        self._has_begun = False

    def goes_on(self, source: bytes | None) -> bool:
        """Hear what the next message was read from; tell whether it may still be so.

        Items are compared, not messages: an item may have come to another message since.
        """
        if source is None or self.is_longer:
            return True
        ours = b"," * self._has_begun + source[1:-1]
        while ours and not self.is_longer:
            if not self._theirs and not self._next():
                self.is_longer = self._has_begun
                return self.is_longer
            size = min(len(ours), len(self._theirs))
            if ours[:size] != self._theirs[:size]:
                return False
            ours, self._theirs = ours[size:], self._theirs[size:]
        return True

    def _next(self) -> bool:
        """Go on to the next of their sources, if there is one."""
        found = next(self._sources, None)
        self._theirs = b"" if found is None else b"," * self._has_begun + found[1:-1]
        self._has_begun = True if found is not None else self._has_begun
        return found is not None


def _cycles(messages: list[Message], *, trigger: str) -> Iterator[Cycle]:
    """Yield the cycles of imported messages, with the times that their messages have."""
    for number, found in itertools.groupby(messages, key=lambda message: message.cycle):
        held = list(found)
        models = [message.raw.model for message in held if message.raw is not None]
        yield Cycle(
            agent=held[0].agent,
            cycle=number,
            state=CycleState.CLOSED,
            outcome=CycleOutcome.IMPORTED,
            trigger=trigger,
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
