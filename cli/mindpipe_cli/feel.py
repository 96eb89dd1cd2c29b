"""`mind feel`: how states are felt, and what the inner voice is asked about them."""

from typing import get_args

import click
import msgspec

from mindpipe.person.records.state import ThoughtMode
from mindpipe_cli.command import command
from mindpipe_cli.options import file_argument, on_error_options
from mindpipe_cli.session import Session
from mindpipe_cli.sifting import glimpsing


@command("feel", example="mind simulate tick --dt 60 < mara.jsonl | mind feel")
@file_argument
@click.option(
    "--prompt",
    type=click.Choice(get_args(ThoughtMode)),
    help="Print what the inner voice is asked, as requests for mind complete, and nothing else.",
)
@on_error_options
def COMMAND(session: Session, prompt: ThoughtMode | None, **wishes: str | None) -> None:
    """Add to each state the lines in which it is felt and their codes, and pass other lines on.

    A state needs kind and read alone; what read does not say is not felt. With --prompt react
    there is a request for each line of mind salience with a trigger, with spontaneous for each
    state of somebody awake, with respond for each event of speech or action; persons, thoughts and
    memories that come before are who is asked, and what is looked back on.
    """
    wish = msgspec.convert(wishes, glimpsing.Wish)
    if prompt is None:
        from mindpipe_cli.sifting import feeling

        glimpsing.sift(
            session,
            wish,
            feeling.felt,
            write=glimpsing.in_columns("person", "t_us", "codes", "felt"),
        )
        return
    from mindpipe_cli.sifting.prompting import Prompting, write

    asking = Prompting(prompt)
    glimpsing.sift(session, wish, asking.step, write=write)
