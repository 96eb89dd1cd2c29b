"""A foreign document taken apart: its list of items, and what stands around them."""

import re
from typing import Literal, cast

from msgspec import structs

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import without_surrogates
from mindpipe.providers.slices import elements_of, members_of, object_of

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
_SUSPECT = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Element(Record):
    """One item of the list: its exact text, its parsed value, and where it stood.

    `index` counts all items of the document from 0; `at` is its JSON path, `line` its line in a
    file with one item per line.
    """

    index: int
    octets: bytes
    value: object
    at: str
    line: int | None = None


class TornLine(Record):
    """A line that is no JSON: its place among the items, the line, and what is wrong where."""

    index: int
    octets: bytes
    line: int
    at: str
    fault: str


class Document(Record):
    """One conversation in a foreign form.

    `fields` are the parsed members beside the list, `around` the exact text of the object with
    its list emptied, `replaced` how many strings held what is no text. `label` names the document
    for ids: the file's name, with the line where a file holds several.
    """

    source: str
    label: str
    shape: Shape
    elements: tuple[Element, ...]
    name: str = ""
    title: str = ""
    line: int | None = None
    fields: dict[str, object] = {}
    around: bytes = b"null"
    torn: tuple[TornLine, ...] = ()
    replaced: int = 0


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

    def parse(self, octets: bytes, *, source: str, line: int | None) -> object:
        """Parse one JSON text strictly; raises BadInputError."""
        value = load_json(octets, source=source, line=line)
        return self.value(value) if _SUSPECT.search(octets.decode()) else value


def _refusal(source: str, message: str, line: int | None = None) -> BadInputError:
    """Return the error for a document without messages."""
    return BadInputError([Problem(source=source, line=line, message=message)])


def _elements(texts: list[str], values: list[object], at: str) -> tuple[Element, ...]:
    """Return the items of a list."""
    return tuple(
        Element(index=index, octets=text.encode(), value=value, at=f"{at}[{index}]")
        for index, (text, value) in enumerate(zip(texts, values, strict=True))
    )


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


def _object(text: str, fields: dict[str, object], document: Document) -> Document:
    """Take an object apart whose list has one of the known names."""
    name = _list_name(fields)
    if name is None:
        raise _refusal(
            document.source,
            f"no messages: expected a list, or an object with one of {', '.join(LIST_NAMES)}",
            document.line,
        )
    members = members_of(text)
    value = fields[name]
    is_text = isinstance(value, str)
    texts = [members[name]] if is_text else elements_of(members[name])
    values: list[object] = [value] if is_text else cast(list[object], value)
    return structs.replace(
        document,
        shape="text" if is_text else "object",
        name=name,
        title=_title(fields),
        fields={key: one for key, one in fields.items() if key != name},
        around=object_of({**members, name: '""' if is_text else "[]"}).encode(),
        elements=_elements(texts, values, f"$.{name}"),
    )


def _whole(octets: bytes, *, source: str, line: int | None = None) -> Document:
    """Read octets that are one JSON value."""
    cleaner = _Cleaner()
    value = cleaner.parse(octets, source=source, line=line)
    text = octets.decode()
    bare = Document(
        source=source,
        label=source if line is None else f"{source}:{line}",
        shape="list",
        elements=(),
        line=line,
        replaced=cleaner.replaced,
    )
    if isinstance(value, list):
        if _is_exchange(value[0] if value else None):
            raise _refusal(source, _EXCHANGES, line)
        return structs.replace(bare, elements=_elements(elements_of(text), value, "$"))
    if not isinstance(value, dict):
        raise _refusal(source, "no messages: expected a list or an object", line)
    if _is_exchange(value):
        raise _refusal(source, _EXCHANGES, line)
    if line is None and _is_item(value):
        return lines_document(octets, source=source)
    return _object(text, value, bare)


def _numbered_lines(octets: bytes) -> list[tuple[int, bytes]]:
    """Return every line that is not blank, with its number from 1."""
    lines = enumerate(octets.split(b"\n"), start=1)
    return [(number, line.rstrip(b"\r")) for number, line in lines if line.strip()]


def lines_document(octets: bytes, *, source: str) -> Document:
    """Read one conversation with one item per line; lines that are no JSON are `torn`."""
    cleaner = _Cleaner()
    elements: list[Element] = []
    torn: list[TornLine] = []
    for index, (number, line) in enumerate(_numbered_lines(octets)):
        try:
            value = cleaner.parse(line, source=source, line=number)
        except BadInputError as fault:
            first = fault.problems[0]
            at, what = first.field or "$", first.message
            torn.append(TornLine(index=index, octets=line, line=number, at=at, fault=what))
        else:
            elements.append(Element(index=index, octets=line, value=value, at="$", line=number))
    return Document(
        source=source,
        label=source,
        shape="lines",
        elements=tuple(elements),
        torn=tuple(torn),
        replaced=cleaner.replaced,
    )


def _is_item(value: object) -> bool:
    """Tell whether a value is one message rather than a document of messages."""
    return (
        isinstance(value, dict)
        and _list_name(value) is None
        and any(name in value for name in ("role", "type", "message"))
    )


def _is_ui_message(value: object) -> bool:
    """Tell whether a value is what useChat keeps: a role and typed parts, not numbered as ours."""
    if not isinstance(value, dict) or "seq" in value or "role" not in value:
        return False
    parts = value.get("parts")
    return isinstance(parts, list) and any(isinstance(one, dict) and "type" in one for one in parts)


def _is_exchange(value: object) -> bool:
    """Tell whether a value is a recorded request with its response."""
    return isinstance(value, dict) and {"request", "response"} <= value.keys()


def _in_lines(octets: bytes, source: str) -> tuple[Document, ...]:
    """Read JSON Lines: one item per line, or one conversation per line."""
    lines = _numbered_lines(octets)
    number, first = lines[0]
    if _is_item(load_json(first, source=source, line=number)):
        return (lines_document(octets, source=source),)
    documents: list[Document] = []
    problems: list[Problem] = []
    for number, line in lines:
        try:
            documents.append(_whole(line, source=source, line=number))
        except BadInputError as fault:
            problems += fault.problems
    if problems:
        raise BadInputError(problems)
    return tuple(documents)


def documents_of(octets: bytes, *, source: str) -> tuple[Document, ...]:
    """Read every conversation of a file: one JSON document, or JSON Lines of items or documents.

    Raises:
        BadInputError: not JSON, or nothing in it that could be messages.
    """
    documents = _documents_in(octets, source)
    for document in documents:
        if any(_is_ui_message(element.value) for element in document.elements):
            raise _refusal(source, _UI_MESSAGES, document.line)
    return documents


def _documents_in(octets: bytes, source: str) -> tuple[Document, ...]:
    """Read every conversation of a file, whatever its messages are."""
    octets = octets.removeprefix(_BYTE_ORDER_MARK)
    lines = _numbered_lines(octets)
    if len(lines) > 1 and lines[0][1].rstrip()[-1:] in b"]}":
        try:
            load_json(lines[0][1], source=source)
        except BadInputError:
            return (_whole(octets, source=source),)
        return _in_lines(octets, source)
    return (_whole(octets, source=source),)
