"""Read what a run printed and draw it: as lines of text, or as a picture in a file."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.person.plots.lines import lines
from mindpipe.person.reading import Place, read_line
from mindpipe.person.verbs.plot import plot
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents, output
from mindpipe_cli.drawing import FORMS, picture
from mindpipe_cli.session import Session

WIDTH, NARROW, BESIDE = 48, 16, 56
"""Columns of a sparkline at most and at least, and of what stands beside it."""
_COLUMNS = ("person", "name", "curve", "least", "most", "words")


def sketch(
    session: Session, readouts: Sequence[str], *, into: str | None, width: int | None
) -> None:
    """Write sparklines of the lives on stdin, or a picture of them into a file.

    Sparklines are `width` columns wide; with None as wide as there is room, and 48 at most.

    Raises:
        UsageError: a readout is none or cannot be drawn, or the file is neither .svg nor .png.
        BadInputError: a line is bad.
        NothingToDoError: no state has readouts.
        UnavailableError: a picture is wanted and matplotlib is not installed.
    """
    if into is not None and _ending(into) not in FORMS:
        raise UsageError(f"a picture is .svg or .png; {into} is neither.")
    if files := [name for name in readouts if "." in name or "/" in name]:
        words = f"mind simulate plot reads stdin; write < {files[0]}."
        raise UsageError(f"{files[0]} is no readout but a file: {words}")
    lives = plot(_records(), readouts=readouts)
    if into is None:
        named = session.shape != "table" or len(lives) > 1
        drawn = lines(lives, width=width or _room())
        session.write(drawn, columns=_COLUMNS if named else _COLUMNS[1:])
        return
    octets = picture(lives, FORMS[_ending(into)])
    write_whole(Path(into), [octets], mode=0o644)


def _room() -> int:
    """Return how wide sparklines may be beside what else stands in their lines."""
    if not output.on_terminal("stdout"):
        return WIDTH
    return min(WIDTH, max(NARROW, shutil.get_terminal_size().columns - BESIDE))


def _ending(name: str) -> str:
    """Return how the name of a file ends, in small letters."""
    return Path(name).suffix.lower()


def _records() -> Iterator[object]:
    """Yield the records about persons on stdin; raises BadInputError at the first bad line."""
    with documents.opened("-") as stream:
        for line in bounded_lines(
            stream, limit=EVENT_BYTES, source="stdin", setting="inbox.max_bytes"
        ):
            if isinstance(line, Problem):
                raise BadInputError([line])
            number, octets = line
            yield read_line(octets, Place("stdin", number))
