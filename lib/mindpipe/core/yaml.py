"""The one door for YAML: plain values with the line of each, and nothing that runs or multiplies.

Plain words are read as YAML 1.2 has it: only `true`, `false`, `null` and decimal numbers are more
than text, so that `no`, `on`, `12:30` and `2026-01-05` stay words. Tags, anchors, aliases, a second
document and a key that comes twice are refused.

Values are built here from libyaml's events, since no loader gives both lines and refusals at its
speed: a document of 136 kB takes 0.08 s, 0.12 s by PyYAML's own loader over libyaml, which knows
neither, 0.9 s by its pure one and 1.6 s or more by ruamel.yaml, which must be told the same rules.
"""

import math
import re
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import MAX_DEPTH
from mindpipe.core.problems import Problem, problems_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.events import Event

MAX_BYTES = 4 << 20
"""No longer document is read."""

_R = TypeVar("_R", bound=msgspec.Struct)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"[-+]?[0-9]{1,18}").fullmatch
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?").fullmatch


class Yaml(NamedTuple):
    """A document: its value, and the line (from 1) of each path in it, as `$.routes[0].path`."""

    value: object
    lines: dict[str, int]

    def line_of(self, path: str) -> int | None:
        """Return the line of a path, or of as much of its beginning as is there."""
        while path and path not in self.lines:
            path = path[: max(path.rfind("."), path.rfind("["))] if path != "$" else ""
        return self.lines.get(path)


def load_yaml(octets: bytes, *, source: str) -> Yaml:
    """Return what a YAML document says; an empty one says null.

    Raises:
        BadInputError: too long, bad encoding, too deep, what is refused, or no YAML; with its line.
    """
    import yaml

    if len(octets) > MAX_BYTES:
        raise _bad(source, None, f"longer than {MAX_BYTES} bytes")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Building(source).built(yaml.parse(octets.decode("utf-8"), Loader=loader))
    except UnicodeDecodeError as fault:
        raise _bad(source, None, f"not UTF-8 at byte {fault.start}") from None
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        words = f"not YAML: {fault.problem or fault.context}"
        raise _bad(source, mark.line + 1 if mark else None, words) from None
    except (yaml.YAMLError, RecursionError) as fault:
        raise _bad(source, None, f"not YAML: {' '.join(str(fault).split())}") from None


def record_of(document: Yaml, into: type[_R], *, source: str) -> _R:
    """Return a document as a record.

    Raises:
        BadInputError: it is none; every fault is named with its line and path.
    """
    problems = problems_of(document.value, into, source=source)
    if problems:
        raise BadInputError(
            [
                msgspec.structs.replace(one, line=document.line_of(one.field or "$"))
                for one in problems
            ]
        )
    return msgspec.convert(document.value, into)


class _Open:
    """A list or mapping that has begun: its path, what is in it, and the key that waits."""

    def __init__(self, path: str, held: "dict[str, object] | list[object]") -> None:
        self.path = path
        self.held = held
        self.key: str | None = None


class _Building:
    """Build a value from events, without recursion."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines: dict[str, int] = {}
        self._open: list[_Open] = []
        self._root: object = None

    def built(self, events: "Iterator[Event]") -> Yaml:
        """Return the document that events tell of."""
        from yaml import events as kinds

        documents = 0
        for event in events:
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, kinds.DocumentStartEvent):
                documents += 1
                self._check(documents == 1, line, "a second document; give one")
            elif isinstance(event, kinds.AliasEvent):
                raise _bad(self._source, line, "an alias; write out what it stands for")
            elif isinstance(event, kinds.ScalarEvent):
                self._check_plain(event, line)
                self._scalar(event, line)
            elif isinstance(event, kinds.SequenceStartEvent | kinds.MappingStartEvent):
                self._check_plain(event, line)
                self._begin({} if isinstance(event, kinds.MappingStartEvent) else [], line)
            elif isinstance(event, kinds.SequenceEndEvent | kinds.MappingEndEvent):
                self._open.pop()
        return Yaml(self._root, self._lines)

    def _check_plain(self, event: "Event", line: int) -> None:
        """Refuse a tag or an anchor."""
        self._check(not getattr(event, "anchor", None), line, "an anchor; leave it out")
        self._check(not getattr(event, "tag", None), line, "a tag; leave it out")

    def _begin(self, held: "dict[str, object] | list[object]", line: int) -> None:
        """Go into a list or mapping."""
        self._check(len(self._open) < MAX_DEPTH, line, f"nested deeper than {MAX_DEPTH} levels")
        if self._wants_key():
            raise _bad(self._source, line, "a key that is no text")
        self._open.append(_Open(self._put(held, line), held))

    def _scalar(self, event: "Event", line: int) -> None:
        """Take a key, or a value."""
        text = str(getattr(event, "value", ""))
        if self._wants_key():
            here = self._open[-1]
            self._check(text not in here.held, line, f'"{text}" appears twice')
            here.key = text
        else:
            self._put(text if getattr(event, "style", None) else _plain(text), line)

    def _wants_key(self) -> bool:
        """Tell whether a key must come next."""
        here = self._open[-1] if self._open else None
        return here is not None and isinstance(here.held, dict) and here.key is None

    def _put(self, value: object, line: int) -> str:
        """Put a value where it belongs and return its path."""
        here = self._open[-1] if self._open else None
        if here is None:
            path, self._root = "$", value
        elif isinstance(here.held, list):
            path = f"{here.path}[{len(here.held)}]"
            here.held.append(value)
        else:
            path, here.held[here.key or ""] = f"{here.path}.{here.key}", value
            here.key = None
        self._lines[path] = line
        return path

    def _check(self, holds: object, line: int, words: str) -> None:
        """Raise BadInputError unless something holds."""
        if not holds:
            raise _bad(self._source, line, words)


def _plain(text: str) -> object:
    """Return what a plain word means."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE(text):
        return int(text)
    number = float(text) if _REAL(text) else math.inf
    return text if math.isinf(number) else number


def _bad(source: str, line: int | None, words: str) -> BadInputError:
    """Return the error for a document."""
    return BadInputError([Problem(source=source, line=line, message=words)])
