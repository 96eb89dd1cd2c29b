"""`mind ticket`: calls of which nobody knows whether they ran, and accounts that need a person."""

import click

from mindpipe.think.records import TicketState
from mindpipe.think.verbs import tickets
from mindpipe_cli.command import command, group
from mindpipe_cli.options import any_agent_option
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "kind", "state", "cycle", "tool", "args", "reason", "created")


@command("list", example="mind ticket list --agent ava --table")
@any_agent_option
@click.option("--every", is_flag=True, help="Also those that are settled.")
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print the tickets that wait for a person, oldest first."""
    state = None if every else TicketState.OPEN
    session.write(tickets.list_(session.store, agent=agent, state=state), columns=_COLUMNS)


@command("show", example="mind ticket show t_5Q0vB1kXnYpWc2sRj8LdHa")
@click.argument("ticket")
def show(session: Session, ticket: str) -> None:
    """Print one ticket, with the exact arguments of its call."""
    session.write([tickets.show(session.store, ticket=ticket)], columns=_COLUMNS)


COMMAND = group("ticket", list_, show)
