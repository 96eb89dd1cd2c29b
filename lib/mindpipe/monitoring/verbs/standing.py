"""Show how an agent stands, on one screen."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents import verbs as agents
from mindpipe.core.events import Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.decisions.verbs import queue as decisions
from mindpipe.inbox.verbs import look as inbox
from mindpipe.loop.attention_records import Attending, Standing
from mindpipe.loop.records import Iteration, Life
from mindpipe.loop.verbs import concerns as attention
from mindpipe.loop.verbs import iterations, moding
from mindpipe.monitoring import tables
from mindpipe.monitoring.records import Lived, Share, Status, Waiting
from mindpipe.monitoring.verbs.measuring import MOST_COUNTED
from mindpipe.runs.records import RunState
from mindpipe.runs.verbs import of_agent as runs_of
from mindpipe.spending import verbs as spending
from mindpipe.tasks.verbs import queue as tasks
from mindpipe.think.verbs import tickets

SHOWN = 5
_SHARED = 100
_GLIMPSED = 100


class Seen(NamedTuple):
    """What a status is told beside the store: whose life goes on, a day's cap, bounds of turns."""

    life: Life | None
    cap_micros: int | None
    rules: Attending


def status(store: Store, clock: Clock, *, agent: str, seen: Seen) -> Status:
    """Return an agent's state at one moment; raises UsageError if there is no such agent."""
    with store.read() as rows:
        who = agents.show(store, name=agent)
        lived = iterations.list_(store, agent=who.name, limit=_SHARED)
        now = clock.now()
        concerned = attention.list_(store, agent=who.name, rules=seen.rules)
        costs = spending.cost(store, agent=who.name, since=now)
        return Status(
            agent=who.name,
            at=now,
            worker=f"pid {seen.life.pid} since {seen.life.started}" if seen.life else None,
            mode=moding.mode_of(moding.last(store, agent=who.name)),
            focus=next((one.name for one in concerned if one.focus), None),
            paused=who.paused,
            waiting=_waiting(store, clock, who.name),
            spent_micros=sum(one.settled_micros + one.reserved_micros for one in costs),
            cap_micros=seen.cap_micros,
            concerns=_shares(concerned, lived),
            lived=tuple(map(_short, lived[-SHOWN:])),
            alerts=tuple(tables.firing(rows, agent=who.name)),
        )


def _waiting(store: Store, clock: Clock, agent: str) -> Waiting:
    """Return how much waits, by who has to do something."""
    heads = inbox.glimpse(store, clock, agent=agent, limit=_GLIMPSED)
    return Waiting(
        events=inbox.count(store, clock, agent=agent, most=MOST_COUNTED),
        urgent=sum(one.priority <= Priority.URGENT for one in heads),
        tickets=len(tickets.list_(store, clock, agent=agent, every=False)),
        decisions=len(decisions.list_(store, clock, agent=agent)),
        tasks=len(tasks.list_(store, agent=agent)),
        runs=len(runs_of(store, agent=agent, states={RunState.WAITING})),
    )


def _shares(concerns: Sequence[Standing], lived: Sequence[Iteration]) -> tuple[Share, ...]:
    """Return what each concern should get of the newest iterations, and what it got."""
    got = Counter(one.concern for one in lived)
    return tuple(
        Share(
            concern=one.name,
            focus=one.focus,
            share=one.weight,
            given=got[one.name] / len(lived) if lived else 0.0,
        )
        for one in concerns
    )


def _short(one: Iteration) -> Lived:
    """Return an iteration in short."""
    return Lived(
        number=one.number,
        at=one.at,
        mode=one.mode,
        outcome=one.outcome,
        concern=one.concern,
        events=one.events,
        seconds=round(one.milliseconds / 1000, 6),
    )
