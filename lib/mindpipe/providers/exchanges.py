"""Pairs calls with their results by place and id, reply by reply, and names what does not pair."""

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Literal

import msgspec

from mindpipe.core.messages import TextPart
from mindpipe.core.records import Record
from mindpipe.core.text import is_blank
from mindpipe.providers.items import (
    DocumentReading,
    Faults,
    Findings,
    ImportedItem,
    ImportFault,
    SeenCall,
    SeenPart,
    SeenResult,
)
from mindpipe.providers.words import NO_OUTPUT


class Words(Record):
    """What was said beside calls and results; `note` where it may not open a cycle."""

    parts: tuple[SeenPart, ...]
    item: ImportedItem
    note: bool = False


class Exchange(Record):
    """A reply (in one or more spans), the answers to its calls in order, and what was said then.

    `replies` is empty for what stands before the first reply; an answer is None where the
    document has none. `answered_by` are the items that hold the answers.
    """

    replies: tuple[ImportedItem, ...]
    answers: tuple[tuple[SeenCall, SeenResult | None], ...]
    answered_by: tuple[ImportedItem, ...]
    words: tuple[Words, ...]


class _Group(msgspec.Struct):
    """A reply and everything up to the next one."""

    replies: list[ImportedItem] = []
    after: list[ImportedItem] = []
    has_calls: bool = False

    def speak(self, reply: ImportedItem) -> None:
        """Add a span of the reply."""
        self.replies.append(reply)
        self.has_calls |= any(isinstance(part, SeenCall) for part in reply.parts)

    def calls(self) -> list[SeenCall]:
        """Return the calls of all spans."""
        parts = (part for reply in self.replies for part in reply.parts)
        return [part for part in parts if isinstance(part, SeenCall)]


def _is_empty(item: ImportedItem) -> bool:
    """Tell whether an item says nothing at all and breaks the rule that it must."""
    return not item.parts and (item.role == "assistant" or not item.blank)


def _groups(
    items: Iterable[ImportedItem], *, joins_calls: bool, findings: Findings
) -> Iterator[_Group]:
    """Group items by reply; a reply right after another one is a further span of it."""
    last = _Group()
    for item in items:
        if item.role != "assistant":
            last.after.append(item)
        else:
            joins = last.replies and not last.after and (joins_calls or not last.has_calls)
            if not joins:
                yield last
                last = _Group()
            last.speak(item)
        findings.hold(len(last.replies) + len(last.after))
    yield last


class _Pairing:
    """Find for each result of one group the call that it answers."""

    def __init__(self, group: _Group, *, ordered: bool) -> None:
        self.group = group
        self.ordered = ordered
        self.calls = group.calls()
        self.spoken = False
        self.answers: list[SeenResult | None] = [None] * len(self.calls)
        self.answered_by: list[ImportedItem] = []
        self.words: list[Words] = []
        self.faults: list[ImportFault] = []

    def fault(
        self,
        kind: Literal["missing_result", "orphan_result", "duplicate_result", "broken_order"],
        item: ImportedItem,
        about: SeenCall | SeenResult,
        what: str,
    ) -> None:
        """Write down what does not pair."""
        self.faults.append(
            ImportFault(kind=kind, at=about.at, line=item.line, what=what, id=about.id)
        )

    def place(self, result: SeenResult) -> int | None:
        """Return the index of the first open call that a result answers."""
        for index, call in enumerate(self.calls):
            if self.answers[index] is not None:
                continue
            if call.id == result.id if result.id else result.tool in {"", call.tool}:
                return index
        return None

    def answer(self, result: SeenResult, item: ImportedItem) -> None:
        """Give one result to its call, or say why it has none."""
        index = self.place(result)
        named = f'the result for "{result.id}"' if result.id else "the result"
        if index is not None:
            self.answers[index] = result
            self.answered_by.append(item)
            if self.spoken and self.ordered:
                self.fault("broken_order", item, result, f"{named} stands behind other words")
        elif result.id and any(call.id == result.id for call in self.calls):
            self.fault("duplicate_result", item, result, f"{named} is there twice")
        else:
            self.fault("orphan_result", item, result, f"{named} answers no call of its turn")
            text = TextPart(text=NO_OUTPUT if is_blank(result.text) else result.text)
            self.words.append(Words(parts=(text,), item=item, note=True))

    def hear(self, item: ImportedItem) -> None:
        """Take in one item after the reply: results to their calls, the rest as words."""
        said: list[SeenPart] = []
        for part in item.parts:
            if not isinstance(part, SeenResult):
                said.append(part)
                continue
            if said and self.ordered and self.place(part) is not None:
                self.fault("broken_order", item, part, "words stand before the result")
            self.answer(part, item)
        if said or not item.parts:
            self.spoken = True
            self.words.append(Words(parts=tuple(said), item=item, note=item.role == "system"))

    def exchange(self) -> Exchange:
        """Pair everything and return the exchange."""
        for item in self.group.after:
            self.hear(item)
        for call, answer in zip(self.calls, self.answers, strict=True):
            if answer is None:
                what = f'the call "{call.id}" of {call.tool} has no result'
                self.fault("missing_result", self.group.replies[-1], call, what)
        return Exchange(
            replies=tuple(self.group.replies),
            answers=tuple(zip(self.calls, self.answers, strict=True)),
            answered_by=tuple(self.answered_by),
            words=tuple(self.words),
        )


