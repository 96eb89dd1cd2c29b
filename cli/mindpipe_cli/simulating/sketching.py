"""Read what a run printed and draw it: as lines of text, or as a picture in a file."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.core.errors import BadInputError, InputOutputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.person.plots.lines import lines
from mindpipe.person.reading import Place, read_line
from mindpipe.person.verbs.plot import plot
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents, output
from mindpipe_cli.input import name_of
from mindpipe_cli.session import Session
from mindpipe_cli.simulating.drawing import FORMS, picture
from mindpipe_cli.tables import PIPE_WIDTH

WIDTH, NARROW, BESIDE = 48, 8, 56
"""Columns of a sparkline if none are wished, at least, and of what stands beside it."""
_COLUMNS = ("person", "name", "curve", "least", "most", "words")


def sketch(session: Session, names: Sequence[str], *, into: str | None, width: int | None) -> None:
    """Write sparklines of the lives on stdin or in a file, or a picture of them into a file.

    Of `names` those with a point or a slash are files, of which there is at most one; the others
    are readouts. Sparklines are `width` columns wide, 48 with None, and never wider than a table
    has room.

    Raises:
        UsageError: a readout is none or cannot be drawn, there are two files to read, or the
            picture is neither .svg nor .png.
        BadInputError: a line is bad.
        InputOutputError: the folder of the file is not there.
        NothingToDoError: no state has readouts.
        UnavailableError: a picture is wanted and matplotlib is not installed.
    """
    if into is not None and _ending(into) not in FORMS:
        raise UsageError(f"a picture is .svg or .png; {into} is neither.")
    if into is not None and not Path(into).parent.is_dir():
        raise InputOutputError(f"there is no folder {Path(into).parent}; make it first.")
    files = [name for name in names if "." in name or "/" in name]
    if len(files) > 1:
        raise UsageError(f"one file is read, and {files[1]} is another; cat them together.")
    readouts = [name for name in names if name not in files and name != "-"]
    lives = plot(_records(*files), readouts=readouts)
    if into is None:
        named = session.shape != "table" or len(lives) > 1
        drawn = lines(lives, width=_room(session, width))
        session.write(drawn, columns=_COLUMNS if named else _COLUMNS[1:])
        return
    octets = picture(lives, FORMS[_ending(into)])
    write_whole(Path(into), [octets], mode=0o644)


def _room(session: Session, width: int | None) -> int:
    """Return how wide sparklines may be beside what else stands in their lines."""
    if session.shape != "table" and width is not None:
        return width
    columns = PIPE_WIDTH
    if output.on_terminal("stdout"):
        columns = shutil.get_terminal_size().columns
    return min(width or WIDTH, max(NARROW, columns - BESIDE))


def _ending(name: str) -> str:
    """Return how the name of a file ends, in small letters."""
    return Path(name).suffix.lower()


def _records(file: str = "-") -> Iterator[object]:
    """Yield the records about persons in a file; raises BadInputError at the first bad line."""
    source = name_of(file)
    with documents.opened(file) as stream:
        for line in bounded_lines(
            stream, limit=EVENT_BYTES, source=source, setting="inbox.max_bytes"
        ):
            if isinstance(line, Problem):
                raise BadInputError([line])
            number, octets = line
            yield read_line(octets, Place(source, number))
