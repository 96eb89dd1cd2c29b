"""`mind alert`: what is alarming about an agent, by the rules of the configuration."""

import click

from mindpipe.core.errors import MindError
from mindpipe.monitoring.records import AlertState
from mindpipe_cli.command import command, group
from mindpipe_cli.options import agent_option, limit_option
from mindpipe_cli.session import Session

_COLUMNS = ("since", "agent", "severity", "metric", "state", "value", "worst", "ended", "id")


@command("check", example="mind alert check --agent ava > firing || mail -s alert me < firing")
@agent_option
def check(session: Session, agent: str) -> None:
    """Hold the latest figures against alerts.rules, and print what fires; then the status is 1.

    What begins to fire and what clears is written down; mind alert list shows it. An alert
    whose rule is not among alerts.rules is held against the bounds of its own rule. Nothing printed
    and status 0: all is well.
    """
    from mindpipe.monitoring import watch
    from mindpipe.monitoring.measures import latest
    from mindpipe.monitoring.rules import alert_rules
    from mindpipe.monitoring.verbs import alert
    from mindpipe.monitoring.verbs.metrics import measure

    store, clock = session.store, session.clock
    rules = alert_rules(session.settings)
    # How fast the store grows is a figure too.
    watch.sample(store, clock, agent=agent)
    measured = measure(
        store,
        clock,
        agent=agent,
        window=session.settings.alerts.window,
        outside=watch.outside(store, clock, agent=agent),
    )
    alert.check(store, clock, session.chance, agent=agent, rules=rules, values=latest(measured))
    firing = alert.firing(store, agent=agent)
    session.write(firing, columns=_COLUMNS)
    if firing:
        words = "1 rule fires" if len(firing) == 1 else f"{len(firing)} rules fire"
        raise MindError(f"{words} for {agent}.")


@command("list", example="mind alert list --agent ava --state cleared --table")
@agent_option
@click.option("--state", type=click.Choice([state.value for state in AlertState]), help="Only so.")
@limit_option(100)
def list_(session: Session, agent: str, state: str | None, limit: int) -> None:
    """Print the alerts of an agent, the newest first."""
    from mindpipe.monitoring.verbs import alert

    wanted = None if state is None else AlertState(state)
    found = alert.list_(session.store, agent=agent, state=wanted, limit=limit)
    session.write(found, columns=_COLUMNS)


COMMAND = group("alert", check, list_)
