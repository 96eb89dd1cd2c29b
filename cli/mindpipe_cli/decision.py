"""`mind decision`: the human's queue of what agents propose."""

from typing import TYPE_CHECKING

import click

from mindpipe_cli import output
from mindpipe_cli.command import command, group
from mindpipe_cli.input import json_object
from mindpipe_cli.options import (
    StoredId,
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

if TYPE_CHECKING:
    from mindpipe.decisions.records import Decision
    from mindpipe.decisions.verbs.decision import Approval, OpenTicket

_COLUMNS = ("id", "agent", "state", "type", "proposal", "why", "created", "expires")
_LISTED = ("id", "agent", "state", "kind", "tool", "arguments", "undo", "confidence", "expires")

decision_argument = click.argument("decision", metavar="ID", type=StoredId("decision"))


@command("list", example="mind decision list --agent ava --table")
@any_agent_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print what waits for a person and what can be undone, oldest first."""
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.decisions.verbs import decision as decisions

    if agent is not None:
        agents.show(session.store, name=agent)
    found = decisions.list_(session.store, session.clock, agent=agent, every=every)
    if session.shape == "table":
        session.show_whole(map(_line, found), columns=_LISTED)
    else:
        session.show_whole(found, columns=_COLUMNS)


@command("show", example="mind decision show d_5Q0vB1kXnYpWc2sRj8LdHa")
@decision_argument
def show(session: Session, decision: str) -> None:
    """Print one decision whole: the exact arguments, escaped, and their hash.

    What its proposal names to take it back is there too, and undo_sha256 is its hash.
    """
    from mindpipe.decisions.verbs import decision as decisions

    found = decisions.show(session.store, session.clock, decision=decision)
    session.show_document(found, columns=_COLUMNS)


@command("approve", example='mind decision approve d_5Q0vB1kXnYpWc2sRj8LdHa --hash "$SHA256"')
@decision_argument
@hash_option(required=False)
@args_option
@by_option
@reason_option(required=False)
def approve(
    session: Session,
    decision: str,
    sha256: str | None,
    arguments: str | None,
    by: str | None,
    reason: str | None,
) -> None:
    """Let a proposal run, once; the next `mind act` or cycle of its agent does it.

    Without --hash it is shown whole on the terminal, and asked about. What is decided or too late,
    was changed, or does not fit its tool any more, is refused.
    """
    from mindpipe.decisions.verbs import decision as decisions

    sha256 = sha256 or _seen(session, decision, "Let exactly this run, once?").sha256
    made = decisions.approve(
        session.store,
        session.clock,
        _opening(session),
        decision=decision,
        approval=_approval(by, reason, sha256, arguments),
    )
    session.show_whole([made], columns=_COLUMNS)


@command("reject", example='mind decision reject d_5Q0vB1kXnYpWc2sRj8LdHa --reason "too soon"')
@decision_argument
@by_option
@reason_option(required=False)
def reject(session: Session, decision: str, by: str | None, reason: str | None) -> None:
    """Let a proposal never run; its agent hears of it, with the words of --reason."""
    from mindpipe.decisions.verbs import decision as decisions

    made = decisions.reject(
        session.store,
        session.clock,
        session.announce,
        decision=decision,
        person=decider(by),
        note=note(reason),
    )
    session.show_whole([made], columns=_COLUMNS)


@command("undo", example='mind decision undo d_5Q0vB1kXnYpWc2sRj8LdHa --hash "$UNDO_SHA256"')
@decision_argument
@hash_option(required=False)
@by_option
@reason_option(required=False)
def undo(
    session: Session, decision: str, sha256: str | None, by: str | None, reason: str | None
) -> None:
    """Let run, once, what its proposal named to take it back; print the decision that does so.

    HASH is the undo_sha256 that `show` printed, beside the tool and the arguments that run. Without
    it the decision is shown whole on the terminal, and asked about.
    """
    from mindpipe.decisions.verbs import decision as decisions

    sha256 = sha256 or _seen(session, decision, "Let what undoes it run, once?").undo_sha256
    made = decisions.undo(
        session.store,
        session.clock,
        session.chance,
        _opening(session),
        decision=decision,
        approval=_approval(by, reason, sha256),
    )
    session.show_whole([made], columns=_COLUMNS)


def _seen(session: Session, decision: str, question: str) -> "Decision":
    """Return a decision that a person saw whole on the terminal and said yes to.

    Raises:
        NothingToDoError: the answer is no.
        UsageError: nobody can be asked here.
    """
    from mindpipe.core.errors import NothingToDoError, UsageError
    from mindpipe.decisions.verbs import decision as decisions

    if not output.can_ask():
        raise UsageError("give --hash; only on a terminal it is shown and asked about without one.")
    found = decisions.show(session.store, session.clock, decision=decision)
    for line in output.document_lines(found):
        output.say(line)
    if not click.confirm(question, err=True):
        raise NothingToDoError(f"{found.id} stays as it is.")
    return found


def _opening(session: Session) -> "OpenTicket":
    """Return what opens the ticket by which an approved decision runs."""
    from mindpipe.engine.cycle.approved_calls import open_tickets
    from mindpipe.engine.decision_rules import decision_rules

    hours = decision_rules(session.settings).hours
    return open_tickets(session.store, session.clock, session.chance, hours=hours)


def _approval(
    by: str | None, reason: str | None, sha256: str | None, arguments: str | None = None
) -> "Approval":
    """Return who approves what.

    Raises:
        BadInputError: the arguments are no JSON object.
        UsageError: a name or words that cannot be kept.
    """
    from mindpipe.decisions.verbs.decision import Approval

    given = None if arguments is None else json_object(arguments, "--args")
    return Approval(decider(by), note(reason), sha256, given)


def _line(found: "Decision") -> dict[str, object]:
    """Return a decision as a line of a table, what would run and what would undo it whole."""
    from mindpipe.core.records import to_json

    proposal = found.proposal
    undo = proposal.undo
    return {
        "id": found.id,
        "agent": found.agent,
        "state": found.state.value,
        "kind": proposal.kind,
        "tool": proposal.tool,
        "arguments": proposal.arguments,
        "undo": None if undo is None else f"{undo.tool} {to_json(undo.arguments).decode()}",
        "confidence": proposal.confidence,
        "expires": found.expires,
    }


COMMAND = group("decision", list_, show, approve, reject, undo)
