"""`mind context`: the exact prompt of a cycle, and how its window is divided."""

import click
import msgspec

from mindpipe.context.records import Share
from mindpipe_cli import output, prompts, thinking
from mindpipe_cli.budgeting import budget, names
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
    help="Print the tokens of each section, what did not fit, and whose words taint it.",
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
        _write(session, shown.receipt)
    elif session.shape == "table":
        output.write_text(prompts.for_people(shown))
    else:
        output.write_bytes((shown.request.body, b"\n"))


def _write(session: Session, receipt: tuple[Share, ...]) -> None:
    """Print a receipt; for people, what did not fit as one text."""
    columns = ("section", "tokens", "left_out", "sources")
    if session.shape == "json":
        session.write(receipt, columns=columns)
        return
    rows = (
        {**msgspec.to_builtins(one), "left_out": ", ".join(names(one.left_out))} for one in receipt
    )
    session.write(rows, columns=columns)


COMMAND = group("context", show, budget)
