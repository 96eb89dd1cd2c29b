"""Read one line about a person: fast where it is as we write it, else strictly, naming faults."""

import functools
import re
import typing
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.json import load_json
from mindpipe.core.patterns import late
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.core.text import with_nearest, without_surrogates
from mindpipe.person.body.emotions import DURATIONS_H
from mindpipe.person.body.modes import CONTRIBUTED, RATED
from mindpipe.person.calendar import instant_us, span_us
from mindpipe.person.records.event import ALIASES, ALWAYS, FIELDS, InjuryClass, PersonEvent
from mindpipe.person.records.person import Person
from mindpipe.person.records.scales import MOST_US, VERSION
from mindpipe.person.records.state import (
    LABELS,
    Contribution,
    Hold,
    Modes,
    Pending,
    PersonState,
    Readouts,
    Sampled,
)
from mindpipe.person.records.thought import Failure, PersonMemory, SalienceLine, Thought

Fault = tuple[str, str]
"""The path of a field and what is wrong with it."""

LEAST_MODE, MOST_MODE = -1e3, 1e9
"""Between what modes can be counted with: far beyond any body, and nothing overflows."""
MOST_COPING = 2
MOST_RATE = 1000.0
"""The greatest rate per second that a thought may have."""
_WRITTEN = {"cls": "class", "source": "from"}
_INJURIES = get_args(InjuryClass)


def faults_of(record: Record) -> list[Fault]:
    """Return all faults of a record whose types are right, in the order of its fields."""
    return list(_faults(record))


def _faults(record: Record) -> Iterator[Fault]:
    """Yield the faults of a record by its kind."""
    version = getattr(record, "v", VERSION)
    if version != VERSION:
        yield "$.v", f"expected {VERSION}, got {version}"
    if isinstance(record, PersonState):
        yield from _of_state(record)
    if isinstance(record, Person) and record.consts:
        from mindpipe.person.body.constants import fault_of

        for name, value in sorted(record.consts.items()):
            if fault := fault_of(name, value):
                yield f"$.consts.{name}", fault
    if isinstance(record, PersonEvent):
        yield from _of_event(record)
    if isinstance(record, PersonEvent | Thought):
        yield from _of_labels(record.labels or ())
        yield from _of_rates(record.rates or {}, "$.rates")


def _of_state(state: PersonState) -> Iterator[Fault]:
    """Yield what keeps a state from being lived on from."""
    if state.anchor_us > state.t_us:
        yield "$.anchor_us", f"expected at most t_us, {state.t_us}, got {state.anchor_us}"
    yield from _of_levels(state.modes, "$.modes")
    yield from _of_levels(state.sampled, "$.sampled")
    yield from faults_of_acts(state.active, state.pending, state.holds)
    if len(state.psyche.coping) > MOST_COPING:
        yield "$.psyche.coping", f"expected at most 2 names, got {len(state.psyche.coping)}"


def faults_of_acts(
    active: Sequence[Contribution], pending: Sequence[Pending], holds: Sequence[Hold]
) -> Iterator[Fault]:
    """Yield what of that which acts on a body, or is due, nothing can be counted with."""
    for place, hold in enumerate(holds):
        yield from _of_rates(hold.rates, f"$.holds[{place}].rates")
    for place, due in enumerate(pending):
        yield from _of_level(due.arg, f"$.pending[{place}].arg")
    for place, one in enumerate(active):
        for name, level in one.chan.items():
            if name not in CONTRIBUTED:
                yield f"$.active[{place}].chan.{name}", "no channel"
            yield from _of_level(level, f"$.active[{place}].chan.{name}")
        if ("air_c" in one.chan) != ("clo" in one.chan):
            yield f"$.active[{place}].chan", "air_c and clo go together"


def _of_levels(record: Modes | Sampled, path: str) -> Iterator[Fault]:
    """Yield the levels of a record that nothing can be counted with."""
    levels = msgspec.structs.astuple(record)
    if min(levels) >= LEAST_MODE and max(levels) <= MOST_MODE:
        return
    for name, level in msgspec.structs.asdict(record).items():
        yield from _of_level(level, f"{path}.{name}")


