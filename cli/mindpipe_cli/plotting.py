"""`mind simulate plot`: a day or a week of persons as sparklines, or as a picture in a file."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mindpipe.core.errors import BadInputError, UsageError
from mindpipe.core.problems import Problem
from mindpipe.person.plots.lines import lines
from mindpipe.person.reading import Place, read_line
from mindpipe.person.verbs.plot import plot as lives_of
from mindpipe.stream.files import write_whole
from mindpipe.stream.lines import EVENT_BYTES, bounded_lines
from mindpipe_cli import documents
from mindpipe_cli.command import command
from mindpipe_cli.drawing import FORMS, picture
from mindpipe_cli.options import output_option, whole
from mindpipe_cli.session import Session

_COLUMNS = ("person", "name", "curve", "least", "most", "words")


@command(
    "plot", example="mind simulate plot cortisol_nmol_l arousal --output day1.svg < day1.jsonl"
)
@click.argument("readouts", nargs=-1, metavar="[READOUT]...")
@output_option
@click.option(
    "--width",
    type=whole(8, 400),
    default=48,
    show_default=True,
    metavar="N",
    help="Columns of a sparkline.",
)
def plot(session: Session, readouts: Sequence[str], output: str | None, width: int) -> None:
    """Draw what a run printed: readouts over time, sleep, events and thoughts.

    Reads states, events and thoughts from stdin; without a READOUT it draws arousal, valence,
    energy and cortisol. Prints sparklines; with --output it writes a picture, .svg or .png, which
    needs the extra plot.
    """
    if output is not None and Path(output).suffix.lower() not in FORMS:
        raise UsageError(f"a picture is .svg or .png; {output} is neither.")
    found = lives_of(_records(), readouts=readouts)
    if output is None:
        session.write(lines(found, width=width), columns=_COLUMNS)
    else:
        form = FORMS[Path(output).suffix.lower()]
        write_whole(Path(output), [picture(found, form)], mode=0o644)


def _records() -> Iterator[object]:
    """Yield the records about persons on stdin; raises BadInputError at the first bad line."""
    with documents.opened("-") as stream:
        for line in bounded_lines(stream, limit=EVENT_BYTES, source="stdin", setting="nothing"):
            if isinstance(line, Problem):
                raise BadInputError([line])
            number, octets = line
            yield read_line(octets, Place("stdin", number))
