"""Read what a command is given as FILE, - or a pipe, and put its bad lines aside."""

import contextlib
import fcntl
import os
import stat
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeVar

import msgspec

from mindpipe.core.errors import (
    BadInputError,
    EmptyInputError,
    InputOutputError,
    NothingToDoError,
    UsageError,
)
from mindpipe.core.json import load_json
from mindpipe.core.problems import Problem, problems_of
from mindpipe.io.files import file_errors, read_whole, reading, unzipped
from mindpipe.io.lines import EVENT_BYTES, bounded_lines
from mindpipe.io.octets import FileOctets, copied, opened
from mindpipe_cli import output

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.core.ports import Octets
    from mindpipe.io.rejects import RejectsFile
    from mindpipe.knowledge.keys import Slots
    from mindpipe.knowledge.records import Observation
    from mindpipe_cli.session import Session

R = TypeVar("R", bound=msgspec.Struct)
MEMORY_BYTES = 8 << 20
"""No line is longer: a text of the greatest length fits in, whatever its characters are."""
OBSERVATION_BYTES = 64 << 20
"""No line of an observation is longer, whatever its evidence is."""
SAID_BYTES = 8_000
"""Nobody says more in one breath."""
_GZIP = b"\x1f\x8b"
_PIECE = 1 << 16
_MOST_PROBLEMS = 100
"""More than these nobody reads."""


class InputDocument(NamedTuple):
    """A document that was read whole: the name it goes by, and its octets."""

    name: str
    octets: bytes


def read_document(file: str) -> InputDocument:
    """Read a file or stdin to its end; what is compressed with gzip is decompressed.

    Raises:
        UsageError: stdin is a terminal.
    """
    if file != "-":
        path = path_of(file)
        found = InputDocument(path.name, read_whole(path))
    else:
        found = InputDocument("stdin", _piped().read())
    if found.octets.startswith(_GZIP):
        with file_errors(path_of(found.name)):
            found = InputDocument(found.name, unzipped(found.octets, name=found.name))
    return found


def read_input(file: str) -> InputDocument:
    """Read the document that a filter takes, as `read_document` does.

    Raises:
        UsageError: stdin is a terminal.
        EmptyInputError: there is nothing in it.
    """
    found = read_document(file)
    if not found.octets.strip():
        if file == "-":
            _tell_nothing_came()
        raise EmptyInputError(f"{found.name} is empty.")
    return found


def words_on_stdin() -> bytes:
    """Read words that have to be said on stdin, without the end of their line.

    Raises:
        UsageError: stdin is a terminal.
        NothingToDoError: there are none.
    """
    octets = read_document("-").octets
    if not octets.strip():
        raise NothingToDoError("stdin is empty.")
    return octets.removesuffix(b"\n")


class OpenDocument(NamedTuple):
    """A document that is read from place to place: the name it goes by, and its octets."""

    name: str
    octets: "Octets"


@contextlib.contextmanager
def open_document(file: str) -> Iterator[OpenDocument]:
    """Hold a file or stdin open as octets that are not held; only what is compressed is read whole.

    Raises:
        UsageError: stdin is a terminal.
        EmptyInputError: there is nothing in it.
    """
    with contextlib.ExitStack() as held:
        if file == "-" and is_redirected():
            found = OpenDocument("stdin", FileOctets(_piped(), name="stdin"))
        elif file == "-":
            found = OpenDocument("stdin", held.enter_context(copied(_piped(), name="stdin")))
        elif file.endswith(".gz"):
            found = OpenDocument(*read_document(file))
        else:
            path = path_of(file)
            found = OpenDocument(path.name, held.enter_context(opened(path)))
        if found.octets.startswith(_GZIP):
            with file_errors(path_of(found.name)):
                found = OpenDocument(found.name, unzipped(found.octets[:], name=found.name))
        pieces = (found.octets[at : at + _PIECE] for at in range(0, len(found.octets), _PIECE))
        if not any(map(bytes.strip, pieces)):
            if file == "-":
                _tell_nothing_came()
            raise EmptyInputError(f"{found.name} is empty.")
        yield found


@contextlib.contextmanager
def open_input(file: str, *, may_be_empty: bool = False) -> Iterator[BinaryIO]:
    """Hold a file or stdin open; raises UsageError where stdin is a terminal.

    Where nothing at all is piped in this is said, unless it `may_be_empty`.
    """
    if file == "-":
        stream = _piped()
        if not (may_be_empty or _was_looked_at()) and _is_empty(stream.fileno()):
            _tell_nothing_came()
        yield stream
        return
    with reading(path_of(file)) as stream:
        yield stream


