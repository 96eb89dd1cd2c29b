"""Figures of agents: measured now, and sampled over time."""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.instants import later, seconds_between
from mindpipe.core.ports import NOBODY, Clock, Store
from mindpipe.decisions.records import DecisionState
from mindpipe.decisions.verbs import decision as decisions
from mindpipe.engine.worker import log
from mindpipe.history.verbs import history
from mindpipe.inbox.verbs import inbox
from mindpipe.monitoring import measures, tables
from mindpipe.monitoring.measures import HOUR_SECONDS, Measurements
from mindpipe.monitoring.records import Metric, MetricSample
from mindpipe.plans import verbs as plans
from mindpipe.spending import verbs as spending
from mindpipe.workers import verbs as workers
from mindpipe.workers.records import Iteration

MOST_COUNTED = 1_000_000
_CYCLES = 100
_CARRIED_OUT = {DecisionState.APPLIED, DecisionState.UNDOING, DecisionState.UNDONE}
_FAILED = {DecisionState.FAILED, DecisionState.UNKNOWN}


class OutsideMeasurements(NamedTuple):
    """What only the outside of a store tells: crashes that nobody mended, an hour's bad checks."""

    lost: int = 0
    failures: int = 0


def metrics(
    store: Store, clock: Clock, *, agent: str, window: int, outside: OutsideMeasurements
) -> list[Metric]:
    """Return an agent's figures, as far as they are known; raises what `measure` raises."""
    return list(
        measures.metrics(measure(store, clock, agent=agent, window=window, outside=outside))
    )


def measure(
    store: Store, clock: Clock, *, agent: str, window: int, outside: OutsideMeasurements
) -> Measurements:
    """Return what an agent's figures are made of: its newest `window` iterations, and counts.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        name = agents.show(store, name=agent).name
        lived = log.list_iterations(store, agent=name, limit=window)
        prompts = list(history.cycles(store, agent=name, limit=_CYCLES))
        crashed = [life for life in workers.crashed(store) if life.agent == name]
        hour_ago = later(clock.now(), seconds=-HOUR_SECONDS)
        recent = sum((life.ended or "") > hour_ago for life in crashed)
        made = [one.state for one in decisions.list_(store, clock, agent=name, every=True)]
        return Measurements(
            agent=name,
            iterations=tuple(lived),
            queue=inbox.count(store, clock, agent=name, most=MOST_COUNTED),
            tokens=spending.last_request_tokens(store, agent=name),
            input=sum(one.input_tokens for one in prompts),
            cached=sum(one.cached_tokens for one in prompts),
            samples=tuple(tables.samples(rows, since=hour_ago)),
            errors=_in_a_row(lived),
            crashes=len(crashed) + outside.lost,
            recovered=len(crashed),
            recent=recent + outside.lost,
            failures=outside.failures,
            missed=plans.missed(store, clock, agent=name),
            actions=sum(state in _CARRIED_OUT | _FAILED for state in made),
            actions_done=sum(state in _CARRIED_OUT for state in made),
        )


def errors_in_a_row(store: Store, *, agent: str, window: int) -> int:
    """Return how many of an agent's newest `window` iterations failed, without one between."""
    return _in_a_row(log.list_iterations(store, agent=agent, limit=window))


def _in_a_row(lived: Sequence[Iteration]) -> int:
    """Return how many of the newest iterations failed without one between that did not."""
    return sum(1 for _ in takewhile(lambda one: one.error is not None, reversed(lived)))


EVERY_SECONDS = 300.0
KEPT_SECONDS = 24 * HOUR_SECONDS


def is_due(store: Store, clock: Clock) -> bool:
    """Tell whether the last sample is five minutes old."""
    now = clock.now()
    with store.read() as rows:
        before = tables.samples(rows, since=later(now, seconds=-EVERY_SECONDS))
    return not any(0 <= seconds_between(one.at, now) < EVERY_SECONDS for one in before)


def sample(
    store: Store, clock: Clock, *, vector_seconds: float | None = None
) -> MetricSample | None:
    """Write down how large the store is, unless that was done less than five minutes ago."""
    if not is_due(store, clock):
        return None
    now = clock.now()
    with store.write(NOBODY) as rows:
        made = MetricSample(at=now, bytes=tables.store_bytes(rows), vector_seconds=vector_seconds)
        tables.add_sample(rows, made, forget=later(now, seconds=-KEPT_SECONDS))
    return made
