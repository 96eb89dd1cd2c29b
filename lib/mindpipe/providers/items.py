"""What stands in a foreign conversation, item by item, and the faults that are found in it."""

import base64
import binascii
import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Set
from typing import Literal, cast

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.json_cursor import LOOSE_BYTES, MAX_VALUES, count_of_values
from mindpipe.core.messages import (
    FilePart,
    Head,
    Message,
    OpaquePart,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolSpec,
)
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record, to_json
from mindpipe.core.text import is_blank, without_surrogates
from mindpipe.providers.documents import (
    MOST_PROBLEMS,
    Document,
    Element,
    TornLine,
    items_of,
)
from mindpipe.providers.left_out import timed
from mindpipe.providers.records import RepairKind
from mindpipe.providers.words import ERROR_MARK, NO_OUTPUT, REFUSED_MARK

MOST_ITEMS = 100_000
MOST_UNPLACED = 1_000_000
"""What stands between two replies has to be held at once: messages, and lines that are none."""

FaultKind = RepairKind | Literal["broken_order", "shape"]


class ShapeError(ValueError):
    """Say at which JSON path an item is not what its form allows."""

    def __init__(self, at: str, message: str) -> None:
        super().__init__(message)
        self.at = at


class ImportFault(Record):
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


class ImportedItem(Record):
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


class DocumentReading(Record):
    """A document as neutral items, each read when it is asked for.

    `provider` and `api` say whose raw replies these are. `joins_calls`: a reply that follows a
    reply with calls at once belongs to it. `ordered`: a result may not stand behind other words.
    `is_canonical`: the messages themselves are among the findings, and are kept as they are.
    """

    head: Head
    items: Iterator[ImportedItem]
    provider: str
    api: str
    model: str = ""
    joins_calls: bool = True
    ordered: bool = True
    is_canonical: bool = False


class Faults:
    """Broken rules in their order: all are counted, and of each kind as many kept as one reads."""

    def __init__(self) -> None:
        self.kept: list[ImportFault] = []
        self._counts: Counter[FaultKind] = Counter()

    def add(self, fault: ImportFault) -> None:
        """Write one down."""
        self._counts[fault.kind] += 1
        if self._counts[fault.kind] <= MOST_PROBLEMS:
            self.kept.append(fault)

    def kinds(self) -> Set[FaultKind]:
        """Return the kinds of all."""
        return self._counts.keys()

    @property
    def more(self) -> int:
        """Return how many are not kept."""
        return self._counts.total() - len(self.kept)


class KnownItems(Record):
    """The ids of items that a history has already, and the member in which an item names its own.

    Without a member no item is known.
    """

    member: str = ""
    ids: Collection[str] = ()

    def holds(self, value: object) -> bool:
        """Tell whether a parsed item is one of them."""
        if not self.ids or not isinstance(value, dict):
            return False
        return isinstance(id_ := value.get(self.member), str) and id_ in self.ids


