"""`mind act`: do what is automatic or approved, queue the rest, call a person."""

from mindpipe_cli.command import command
from mindpipe_cli.options import agent_option
from mindpipe_cli.session import Session

_COLUMNS = (
    "agent",
    "applied",
    "failed",
    "unknown",
    "refused",
    "expired",
    "queued",
    "escalated",
    "called",
    "sent",
    "late",
    "handed_over",
)


@command("act", example="mind decide --agent ava; mind act --agent ava")
@agent_option
def COMMAND(session: Session, agent: str) -> None:
    """Do what mind decide judged: run what is automatic or approved, queue the rest for a person.

    What matters calls a person by the program of decisions.escalate. Each action runs once, by a
    ticket of its own, and its agent hears of it as an event. Delegated tasks are sent, and sent
    again or handed to a person where they are lost. Nothing to do is exit status 3.
    """
    from mindpipe_cli import judging

    session.write([judging.act(session, agent)], columns=_COLUMNS)
