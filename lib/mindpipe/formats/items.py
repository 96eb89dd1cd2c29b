"""What every importer makes of its document: neutral items, and what was found on the way."""

import hashlib
from collections import Counter
from typing import Literal

from mindpipe.core.messages import (
    FilePart,
    Head,
    Message,
    OpaquePart,
    ResultStatus,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.records import Record
from mindpipe.core.text import is_blank
from mindpipe.formats.documents import Document, Element
from mindpipe.formats.records import RepairKind

FaultKind = RepairKind | Literal["broken_order", "shape"]


class ShapeError(ValueError):
    """Say at which JSON path an item is not what its form allows."""

    def __init__(self, at: str, message: str) -> None:
        super().__init__(message)
        self.at = at


class Fault(Record):
    """One broken rule: its kind, its JSON path and line, and the provider id it is about."""

    kind: FaultKind
    at: str
    what: str
    line: int | None = None
    id: str = ""


class SeenCall(Record):
    """A tool call as it was read; `fault` says why its arguments are no JSON object."""

    id: str
    tool: str
    args: dict[str, object] | None
    args_text: str
    at: str
    fault: str | None = None


class SeenResult(Record):
    """A result as it was read; without an id it answers by its place (and its tool, if named)."""

    id: str
    status: ResultStatus
    text: str
    at: str
    tool: str = ""
    json: object = None
    ticket: str | None = None


Word = TextPart | FilePart
SeenPart = Word | ThinkingPart | OpaquePart | SeenCall | SeenResult


class Item(Record):
    """One thing that was said: words and results (`user`), a reply (`assistant`), or `system`.

    `sources` are the indexes of the elements it was read from. `raw` is a reply in the
    provider's own form. `blank` tells that there was text, but only white space. `when` is the
    instant that the document gives, if any.
    """

    role: Literal["system", "user", "assistant"]
    parts: tuple[SeenPart, ...]
    at: str
    sources: tuple[int, ...]
    line: int | None = None
    raw: bytes | None = None
    model: str = ""
    finish: str = ""
    blank: bool = False
    when: str = ""


class Reading(Record):
    """A whole document as neutral items.

    `provider` and `api` say whose raw replies these are. `joins_calls`: a reply that follows a
    reply with calls at once belongs to it. `ordered`: a result may not stand behind other words.
    `kept` are the messages themselves where the document is already canonical.
    """

    head: Head
    items: tuple[Item, ...]
    provider: str
    api: str
    model: str = ""
    joins_calls: bool = True
    ordered: bool = True
    kept: tuple[Message, ...] = ()


class Findings:
    """Collect what an importer meets: faults, what it left out, and the bytes of files."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []
        self.blobs: dict[str, bytes] = {}
        self._left_out: Counter[str] = Counter()
        if document.replaced:
            self.leave_out("bytes that are no text, replaced in strings", document.replaced)

    def fault(self, kind: FaultKind, *, at: str, line: int | None, what: str) -> None:
        """Write down one broken rule."""
        self.faults.append(Fault(kind=kind, at=at, line=line, what=what))

    def leave_out(self, what: str, times: int = 1) -> None:
        """Name something that canonical messages do not carry."""
        self._left_out[what] += times

    def unknown(self, names: object, known: frozenset[str], *, where: str) -> None:
        """Name the members of an object that are kept in the source alone."""
        if isinstance(names, dict):
            for name in names:
                if name not in known:
                    self.leave_out(f"field {name!r} of {where}")

    def keep(self, octets: bytes) -> str:
        """Keep bytes under their sha256 and return it."""
        sha256 = hashlib.sha256(octets).hexdigest()
        self.blobs[sha256] = octets
        return sha256

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return everything that was left out, with how often."""
        return tuple(
            what if times == 1 else f"{what} ({times} times)"
            for what, times in self._left_out.items()
        )


def settled(parts: list[SeenPart]) -> tuple[tuple[SeenPart, ...], bool]:
    """Return parts without blank texts, and whether nothing but blank text was there."""
    kept = tuple(one for one in parts if not (isinstance(one, TextPart) and is_blank(one.text)))
    return kept, bool(parts) and not kept


def item_of(element: Element, *, role: Literal["system", "user"], parts: list[SeenPart]) -> Item:
    """Return the item of one element that is no reply."""
    kept, blank = settled(parts)
    return Item(
        role=role,
        parts=kept,
        at=element.at,
        sources=(element.index,),
        line=element.line,
        blank=blank,
    )


def reply_of(element: Element, *, parts: list[SeenPart], raw: str) -> Item:
    """Return the item of one element that is a reply; `raw` is its provider's own form."""
    return Item(
        role="assistant",
        parts=settled(parts)[0],
        at=element.at,
        sources=(element.index,),
        line=element.line,
        raw=raw.encode(),
    )
