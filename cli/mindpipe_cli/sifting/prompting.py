"""Make of lines about persons what their inner voices are asked."""

from collections.abc import Iterable, Iterator

from mindpipe.core.errors import BadInputError
from mindpipe.core.records import Record
from mindpipe.person.records.event import Event
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import State, ThoughtMode
from mindpipe.person.records.thought import Memory, SalienceLine, Thought
from mindpipe.person.requests import ThoughtRequest
from mindpipe.person.verbs.asking import Asking
from mindpipe_cli import readable
from mindpipe_cli.session import Session
from mindpipe_cli.sifting.glimpsing import NO_READOUTS, Line


class Prompting:
    """What was told so far of each person whose inner voice is asked."""

    def __init__(self, mode: ThoughtMode) -> None:
        self._mode = mode
        self._asking: dict[str, Asking] = {}

    def step(self, line: Line) -> Iterator[ThoughtRequest]:
        """Yield what is asked once a line has come.

        Raises:
            BadInputError: a state has no readouts, or something is to be asked before any state.
        """
        if line.glimpse is not None:
            try:
                yield from self._told(line.glimpse.record)
            except ValueError as error:
                raise _refused(line, error) from error

    def _told(self, record: Record) -> Iterator[ThoughtRequest]:
        """Yield what is asked once a record has come."""
        match record:
            case Person():
                self._of(record.person).become(record)
            case Thought() | Memory():
                self._of(record.person).recall(record)
            case State():
                self._of(record.person).at(record)
                yield from self._asked(record)
            case Event() | SalienceLine():
                yield from self._asked(record)
            case _:
                return

    def _asked(self, record: State | Event | SalienceLine) -> Iterator[ThoughtRequest]:
        """Yield what is asked in the mode that is wished."""
        asking = self._of(record.person)
        if isinstance(record, Event):
            asking.hear(record)
        if self._mode == "respond":
            yield from asking.respond()
            return
        request = None
        if self._mode == "react" and isinstance(record, SalienceLine):
            request = asking.react(record)
        elif self._mode == "spontaneous" and isinstance(record, State):
            request = asking.spontaneous()
        if request is not None:
            yield request

    def _of(self, person: str) -> Asking:
        """Return what was told of a person, who may have been told of by no line of its own."""
        return self._asking.setdefault(person, Asking(Person(person=person)))


def write(session: Session, requests: Iterable[object]) -> None:
    """Write requests; in a table these are what is asked of whom, when, and in which mode."""
    if session.shape != "table":
        session.write(requests, columns=("about", "system", "messages"))
        return
    asked = (_asked(one) for one in requests if isinstance(one, ThoughtRequest))
    readable.write(session, asked, columns=("person", "t_us", "mode", "asked"))


def _asked(request: ThoughtRequest) -> dict[str, object]:
    """Return what people are told of a request."""
    moment = request.about.moment
    words = request.messages[0].parts[0].text
    return {"person": moment.person, "t_us": moment.t_us, "mode": moment.mode, "asked": words}


def _refused(line: Line, error: ValueError) -> BadInputError:
    """Return the error of a line that lacks readouts, or a state before it."""
    assert line.glimpse is not None
    if isinstance(line.glimpse.record, State):
        return line.problem("$.read", NO_READOUTS)
    return line.problem("$.trigger", f"there is nothing to feel: {error}")