class Findings:
    """Collect what an importer meets: faults, what it left out, and the bytes of files.

    `unplaced` are the octets of the items that were read and of which it is not known yet what
    becomes of them, and `canonical` the messages that were ones before, by their index. `known` is
    how many items were passed over since the history has them.
    """

    def __init__(self, document: Document, known: KnownItems | None = None) -> None:
        self.document = document
        self.known = 0
        self._known = known or KnownItems()
        self.faults = Faults()
        self.blobs: dict[str, bytes] = {}
        self.unplaced: dict[int, bytes] = {}
        self.canonical: dict[int, Message] = {}
        self._replaced = document.replaced
        self._left_out: Counter[str] = Counter()
        self._others = 0
        self._decoded_bytes = self._decoded_values = 0

    def items(self) -> Iterator[Element | TornLine]:
        """Yield the items of the document, and keep each until its place is known."""
        for one in items_of(self.document):
            if isinstance(one, Element) and self._known.holds(one.value):
                self.known += 1
                continue
            if "shape" in self.faults.kinds():
                # Nothing will come of the document; it is read on for what else is wrong.
                self.unplaced.clear()
                if self.faults.more:
                    return
            else:
                self.unplaced[one.index] = one.octets
            if len(self.unplaced) > MOST_UNPLACED:
                raise self._refusal(f"more than {MOST_UNPLACED} lines")
            self._decoded_bytes = self._decoded_values = 0
            if isinstance(one, Element):
                self._replaced += one.replaced
            yield one

    def elements(self) -> Iterator[Element]:
        """Yield the items of the document; a line that is no JSON is a fault."""
        for one in self.items():
            if isinstance(one, TornLine):
                self.fault("shape", at=one.at, line=one.line, what=one.fault)
            else:
                yield one

    def hold(self, count: int) -> None:
        """Refuse so many items between two replies, which have to be held at once.

        Raises:
            BadInputError: they are more than may be.
        """
        if count > MOST_ITEMS:
            raise self._refusal(f"more than {MOST_ITEMS} messages")

    def count_values(self, text: str, *, at: str) -> None:
        """Count JSON that stands in a string of this item, before it is decoded.

        Raises:
            BadInputError: with the others of the item it holds more values than one item may.
        """
        octets = text.encode("utf-8", "surrogatepass")
        self._decoded_bytes += len(octets)
        self._decoded_values += count_of_values(octets)
        if self._decoded_bytes > LOOSE_BYTES and self._decoded_values > MAX_VALUES:
            words = f"{at}: a value holds more than {MAX_VALUES} others"
            source, line = self.document.source, self.document.line
            raise BadInputError([Problem(source=source, line=line, message=words)])

    def _refusal(self, what: str) -> BadInputError:
        """Return the error for so much that stands between two replies."""
        words = f"{what} stand between two replies; split the file"
        document = self.document
        return BadInputError([Problem(source=document.source, line=document.line, message=words)])

    def fault(self, kind: FaultKind, *, at: str, line: int | None, what: str) -> None:
        """Write down one broken rule."""
        self.faults.add(ImportFault(kind=kind, at=at, line=line, what=what))

    def leave_out(self, what: str, times: int = 1) -> None:
        """Name something that canonical messages do not carry."""
        if what in self._left_out or len(self._left_out) < MOST_PROBLEMS:
            self._left_out[what] += times
        else:
            self._others += times

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
        found = {"bytes that are no text, replaced in strings": self._replaced}
        found.update(self._left_out)
        found["item that the history has already"] = self.known
        found["other things"] = self._others
        return tuple(timed(what, times) for what, times in found.items() if times)


def items_from(
    findings: Findings, item: Callable[[Element, Findings], ImportedItem]
) -> Iterator[ImportedItem]:
    """Yield the elements of a document as items; one of another shape is a fault."""
    for element in findings.elements():
        try:
            yield item(element, findings)
        except ShapeError as fault:
            findings.fault("shape", at=fault.at, line=element.line, what=str(fault))


def settled(parts: list[SeenPart]) -> tuple[tuple[SeenPart, ...], bool]:
    """Return parts without blank texts, and whether nothing but blank text was there."""
    kept = tuple(one for one in parts if not (isinstance(one, TextPart) and is_blank(one.text)))
    return kept, bool(parts) and not kept


def item_of(
    element: Element, *, role: Literal["system", "user"], parts: list[SeenPart]
) -> ImportedItem:
    """Return the item of one element that is no reply."""
    kept, blank = settled(parts)
    return ImportedItem(
        role=role,
        parts=kept,
        at=element.at,
        sources=(element.index,),
        line=element.line,
        blank=blank,
    )


def reply_of(element: Element, *, parts: list[SeenPart], raw: str) -> ImportedItem:
    """Return the item of one element that is a reply; `raw` is its provider's own form."""
    return ImportedItem(
        role="assistant",
        parts=settled(parts)[0],
        at=element.at,
        sources=(element.index,),
        line=element.line,
        raw=raw.encode(),
    )


Members = dict[str, object]

_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9.+-]*/[a-z0-9][a-z0-9.+-]*")
_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,(.*)", re.DOTALL)
_MARKS = {ERROR_MARK: ResultStatus.ERROR, REFUSED_MARK: ResultStatus.REFUSED}
_LEAST, _MOST = -(2**63), 2**64 - 1


def object_at(value: object, at: str) -> Members:
    """Return a JSON object, or raise ShapeError."""
    if not isinstance(value, dict):
        raise ShapeError(at, "an object is expected here")
    return cast(Members, value)


def list_at(value: object, at: str) -> list[object]:
    """Return a JSON array, or raise ShapeError."""
    if not isinstance(value, list):
        raise ShapeError(at, "a list is expected here")
    return cast(list[object], value)


def text_at(members: Members, name: str, at: str) -> str:
    """Return a member that is text, or raise ShapeError."""
    value = members.get(name)
    if not isinstance(value, str):
        raise ShapeError(f"{at}.{name}", "text is expected here")
    return value


def word(members: Members, name: str) -> str:
    """Return a member that is text, and an empty string for anything else."""
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _fits(value: object) -> bool:
    """Tell whether a JSON value holds only numbers and text that can be stored."""
    if isinstance(value, dict):
        return all(_fits(key) and _fits(one) for key, one in value.items())
    if isinstance(value, list):
        return all(_fits(one) for one in value)
    if isinstance(value, str):
        return not without_surrogates(value)[1]
    if isinstance(value, int):
        return _LEAST <= value <= _MOST
    return not isinstance(value, float) or math.isfinite(value)


