"""`mind metrics`: the figures of an agent, for people and for monitoring systems."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from mindpipe_cli import output
from mindpipe_cli.command import command
from mindpipe_cli.options import any_agent_option
from mindpipe_cli.session import Session

if TYPE_CHECKING:
    from mindpipe.monitoring.records import Metric

_COLUMNS = ("agent", "name", "labels", "value", "help")
_PREFIX = "mindpipe_"


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
    from mindpipe.agents.verbs import agent as agents
    from mindpipe.monitoring.verbs.metrics import metrics
    from mindpipe.monitoring.watch import outside

    names = [agent] if agent else [one.name for one in agents.list_(session.store)]
    found = [
        one
        for name in names
        for one in metrics(
            session.store,
            session.clock,
            agent=name,
            window=session.settings.alerts.window,
            outside=outside(session.store, session.clock, agent=name),
        )
    ]
    if prometheus:
        session.prints("the text form of Prometheus")
        output.write_bytes([exposed(found)])
    else:
        session.write(found, columns=_COLUMNS)


def exposed(metrics: "Iterable[Metric]") -> bytes:
    """Return figures of any number of agents, each name once, with its help and kind."""
    from prometheus_client import CollectorRegistry, generate_latest

    class _Figures:
        """Hands out the figures when they are collected."""

        def collect(self) -> Iterator[object]:
            return _families(metrics)

    registry = CollectorRegistry()
    registry.register(_Figures())  # type: ignore[arg-type]  # it needs no more than `collect`
    found: bytes = generate_latest(registry)
    return found


def _families(metrics: "Iterable[Metric]") -> Iterator[object]:
    """Yield the figures of each name as one family."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    ordered = sorted(metrics, key=lambda one: one.name)
    for name, group in groupby(ordered, key=lambda one: one.name):
        same = list(group)
        kind = CounterMetricFamily if same[0].kind == "counter" else GaugeMetricFamily
        labels = ("agent", *same[0].labels)
        family = kind(f"{_PREFIX}{name}", same[0].help, labels=labels)
        for one in same:
            family.add_metric((one.agent, *one.labels.values()), one.value)
        yield family
