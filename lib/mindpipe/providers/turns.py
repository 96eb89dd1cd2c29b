"""The one builder of imported histories: neutral items become canonical messages in cycles."""

from collections.abc import Iterator
from itertools import takewhile
from typing import cast

import msgspec

from mindpipe.core.messages import Head, Message, Role
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.providers.envelope import EnvelopeDraft, source_of
from mindpipe.providers.exchanges import Exchange, Exchanges
from mindpipe.providers.items import (
    DocumentReading,
    Findings,
    ImportedItem,
    ImportFault,
    import_id,
)
from mindpipe.providers.placing import MessageDraft, Placing
from mindpipe.providers.records import Imported, ImportOptions, Repair, RepairKind

_RULES = {
    "missing_result": "H4",
    "orphan_result": "H5",
    "duplicate_result": "H4",
    "empty_message": "H7",
    "bad_arguments": "H8",
    "broken_order": "H3",
    "old_names": "V5",
    "shape": "form",
}
_REPAIRS: dict[RepairKind, str] = {
    "missing_result": "answered as unknown",
    "orphan_result": "kept as a note",
    "duplicate_result": "the first one is kept",
    "empty_message": "left out",
    "bad_arguments": "the call is kept as invalid",
    "old_names": "read under the names of version 4",
}


class ImportedPiece(Record):
    """Some finished messages of a conversation, in their order, and what they were made of.

    `sources` and `blobs` are as those of `Imported`.
    """

    messages: tuple[Message, ...]
    sources: dict[str, bytes] = {}
    blobs: dict[str, bytes] = {}


def _owners(drafts: list[MessageDraft]) -> dict[int, int]:
    """Return which message (by its place) holds which item of the document: the first of it."""
    owner: dict[int, int] = {}
    for number, draft in enumerate(drafts):
        for item in draft.items:
            for index in item.sources:
                owner.setdefault(index, number)
    return owner


class Conversion:
    """Makes the canonical history of a document, which follows H1 to H13, piece by piece.

    Strict, every fault is a problem and nothing is made from there on; with `options.repair` the
    faults that have a repair are listed as repairs, and only the others refuse the document.
    Messages that were canonical before are never repaired. What is told beside the pieces is told
    when the last of them was made; so are problems, with which the pieces are void.
    """

    def __init__(
        self, reading: DocumentReading, *, findings: Findings, options: ImportOptions
    ) -> None:
        self._reading = reading
        self._findings = findings
        self._options = options
        self._exchanges = Exchanges(reading, findings)
        self._placing = Placing(reading, findings, options)
        self._envelope = EnvelopeDraft(findings.document)
        self._seq = 0
        self._seen: dict[str, int] = {}
        self._repairable = frozenset() if reading.is_canonical else frozenset(_REPAIRS)

    @property
    def name(self) -> str:
        """Return what the conversation calls itself, if anything."""
        return self._findings.document.title

    @property
    def head(self) -> Head:
        """Return what stands before all messages; known with the first of them."""
        return msgspec.structs.replace(self._reading.head, system="\n\n".join(self._placing.system))

    @property
    def envelope(self) -> bytes:
        """Return what the document holds beside its messages."""
        return self._envelope.octets()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what canonical messages do not carry."""
        return self._findings.left_out

    @property
    def known(self) -> int:
        """Return how many items were passed over since the history has them."""
        return self._findings.known

    @property
    def problems(self) -> list[Problem]:
        """Return what refuses the document."""
        faults, more = self._exchanges.faults()
        fatal = [one for one in faults if one.kind not in self._accepted]
        if not fatal and self._exchanges.refused(self._accepted):
            what = "results do not stand behind their calls"
            fatal = [ImportFault(kind="broken_order", at="$", what=what)]
        hopeful = self._repairable - self._accepted
        found = [_problem(one, findings=self._findings, hopeful=hopeful) for one in fatal]
        if found and more:
            what = f"{more} more problems are not shown"
            found.append(Problem(source=found[0].source, message=what))
        return found

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Return the repairs that were made, as many as anybody reads."""
        return tuple(_repairs(self._exchanges.faults()[0]))

    @property
    def more_repairs(self) -> int:
        """Return how many more repairs were made."""
        return self._exchanges.faults()[1]

    def pieces(self) -> Iterator[ImportedPiece]:
        """Yield the messages; raises BadInputError for a document that cannot be read on."""
        for exchange in self._exchanges:
            if self._exchanges.refused(self._accepted):
                self._forget()
            elif self._reading.is_canonical:
                yield self._canonical(until=_last_index(exchange))
            else:
                self._placing.place(exchange)
                if not self._placing.waiting:
                    yield self._piece(until=_last_index(exchange))
        if self._exchanges.refused(self._accepted):
            self._forget()
        elif self._reading.is_canonical:
            yield self._canonical(until=None)
        else:
            self._placing.close()
            yield self._piece(until=None)

    def _forget(self) -> None:
        """Let go of what waits for its place in a document that is refused."""
        self._findings.unplaced.clear()
        self._findings.canonical.clear()
        self._findings.blobs.clear()

    @property
    def _accepted(self) -> frozenset[str]:
        return self._repairable if self._options.repair else frozenset()

    def _piece(self, *, until: int | None) -> ImportedPiece:
        """Return the finished messages, made of the items up to an index; None: of all."""
        drafts = self._placing.taken()
        owners = _owners(drafts)
        messages = tuple(self._message(draft) for draft in drafts)
        if owners:
            # Only the last item may still give a message to what follows.
            last = f" {max(owners)}"
            self._seen = {place: n for place, n in self._seen.items() if place.endswith(last)}
        held: dict[int, list[bytes]] = {}
        latest = 0
        for index, item in self._placed(until):
            if index not in owners:
                self._envelope.put_aside(index, item)
                continue
            # An item is never in a message before that of an item which stood before it.
            latest = max(latest, owners[index])
            held.setdefault(latest, []).append(item)
        sources = {messages[number].id: source_of(own) for number, own in held.items()}
        return ImportedPiece(messages=messages, sources=sources, blobs=self._blobs())

    def _placed(self, until: int | None) -> Iterator[tuple[int, bytes]]:
        """Yield the items up to an index, and forget them."""
        unplaced = self._findings.unplaced
        for index in list(takewhile(lambda one: until is None or one <= until, unplaced)):
            yield index, unplaced.pop(index)

    def _blobs(self) -> dict[str, bytes]:
        """Return the bytes that were kept since, and forget them."""
        found, self._findings.blobs = self._findings.blobs, {}
        return found

    def _message(self, draft: MessageDraft) -> Message:
        """Return the message of one draft."""
        seen = self._seen
        options, label = self._options, self._findings.document.label
        kind = f"made {draft.role.value} {draft.cycle}" if draft.made else draft.role.value
        indexes = (index for one in draft.items for index in one.sources)
        place = f"{kind} {min(indexes, default=draft.turn)}"
        seen[place] = seen.get(place, 0) + 1
        times = [one.when for one in draft.items if one.when]
        self._seq += 1
        return Message(
            id=import_id("m", options.agent, label, place, seen[place]),
            agent=options.agent,
            seq=self._seq,
            segment=1,
            cycle=draft.cycle,
            turn=draft.turn,
            role=draft.role,
            parts=tuple(draft.parts),
            raw=draft.raw,
            origin="program" if draft.made else f"import:{options.name}",
            taint=not (draft.made or options.trust),
            synthetic=draft.made and draft.role is Role.ASSISTANT,
            at=times[-1] if times else options.at,
        )

    def _canonical(self, *, until: int | None) -> ImportedPiece:
        """Return messages that were canonical before, under the agent that takes them."""
        agent = self._options.agent
        messages: list[Message] = []
        sources: dict[str, bytes] = {}
        for index, item in self._placed(until):
            kept = self._findings.canonical.pop(index)
            messages.append(msgspec.structs.replace(kept, agent=agent or kept.agent))
            sources[kept.id] = source_of([item])
        return ImportedPiece(messages=tuple(messages), sources=sources, blobs=self._blobs())


