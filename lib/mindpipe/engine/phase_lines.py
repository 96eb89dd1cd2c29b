"""What goes from one phase of an iteration to the next: records on lines, each as it stands now."""

import difflib
from collections.abc import Collection, Iterable, Iterator, Set
from typing import TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.core.json import load_json
from mindpipe.core.messages import Message
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record, State
from mindpipe.decisions.records import Decision
from mindpipe.engine.records.attention import Attended, IterationPattern, IterationReflection
from mindpipe.engine.records.journal import Call, Ticket, TicketState
from mindpipe.engine.records.phases import Acted, PhaseFailure
from mindpipe.engine.worker.timing import LoopPace
from mindpipe.history.records import Cycle
from mindpipe.inbox.records import Event, FileEvent

PHASE_RECORDS: dict[str, type[Record]] = {
    "event": Event,
    "attended": Attended,
    "cycle": Cycle,
    "message": Message,
    "call": Call,
    "ticket": Ticket,
    "decision": Decision,
    "acted": Acted,
    "iteration-reflection": IterationReflection,
    "pattern": IterationPattern,
    "pace": LoopPace,
    "failure": PhaseFailure,
}
"""What the field `record` of a line may say, and what the other fields of the line then are."""
_NAMES = {kind: name for name, kind in PHASE_RECORDS.items()}
_NEW_EVENT = msgspec.json.Decoder(NewEvent)
_AT_ONCE = 4096
_MOST_PROBLEMS = 100
R = TypeVar("R", bound=Record)
_Place = tuple[str, str | int]
_Stateful = Event | Cycle | Call | Ticket | Decision | IterationPattern
_BOUND: dict[type[Record], tuple[str, ...]] = {
    Call: ("tool", "args_sha256"),
    Ticket: ("kind", "tool", "args", "sha256"),
    Decision: ("proposal", "sha256"),
}
"""What every line about one thing says alike, however far it has come."""


class PhaseLines:
    """All that came of one agent's iterations, in its order; what is put takes its old place.

    Of several lines that came about one thing, in whatever order, that which has come furthest
    stands. Lines that cannot both be true are told of in `contradictions`, for those to whom lines
    are the truth. Lines of other agents are passed on as they came, and so are those of the records
    that are `known` beside those of phases. A line without `record` is an event as observers print
    it, and stays among what is told until it is put with its id.
    """

    def __init__(self, agent: str, known: Collection[str] = ()) -> None:
        self.agent = agent
        self._told: list[bytes] = []
        self.contradictions: list[Problem] = []
        self._known = known
        self._lines: dict[_Place, Record | bytes] = {}

    def read(self, lines: Iterable[tuple[int, bytes] | Problem], *, source: str) -> None:
        """Take lines with their numbers; raises BadInputError with all that is wrong."""
        problems: list[Problem] = []
        for line in lines:
            problems += [line] if isinstance(line, Problem) else self._take(*line, source)
        if problems:
            raise BadInputError(problems[:_MOST_PROBLEMS])

    def __bool__(self) -> bool:
        """Tell whether there is anything."""
        return bool(self._lines or self._told)

    def all(self, kind: type[R]) -> list[R]:
        """Return the records of one kind in their order."""
        return [one for one in self._lines.values() if isinstance(one, kind)]

    def last(self, kind: type[R]) -> R | None:
        """Return the last record of one kind."""
        found = self.all(kind)
        return found[-1] if found else None

    def put(self, record: Record) -> None:
        """Take a record, in the place of what stood for the same thing before."""
        self._lines[_place(record)] = record

    def drop(self, kind: type[Record]) -> None:
        """Take out all records of one kind."""
        self._lines = {at: one for at, one in self._lines.items() if not isinstance(one, kind)}

    def lines(self) -> Iterator[bytes]:
        """Yield every line as it is printed, without its end."""
        for one in self._lines.values():
            yield one if isinstance(one, bytes) else msgspec.json.encode(fields_of(one))
        yield from self._told

    def told(self) -> Iterator[list[NewEvent]]:
        """Yield the events that have no ids yet, some thousands at a time.

        They are kept as octets: of small ones a record takes forty times as much.
        """
        for start in range(0, len(self._told), _AT_ONCE):
            yield [_NEW_EVENT.decode(one) for one in self._told[start : start + _AT_ONCE]]

    def forget_told(self) -> None:
        """Take out the events that have no ids: they have been put with them."""
        self._told.clear()

    def _take(self, number: int, octets: bytes, source: str) -> list[Problem]:
        """Take one line; return what is wrong with it."""
        try:
            value = load_json(octets, source=source, line=number)
        except BadInputError as error:
            return error.problems
        fields = dict(value) if isinstance(value, dict) else {}
        has_name = "record" in fields
        name = fields.pop("record", None)
        agent = fields.get("agent", self.agent)
        if has_name and (fault := self._fault_of_name(name)) is not None:
            return [Problem(source=source, line=number, field="$.record", message=fault)]
        kind = PHASE_RECORDS.get(str(name)) if has_name else None
        # An agent that is no name makes a line nobody's: the record's own fields refuse it.
        is_anothers = isinstance(agent, str) and agent != self.agent
        if is_anothers or (has_name and kind is None):
            self._lines["line", len(self._lines)] = octets
            return []
        into = kind or (FileEvent if "seq" in fields else NewEvent)
        given = fields if isinstance(value, dict) else value
        faults = problems_of(given, into, source=source, line=number)
        if not faults:
            self._keep(msgspec.convert(fields, into), source, number)
        return faults

    def _fault_of_name(self, name: object) -> str | None:
        """Say why a line cannot be of a record of this name, or None."""
        if not isinstance(name, str):
            shown = msgspec.json.encode(name).decode()
            return f"expected the name of a record, such as event, got {shown}"
        if name in PHASE_RECORDS or name in self._known:
            return None
        near = difflib.get_close_matches(name, [*PHASE_RECORDS, *self._known], n=1)
        hint = f"did you mean {near[0]}?" if near else "mind schema lists them"
        return f'no record "{name}"; {hint}'

    def _keep(self, record: Record, source: str, number: int) -> None:
        """Keep what a line held, unless another line about the same has come further."""
        if isinstance(record, NewEvent):
            given = {name: getattr(record, name) for name in NewEvent.__struct_fields__}
            event = NewEvent(**{**given, "agent": self.agent})
            self._told.append(msgspec.json.encode(event))
            return
        before = self._lines.get(_place(record))
        fault = None if before is None else _contradiction(before, record)
        if fault is not None:
            self.contradictions.append(
                Problem(source=source, line=number, field=fault[0], message=fault[1])
            )
        if before is not None and _is_older(record, before):
            return
        if before is not None and _is_older(before, record):
            # What mind act had begun stands where it was done.
            del self._lines[_place(record)]
        self.put(record)


