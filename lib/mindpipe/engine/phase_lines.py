"""What goes from one phase of an iteration to the next: records on lines, each as it stands now."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.core.json import load_json
from mindpipe.core.messages import Message
from mindpipe.core.problems import Problem, problems_of
from mindpipe.core.records import Record
from mindpipe.decisions.records import Decision
from mindpipe.engine.records.attention import Attended, IterationPattern, IterationReflection
from mindpipe.engine.records.journal import Call, Ticket
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
    "reflection": IterationReflection,
    "pattern": IterationPattern,
    "pace": LoopPace,
    "failure": PhaseFailure,
}
"""What the field `record` of a line may say, and what the other fields of the line then are."""
_NAMES = {kind: name for name, kind in PHASE_RECORDS.items()}
_MOST_PROBLEMS = 100
R = TypeVar("R", bound=Record)
_Place = tuple[str, str | int]


class PhaseLines:
    """All that came of one agent's iterations, in its order; what is put takes its old place.

    Lines of other records and of other agents are passed on as they came. A line without `record`
    is an event as observers print it, and stays in `told` until it is put with its id.
    """

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.told: list[NewEvent] = []
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
        return bool(self._lines or self.told)

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
        for event in self.told:
            yield msgspec.json.encode(event)

    def _take(self, number: int, octets: bytes, source: str) -> list[Problem]:
        """Take one line; return what is wrong with it."""
        try:
            value = load_json(octets, source=source, line=number)
        except BadInputError as error:
            return error.problems
        fields = dict(value) if isinstance(value, dict) else {}
        name = fields.pop("record", None)
        kind = PHASE_RECORDS.get(str(name)) if name is not None else None
        is_anothers = fields.get("agent", self.agent) not in (None, self.agent)
        if is_anothers or (name is not None and kind is None):
            self._lines["line", len(self._lines)] = octets
            return []
        into = kind or (FileEvent if "seq" in fields else NewEvent)
        given = fields if isinstance(value, dict) else value
        faults = problems_of(given, into, source=source, line=number)
        if not faults:
            self._keep(msgspec.convert(fields, into))
        return faults

    def _keep(self, record: Record) -> None:
        """Keep what a line held."""
        if isinstance(record, NewEvent):
            given = {name: getattr(record, name) for name in NewEvent.__struct_fields__}
            self.told.append(NewEvent(**{**given, "agent": self.agent}))
        else:
            self.put(record)


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