def _items_of(exchange: Exchange) -> Iterator[ImportedItem]:
    """Yield the items of an exchange, some of them more than once."""
    yield from exchange.replies
    yield from exchange.answered_by
    for words in exchange.words:
        yield words.item


def _last_index(exchange: Exchange) -> int:
    """Return the index of the last item of an exchange, -1 where it has none."""
    found = (index for item in _items_of(exchange) for index in item.sources)
    return max(found, default=-1)


def _problem(fault: ImportFault, *, findings: Findings, hopeful: frozenset[str]) -> Problem:
    """Return a fault as a problem with its place and what to try."""
    try_this = "; --repair accepts it" if fault.kind in hopeful else ""
    return Problem(
        source=findings.document.source,
        line=fault.line or findings.document.line,
        field=fault.at,
        message=f"{fault.kind} ({_RULES[fault.kind]}): {fault.what}{try_this}",
    )


def gathered(conversion: Conversion) -> Imported:
    """Return a whole conversation at once; with problems it has no messages."""
    messages: list[Message] = []
    sources: dict[str, bytes] = {}
    blobs: dict[str, bytes] = {}
    for piece in conversion.pieces():
        messages += piece.messages
        sources.update(piece.sources)
        blobs.update(piece.blobs)
    if problems := conversion.problems:
        return Imported(
            head=Head(system=""),
            messages=(),
            name=conversion.name,
            problems=tuple(problems),
            left_out=conversion.left_out,
        )
    return Imported(
        head=conversion.head,
        messages=tuple(messages),
        name=conversion.name,
        envelope=conversion.envelope,
        sources=sources,
        blobs=blobs,
        repairs=conversion.repairs,
        left_out=conversion.left_out,
    )


def _repairs(faults: list[ImportFault]) -> list[Repair]:
    """Return faults that all have a repair as the repairs that were made."""
    kinds: list[RepairKind] = [cast(RepairKind, one.kind) for one in faults]
    return [
        Repair(kind=kind, at=one.at, what=f"{one.what}; {_REPAIRS[kind]}")
        for kind, one in zip(kinds, faults, strict=True)
    ]