def _own_faults(item: ImportedItem) -> list[ImportFault]:
    """Return the broken rules of one item by itself."""
    found = [
        ImportFault(kind="bad_arguments", at=part.at, line=item.line, what=part.fault, id=part.id)
        for part in item.parts
        if isinstance(part, SeenCall) and part.fault is not None
    ]
    if _is_empty(item) and item.role != "system":
        what = f"the {item.role} message is empty"
        found.append(ImportFault(kind="empty_message", at=item.at, line=item.line, what=what))
    return found


class Exchanges:
    """The exchanges of a reading, one after the other, and what breaks a rule in them."""

    def __init__(self, reading: DocumentReading, findings: Findings) -> None:
        self._reading = reading
        self._findings = findings
        self._own = Faults()
        self._paired = Faults()
        self._missing: set[str] = set()
        self._orphans: set[str] = set()
        self._crossed = False

    def __iter__(self) -> Iterator[Exchange]:
        """Pair calls with their results, reply by reply."""
        joins, findings = self._reading.joins_calls, self._findings
        for group in _groups(self._said(), joins_calls=joins, findings=findings):
            pairing = _Pairing(group, ordered=self._reading.ordered)
            exchange = pairing.exchange()
            for fault in pairing.faults:
                self._pair(fault)
            yield exchange

    def _pair(self, fault: ImportFault) -> None:
        """Note what does not pair."""
        self._paired.add(fault)
        missing, orphans = self._missing, self._orphans
        ids = {"missing_result": missing, "orphan_result": orphans}.get(fault.kind)
        if ids is not None and fault.id:
            ids.add(fault.id)
            self._crossed |= fault.id in missing and fault.id in orphans

    def _said(self) -> Iterator[ImportedItem]:
        """Yield the items that say anything, and note what is wrong with each by itself."""
        for item in self._reading.items:
            for fault in _own_faults(item):
                self._own.add(fault)
            if not _is_empty(item) and (item.parts or item.role != "system"):
                yield item

    def refused(self, accepted: Set[str]) -> bool:
        """Tell whether anything until now breaks a rule and is of no kind that is accepted."""
        found = (self._findings.faults, self._own, self._paired)
        return self._crossed or any(one.kept and one.kinds() - accepted for one in found)

    def faults(self) -> tuple[list[ImportFault], int]:
        """Return what breaks a rule in the whole reading, and how much more there is."""
        found = (self._findings.faults, self._own, self._paired)
        kept = [fault for one in found for fault in one.kept]
        astray = self._missing & self._orphans
        return _out_of_order(kept, astray), sum(one.more for one in found)


def _out_of_order(faults: Sequence[ImportFault], astray: set[str]) -> list[ImportFault]:
    """Turn a call without result and a result without call of one id into a broken order."""
    kept = [one for one in faults if one.id not in astray or one.kind == "bad_arguments"]
    return kept + [
        ImportFault(
            kind="broken_order",
            at=one.at,
            line=one.line,
            what=f'the result for "{one.id}" does not stand behind its call',
            id=one.id,
        )
        for one in faults
        if one.kind == "orphan_result" and one.id in astray
    ]
