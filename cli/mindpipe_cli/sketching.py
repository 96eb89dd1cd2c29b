"""Read what a run printed and draw it: as lines of text, or as a picture in a file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.person.plots.lines import lines
from mindpipe.person.reading import Place, read_line
from mindpipe.person.verbs.plot import plot
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents
from mindpipe_cli.drawing import FORMS, picture
from mindpipe_cli.session import Session

_COLUMNS = ("person", "name", "curve", "least", "most", "words")


def sketch(session: Session, readouts: Sequence[str], *, output: str | None, width: int) -> None:
    """Write sparklines of the lives on stdin, `width` columns wide, or a picture into a file.

    Raises:
        UsageError: a readout cannot be drawn, or the file is neither .svg nor .png.
        BadInputError: a line is bad.
        NothingToDoError: no state has readouts.
        UnavailableError: a picture is wanted and matplotlib is not installed.
    """
    if output is not None and _ending(output) not in FORMS:
        raise UsageError(f"a picture is .svg or .png; {output} is neither.")
    lives = plot(_records(), readouts=readouts)
    if output is None:
        session.write(lines(lives, width=width), columns=_COLUMNS)
        return
    drawn = picture(lives, FORMS[_ending(output)])
    write_whole(Path(output), [drawn], mode=0o644)


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
