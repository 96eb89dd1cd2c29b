"""A foreign document taken apart: its items one after the other, and what stands around them.

No more than one item is decoded at a time, however many there are.
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from mindpipe.core.errors import BadInputError
from mindpipe.core.json_cursor import JsonCursor, JsonSlice
from mindpipe.core.octets import is_blank
from mindpipe.core.ports import Octets
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import without_surrogates
from mindpipe.providers.slices import object_of

LIST_NAMES = ("messages", "input", "history", "traj", "prompt")
"""The names under which documents keep their messages; the first that is there is taken."""

TITLE_NAMES = ("id", "conversation_id", "session_id", "instance_id", "task_id", "trial")
"""The fields that tell one conversation of a file from another, joined where there are several."""

Shape = Literal["list", "object", "text", "lines"]

_EXCHANGES = (
    "recorded requests with their responses, not messages; give the body of the last request "
    "alone, e.g. from jq '.[-1].request'"
)
_UI_MESSAGES = (
    "UI messages of the AI SDK; convert them with its convertToModelMessages first, and give what "
    "it returns"
)
_TEXT_NAMES = ("input", "prompt")
_SUSPECT = re.compile(rb"\\u(?:[dD][89a-fA-F]|0000)")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE = 4096
_RETURN = 0x0D
MOST_PROBLEMS = 1000
"""More than these nobody reads."""


class Element(Record):
    """One item of the list: its exact text, its parsed value, and where it stood.

    `index` counts all items of the document from 0; `at` is its JSON path, `line` its line in a
    file with one item per line. `replaced` is how many of its strings held what is no text.
    """

    index: int
    octets: bytes
    value: object
    at: str
    line: int | None = None
    replaced: int = 0


class TornLine(Record):
    """A line that is no JSON: its place among the items, the line, and what is wrong where."""

    index: int
    octets: bytes
    line: int
    at: str
    fault: str


class Document(Record):
    """One conversation in a foreign form.

    `read` gives its items from the first on, each when it is asked for; of a file with one item
    per line also the lines that are no JSON. `fields` are the parsed members beside the list,
    `around` the exact text of the object with its list emptied, `replaced` how many of their
    strings held what is no text. `label` names the document for ids: the file's name, with the
    line where a file holds several.
    """

    source: str
    label: str
    shape: Shape
    read: Callable[[], Iterator[Element | TornLine]]
    name: str = ""
    title: str = ""
    line: int | None = None
    fields: dict[str, object] = {}
    around: bytes = b"null"
    replaced: int = 0


class Span(NamedTuple):
    """A part of the octets of a file: one document, or one line."""

    octets: Octets
    start: int
    end: int
    source: str
    line: int | None = None

    def cursor(self, start: int | None = None) -> JsonCursor:
        """Return what reads the span from its beginning, or from another place of it."""
        return JsonCursor(
            self.octets,
            source=self.source,
            line=self.line,
            start=self.start if start is None else start,
            end=self.end,
        )


class _Cleaner:
    """Replace lone surrogates and NULs in parsed values, and count the strings that had any."""

    def __init__(self) -> None:
        self.replaced = 0

    def text(self, text: str) -> str:
        """Return one string without them."""
        cleaned, lossy = without_surrogates(text)
        self.replaced += lossy
        return cleaned

    def value(self, value: object) -> object:
        """Return a JSON value whose strings and keys are without them."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(one) for one in value]
        if isinstance(value, dict):
            return {self.text(key): self.value(one) for key, one in value.items()}
        return value

    def read(self, found: JsonSlice) -> object:
        """Return the value of a slice without them."""
        return self.value(found.value) if _SUSPECT.search(found.octets) else found.value


def refusal(source: str, message: str, line: int | None = None) -> BadInputError:
    """Return the error for a document without messages."""
    return BadInputError([Problem(source=source, line=line, message=message)])


def element_of(index: int, found: JsonSlice, *, at: str, line: int | None = None) -> Element:
    """Return one item of a document."""
    cleaner = _Cleaner()
    value = cleaner.read(found)
    return Element(
        index=index,
        octets=found.octets,
        value=value,
        at=at,
        line=line,
        replaced=cleaner.replaced,
    )


def _listed(span: Span, at: str, *, start: int | None = None) -> Iterator[Element]:
    """Yield the items of the list that stands at a place of a document.

    A list that is the whole document is held to nothing standing behind it.
    """
    cursor = span.cursor(start)
    for index, found in enumerate(cursor.elements(at)):
        if cursor.has_faults:
            continue
        yield element_of(index, found, at=f"{at}[{index}]")
    if start is None:
        cursor.settle()


