"""`mind run`: a worker that stays and thinks whenever something is due."""

import click
import msgspec

from mindpipe_cli import moding, runs, staying
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agents_option, model_options, whole
from mindpipe_cli.session import Session


@command("run", example="mind run --agent ava --model anthropic/claude-haiku-4-5")
@agents_option
@model_options
@click.option("--once", is_flag=True, help="Without pauses, end as soon as nothing is due.")
@click.option("--cycles", type=whole(1), metavar="N", help="End after so many cycles.")
@click.option("--until", metavar="INSTANT", help="End at this time, after the cycle under way.")
@click.option("--together", is_flag=True, help="Several --agent take turns in one process.")
@click.option(
    "--observe", metavar="FILE", help="What else to look at, as mind observe does [observe.config]."
)
def alone(session: Session, **wishes: object) -> None:
    """Stay and think whenever something is due, one record per cycle, until told to stop.

    Each iteration observes, thinks, decides, acts and reflects, which mind observe, think, decide,
    act and reflect do alone. How long it pauses between two, mind run timing explains; what it
    takes up depends on its mode, which mind run mode shows and sets. Something urgent begins at
    once. Several --agent live each in a process of its own, so that none waits for another's model;
    with --together, --once or --cycles they take turns in one. Every 20 cycles or after 5 idle
    minutes memory is consolidated, once a day a reflection is made on the agent itself.

    SIGTERM ends it with status 0: a model call is closed, a tool has 9 seconds left, the cycle
    stays open for the next worker. After a crash of an earlier run it first puts right what that
    one left.
    """
    staying.stay(session, msgspec.convert(wishes, staying.Stay))


COMMAND = group("run", moding.mode, moding.timing, runs.list_, runs.show, runs.cancel, alone=alone)
