"""`mind alert`: what is alarming about an agent, by the rules of the configuration."""

import click

from mindpipe.core.errors import MindError
from mindpipe.monitoring.records import AlertState
from mindpipe.monitoring.verbs import alerting
from mindpipe_cli import monitoring
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, limit_option
from mindpipe_cli.session import Session

_COLUMNS = ("since", "agent", "severity", "metric", "state", "value", "worst", "ended", "id")


@command("check", example="mind alert check --agent ava > firing || mail -s alert me < firing")
@agent_option
def check(session: Session, agent: str) -> None:
    """Hold the latest figures against alerts.rules, and print what fires; then the status is 1.

    What begins to fire and what clears is written down; mind alert list shows it. Nothing printed
    and status 0: all is well.
    """
    firing = monitoring.check_alerts(session, agent)
    session.write(firing, columns=_COLUMNS)
    if firing:
        rules = "1 rule fires" if len(firing) == 1 else f"{len(firing)} rules fire"
        raise MindError(f"{rules} for {agent}.")


@command("list", example="mind alert list --agent ava --state cleared --table")
@agent_option
@click.option("--state", type=click.Choice([state.value for state in AlertState]), help="Only so.")
@limit_option(100)
def list_(session: Session, agent: str, state: str | None, limit: int) -> None:
    """Print the alerts of an agent, the newest first."""
    wanted = None if state is None else AlertState(state)
    found = alerting.list_(session.store, agent=agent, state=wanted, limit=limit)
    session.write(found, columns=_COLUMNS)


COMMAND = group("alert", check, list_)