def _of_level(level: float, path: str) -> Iterator[Fault]:
    if not LEAST_MODE <= level <= MOST_MODE:
        yield path, f"expected {LEAST_MODE:g}..{MOST_MODE:g}, got {level:g}"


def _of_labels(labels: Iterable[str]) -> Iterator[Fault]:
    """Yield the labels that no thought has."""
    for place, label in enumerate(labels):
        if label not in LABELS:
            words = f'no label of a thought, got "{label}"'
            yield f"$.labels[{place}]", with_nearest(words, label, LABELS)


def _of_rates(rates: Mapping[str, float], path: str) -> Iterator[Fault]:
    """Yield the rates that push no mode of the body, and those that are none."""
    for name, rate in rates.items():
        if name not in RATED:
            yield f"{path}.{name}", f"expected one of {', '.join(RATED)}"
        elif not 0.0 <= rate <= MOST_RATE:
            yield f"{path}.{name}", f"expected 0..{MOST_RATE:g}, got {rate:g}"


def _of_event(event: PersonEvent) -> Iterator[Fault]:
    """Yield the fields that the type of an event lacks, and those that it has no use for."""
    fields = FIELDS[event.type]
    for name in event.__struct_fields__:
        given = getattr(event, name) is not None
        if name in fields.required and not given:
            yield f"$.{_WRITTEN.get(name, name)}", f"missing; {event.type} needs it"
        elif given and name not in ALWAYS | set(fields.required) | set(fields.optional):
            yield f"$.{_WRITTEN.get(name, name)}", f"{event.type} has no such field"
    if event.cls is not None and "cls" in fields.optional:
        classes = _INJURIES if event.type == "injury" else tuple(DURATIONS_H)
        if event.cls not in classes:
            yield "$.class", f'expected one of {", ".join(classes)}, got "{event.cls}"'


_TYPES = {
    "float": "a number",
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
}
_SIGNS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}
_EXPECTED = late(r"expected ([a-z]+)(?: \| null)?(?: (>=|<=|>|<) (\S+?))?(, got .*)?")
_ID = late(r"expected str matching regex '\^\[A-Za-z0-9_\.-\]\{1,64\}\$'(, got .*)?")


def plain(message: str) -> str:
    """Return a fault such as `expected int >= 0, got str` as `expected a whole number ...`."""
    if named := _ID.fullmatch(message):
        return f"expected 1 to 64 of A-Z, a-z, 0-9, _ . -{named.group(1) or ''}"
    found = _EXPECTED.fullmatch(message)
    if found is None or found.group(1) not in _TYPES:
        return message
    kind, sign, bound, got = found.groups()
    limit = f" {_SIGNS[sign]} {bound}" if sign else ""
    there = (got or "").removeprefix(", got ")
    ending = f", got {_TYPES.get(there, there)}" if got else ""
    return f"expected {_TYPES[kind]}{limit}{ending}"


Known = Person | PersonState | PersonEvent | Thought | PersonMemory | Failure | SalienceLine
KINDS: dict[str, type[Known]] = {
    "person": Person,
    "state": PersonState,
    "event": PersonEvent,
    "thought": Thought,
    "memory": PersonMemory,
    "failure": Failure,
    "salience": SalienceLine,
}
NO_ID = ""
"""The id of an event that came without one, until it is numbered among the others."""

_KIND = re.compile(rb'\{"kind":"([a-z]{1,16})"')
_BOUND = late(r"expected (?:float|int)(?: \| null)? (?:>=|<=|>|<) \S+, got (.*)")
_SPANS: dict[str, tuple[str, Callable[[str], int]]] = {
    "at": ("t_us", instant_us),
    "dur": ("dur_us", span_us),
}


class NewerVersion(Problem, frozen=True, kw_only=True):
    """A record of a version that this program does not know."""


class LinePlace(typing.NamedTuple):
    """Where a line stands: the name of its source and its number from 1."""

    source: str
    line: int | None = None

    def problem(self, field: str | None, message: str) -> Problem:
        """Return a fault of this line."""
        return Problem(source=self.source, line=self.line, field=field, message=message)


