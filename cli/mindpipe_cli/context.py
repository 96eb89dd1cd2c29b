"""`mind context`: the exact prompt of a cycle, and how its window is divided."""

import click
import msgspec

from mindpipe_cli import output, prompts, thinking
from mindpipe_cli.budgeting import budget
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    agent_file_options,
    any_agent_option,
    cycle_option,
    model_options,
    whole,
)
from mindpipe_cli.session import Session


@command("show", example="mind context show --agent ava --cycle 3 --json")
@any_agent_option
@cycle_option
@click.option("--turn", type=whole(1), default=1, metavar="N", help="Its turn [1].")
@click.option(
    "--receipt",
    is_flag=True,
    help="Print the tokens that each section takes, and whose words taint it.",
)
@model_options
@agent_file_options
def show(
    session: Session, *, cycle: int | None, turn: int, receipt: bool, **wishes: str | None
) -> None:
    """Print the exact request of the next cycle, or of a past one, byte for byte."""
    wish = msgspec.convert(wishes, thinking.Wish)
    thinking.check_mode(wish)
    if cycle is None:
        shown = thinking.coming(session, wish)
    else:
        shown = thinking.past(session, agent=wish.agent, number=cycle, turn=turn)
    if receipt:
        session.write(shown.receipt, columns=("section", "tokens", "sources"))
    elif session.shape == "table":
        output.write_text(prompts.for_people(shown))
    else:
        output.write_bytes((shown.request.body, b"\n"))


COMMAND = group("context", show, budget)
