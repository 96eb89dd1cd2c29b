"""`mind salience`: which changes of a person's states break into awareness."""

from typing import get_args

from mindpipe.person.records.state import Dimension
from mindpipe_cli.command import command
from mindpipe_cli.options import file_argument, on_error_options
from mindpipe_cli.person_filter import FilterOptions, filter_lines, in_columns
from mindpipe_cli.session import Session

_COLUMNS = ("person", "t_us", *get_args(Dimension), "trigger", "salience", "threshold")


@command(
    "salience",
    example="mind simulate new --name Mara --at 08:00 | "
    "mind simulate run --until 08:01 --every 1s --model none | mind salience --table",
)
@file_argument
@on_error_options
def COMMAND(session: Session, **given: str) -> None:
    """Pass every line on, and add a line of salience behind each state of somebody awake.

    A line needs kind and read alone. States of a person come in the order of time; the first one
    only sets what later ones are compared with. What breaks into awareness counts as noticed. Lines
    of salience that come along are left out: they are weighed anew.
    """
    from mindpipe.person.verbs.salience import salience

    options = FilterOptions(**given)
    filter_lines(session, options, salience(), write=in_columns(*_COLUMNS))
