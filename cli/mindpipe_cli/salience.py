"""`mind salience`: which changes of a person's states break into awareness."""

import msgspec

from mindpipe_cli.command import command
from mindpipe_cli.options import file_argument, on_error_options
from mindpipe_cli.session import Session
from mindpipe_cli.sifting import glimpsing


@command(
    "salience",
    example="mind simulate new --name Mara --at 08:00 | "
    "mind simulate run --until 08:01 --every 1s --model none | mind salience --table",
)
@file_argument
@on_error_options
def COMMAND(session: Session, **wishes: str | None) -> None:
    """Pass every line on, and add a line of salience behind each state of somebody awake.

    A line needs kind and read alone. States of a person come in the order of time; the first one
    only sets what later ones are compared with. What breaks into awareness counts as noticed. Lines
    of salience that come along are left out: they are weighed anew.
    """
    from mindpipe_cli.sifting.noticing import COLUMNS, Noticing

    wish = msgspec.convert(wishes, glimpsing.Wish)
    glimpsing.sift(session, wish, Noticing().step, write=glimpsing.in_columns(*COLUMNS))
