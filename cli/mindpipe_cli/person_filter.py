"""Filters over lines about persons: each line is taken alone, and what is not meant passes on."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from mindpipe.core.errors import BadInputError, UnavailableError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.core.text import counted
from mindpipe.io.lines import EVENT_BYTES, bounded_lines
from mindpipe.person.lines import FilterLine, LinePlace, NewerVersion, read_partial
from mindpipe_cli import input, output, readable
from mindpipe_cli.input import name_of, rejects_of
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.io.rejects import RejectsFile


class FilterOptions(Record):
    """Where the lines of a filter come from, and what is done with those that are bad."""

    file: str = "-"
    on_error: str = "stop"
    rejects: str | None = None


FilterStep = Callable[[FilterLine], Iterable[object]]
"""Makes of one line what is written for it; raises BadInputError."""


def filter_lines(
    session: Session,
    options: FilterOptions,
    step: FilterStep,
    *,
    write: Callable[[Session, Iterable[object]], object],
    end: Callable[[], Iterable[object]] = tuple,
) -> None:
    """Write what a step makes of each line, and in the end what is left to be said.

    `write` is given all that is to be written; as anything but JSON Lines these are only records
    of the filter's own. Of nothing it makes nothing: where what comes before it in a pipe has
    nothing to say, that is no failure.

    Raises:
        BadInputError: a line is bad, unless bad lines are skipped.
        UnavailableError: a record is of a newer version.
    """
    with (
        rejects_of(options.on_error, options.rejects) as rejects,
        input.open_input(options.file) as file,
    ):
        made = _made(file, name_of(options.file), rejects, step)
        write(session, _shown(session, made, end))
    if rejects is not None and rejects.count:
        output.say(f"rejected {counted(rejects.count, 'line')}; see {options.rejects}.")


def in_columns(*columns: str) -> Callable[[Session, Iterable[object]], object]:
    """Return what writes records, of which a table shows these columns."""

    def write(session: Session, made: Iterable[object]) -> None:
        readable.write(session, made, columns=columns)

    return write


def _shown(
    session: Session, made: Iterator[object], end: Callable[[], Iterable[object]]
) -> Iterator[object]:
    """Yield all that is made, without what only passes where a person reads it."""
    whole = session.shape == "json"
    for record in made:
        if whole or not isinstance(record, msgspec.Raw):
            yield record
    yield from end()


def _made(
    file: BinaryIO, source: str, rejects: "RejectsFile | None", step: FilterStep
) -> Iterator[object]:
    """Yield what the step makes of every line, or keep a bad line with its reasons."""
    for line in bounded_lines(file, limit=EVENT_BYTES, source=source, setting="inbox.max_bytes"):
        try:
            if isinstance(line, Problem):
                raise BadInputError([line])
            place = LinePlace(source, line[0])
            partial = read_partial(line[1], place)
            yield from step(FilterLine(octets=line[1], place=place, partial=partial))
        except BadInputError as error:
            if rejects is None:
                # A newer version is no fault of the line.
                if any(isinstance(problem, NewerVersion) for problem in error.problems):
                    raise UnavailableError(str(error)) from error
                raise
            rejects.refuse(error.problems, line[1] if isinstance(line, tuple) else b"")
    if rejects is not None:
        rejects.settle()