def _is_older(record: Record | bytes, than: Record | bytes) -> bool:
    """Tell whether a record is what another one of the same thing was before."""
    if isinstance(record, Attended) and isinstance(than, Attended):
        return record.at < than.at
    if isinstance(record, Event) and isinstance(than, Event) and record.epoch != than.epoch:
        return record.epoch < than.epoch
    if not isinstance(record, _Stateful) or not isinstance(than, _Stateful):
        return False
    return record.state != than.state and than.state in _later(record)


def _contradiction(before: Record | bytes, record: Record) -> tuple[str, str] | None:
    """Return the field in which two lines about one thing cannot both be true, and why, or None."""
    if not isinstance(record, _Stateful) or not isinstance(before, _Stateful):
        return None
    what = f"{_NAMES[type(record)]} {_place(record)[1]}"
    for name in _BOUND.get(type(record), ()):
        if getattr(record, name) != getattr(before, name):
            return f"$.{name}", f"{what} has another {name} on an earlier line; an id is of one"
    one, other = before.state, record.state
    if one == other or other in _later(before) or one in _later(record):
        return None
    return "$.state", f"{what} is {one} on an earlier line, and {other} cannot come before or after"


def _later(record: _Stateful) -> Set[str]:
    """Return every state that may follow on a record's, by however many steps."""
    found: set[str] = set()
    left: list[State | TicketState] = [record.state]
    while left:
        after = _next(record, left.pop()) - found
        left += after
        found |= after
    return found


def _next(record: _Stateful, state: State | TicketState) -> frozenset[State | TicketState]:
    """Return the states that may follow on a state of a record."""
    if isinstance(state, State):
        return frozenset(state.successors())
    if isinstance(record, Ticket):
        return frozenset(msgspec.structs.replace(record, state=state).successors())
    return frozenset()


def _place(record: Record) -> _Place:
    """Return what stands for the same thing: an id or a number; of some kinds there is only one."""
    name = _NAMES[type(record)]
    if isinstance(record, Cycle):
        return name, record.cycle
    if isinstance(record, IterationReflection):
        return name, record.iteration
    return name, str(getattr(record, "id", ""))


def fields_of(record: Record) -> dict[str, object]:
    """Return the fields of a record, and first of which kind it is."""
    fields: dict[str, object] = msgspec.to_builtins(record)
    return {"record": _NAMES[type(record)], **fields}