def arguments_of(text: str) -> tuple[Members | None, str | None]:
    """Return the arguments of a call from their JSON text, or None and why they are none."""
    try:
        value = load_json(text, source="arguments")
    except BadInputError as fault:
        first = fault.problems[0]
        place = f"{first.field} " if first.field else ""
        return None, f"the arguments cannot be read: {place}{first.message}"
    if not isinstance(value, dict):
        return None, "the arguments are not a JSON object"
    if not _fits(value):
        return None, "the arguments hold a value that cannot be stored"
    return cast(Members, value), None


def storable(value: object) -> object:
    """Return a JSON value for the `json` of a result, or None where it cannot be stored."""
    return value if _fits(value) else None


def output_text(text: str) -> str:
    """Return the text of a result; the words for an empty one are an empty one again."""
    return "" if text == NO_OUTPUT else text


def marked_output(text: str) -> tuple[ResultStatus, str]:
    """Return status and text of a result from a form that knows no errors but by their marks."""
    for mark, status in _MARKS.items():
        if text.startswith(mark):
            return status, output_text(text.removeprefix(mark))
    return ResultStatus.OK, output_text(text)


def file_part(
    findings: Findings, encoded: str, *, media_type: str, name: str = ""
) -> FilePart | None:
    """Keep a file given in base64, or return None where it is not base64."""
    try:
        octets = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
    kind = media_type.partition(";")[0].strip().lower()
    kind = kind if _MEDIA_TYPE.fullmatch(kind) else "application/octet-stream"
    plain = name or kind.replace("/", ".")
    return FilePart(sha256=findings.keep(octets), media_type=kind, name=plain)


def file_at(findings: Findings, address: str, *, name: str = "") -> Word:
    """Return the file of a data URL, or words that name the address of any other."""
    found = _DATA_URL.fullmatch(address)
    if found is not None and found[3]:
        part = file_part(findings, found[4], media_type=found[1], name=name)
        if part is not None:
            return part
    kind = "file" if found is None else "data URL"
    return stand_in(findings, kind, address if found is None else name)


def stand_in(findings: Findings, kind: str, detail: str = "") -> TextPart:
    """Return words in place of content that canonical messages do not carry, and name it."""
    findings.leave_out(f"{kind} that is no text, kept in the source and named in the text")
    return TextPart(text=f"[{kind} {detail}]" if detail else f"[{kind}]")


def joined_text(parts: list[SeenPart], findings: Findings) -> str:
    """Return parts as the text of a result; files are named, since a result holds only text."""
    words: list[str] = []
    for part in parts:
        if isinstance(part, TextPart):
            words.append(part.text)
        elif isinstance(part, FilePart):
            words.append(stand_in(findings, part.media_type, part.name).text)
    return "\n".join(words)


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 22


def import_id(prefix: str, *place: str | int) -> str:
    """Return `prefix_` + 22 base62 characters of the sha256 of a place; the same each time."""
    number = int.from_bytes(hashlib.sha256(to_json(place)).digest())
    digits = ""
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        digits += _DIGITS[digit]
    return f"{prefix}_{digits}"


_SCHEMA_NAMES = ("input_schema", "inputSchema", "parameters")


def _listed(tools: object) -> Iterator[Members]:
    """Yield definitions from a list, or from an object of definitions by name."""
    if isinstance(tools, dict):
        for name, tool in tools.items():
            yield {**(tool if isinstance(tool, dict) else {}), "name": name}
    elif isinstance(tools, list):
        for tool in tools:
            inner = tool.get("function") if isinstance(tool, dict) else None
            found = inner if isinstance(inner, dict) else tool
            yield found if isinstance(found, dict) else {}


def _schema(tool: Members) -> dict[str, object] | None:
    """Return the schema of a tool's arguments; AI SDK wraps it as `jsonSchema`."""
    for name in _SCHEMA_NAMES:
        schema = tool.get(name)
        if isinstance(schema, dict):
            inner = schema.get("jsonSchema")
            return inner if isinstance(inner, dict) else schema
    return None


def read_tools(tools: object, findings: Findings) -> tuple[ToolSpec, ...]:
    """Return the tools that have a name and a schema; the provider's own are left out."""
    found: list[ToolSpec] = []
    for tool in _listed(tools):
        name, schema = word(tool, "name"), _schema(tool)
        if not name or schema is None:
            findings.leave_out(f"tool {name or word(tool, 'type') or 'without name'!r}")
            continue
        found.append(
            ToolSpec(name=name, description=word(tool, "description"), input_schema=schema)
        )
    return tuple(found)