def first_octets(count: int) -> bytes:
    """Return the first octets of what is piped in, at most so many, which stay to be read.

    There may be fewer where no more have come yet; there is one where there is any.
    """
    import click

    with open_input("-", may_be_empty=True) as stream:
        peek = getattr(stream, "peek", None)
        click.get_current_context().meta[_TOLD] = True  # what is held back is seen by no descriptor
        return bytes(peek(count)[:count]) if peek else b""


def said_lines(prompt: str) -> Iterator[str]:
    """Yield what is said on stdin line by line; on a terminal `prompt` asks for each.

    Raises:
        BadInputError: a line is too long, or not UTF-8.
    """
    asks = output.on_terminal("stdin")
    if asks:
        output.preview(prompt)
    for found in bounded_lines(sys.stdin.buffer, limit=SAID_BYTES, source="stdin", setting=""):
        if isinstance(found, Problem):
            words = f"longer than {SAID_BYTES} bytes; say it in several lines"
            raise BadInputError([Problem(source="stdin", line=found.line, message=words)])
        number, octets = found
        try:
            yield octets.decode().strip()
        except UnicodeDecodeError as fault:
            words = f"not UTF-8 at byte {fault.start}"
            raise BadInputError([Problem(source="stdin", line=number, message=words)]) from None
        if asks:
            output.preview(prompt)
    if asks:
        output.preview("\n")


def secret(prompt: str) -> str:
    """Return what is typed without being shown, or all of stdin without its last line end.

    Raises:
        BadInputError: it is not UTF-8.
        NothingToDoError: stdin is empty.
    """
    if output.on_terminal("stdin"):
        import click

        return str(click.prompt(prompt, hide_input=True, err=True))
    return text_of(words_on_stdin(), source="stdin").removesuffix("\r")


def is_redirected() -> bool:
    """Tell whether stdin is a file of which nothing was read yet.

    A pipe may be anybody's: that of whatever started the program.
    """
    try:
        found = os.fstat(0)
        return stat.S_ISREG(found.st_mode) and os.lseek(0, 0, os.SEEK_CUR) == 0 < found.st_size
    except OSError:
        return False


def piped_matter() -> bytes:
    """Return what is piped in beside words that were given, empty where nothing is.

    A file of which something was read belongs to whoever reads it, as the loop of a shell does.

    Raises:
        BadInputError: it is not UTF-8.
    """
    if not (is_redirected() or _is_pipe()):
        return b""
    octets = sys.stdin.buffer.read()
    text_of(octets, source="stdin")
    return octets.strip(b"\r\n") if octets.strip() else b""


def text_of(octets: bytes, *, source: str) -> str:
    """Return a whole document of words as text; raises BadInputError where it is not UTF-8."""
    try:
        return octets.decode()
    except UnicodeDecodeError as fault:
        message = f"not UTF-8 at byte {fault.start}"
        raise BadInputError([Problem(source=source, message=message)]) from None


