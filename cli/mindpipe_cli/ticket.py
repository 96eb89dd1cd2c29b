"""`mind ticket`: calls to approve, calls that may have run, accounts and tasks for a person."""

from typing import NamedTuple, get_args

import click

from mindpipe.core.errors import BadInputError, NothingToDoError, RefusedError, UsageError
from mindpipe.engine.approval import draft_of
from mindpipe.engine.records.journal import Ticket, TicketState
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.verbs.ticket import TicketFinding, TicketVerdict
from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.input import json_object
from mindpipe_cli.options import (
    StoredId,
    agent_of_all_option,
    any_agent_option,
    args_option,
    by_option,
    decider,
    every_option,
    hash_option,
    note,
    reason_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "kind", "state", "cycle", "tool", "args", "reason", "created", "expires")

_HASH_SHOWN = 16
"""How much of a hash is offered for approving; eight characters are enough."""

ticket_argument = click.argument("ticket", metavar="ID", type=StoredId("ticket"))


@command("list", example="mind ticket list --agent ava --table")
@agent_of_all_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print the tickets that wait for a person, oldest first."""
    trust = session.settings.security.sources()
    found = tickets.list_(session.store, session.clock, agent=agent, every=every, trust=trust)
    session.show_whole(found, columns=_COLUMNS, cut="width")


@command("show", example="mind ticket show t_5Q0vB1kXnYpWc2sRj8LdHa")
@ticket_argument
@any_agent_option
def show(session: Session, ticket: str, agent: str | None) -> None:
    """Print one ticket whole: the exact arguments, escaped, and the hash that approves them.

    led_by shows whose words its cycle took up: the event that woke it first, who said it, whether
    he is trusted, and how it begins. sources are all that were not trusted when the call was made.
    """
    from mindpipe.agents.verbs import agent as agents

    if agent is not None:
        agents.show(session.store, name=agent)
    trust = session.settings.security.sources()
    found = tickets.show(session.store, session.clock, ticket=ticket, trust=trust)
    if agent not in (None, found.agent):
        raise UsageError(f"{ticket} is a ticket of {found.agent}, and none of {agent}.")
    session.show_document(found, columns=_COLUMNS)
    if session.shape == "table" and found.state is TicketState.PENDING and found.sha256:
        begins = found.sha256[:_HASH_SHOWN]
        answer = " --args '{…}'" if found.question() else ""
        output.say(f"to let it run: mind ticket approve {found.id} --hash {begins}{answer}")


@command("approve", example='mind ticket approve t_5Q0vB1kXnYpWc2sRj8LdHa --hash "$SHA256"')
@ticket_argument
@hash_option(required=True)
@args_option
@by_option
def approve(
    session: Session, ticket: str, sha256: str, arguments: str | None, by: str | None
) -> None:
    """Let exactly this call run, once; the next `mind think` of its agent does it.

    With --args it runs with these arguments, which must fit its tool; its agent is told so, and the
    ticket keeps both. Where the MCP server of its tool asked for input, --args is the answer, by
    the schema that the ticket shows: the call is run again, and its server told it. A ticket that
    is decided or too late, or whose arguments or manifest of the tool were changed, is refused;
    what stands in the program's file is not looked at.
    """
    made = tickets.approve(
        session.store,
        session.clock,
        session.announce,
        ticket=ticket,
        sha256=sha256,
        verdict=TicketVerdict(decider(by)),
        arguments=None if arguments is None else json_object(arguments, "--args"),
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


_DECIDE = "Let exactly this run, once? (y)es, (n)o, (e)dit, (s)kip, (q)uit"
_ANSWER = "Run it again with this answer? (y)es, (n)o, (e)dit the answer, (s)kip, (q)uit"
_SEND = "Let this worker have exactly this task? (y)es, (n)o, (s)kip, (q)uit"
_FOUND_OUT = "Was it done? (y)es, (n)o, (s)kip, (q)uit"
_OVER = "Is this over? (y)es, (n)o or (s)kip, (q)uit"


@command("review", example="mind ticket review --agent ava")
@any_agent_option
@by_option
def review(session: Session, agent: str | None, by: str | None) -> None:
    """Decide what waits, one after the other, on a terminal; what is skipped waits on.

    Each is shown whole first: the exact call, and whose words led to it. Edit opens the arguments
    of a call in $VISUAL or $EDITOR; what fits its tool is shown whole again, and asked about.
    """
    if not output.can_ask():
        raise UsageError("this asks on a terminal; in a script use mind ticket approve and deny.")
    trust = session.settings.security.sources()
    waiting = tickets.list_(session.store, session.clock, agent=agent, trust=trust)
    if not waiting:
        raise NothingToDoError("no ticket waits for a person.")
    for number, one in enumerate(waiting, 1):
        output.say(f"{number} of {len(waiting)}")
        whole = tickets.show(session.store, session.clock, ticket=one.id, trust=trust)
        seen, answer = _answered(session, whole)
        if answer == "q":
            return
        try:
            made = answer != "s" and tickets.review(
                session.store,
                session.clock,
                session.announce,
                ticket=seen,
                yes=answer == "y",
                verdict=TicketVerdict(decider(by)),
            )
        except RefusedError as refused:
            output.say(f"mind ticket review: {refused}")
            continue
        if made:
            session.show_whole([made], columns=_COLUMNS)


class ReviewAnswer(NamedTuple):
    """A ticket as a person saw it last, and what that person answered."""

    ticket: Ticket
    answer: str


def _answered(session: Session, ticket: Ticket) -> ReviewAnswer:
    """Show a ticket whole and ask; what is edited is shown and asked about again."""
    while True:
        for line in output.document_lines(ticket):
            output.say(line)
        question, answers = _OVER, "ynsq"
        if ticket.question() is not None:
            question, answers = _ANSWER, "ynesq"
        elif ticket.state is TicketState.PENDING:
            edits = ticket.kind == "approval"
            question, answers = (_DECIDE, "ynesq") if edits else (_SEND, "ynsq")
        elif ticket.kind in {"approval", "doubt"}:
            question = _FOUND_OUT
        answer = click.prompt(question, type=click.Choice(list(answers)), err=True, default="s")
        if answer != "e":
            return ReviewAnswer(ticket, answer)
        ticket = _edited(session, ticket)


def _edited(session: Session, ticket: Ticket) -> Ticket:
    """Let a person edit the arguments of a call; a ticket that is not edited stays as it is."""
    try:
        text = click.edit(output.document_text(draft_of(ticket)), extension=".json")
        if text is None:
            output.say("The editor saved nothing; the arguments are as they were.")
            return ticket
        arguments = json_object(text, "the edited arguments")
        return tickets.edit(session.store, ticket=ticket, arguments=arguments)
    except (click.ClickException, BadInputError, RefusedError) as fault:
        output.say(f"mind ticket review: {fault}")
        return ticket


COMMAND = group("ticket", list_, show, review, approve, deny, settle)