class _LineKind(msgspec.Struct):
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
    octets: bytes, place: LinePlace, *, defaults: Mapping[str, object] | None = None
) -> Known | None:
    """Return the record of a line, None where it is of another kind.

    `defaults` stand in for keys that are missing, e.g. `person` where only one can be meant; `v` is
    1 by default, the id of an event `NO_ID`, that of a person its name, that of a thought its
    person and instant. `at` and `dur` become `t_us` and `dur_us`.

    Raises:
        BadInputError: it is no JSON object, its kind is no text, or it breaks its kind; a problem
            is a NewerVersion where the record is of a version that this program does not know.
    """
    kind = kind_of(octets)
    known = _as_written(octets, kind) if kind is not None and kind in KINDS else None
    if known is not None:
        return known
    value = load_json(octets, source=place.source, line=place.line)
    if not isinstance(value, dict):
        raise BadInputError([place.problem("$", "expected an object")])
    said = value.get("kind", "")
    if not isinstance(said, str):
        raise BadInputError([place.problem("$.kind", f"expected text, got {_named(said)}")])
    if said not in KINDS:
        return None
    return _strict(value, KINDS[said], place, defaults or {})


def _named(value: object) -> str:
    """Return what a JSON value is."""
    if value is None:
        return "null"
    kinds: tuple[tuple[type, str], ...] = ((bool, "bool"), (int, "int"), (float, "float"))
    kinds += ((list, "array"), (dict, "object"))
    return _TYPES[next(name for type_, name in kinds if isinstance(value, type_))]


_decode_kind = msgspec.json.Decoder(_LineKind).decode


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
    value: dict[str, object], into: type[Known], place: LinePlace, defaults: Mapping[str, object]
) -> Known:
    """Return a JSON object as a record; raises BadInputError with all of its faults."""
    version = value.get("v", VERSION)
    if isinstance(version, int) and version > VERSION:
        words = f"version {version} is newer than {VERSION}; this program knows no newer one"
        newer = NewerVersion(source=place.source, line=place.line, field="$.v", message=words)
        raise BadInputError([newer])
    problems = _converted(value, place)
    if into is PersonEvent and value.get("type") in tuple(ALIASES):
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


def _converted(value: dict[str, object], place: LinePlace) -> list[Problem]:
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
    if into is PersonEvent:
        return {"id": NO_ID}
    if into is Thought:
        wordless = {"content": ""} if value.keys() & {"labels", "rates"} else {}
        return {"id": NO_ID, "mode": "spontaneous", **wordless}
    if into is not Person:
        return {}
    name = value.get("name", value.get("person", ""))
    return {"name": name, "person": id_of(name)} if isinstance(name, str) else {}


def id_of(name: str) -> str:
    """Return the id that a name gives: case-folded, without accents, 64 characters at most.

    Whatever an id may not hold is a hyphen, one for a run of it and none at an end: Zoë Åström is
    zoe-astrom.
    """
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(one for one in letters if not unicodedata.combining(one))
    return re.sub(r"[^a-z0-9_.-]+", "-", bare).strip("-")[:64].strip("-")


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


ANYONE = "anyone"
"""The id of a person whom no line names."""
_ORDINARY = {
    "cortisol_nmol_l": 5.0,
    "adrenaline_pmol_l": 200.0,
    "noradrenaline_nmol_l": 1.5,
    "core_temp_c": 36.95,
    "heart_rate_bpm": 66.0,
    "skin_temp_c": 33.5,
    "glucose_mmol_l": 5.0,
    "kss": 3.0,
    "alertness": 10.0,
    "energy": 0.5,
    "fatigue": 0.5,
    "arousal": 0.25,
    "regulation": 0.75,
    "serotonin_proxy": 0.5,
    "oxytocin_proxy": 0.3,
    "dopamine_proxy": 0.5,
    "isolation_phase": "none",
    "drives": (),
}
"""Readouts of which none is felt; all others are 0."""


