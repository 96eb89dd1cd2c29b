"""Read one line about a person: fast where it is as we write it, else strictly, naming faults."""

import functools
import re
import typing
from collections.abc import Callable, Mapping

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.faults import problems_of
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.core.strict_json import load_json
from mindpipe.person.body.event_fields import ALIASES
from mindpipe.person.calendar import instant_us, span_us
from mindpipe.person.plain_words import plain
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.ranges import VERSION
from mindpipe.person.records.state import State
from mindpipe.person.records.thought import Failure, Memory, SalienceLine, Thought
from mindpipe.person.soundness import faults_of

Known = Person | State | Event | Thought | Memory | Failure | SalienceLine
KINDS: dict[str, type[Known]] = {
    "person": Person,
    "state": State,
    "event": Event,
    "thought": Thought,
    "memory": Memory,
    "failure": Failure,
    "salience": SalienceLine,
}
NO_ID = ""
"""The id of an event that came without one, until it is numbered among the others."""

_KIND = re.compile(rb'\{"kind":"([a-z]{1,16})"')
_BOUND = re.compile(r"expected (?:float|int)(?: \| null)? (?:>=|<=|>|<) \S+, got (.*)")
_SPANS: dict[str, tuple[str, Callable[[str], int]]] = {
    "at": ("t_us", instant_us),
    "dur": ("dur_us", span_us),
}


class NewerVersion(Problem, frozen=True, kw_only=True):
    """A record of a version that this program does not know."""


class Place(typing.NamedTuple):
    """Where a line stands: the name of its source and its number from 1."""

    source: str
    line: int | None = None

    def problem(self, field: str | None, message: str) -> Problem:
        """Return a fault of this line."""
        return Problem(source=self.source, line=self.line, field=field, message=message)


class _Kind(msgspec.Struct):
    """The kind of a line, whatever else it says."""

    kind: str | None = None


def kind_of(octets: bytes) -> str | None:
    """Return the kind of a line, None where it says none; faults of JSON are not looked for."""
    found = _KIND.match(octets)
    if found:
        return found.group(1).decode()
    try:
        return _decode_kind(octets).kind
    except NO_RECORD:
        return None


def read_line(
    octets: bytes, place: Place, *, defaults: Mapping[str, object] | None = None
) -> Known | None:
    """Return the record of a line, None where it is of another kind.

    `defaults` stand in for keys that are missing, e.g. `person` where only one can be meant; `v` is
    1 by default, the id of an event `NO_ID`, that of a person its name, that of a thought its
    person and instant. `at` and `dur` become `t_us` and `dur_us`.

    Raises:
        BadInputError: it is no JSON object, or breaks its kind; a problem is a NewerVersion where
            the record is of a version that this program does not know.
    """
    kind = kind_of(octets)
    known = _as_written(octets, kind) if kind is not None and kind in KINDS else None
    if known is not None:
        return known
    value = load_json(octets, source=place.source, line=place.line)
    if not isinstance(value, dict):
        raise BadInputError([place.problem("$", "expected an object")])
    said = value.get("kind")
    if not isinstance(said, str) or said not in KINDS:
        return None
    return _strict(value, KINDS[said], place, defaults or {})


_decode_kind = msgspec.json.Decoder(_Kind).decode


@functools.cache
def _decoder(kind: str) -> msgspec.json.Decoder[Known]:
    """Return what decodes lines of a kind; to make it takes longer than to decode with it."""
    return msgspec.json.Decoder(KINDS[kind])


def _as_written(octets: bytes, kind: str) -> Known | None:
    """Return the record of a line that is just as we would write it, which has no faults of JSON.

    What is written again the same has no key twice, no half of a surrogate pair and no depth.
    """
    try:
        record = _decoder(kind).decode(octets)
    except NO_RECORD:
        return None
    if record.v != VERSION or to_json(record) != octets:
        return None
    return None if faults_of(record) else record