def _title(fields: dict[str, object]) -> str:
    """Return what the document calls itself."""
    found = (fields.get(name) for name in TITLE_NAMES)
    return "-".join(str(one) for one in found if isinstance(one, str | int) and one != "")


def _list_name(fields: dict[str, object]) -> str | None:
    """Return the name of the list that holds the messages."""
    for name in LIST_NAMES:
        value = fields.get(name)
        if isinstance(value, list) or (name in _TEXT_NAMES and isinstance(value, str)):
            return name
    return None


class _Members:
    """The members of an object: what they hold where that is little, and where each stands.

    A list that may be that of the messages is only walked through; so is what holds too much.
    """

    def __init__(self, span: Span) -> None:
        self.values: dict[str, object] = {}
        self.replaced = 0
        self._span = span
        self._places: dict[str, tuple[int, int]] = {}
        cursor = span.cursor()
        for key in cursor.members():
            first = cursor.peek()
            start = cursor.place
            if first == "[" and key in LIST_NAMES:
                cursor.skip(f"$.{key}")
                self.values[key] = []
            else:
                self._keep(key, cursor.value_or_skip(f"$.{key}"), is_list=first == "[")
            self._places[key] = (start, cursor.place)
        cursor.settle()

    def _keep(self, key: str, found: JsonSlice | None, *, is_list: bool) -> None:
        """Keep the value of a member, an empty one in the place of what holds too much."""
        if found is None:
            self.values[key] = [] if is_list else {}
            return
        cleaner = _Cleaner()
        self.values[cleaner.text(key)] = cleaner.read(found)
        self.replaced += cleaner.replaced

    def exact(self, name: str) -> bytes:
        """Return a member as it was written."""
        start, end = self._places[name]
        return self._span.octets[start:end]

    def start(self, name: str) -> int:
        """Return where a member stands."""
        return self._places[name][0]

    def around(self, name: str, emptied: str) -> bytes:
        """Return the object as it was written, with one of its members emptied."""
        texts = {key: self.exact(key).decode() for key in self._places if key != name}
        places = {key: texts.get(key, emptied) for key in self._places}
        return object_of(places).encode()


def _object(span: Span, members: _Members, label: str) -> Document:
    """Take an object apart whose list has one of the known names."""
    fields = members.values
    name = _list_name(fields)
    if name is None:
        raise refusal(
            span.source,
            f"no messages: expected a list, or an object with one of {', '.join(LIST_NAMES)}",
            span.line,
        )
    value = fields[name]
    at = f"$.{name}"
    is_text = isinstance(value, str)

    def text() -> Iterator[Element]:
        yield Element(index=0, octets=members.exact(name), value=value, at=f"{at}[0]")

    return Document(
        source=span.source,
        label=label,
        shape="text" if is_text else "object",
        read=text if is_text else lambda: _listed(span, at, start=members.start(name)),
        name=name,
        title=_title(fields),
        line=span.line,
        fields={key: one for key, one in fields.items() if key != name},
        around=members.around(name, '""' if is_text else "[]"),
        replaced=members.replaced,
    )


def _whole(span: Span) -> Document:
    """Take a span apart that is one JSON value."""
    label = span.source if span.line is None else f"{span.source}:{span.line}"
    cursor = span.cursor()
    first = cursor.peek()
    if first == "[":
        if span.line is not None:
            # The faults of all lines are told together.
            cursor.skip("$")
            cursor.settle()
        if _is_exchange(_first_of(span)):
            raise refusal(span.source, _EXCHANGES, span.line)
        return Document(
            source=span.source,
            label=label,
            shape="list",
            read=lambda: _listed(span, "$"),
            line=span.line,
        )
    if first != "{":
        cursor.value()
        cursor.settle()
        raise refusal(span.source, "no messages: expected a list or an object", span.line)
    members = _Members(span)
    if _is_exchange(members.values):
        raise refusal(span.source, _EXCHANGES, span.line)
    if span.line is None and _is_item(members.values):
        return lines_document(span.octets, source=span.source, start=span.start)
    return _object(span, members, label)


def _first_of(span: Span) -> object:
    """Return the first item of a list, None where it has none."""
    return next((one.value for one in span.cursor().elements("$")), None)


