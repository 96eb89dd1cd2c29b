"""`mind complete`: one model request per line in, one response per line out."""

from typing import BinaryIO

import click
import msgspec

from mindpipe_cli import answering
from mindpipe_cli.command import command
from mindpipe_cli.options import model_options, on_error_options
from mindpipe_cli.session import Session


@command("complete", example="mind complete --model program:./answer --parallel 4 < requests.jsonl")
@click.argument("file", type=click.File("rb"), default="-")
@model_options
@on_error_options
@click.option("--parallel", type=click.IntRange(1, 64), default=1, help="Requests at a time [1].")
def COMMAND(session: Session, file: BinaryIO, **wishes: object) -> None:
    """Ask one model request per line and print one response per line, in input order.

    A request is the object of the program protocol: system, messages, tools, max_tokens,
    temperature.
    """
    answers = answering.answers(session, file, msgspec.convert(wishes, answering.Wish))
    session.write(answers, columns=("text", "tool_calls", "stop_reason", "usage"))