NO_READOUTS = "missing; write states with their readouts"
"""What is said of a state that a filter cannot look into."""


class PartialLine(NamedTuple):
    """A line as a whole record, and the JSON object that it was where it was less than that."""

    record: Known
    given: dict[str, object] | None = None

    def says(self, name: str) -> bool:
        """Tell whether the line itself said this at its top."""
        return self.given is None or name in self.given


class FilterLine(Record):
    """A line that comes to a filter: its bytes without the end, its place, what it is of a person.

    `partial` is None where it is of no kind of record about persons.
    """

    octets: bytes
    place: LinePlace
    partial: PartialLine | None

    def record(self) -> Known | None:
        """Return what it says of a person, if it says anything."""
        return None if self.partial is None else self.partial.record

    def as_it_came(self) -> msgspec.Raw:
        """Return the line unchanged, to be written on."""
        return msgspec.Raw(self.octets)

    def problem(self, field: str, message: str) -> BadInputError:
        """Return the error of a line that lacks something."""
        return BadInputError([self.place.problem(field, message)])


def read_partial(octets: bytes, place: LinePlace, *, person: str = ANYONE) -> PartialLine | None:
    """Return the record of a line, None where it is of another kind.

    What a state does not say is ordinary: nothing of it is felt, and nothing of it changes. `v` is
    1 by default, `t_us` 0, and the person `person`. Readouts are never made up as a whole.

    Raises:
        BadInputError: it is no JSON object, its kind is no text, or it breaks its kind.
    """
    if (bare := _bare_thought(octets, place, person)) is not None:
        return bare
    try:
        record = read_line(octets, place)
        return None if record is None else PartialLine(record)
    except BadInputError as error:
        given = load_json(octets, source=place.source, line=place.line)
        kind = given.get("kind") if isinstance(given, dict) else None
        if not isinstance(given, dict) or not isinstance(kind, str) or kind not in KINDS:
            raise error from None
        whole = _completed(given, person)
        record = read_line(to_json(whole), place)
        assert record is not None
        return PartialLine(record, given)


def _bare_thought(octets: bytes, place: LinePlace, person: str) -> PartialLine | None:
    """Return a thought that says its words alone, at no cost of looking for what it lacks."""
    if b'"content"' not in octets or b'"person"' in octets:
        return None
    given = load_json(octets, source=place.source, line=place.line)
    if not isinstance(given, dict) or given.keys() != {"kind", "content"}:
        return None
    words = given["content"]
    if not isinstance(words, str) or given["kind"] != "thought" or without_surrogates(words)[1]:
        return None
    name = f"th:{person}:0"
    return PartialLine(
        Thought(person=person, t_us=0, id=name, mode="spontaneous", content=words), given
    )


def _completed(given: dict[str, object], person: str) -> dict[str, object]:
    """Return a JSON object with what its kind needs and it does not say."""
    timed = "t_us" in given or "at" in given
    whole = {"kind": given["kind"], "person": person, **({} if timed else {"t_us": 0}), **given}
    if whole["kind"] == "thought":
        name = f"th:{whole['person']}:{whole.get('t_us', 0)}"
        return {"id": name, "mode": "spontaneous", **whole}
    return _completed_state(whole) if whole["kind"] == "state" else whole


def _completed_state(given: dict[str, object]) -> dict[str, object]:
    """Return a state whose parts are whole: what is not said of the body is at rest."""
    instant = given.get("t_us")
    parts: dict[str, dict[str, object]] = {
        "modes": dict.fromkeys(Modes.__struct_fields__, 0.0),
        "flags": {"awake": True, "since_us": 0},
        "habit": {"last_meal_us": 0},
    }
    if "read" in given:
        parts["read"] = {**dict.fromkeys(Readouts.__struct_fields__, 0.0), **_ORDINARY}
    for name, ordinary in parts.items():
        said = given.get(name, {})
        given = {**given, name: {**ordinary, **said} if isinstance(said, dict) else said}
    anchor = instant if isinstance(instant, int) else -MOST_US
    return {"anchor_us": anchor, **given}
