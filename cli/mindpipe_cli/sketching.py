"""Read what a run printed and draw it: as lines of text, or as a picture in a file."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.person.plots.lines import lines
from mindpipe.person.reading import Place, read_line
from mindpipe.person.records.state import State
from mindpipe.person.verbs.plot import plot
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents
from mindpipe_cli.drawing import FORMS, picture
from mindpipe_cli.input import name_of
from mindpipe_cli.session import Session

_COLUMNS = ("person", "name", "curve", "least", "most", "words")


class _Wish(Record):
    """What the options of a plot ask for."""

    events: str | None
    output: str | None
    width: int


def sketch(
    session: Session, readouts: Sequence[str], wishes: Mapping[str, str | int | None]
) -> None:
    """Write sparklines of the lives on stdin, or a picture of them into a file.

    Raises:
        UsageError: a readout cannot be drawn, or the file is neither .svg nor .png.
        BadInputError: a line is bad.
        NothingToDoError: no state has readouts.
        UnavailableError: a picture is wanted and matplotlib is not installed.
    """
    wish = msgspec.convert(wishes, _Wish)
    if wish.output is not None and _ending(wish.output) not in FORMS:
        raise UsageError(f"a picture is .svg or .png; {wish.output} is neither.")
    lives = plot(_all_records(wish.events), readouts=readouts)
    if wish.output is None:
        session.write(lines(lives, width=wish.width), columns=_COLUMNS)
        return
    drawn = picture(lives, FORMS[_ending(wish.output)])
    write_whole(Path(wish.output), [drawn], mode=0o644)


def _ending(name: str) -> str:
    """Return how the name of a file ends, in small letters."""
    return Path(name).suffix.lower()


def _all_records(events: str | None) -> Iterator[object]:
    """Yield the records on stdin and of a file of events, which need not name an only person."""
    persons: set[str] = set()
    for record in _records("-", {}):
        if isinstance(record, State):
            persons.add(record.person)
        yield record
    if events is not None:
        yield from _records(events, {"person": persons.pop()} if len(persons) == 1 else {})


def _records(file: str, defaults: Mapping[str, object]) -> Iterator[object]:
    """Yield the records about persons in a file; raises BadInputError at the first bad line."""
    source = name_of(file)
    with documents.opened(file) as stream:
        for line in bounded_lines(
            stream, limit=EVENT_BYTES, source=source, setting="inbox.max_bytes"
        ):
            if isinstance(line, Problem):
                raise BadInputError([line])
            number, octets = line
            yield read_line(octets, Place(source, number), defaults=defaults)
