"""Read lines about persons from files, all of them or none, and hold what they say together."""

import contextlib
from collections.abc import Callable, Iterator

from mindpipe.core.errors import (
    BadInputError,
    InputOutputError,
    NothingToDoError,
    UnavailableError,
)
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.person.reading import NewerVersion, Place
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents, output
from mindpipe_cli.input import NO_INPUT, name_of
from mindpipe_cli.rejecting import file_of, rejects_of
from mindpipe_cli.simulating.company import Company, Line

_MOST_PROBLEMS = 10


class Given(Record):
    """Where lines come from, and what is done with those that cannot be taken."""

    file: str | None = "-"
    events: tuple[str, ...] = ()
    late: str = "refuse"
    on_error: str = "stop"
    rejects: str | None = None


def company_of(given: Given, *, known: Callable[[Company], None] | None = None) -> Company:
    """Read persons, states and events, of which nothing is taken if a line is at fault.

    `known` may add first who is known from elsewhere; then there need not be any line. Where bad
    lines are skipped they go to the file of rejects, with their faults, and a note says how many
    there were.

    Raises:
        BadInputError: the faults of all lines, up to a number that a person can read.
        InputOutputError: a file is not there.
        NothingToDoError: there is no line.
        UnavailableError: a record is of a version that this program does not know.
        UsageError: lines are skipped, but there is nowhere to keep them.
    """
    file_of(given.on_error, given.rejects)
    company = Company(late_is_now=given.late == "now")
    lines = 0
    if known is not None:
        known(company)
    own = () if given.file is None else (given.file,)
    for file, apart in (*((one, False) for one in own), *((one, True) for one in given.events)):
        before = lines
        for line in lines_of(file, apart=apart):
            lines += 1
            company.add(line)
        if apart and lines == before:
            output.say(f"{name_of(file)}: no event in it")
    if not lines and known is None:
        raise NothingToDoError(NO_INPUT)
    company.settle()
    for problem in company.ignored:
        output.say(problem.line_of_text())
    if company.refused:
        _refuse(company.refused, given)
    return company


def lines_of(file: str, *, apart: bool = False) -> Iterator[Line]:
    """Yield the lines of a file or of stdin.

    Raises:
        InputOutputError: the file is not there.
        UsageError: stdin is a terminal.
    """
    source = name_of(file)
    with _there(file), documents.opened(file) as stream:
        for found in bounded_lines(stream, limit=EVENT_BYTES, source=source, setting=""):
            if isinstance(found, Problem):
                yield Line(Place(source, found.line), b"", apart, too_long=True)
            else:
                yield Line(Place(source, found[0]), found[1], apart)


@contextlib.contextmanager
def _there(file: str) -> Iterator[None]:
    """Turn the error for a file that is not there into one of input and output."""
    try:
        yield
    except UnavailableError as error:
        raise InputOutputError(str(error)) from None


def _refuse(refused: list[tuple[Line, list[Problem]]], given: Given) -> None:
    """End everything for bad lines, or keep them with their faults where that is wished."""
    with rejects_of(given.on_error, given.rejects) as rejects:
        if rejects is None:
            raise_faults([problem for _, found in refused for problem in found])
            return
        for line, found in refused:
            rejects.refuse(found, line.octets)
        rejects.settle()
    output.say(f"{len(refused)} lines were rejected; see {given.rejects}.")


def raise_faults(problems: list[Problem]) -> None:
    """Raise the error that faults of lines are.

    Raises:
        BadInputError: always, unless all faults are records of a newer version.
        UnavailableError: all are.
    """
    if all(isinstance(problem, NewerVersion) for problem in problems):
        raise UnavailableError(f"{problems[0].line_of_text()}.")
    more = len(problems) - _MOST_PROBLEMS
    told = problems[:_MOST_PROBLEMS]
    if more > 0:
        told.append(Problem(source=told[-1].source, message=f"and {more} more faults"))
    raise BadInputError(told)
