"""Filters over lines about persons: each line is taken alone, and what is not meant passes on."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError, UnavailableError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.person.glimpses import Glimpse, glimpse
from mindpipe.person.reading import NewerVersion, Place
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents, output, readable
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import rejects_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.stream.rejects import RejectsFile

NO_READOUTS = "missing; write states with their readouts"


class Wish(Record):
    """What the options of a filter ask for."""

    file: str = "-"
    on_error: str = "stop"
    rejects: str | None = None


class Line(Record):
    """One line: its bytes without the end, where it stands, and its record if it is of a person."""

    octets: bytes
    place: Place
    glimpse: Glimpse | None

    def problem(self, field: str, message: str) -> BadInputError:
        """Return the error of a line that lacks something."""
        return BadInputError([self.place.problem(field, message)])


Made = Iterable[object]
"""Records of a filter's own."""
Step = Callable[[Line], Made]
"""Makes of one line what is written for it; raises BadInputError."""


def passing(line: Line) -> msgspec.Raw:
    """Return a line as it came, to be written on."""
    return msgspec.Raw(line.octets)


def sift(
    session: Session,
    wish: Wish,
    step: Step,
    *,
    write: Callable[[Session, Made], object],
    end: Callable[[], Made] = tuple,
) -> None:
    """Write what a step makes of each line, and in the end what is left to be said.

    `write` is given all that is to be written; as anything but JSON Lines these are only records
    of the filter's own.

    Raises:
        BadInputError: a line is bad, unless bad lines are skipped.
        NothingToDoError: there was no line.
        UnavailableError: a record is of a newer version.
    """
    with rejects_of(wish.on_error, wish.rejects) as rejects, documents.opened(wish.file) as file:
        made = _made(file, name_of(wish.file), rejects, step)
        write(session, _shown(session, made, end))
    if rejects is not None and rejects.count:
        output.say(f"{rejects.count} lines were rejected; see {wish.rejects}.")


def in_columns(*columns: str) -> Callable[[Session, Made], object]:
    """Return what writes records, of which a table shows these columns."""

    def write(session: Session, made: Made) -> None:
        readable.write(session, made, columns=columns)

    return write


def _shown(session: Session, made: Iterator[object], end: Callable[[], Made]) -> Iterator[object]:
    """Yield all that is made, without what only passes where a person reads it."""
    whole = session.shape == "json"
    for record in made:
        if whole or not isinstance(record, msgspec.Raw):
            yield record
    yield from end()


def _made(
    file: BinaryIO, source: str, rejects: "RejectsFile | None", step: Step
) -> Iterator[object]:
    """Yield what the step makes of every line, or keep a bad line with its reasons."""
    count = 0
    for line in bounded_lines(file, limit=EVENT_BYTES, source=source, setting="inbox.max_bytes"):
        count += 1
        try:
            yield from step(_read(line, source))
        except BadInputError as error:
            if rejects is None:
                raise _told(error) from error
            rejects.refuse(error.problems, line[1] if isinstance(line, tuple) else b"")
    if not count:
        raise NothingToDoError(NO_INPUT)
    if rejects is not None:
        rejects.settle()


def _read(line: tuple[int, bytes] | Problem, source: str) -> Line:
    """Return a line with its record; raises BadInputError for one that is none."""
    if isinstance(line, Problem):
        raise BadInputError([line])
    number, octets = line
    place = Place(source, number)
    return Line(octets=octets, place=place, glimpse=glimpse(octets, place))


def _told(error: BadInputError) -> BadInputError | UnavailableError:
    """Return the error that ends the filter; a newer version is no fault of the line."""
    if any(isinstance(problem, NewerVersion) for problem in error.problems):
        return UnavailableError(str(error))
    return error
