"""`mind act`: do what is automatic or approved, queue the rest, call a person."""

from mindpipe_cli import output
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
    from mindpipe.core.errors import NothingToDoError
    from mindpipe.engine.decision_rules import decision_rules
    from mindpipe.engine.verbs.act import Acted, act
    from mindpipe.engine.worker.task_programs import delegation_of
    from mindpipe.person.verbs import refusal

    # A store that cannot be written to is refused, whatever there is to do.
    with session.store.write():
        refusal.require_none(session.store, agent=agent)
    acted = act(
        session.app.dependencies_to_act(session.store, agent=agent, tell=_tell),
        agent=agent,
        rules=decision_rules(session.settings),
        delegation=delegation_of(session.settings, store=session.store_path, clock=session.clock),
    )
    if acted == Acted(agent=acted.agent):
        raise NothingToDoError(f"nothing is to be done for {agent}.")
    session.write([acted], columns=_COLUMNS)


def _tell(words: str) -> None:
    """Say why the worker waits."""
    output.say(f"mind act: {words}")
