"""`mind ticket`: calls to approve, calls that may have run, accounts and tasks for a person."""

from typing import get_args

import click

from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.verbs.ticket import TicketFinding, TicketVerdict
from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    any_agent_option,
    by_option,
    decider,
    every_option,
    hash_option,
    note,
    reason_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "kind", "state", "cycle", "tool", "args", "reason", "created", "expires")

ticket_argument = click.argument("ticket", metavar="ID")


@command("list", example="mind ticket list --agent ava --table")
@any_agent_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print the tickets that wait for a person, oldest first."""
    found = tickets.list_(session.store, session.clock, agent=agent, every=every)
    session.show_whole(found, columns=_COLUMNS)


@command("show", example="mind ticket show t_5Q0vB1kXnYpWc2sRj8LdHa")
@ticket_argument
def show(session: Session, ticket: str) -> None:
    """Print one ticket whole: the exact arguments, escaped, and the hash that approves them."""
    found = tickets.show(session.store, session.clock, ticket=ticket)
    session.show_document(found, columns=_COLUMNS)


@command("approve", example='mind ticket approve t_5Q0vB1kXnYpWc2sRj8LdHa --hash "$SHA256"')
@ticket_argument
@hash_option(required=True)
@by_option
def approve(session: Session, ticket: str, sha256: str, by: str | None) -> None:
    """Let exactly this call run, once; the next `mind think` of its agent does it.

    A ticket that is decided or too late, or whose arguments or manifest of the tool were changed,
    is refused; what stands in the program's file is not looked at.
    """
    made = tickets.approve(
        session.store,
        session.clock,
        session.announce,
        ticket=ticket,
        sha256=sha256,
        verdict=TicketVerdict(decider(by)),
    )
    session.show_whole([made], columns=_COLUMNS)


@command("deny", example='mind ticket deny t_5Q0vB1kXnYpWc2sRj8LdHa --reason "too expensive"')
@ticket_argument
@by_option
@reason_option(required=False)
def deny(session: Session, ticket: str, by: str | None, reason: str | None) -> None:
    """Let a call never run; its agent hears of it as an event."""
    made = tickets.deny(
        session.store,
        session.clock,
        session.announce,
        ticket=ticket,
        verdict=TicketVerdict(decider(by), note(reason)),
    )
    session.show_whole([made], columns=_COLUMNS)


@command("settle", example="mind ticket settle t_5Q0vB1kXnYpWc2sRj8LdHa was-done")
@ticket_argument
@click.argument("found", type=click.Choice(get_args(TicketFinding)))
@by_option
@reason_option(required=False)
def settle(
    session: Session, ticket: str, found: TicketFinding, by: str | None, reason: str | None
) -> None:
    """Say what you found out of a call that may have run, or that a matter is over.

    A call takes was-done, was-not-done or (if nobody ever approved it) dismissed; an account or a
    task takes resolved or dismissed. What the agent hears of a call are the words of --reason.
    """
    made = tickets.settle(
        session.store,
        session.clock,
        session.announce,
        ticket=ticket,
        found=found,
        verdict=TicketVerdict(decider(by), note(reason)),
    )
    session.show_whole([made], columns=_COLUMNS)


COMMAND = group("ticket", list_, show, approve, deny, settle)
