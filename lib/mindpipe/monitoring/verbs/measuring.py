"""Load what an agent's figures are made of."""

from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.core.instants import later
from mindpipe.core.ports import Clock, Store
from mindpipe.decisions.records import DecisionState
from mindpipe.decisions.verbs import queue as decisions
from mindpipe.history.verbs import cycles
from mindpipe.inbox.verbs import look as inbox
from mindpipe.loop.verbs import iterations, lives
from mindpipe.monitoring import tables
from mindpipe.monitoring.measures import HOUR_SECONDS, Measured

MOST_COUNTED = 1_000_000
_CYCLES = 100
_CARRIED_OUT = {DecisionState.APPLIED, DecisionState.UNDOING, DecisionState.UNDONE}
_FAILED = {DecisionState.FAILED, DecisionState.UNKNOWN}


class Outside(NamedTuple):
    """What only the outside of a store tells: crashes that nobody mended, an hour's bad checks."""

    lost: int = 0
    failures: int = 0


def measure(store: Store, clock: Clock, *, agent: str, window: int, outside: Outside) -> Measured:
    """Return what an agent's figures are made of: its newest `window` iterations, and counts.

    Raises:
        UsageError: there is no such agent.
    """
    with store.read() as rows:
        name = agents.show(store, name=agent).name
        lived = iterations.list_(store, agent=name, limit=window)
        prompts = list(cycles.newest(store, agent=name, limit=_CYCLES))
        crashed = sum(life.agent == name for life in lives.crashed(store))
        made = [one.state for one in decisions.list_(store, clock, agent=name, every=True)]
        return Measured(
            agent=name,
            iterations=tuple(lived),
            queue=inbox.count(store, clock, agent=name, most=MOST_COUNTED),
            tokens=next((one.input_tokens for one in reversed(prompts) if one.input_tokens), 0),
            input=sum(one.input_tokens for one in prompts),
            cached=sum(one.cached_tokens for one in prompts),
            samples=tuple(tables.samples(rows, since=later(clock.now(), seconds=-HOUR_SECONDS))),
            errors=_in_a_row([one.error for one in lived]),
            crashes=crashed + outside.lost,
            recovered=crashed,
            failures=outside.failures,
            actions=sum(state in _CARRIED_OUT | _FAILED for state in made),
            actions_done=sum(state in _CARRIED_OUT for state in made),
        )


def _in_a_row(errors: list[str | None]) -> int:
    """Return how many of the newest iterations failed without one between that did not."""
    count = 0
    for error in reversed(errors):
        if error is None:
            break
        count += 1
    return count
