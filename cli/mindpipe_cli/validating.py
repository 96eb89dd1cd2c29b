"""`mind simulate validate`: persons against the literature, row by row."""

from collections.abc import Sequence

import click

from mindpipe_cli.command import command
from mindpipe_cli.options import const_option, whole
from mindpipe_cli.session import Session

_COLUMNS = ("number", "group", "verdict", "protocol", "found", "target", "source", "sentence")
_ROWS = 33


@command("validate", example="mind simulate validate --group B --json")
@click.option("--group", type=click.Choice(["A", "B"]), help="The rows of this group alone.")
@click.option(
    "--row", "rows", type=whole(1, _ROWS), multiple=True, metavar="N", help="This row alone."
)
@const_option
def validate(
    session: Session, group: str | None, rows: Sequence[int], consts: Sequence[str]
) -> None:
    """Measure persons by protocols of the literature, and print each row as good, fair or poor.

    Rows of group A were used to fit constants: they test the program. Rows of group B were not.
    Status 1 if a row of group A is poor.
    """
    from mindpipe_cli.simulating.measuring import measure

    measure(session, group, rows, consts, columns=_COLUMNS)
