"""`mind review`: the observer's notes on a person's recent thoughts."""

import msgspec

from mindpipe_cli.command import command
from mindpipe_cli.options import (
    file_argument,
    on_error_options,
    person_option,
    voice_options,
)
from mindpipe_cli.session import Session


@command("review", example="mind review --model composed < day1.jsonl")
@file_argument
@voice_options()
@person_option
@on_error_options
def COMMAND(session: Session, **wishes: str | None) -> None:
    """Print the notes of an observer behind glass, who hears thoughts and reads numbers.

    It reads thought and state lines, and person lines for traits and settings. At a state it takes
    a note where there are thoughts and a minute has passed since the last one; asleep only where a
    thought is newer. What comes of a model that fails is a line of kind review_failure. The model
    is that of the person, composed unless it is set otherwise.
    With --store or --person it takes a note on the present of the persons in the store, and keeps
    it there. Nothing of it ever reaches a person.
    """
    from mindpipe_cli.sifting import reviewing

    reviewing.review(session, msgspec.convert(wishes, reviewing.Wish))
