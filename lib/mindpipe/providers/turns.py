"""The one builder of imported histories: neutral items become canonical messages in cycles."""

from typing import cast

import msgspec

from mindpipe.core.messages import Head, Message, Role
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.providers.envelope import envelope_of, source_of
from mindpipe.providers.exchanges import exchanges_of
from mindpipe.providers.items import DocumentReading, Findings, ImportFault, import_id
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


def _message(draft: MessageDraft, seq: int, *, placing: Placing, seen: dict[str, int]) -> Message:
    """Return the message of one draft."""
    options, label = placing.options, placing.findings.document.label
    kind = f"made {draft.role.value} {draft.cycle}" if draft.made else draft.role.value
    indexes = (index for one in draft.items for index in one.sources)
    place = f"{kind} {min(indexes, default=draft.turn)}"
    seen[place] = seen.get(place, 0) + 1
    times = [one.when for one in draft.items if one.when]
    return Message(
        id=import_id("m", options.agent, label, place, seen[place]),
        agent=options.agent,
        seq=seq,
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


def _messages(placing: Placing) -> tuple[Message, ...]:
    """Number the messages and give them their ids."""
    seen: dict[str, int] = {}
    return tuple(
        _message(draft, seq, placing=placing, seen=seen)
        for seq, draft in enumerate(placing.drafts, start=1)
    )


class _Owned(Record):
    """Which message (by index) holds which item of the document."""

    owner: dict[int, int]

    def sources(self, messages: tuple[Message, ...], *, findings: Findings) -> dict[str, bytes]:
        """Return the items of each message; an item is never before one that stood before it."""
        elements = {one.index: one for one in findings.document.elements}
        held: dict[int, list[int]] = {}
        latest = 0
        for index in sorted(self.owner):
            latest = max(latest, self.owner[index])
            held.setdefault(latest, []).append(index)
        return {
            messages[number].id: source_of(elements[index] for index in indexes)
            for number, indexes in held.items()
        }


def _owned(drafts: list[MessageDraft]) -> _Owned:
    """Give every item to the first message that was made of it."""
    owner: dict[int, int] = {}
    for number, draft in enumerate(drafts):
        for item in draft.items:
            for index in item.sources:
                owner.setdefault(index, number)
    return _Owned(owner=owner)


def _problem(fault: ImportFault, *, findings: Findings, hopeful: frozenset[str]) -> Problem:
    """Return a fault as a problem with its place and what to try."""
    try_this = "; --repair accepts it" if fault.kind in hopeful else ""
    return Problem(
        source=findings.document.source,
        line=fault.line or findings.document.line,
        field=fault.at,
        message=f"{fault.kind} ({_RULES[fault.kind]}): {fault.what}{try_this}",
    )


def _refused(problems: list[Problem], findings: Findings) -> Imported:
    """Return nothing but problems."""
    return Imported(
        head=Head(system=""),
        messages=(),
        name=findings.document.title,
        problems=tuple(problems),
        left_out=findings.left_out,
    )


def build(reading: DocumentReading, *, findings: Findings, options: ImportOptions) -> Imported:
    """Make the canonical history of a reading, which follows H1 to H13.

    Strict, every fault is a problem and nothing is built; with `options.repair` the faults that
    have a repair are listed as repairs, and only the others refuse the document. Messages that
    were canonical before are never repaired.
    """
    exchanges, faults = exchanges_of(reading)
    faults = [*findings.faults, *faults]
    repairable = frozenset() if reading.kept else frozenset(_REPAIRS)
    accepted = repairable if options.repair else frozenset()
    fatal = [one for one in faults if one.kind not in accepted]
    if fatal:
        hopeful = repairable - accepted
        problems = [_problem(one, findings=findings, hopeful=hopeful) for one in fatal]
        return _refused(problems, findings)
    if reading.kept:
        return _kept(reading, findings=findings, options=options)
    placing = Placing(reading, findings, options)
    placing.place(exchanges)
    messages = _messages(placing)
    owned = _owned(placing.drafts)
    head = msgspec.structs.replace(reading.head, system="\n\n".join(placing.system))
    return Imported(
        head=head,
        messages=messages,
        name=findings.document.title,
        envelope=envelope_of(findings.document, used=set(owned.owner)),
        sources=owned.sources(messages, findings=findings),
        blobs=findings.blobs,
        repairs=tuple(_repairs(faults)),
        left_out=findings.left_out,
    )


def _repairs(faults: list[ImportFault]) -> list[Repair]:
    """Return faults that all have a repair as the repairs that were made."""
    kinds: list[RepairKind] = [cast(RepairKind, one.kind) for one in faults]
    return [
        Repair(kind=kind, at=one.at, what=f"{one.what}; {_REPAIRS[kind]}")
        for kind, one in zip(kinds, faults, strict=True)
    ]


def _kept(reading: DocumentReading, *, findings: Findings, options: ImportOptions) -> Imported:
    """Return messages that were canonical before, under the agent that takes them."""
    messages = tuple(
        msgspec.structs.replace(message, agent=options.agent or message.agent)
        for message in reading.kept
    )
    elements = findings.document.elements
    return Imported(
        head=reading.head,
        messages=messages,
        name=findings.document.title,
        envelope=envelope_of(findings.document, used={one.index for one in elements}),
        sources={
            message.id: source_of([element])
            for message, element in zip(messages, elements, strict=True)
        },
        blobs=findings.blobs,
        left_out=findings.left_out,
    )
