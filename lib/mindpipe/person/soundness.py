"""What no type says of a record about a person: fields of its type of event, orders, names."""

from collections.abc import Iterable, Iterator
from typing import get_args

from mindpipe.core.records import Record
from mindpipe.person.body.emotions import DURATIONS_H
from mindpipe.person.body.event_fields import ALWAYS, FIELDS
from mindpipe.person.records.event import Event, InjuryClass
from mindpipe.person.records.person import Person
from mindpipe.person.records.ranges import VERSION
from mindpipe.person.records.state import State

Fault = tuple[str, str]
"""The path of a field and what is wrong with it."""

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
    if isinstance(record, State) and record.anchor_us > record.t_us:
        yield "$.anchor_us", f"expected at most t_us, {record.t_us}, got {record.anchor_us}"
    if isinstance(record, Person) and record.consts:
        from mindpipe.person.constants import MARKS

        for name in sorted(set(record.consts) - set(MARKS)):
            yield f"$.consts.{name}", f"no constant{_hint(name, MARKS)}"
    if isinstance(record, Event):
        yield from _of_event(record)


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
