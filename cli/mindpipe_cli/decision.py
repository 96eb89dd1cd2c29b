"""`mind decision`: the human's queue of what agents propose."""

import click

from mindpipe_cli.command import command, group
from mindpipe_cli.options import (
    any_agent_option,
    by_option,
    every_option,
    hash_option,
    reason_option,
)
from mindpipe_cli.session import Session

_COLUMNS = ("id", "agent", "state", "type", "proposal", "why", "created", "expires")

_LISTED = ("id", "agent", "state", "kind", "tool", "arguments", "confidence", "expires")

decision_argument = click.argument("decision", metavar="ID")


@command("list", example="mind decision list --agent ava --table")
@any_agent_option
@every_option
def list_(session: Session, agent: str | None, *, every: bool) -> None:
    """Print what waits for a person and what can be undone, oldest first."""
    from mindpipe.agents import verbs as agents
    from mindpipe.decisions.verbs import queue
    from mindpipe_cli import judging

    if agent is not None:
        agents.show(session.store, name=agent)
    found = queue.list_(session.store, session.clock, agent=agent, every=every)
    if session.shape == "table":
        session.show_whole(map(judging.line_of, found), columns=_LISTED)
    else:
        session.show_whole(found, columns=_COLUMNS)


@command("show", example="mind decision show d_5Q0vB1kXnYpWc2sRj8LdHa")
@decision_argument
def show(session: Session, decision: str) -> None:
    """Print one decision whole: the exact arguments, escaped, and their hash."""
    from mindpipe.decisions.verbs import queue
    from mindpipe_cli import deciding

    found = queue.show(session.store, session.clock, decision=decision)
    deciding.write_whole(session, found, columns=_COLUMNS)


@command("approve", example="mind decision approve d_5Q0vB1kXnYpWc2sRj8LdHa")
@decision_argument
@hash_option(required=False)
@click.option(
    "--args", "arguments", metavar="JSON", help="Run it with these arguments in place of its own."
)
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

    What is decided or too late, or does not fit its tool any more, is refused.
    """
    from mindpipe.decisions.verbs import queue
    from mindpipe_cli import judging

    made = queue.approve(
        session.store,
        session.clock,
        judging.opening(session),
        decision=decision,
        approval=judging.approval(by, reason, sha256, arguments),
    )
    session.show_whole([made], columns=_COLUMNS)


@command("reject", example='mind decision reject d_5Q0vB1kXnYpWc2sRj8LdHa --reason "too soon"')
@decision_argument
@by_option
@reason_option(required=False)
def reject(session: Session, decision: str, by: str | None, reason: str | None) -> None:
    """Let a proposal never run; its agent hears of it, with the words of --reason."""
    from mindpipe.decisions.verbs import queue
    from mindpipe_cli import deciding, judging

    who = judging.approval(by, reason, None)
    made = queue.reject(
        session.store,
        session.clock,
        deciding.deliver(session),
        decision=decision,
        person=who.person,
        note=who.note,
    )
    session.show_whole([made], columns=_COLUMNS)


@command("undo", example="mind decision undo d_5Q0vB1kXnYpWc2sRj8LdHa")
@decision_argument
@by_option
@reason_option(required=False)
def undo(session: Session, decision: str, by: str | None, reason: str | None) -> None:
    """Let run, once, what its proposal named to take it back; print the decision that does so."""
    from mindpipe.decisions.verbs import queue
    from mindpipe_cli import judging

    made = queue.undo(
        session.store,
        session.clock,
        session.chance,
        judging.opening(session),
        decision=decision,
        approval=judging.approval(by, reason, None),
    )
    session.show_whole([made], columns=_COLUMNS)


COMMAND = group("decision", list_, show, approve, reject, undo)