def _strict(
    value: dict[str, object], into: type[Known], place: Place, defaults: Mapping[str, object]
) -> Known:
    """Return a JSON object as a record; raises BadInputError with all of its faults."""
    version = value.get("v", VERSION)
    if isinstance(version, int) and version > VERSION:
        words = f"version {version} is newer than {VERSION}; this program knows no newer one"
        newer = NewerVersion(source=place.source, line=place.line, field="$.v", message=words)
        raise BadInputError([newer])
    problems = _converted(value, place)
    if into is Event and value.get("type") in tuple(ALIASES):
        value["type"] = ALIASES[str(value["type"])]
    given: dict[str, object] = {"v": VERSION, **_own_defaults(into, value), **defaults}
    names = {field.encode_name for field in msgspec.structs.fields(into)}
    whole = {**{name: one for name, one in given.items() if name in names}, **value}
    try:
        record = msgspec.convert(whole, into)
        to_json(record)
        if isinstance(record, Thought) and record.id == NO_ID:
            record = msgspec.structs.replace(record, id=f"th:{record.person}:{record.t_us}")
    except (msgspec.ValidationError, UnicodeEncodeError):
        found = problems_of(whole, into, source=place.source, line=place.line)
        raise BadInputError([*problems, *(_ranged(one, into) for one in found)]) from None
    problems += [place.problem(field, words) for field, words in faults_of(record)]
    if problems:
        raise BadInputError(problems)
    return record


def _converted(value: dict[str, object], place: Place) -> list[Problem]:
    """Put `t_us` and `dur_us` in the place of `at` and `dur`; return what is wrong with these."""
    problems = []
    for name, (stands_for, convert) in _SPANS.items():
        if name not in value or (name == "dur" and value["kind"] != "event"):
            continue
        text = value.pop(name)
        if stands_for in value:
            problems.append(place.problem(f"$.{name}", f"stands beside {stands_for}; give one"))
            continue
        value[stands_for] = 0
        try:
            if not isinstance(text, str):
                raise ValueError("expected text")
            value[stands_for] = convert(text)
        except ValueError as fault:
            shown = to_json(text).decode()[:40]
            problems.append(place.problem(f"$.{name}", f"{fault}, got {shown}"))
    return problems


def _own_defaults(into: type[Known], value: dict[str, object]) -> dict[str, object]:
    """Return what a record says of itself where it does not say it: its id, its name.

    A thought with nothing but labels is one that came to mind by itself.
    """
    if into is Event:
        return {"id": NO_ID}
    if into is Thought:
        wordless = {"content": ""} if value.keys() & {"labels", "rates"} else {}
        return {"id": NO_ID, "mode": "spontaneous", **wordless}
    if into is not Person:
        return {}
    name = value.get("name", value.get("person", ""))
    return {"name": name, "person": id_of(name)} if isinstance(name, str) else {}


def id_of(name: str) -> str:
    """Return the id that a name gives: case-folded, every other character a hyphen, 64 at most."""
    return re.sub(r"[^a-z0-9_.-]", "-", name.casefold())[:64]


def _ranged(problem: Problem, into: type[Record]) -> Problem:
    """Return a fault of range with both ends of it, and any other in words of people."""
    found = _BOUND.fullmatch(problem.message)
    bounds = _bounds(into, (problem.field or "").removeprefix("$.").split("."))
    if found is None or bounds is None:
        return msgspec.structs.replace(problem, message=plain(problem.message))
    words = f"expected {bounds}, got {found.group(1)}"
    return msgspec.structs.replace(problem, message=words)


def _bounds(into: object, path: list[str]) -> str | None:
    """Return the range of the field at a path as `least..most`, None where it has not both ends."""
    for name in path:
        fields = {} if not _is_record(into) else _types_of(typing.cast("type[Record]", into))
        if name.partition("[")[0] not in fields:
            return None
        into = fields[name.partition("[")[0]]
    for meta in _metas(into):
        least = meta.ge if meta.ge is not None else meta.gt
        most = meta.le if meta.le is not None else meta.lt
        if least is not None and most is not None:
            return f"{least:g}..{most:g}" if isinstance(most, float) else f"{least}..{most}"
    return None


def _is_record(into: object) -> bool:
    """Tell whether a type is a record."""
    return isinstance(into, type) and issubclass(into, msgspec.Struct)


def _types_of(into: type[Record]) -> dict[str, object]:
    """Return the types of a record's fields by their name on the line."""
    return {field.encode_name: field.type for field in msgspec.structs.fields(into)}


def _metas(into: object) -> list[msgspec.Meta]:
    """Return what is said of ranges anywhere in a type."""
    own = [one for one in getattr(into, "__metadata__", ()) if isinstance(one, msgspec.Meta)]
    return own + [meta for inner in typing.get_args(into) for meta in _metas(inner)]
