"""What no type says of a record about a person: fields of its type of event, orders, names."""

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.body.contributing import CONTRIBUTED
from mindpipe.person.body.emotions import DURATIONS_H
from mindpipe.person.body.event_fields import ALWAYS, FIELDS
from mindpipe.person.feedback.changes import RATED
from mindpipe.person.records.event import Event, InjuryClass
from mindpipe.person.records.labels import LABELS
from mindpipe.person.records.person import Person
from mindpipe.person.records.ranges import VERSION
from mindpipe.person.records.state import Modes, State
from mindpipe.person.records.thought import Thought

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
    if isinstance(record, State):
        yield from _of_state(record)
    if isinstance(record, Person) and record.consts:
        from mindpipe.person.constants import fault_of

        for name, value in sorted(record.consts.items()):
            if fault := fault_of(name, value):
                yield f"$.consts.{name}", fault
    if isinstance(record, Event):
        yield from _of_event(record)
    if isinstance(record, Event | Thought):
        yield from _of_labels(record.labels or ())
        yield from _of_rates(record.rates or {}, "$.rates")


def _of_state(state: State) -> Iterator[Fault]:
    """Yield what keeps a state from being lived on from."""
    if state.anchor_us > state.t_us:
        yield "$.anchor_us", f"expected at most t_us, {state.t_us}, got {state.anchor_us}"
    yield from _of_modes(state.modes)
    for place, hold in enumerate(state.holds):
        yield from _of_rates(hold.rates, f"$.holds[{place}].rates")
    for place, one in enumerate(state.active):
        for name in one.chan:
            if name not in CONTRIBUTED:
                yield f"$.active[{place}].chan.{name}", "no channel"
        if ("air_c" in one.chan) != ("clo" in one.chan):
            yield f"$.active[{place}].chan", "air_c and clo go together"
    if len(state.psyche.coping) > MOST_COPING:
        yield "$.psyche.coping", f"expected at most 2 names, got {len(state.psyche.coping)}"


def _of_modes(modes: Modes) -> Iterator[Fault]:
    """Yield the modes that nothing can be counted with."""
    levels = msgspec.structs.astuple(modes)
    if min(levels) >= LEAST_MODE and max(levels) <= MOST_MODE:
        return
    for name, level in msgspec.structs.asdict(modes).items():
        if not LEAST_MODE <= level <= MOST_MODE:
            yield f"$.modes.{name}", f"expected {LEAST_MODE:g}..{MOST_MODE:g}, got {level:g}"


def _of_labels(labels: Iterable[str]) -> Iterator[Fault]:
    """Yield the labels that no thought has."""
    for place, label in enumerate(labels):
        if label not in LABELS:
            words = f'no label of a thought, got "{label}"'
            yield f"$.labels[{place}]", f"{words}{_hint(label, LABELS)}"


def _of_rates(rates: Mapping[str, float], path: str) -> Iterator[Fault]:
    """Yield the rates that push no mode of the body, and those that are none."""
    for name, rate in rates.items():
        if name not in RATED:
            yield f"{path}.{name}", f"expected one of {', '.join(RATED)}"
        elif not 0.0 <= rate <= MOST_RATE:
            yield f"{path}.{name}", f"expected 0..{MOST_RATE:g}, got {rate:g}"


def _of_event(event: Event) -> Iterator[Fault]:
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


def _hint(name: str, known: Iterable[str]) -> str:
    """Return a question that names the nearest known name, where one is near."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""