def _lines(octets: Octets, source: str, start: int = 0) -> Iterator[Span]:
    """Yield every line that is not blank, with its number from 1."""
    number = 0
    while start <= len(octets):
        number += 1
        end = octets.find(b"\n", start)
        end = len(octets) if end < 0 else end
        last = end
        while last > start and octets[last - 1] == _RETURN:
            last -= 1
        if not is_blank(octets, start, last):
            yield Span(octets, start, last, source, number)
        start = end + 1


def lines_document(octets: Octets, *, source: str, start: int = 0) -> Document:
    """Return one conversation with one item per line."""
    return Document(
        source=source,
        label=source,
        shape="lines",
        read=lambda: _line_items(octets, source, start),
    )


def _line_items(octets: Octets, source: str, start: int) -> Iterator[Element | TornLine]:
    """Yield the item of every line, and every line that is no JSON."""
    for index, span in enumerate(_lines(octets, source, start)):
        line = span.line or 0
        cursor = span.cursor()
        try:
            found = cursor.value()
            cursor.settle()
        except BadInputError as fault:
            first = fault.problems[0]
            text = octets[span.start : span.end]
            at, what = first.field or "$", first.message
            yield TornLine(index=index, octets=text, line=line, at=at, fault=what)
        else:
            whole = JsonSlice(found.value, octets[span.start : span.end])
            yield element_of(index, whole, at="$", line=line)


def _is_item(value: object) -> bool:
    """Tell whether a value is one message rather than a document of messages."""
    return (
        isinstance(value, dict)
        and _list_name(value) is None
        and any(name in value for name in ("role", "type", "message"))
    )


def is_ui_message(value: object) -> bool:
    """Tell whether a value is what useChat keeps: a role and typed parts, not numbered as ours."""
    if not isinstance(value, dict) or "seq" in value or "role" not in value:
        return False
    parts = value.get("parts")
    return isinstance(parts, list) and any(isinstance(one, dict) and "type" in one for one in parts)


def items_of(document: Document) -> Iterator[Element | TornLine]:
    """Yield the items of a document, and the lines of it that are no JSON.

    Raises:
        BadInputError: not JSON, or what no form keeps its messages in.
    """
    for one in document.read():
        if isinstance(one, Element) and is_ui_message(one.value):
            raise refusal(document.source, _UI_MESSAGES, document.line)
        yield one


def _is_exchange(value: object) -> bool:
    """Tell whether a value is a recorded request with its response."""
    return isinstance(value, dict) and {"request", "response"} <= value.keys()


def _in_lines(octets: Octets, source: str, start: int) -> Iterator[Document]:
    """Read JSON Lines: one item per line, or one conversation per line."""
    spans = _lines(octets, source, start)
    first = next(spans)
    if first.cursor().peek() == "{" and _is_item(_Members(first).values):
        yield lines_document(octets, source=source, start=start)
        return
    problems: list[Problem] = []
    for span in _lines(octets, source, start):
        try:
            document = _whole(span)
        except BadInputError as fault:
            problems += fault.problems
            if len(problems) > MOST_PROBLEMS:
                break
        else:
            if not problems:
                yield document
    if problems:
        raise BadInputError(problems)


def documents_of(octets: Octets, *, source: str) -> Iterator[Document]:
    """Yield every conversation of a file: one JSON document, or JSON Lines of items or documents.

    Raises:
        BadInputError: not JSON, or nothing in it that could be messages.
    """
    start = len(BYTE_ORDER_MARK) if octets.startswith(BYTE_ORDER_MARK) else 0
    whole = Span(octets, start, len(octets), source)
    lines = _lines(octets, source, start)
    first = next(lines, None)
    if first is not None and next(lines, None) is not None and _is_document(first):
        yield from _in_lines(octets, source, start)
    else:
        yield _whole(whole)


def _last_of(span: Span) -> bytes:
    """Return the last octet of a span that is no white space."""
    for end in range(span.end, span.start, -_PIECE):
        if piece := span.octets[max(span.start, end - _PIECE) : end].rstrip():
            return piece[-1:]
    return b""


def _is_document(span: Span) -> bool:
    """Tell whether a line is a list or an object by itself."""
    if _last_of(span) not in {b"]", b"}"}:
        return False
    cursor = span.cursor()
    try:
        if cursor.peek() in "[{":
            cursor.skip("$")
        else:
            cursor.value()
        cursor.settle()
    except BadInputError:
        return False
    return True
