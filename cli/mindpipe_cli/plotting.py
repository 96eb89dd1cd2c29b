"""`mind simulate plot`: a day or a week of persons as sparklines, or as a picture in a file."""

from collections.abc import Sequence

import click

from mindpipe_cli.command import command
from mindpipe_cli.offering import READOUT
from mindpipe_cli.options import output_option, whole
from mindpipe_cli.session import Session


@command(
    "plot", example="mind simulate plot cortisol_nmol_l arousal --output day1.svg < day1.jsonl"
)
@click.argument("readouts", nargs=-1, type=READOUT, metavar="[READOUT]... [FILE]")
@output_option
@click.option(
    "--width",
    type=whole(8, 400),
    metavar="N",
    help="Columns of a sparkline [48]; never more than fit, nor than there are states.",
)
def plot(session: Session, readouts: Sequence[str], output: str | None, width: int | None) -> None:
    """Draw what a run printed: readouts over time, sleep, events and thoughts.

    Reads states, events and thoughts from FILE, a name with a point or a slash, or from stdin;
    without a READOUT it draws arousal, valence, energy and cortisol. Prints sparklines; with
    --output it writes a picture, .svg or .png, which needs the extra plot.
    """
    from mindpipe_cli.simulating.sketching import sketch

    sketch(session, readouts, into=output, width=width)
