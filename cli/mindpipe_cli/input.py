"""Records that a command reads as JSON Lines, each held to its shape, all faults named."""

from collections.abc import Iterator
from typing import TypeVar

import msgspec

from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.faults import problems_of
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents

R = TypeVar("R", bound=msgspec.Struct)
NO_INPUT = "no input. Pipe records in or name a file."
_MOST_PROBLEMS = 100


def name_of(file: str) -> str:
    """Return how problems name an input: by its file's name, or as stdin."""
    return "stdin" if file == "-" else file


def records(file: str, into: type[R], *, limit: int = EVENT_BYTES) -> list[R]:
    """Read every line of a file or of stdin as a record of one kind.

    Raises:
        BadInputError: every problem of every line, up to a number that a person can read.
        NothingToDoError: there is no line.
        UsageError: stdin is a terminal.
    """
    found: list[R] = []
    problems: list[Problem] = []
    for line in _lines(file, limit):
        if isinstance(line, Problem):
            problems.append(line)
            continue
        record = _record(line, into, name_of(file))
        if isinstance(record, list):
            problems.extend(record)
        else:
            found.append(record)
    if problems:
        raise BadInputError(problems[:_MOST_PROBLEMS])
    if not found:
        raise NothingToDoError(NO_INPUT)
    return found


def _lines(file: str, limit: int) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield the lines of an input."""
    with documents.opened(file) as stream:
        yield from bounded_lines(
            stream, limit=limit, source=name_of(file), setting="inbox.max_bytes"
        )


def _record(line: tuple[int, bytes], into: type[R], source: str) -> R | list[Problem]:
    """Return one line as a record, or all that is wrong with it."""
    number, octets = line
    try:
        value = load_json(octets, source=source, line=number)
    except BadInputError as error:
        return error.problems
    if faults := problems_of(value, into, source=source, line=number):
        return faults
    return msgspec.convert(value, into)
