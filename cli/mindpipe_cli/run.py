"""`mind run`: a worker that stays and thinks whenever something is due."""

import click
import msgspec

from mindpipe_cli import runs, staying
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, model_options, whole
from mindpipe_cli.session import Session


@command("run", example="mind run --agent ava --model anthropic/claude-haiku-4-5")
@agent_option
@model_options
@click.option("--once", is_flag=True, help="End as soon as nothing is due.")
@click.option("--cycles", type=whole(1), metavar="N", help="End after so many cycles.")
@click.option("--until", metavar="INSTANT", help="End at this time, after the cycle under way.")
def alone(session: Session, **wishes: object) -> None:
    """Stay and think whenever something is due, one record per cycle, until told to stop.

    SIGTERM ends it with status 0: a model call is closed, a tool has 9 seconds left, the cycle
    stays open for the next worker. After a crash of an earlier run it first puts right what that
    one left.
    """
    staying.stay(session, msgspec.convert(wishes, staying.Stay))


COMMAND = group("run", runs.list_, runs.show, runs.cancel, alone=alone)
