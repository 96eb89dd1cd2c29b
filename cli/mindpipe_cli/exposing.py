"""Figures in the text form that Prometheus reads."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from mindpipe.monitoring.records import Metric

PREFIX = "mindpipe_"


def exposed(metrics: Iterable[Metric]) -> bytes:
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


def _families(metrics: Iterable[Metric]) -> Iterator[object]:
    """Yield the figures of each name as one family."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

    ordered = sorted(metrics, key=lambda one: one.name)
    for name, group in groupby(ordered, key=lambda one: one.name):
        same = list(group)
        kind = CounterMetricFamily if same[0].kind == "counter" else GaugeMetricFamily
        labels = ("agent", *same[0].labels)
        family = kind(f"{PREFIX}{name}", same[0].help, labels=labels)
        for one in same:
            family.add_metric((one.agent, *one.labels.values()), one.value)
        yield family
