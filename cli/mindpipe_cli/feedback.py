"""`mind feedback`: what thoughts are labelled, and what that does to the body."""

from typing import get_args

import click
import msgspec

from mindpipe.person.records.person import ParserName
from mindpipe_cli.command import command
from mindpipe_cli.options import file_argument, on_error_options, text_option
from mindpipe_cli.session import Session
from mindpipe_cli.sifting import labelling


@command(
    "feedback",
    example='mind feedback --text "I can\'t stop thinking about it" --parser improved',
)
@file_argument
@click.option(
    "--parser",
    type=click.Choice(get_args(ParserName)),
    help="What finds labels: keywords as they stand, or patterns [as set for the person, or seed].",
)
@text_option
@click.option(
    "--score",
    metavar="FILE",
    help="Print how well both parsers find the labels of this labelled set, and label nothing.",
)
@click.option(
    "--split",
    type=click.Choice(["dev", "test"]),
    help="With --score, the part of the set that FILE is [as its lines say, or by their hash].",
)
@on_error_options
def COMMAND(
    session: Session, text: str | None, score: str | None, split: str | None, **wishes: str | None
) -> None:
    """Add labels to thoughts, and the rates per second by which they push the body's modes.

    A thought needs kind and content alone. Answers of mind complete to what mind feel --prompt
    asked become thoughts. Labels that a thought has from no parser stay. Other lines pass on. With
    --text the words are one thought, and no lines are read.

    A line of a labelled set has content and labels, text and label, or prompt and completion, and
    may say its split, dev or test; one of five is test where none says it.
    """
    if score is not None:
        from mindpipe_cli.sifting import scoring

        scoring.score(session, file=score, part=split)
        return
    labelling.label(session, msgspec.convert(wishes, labelling.Wish), text=text)