def _is_pipe() -> bool:
    """Tell whether stdin is a pipe or a socket that can be read."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)) and _is_open_for_reading(0)


def path_of(file: str) -> "Path":
    """Return the path of a file; a filter that reads stdin does without pathlib."""
    from pathlib import Path

    return Path(file)


def _other_input() -> str:
    """Return what is said where nothing was read of the store, where that is a way too."""
    import click

    from mindpipe_cli.options import AgentOrInput, PersonOrInput

    context = click.get_current_context(silent=True)
    options = [] if context is None else context.command.params
    named = context is not None and any(map(context.params.get, ("agent", "agent_file", "person")))
    if not named and any(isinstance(one, AgentOrInput) for one in options):
        return " For an agent of the store give --agent NAME."
    if not named and any(isinstance(one, PersonOrInput) for one in options):
        return " For persons of a store give --store FILE, or --person ID."
    return ""


def _is_empty(number: int) -> bool:
    """Tell whether nothing at all is piped in by a descriptor, of which nothing is read for that.

    What comes later is waited for: of a pipe that was closed, nothing is there when it is ready.
    """
    found = os.fstat(number)
    if stat.S_ISREG(found.st_mode):
        return not found.st_size
    if stat.S_ISCHR(found.st_mode):
        return found.st_rdev == os.stat(os.devnull).st_rdev  # noqa: PTH116 - loads no pathlib
    if not stat.S_ISFIFO(found.st_mode):
        return False
    import array
    import select
    import termios

    select.select([number], [], [])
    waiting = array.array("i", [0])
    fcntl.ioctl(number, termios.FIONREAD, waiting)
    return waiting[0] == 0


_TOLD = "mindpipe.nothing-came"


def _was_looked_at() -> bool:
    """Tell whether it was looked at before what is piped in."""
    import click

    context = click.get_current_context(silent=True)
    return context is None or bool(context.meta.get(_TOLD))


def _tell_nothing_came() -> None:
    """Say once on stderr that nothing is piped in, and what can be given besides."""
    import click

    context = click.get_current_context()
    if not context.meta.setdefault(_TOLD, False):
        context.meta[_TOLD] = True
        output.say(f"{context.command_path}: read 0 lines: stdin is empty.{_other_input()}")


def _piped() -> BinaryIO:
    """Return stdin, which must not be a terminal."""
    if output.on_terminal("stdin"):
        raise UsageError(f"no input. Pipe records in or name a file.{_other_input()}")
    if not _is_open_for_reading(sys.stdin.fileno()):
        raise InputOutputError("stdin is closed. Pipe records in or name a file.")
    return sys.stdin.buffer


def _is_open_for_reading(number: int) -> bool:
    """Tell whether a descriptor can be read: one that was closed was opened to nowhere at start."""
    return fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE != os.O_WRONLY


def name_of(file: str) -> str:
    """Return how problems name an input: by its file's name, or as stdin."""
    return "stdin" if file == "-" else file


def records(file: str, into: type[R], *, limit: int = EVENT_BYTES) -> list[R]:
    """Read every line of a file or of stdin as a record of one kind.

    Raises:
        BadInputError: every problem of every line, up to a number that a person can read.
        EmptyInputError: there is no line.
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
        raise EmptyInputError(f"{name_of(file)} is empty.")
    return found


def observations(file: str, *, slots: "Slots") -> "list[Observation]":
    """Read the observations of a file; raises BadInputError naming all that is unsound."""
    from mindpipe.knowledge.audit import unsound
    from mindpipe.knowledge.records import Observation

    found = records(file, Observation, limit=OBSERVATION_BYTES)
    if problems := unsound(found, slots=slots, source=name_of(file)):
        raise BadInputError(problems)
    return found


def agent_of_one_place(session: "Session", agent: str | None, known: str | None) -> str:
    """Return whose observations in the store are meant, empty for those of a file.

    Raises:
        UsageError: both are named; or neither, and there is not just one agent.
    """
    from mindpipe_cli.options import only_agent

    if agent is not None and known is not None:
        raise UsageError("name --agent NAME for a store, or --known FILE for a file.")
    return "" if known is not None else agent or only_agent(session)


def _lines(file: str, limit: int) -> Iterator[tuple[int, bytes] | Problem]:
    """Yield the lines of an input."""
    with open_input(file) as stream:
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


@contextlib.contextmanager
def rejects_of(on_error: str, rejects: str | None) -> Iterator["RejectsFile | None"]:
    """Give the file of rejected lines, None where the first bad line ends everything.

    Raises:
        UsageError: lines are to be skipped, and no file is named for them.
    """
    if (named := rejects_file(on_error, rejects)) is None:
        yield None
        return
    from mindpipe.io.rejects import RejectsFile

    with RejectsFile(path_of(named)) as file:
        yield file


def rejects_file(on_error: str, rejects: str | None) -> str | None:
    """Return the name of the file of rejected lines, None where the first ends everything.

    Raises:
        UsageError: lines are to be skipped, and no file is named for them.
    """
    if on_error == "stop":
        return None
    if rejects is None:
        raise UsageError("--on-error skip needs --rejects FILE, so that no line is lost.")
    return rejects


def json_object(words: str, source: str) -> dict[str, object]:
    """Return the JSON object that an option or an edited file holds.

    Raises:
        BadInputError: it holds anything else.
    """
    found = load_json(words.encode(), source=source, line=1)
    if not isinstance(found, dict):
        raise BadInputError([Problem(source=source, message="expected a JSON object")])
    return found


def words_of(text: str) -> str:
    """Return the words of --text, or those on stdin for `-`.

    Raises:
        UsageError: what is on stdin is not UTF-8.
    """
    if text != "-":
        return text
    try:
        return words_on_stdin().decode()
    except UnicodeDecodeError as fault:
        raise UsageError(f"stdin is not UTF-8 at byte {fault.start}.") from None
