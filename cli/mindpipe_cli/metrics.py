"""`mind metrics`: the figures of an agent, for people and for monitoring systems."""

import click

from mindpipe.agents import verbs as agents
from mindpipe.monitoring.measures import metrics
from mindpipe_cli import exposing, monitoring, output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option
from mindpipe_cli.session import Session

_COLUMNS = ("agent", "name", "labels", "value", "help")


@command(
    "metrics", example="mind metrics --agent ava --prometheus > /var/lib/node_exporter/ava.prom"
)
@any_agent_option
@click.option("--prometheus", is_flag=True, help="In the text form that Prometheus reads.")
def COMMAND(session: Session, agent: str | None, *, prometheus: bool) -> None:
    """Print the figures of an agent, or of all: times, queue, memory, health and behaviour.

    They are made of the newest iterations (alerts.window) of mind run. What is not known yet is
    left out.
    """
    names = [agent] if agent else [one.name for one in agents.list_(session.store)]
    found = [one for name in names for one in metrics(monitoring.measured(session, name))]
    if prometheus:
        output.write_bytes([exposing.exposed(found)])
    else:
        session.write(found, columns=_COLUMNS)
