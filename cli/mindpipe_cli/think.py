"""`mind think`: one cycle of one agent, over a store or over plain files."""

import click
import msgspec

from mindpipe_cli import output, thinking
from mindpipe_cli.command import command
from mindpipe_cli.options import (
    agent_file_options,
    any_agent_option,
    dry_run_option,
    max_seconds_option,
    max_turns_option,
    model_options,
    whole,
)
from mindpipe_cli.session import Session


@command("think", example="mind think --agent ava --model anthropic/claude-haiku-4-5")
@any_agent_option
@model_options
@agent_file_options
@dry_run_option
@max_turns_option
@click.option(
    "--cycle-tokens",
    "max_tokens",
    type=whole(1),
    metavar="N",
    help="Most tokens of one cycle.",
)
@max_seconds_option
@click.option("--max-micros", type=whole(), help="Most micro-dollars it may cost.")
@click.option("--quiet", is_flag=True, help="Show no preview on the terminal.")
def COMMAND(session: Session, **wishes: object) -> None:
    """Live one cycle: claim what is due, ask the model, run its tools, close.

    With --agent-file, --history, --events and --known it reads files instead of a store, prints the
    messages of the cycle and changes nothing. Nothing due is exit status 3.
    With --dry-run it prints the request.
    """
    wish = msgspec.convert(wishes, thinking.Wish)
    thinking.check_mode(wish)
    if wish.dry_run:
        output.write_bytes((thinking.coming(session, wish).request.body, b"\n"))
    elif wish.agent_file is not None:
        session.write(thinking.over_files(session, wish), columns=("cycle", "role", "parts"))
    else:
        session.write([thinking.over_store(session, wish)], columns=thinking.COLUMNS)
