"""Show how an agent stands, on one screen."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.agents.lease import is_held
from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.core.events import Priority
from mindpipe.core.ports import Clock, Store
from mindpipe.decisions.verbs import decision as decisions
from mindpipe.engine.records.attention import AttentionRules, ConcernStanding
from mindpipe.engine.verbs import concern as concern_verbs
from mindpipe.engine.verbs import ticket
from mindpipe.engine.worker import log
from mindpipe.engine.worker import log as worker_log
from mindpipe.history.verbs import history
from mindpipe.inbox.verbs import inbox
from mindpipe.monitoring import tables
from mindpipe.monitoring.records import (
    ConcernShare,
    LivedCycles,
    PlanFigures,
    Status,
    WaitingFigures,
    WindowFigures,
)
from mindpipe.monitoring.verbs.metrics import MOST_COUNTED
from mindpipe.plans import verbs as plans
from mindpipe.spending import verbs as spending
from mindpipe.tasks.verbs import task as tasks
from mindpipe.trigger_runs.records import TriggerRunState
from mindpipe.trigger_runs.verbs import of_agent
from mindpipe.workers.records import Iteration, WorkerSession

SHOWN = 5
_SHARED = 100
_GLIMPSED = 100


class StatusView(NamedTuple):
    """What a status is told beside the store: whose life goes on, a day's cap, bounds of turns.

    `place` says where that life is, empty for this machine; `waits` is who takes the agent up once
    it is due, where somebody does.
    """

    life: WorkerSession | None
    cap_micros: int | None
    rules: AttentionRules
    place: str = ""
    waits: str | None = None


def status(store: Store, clock: Clock, *, agent: str, seen: StatusView) -> Status:
    """Return an agent's state at one moment; raises UsageError if there is no such agent."""
    with store.read() as rows:
        who = agents.show(store, name=agent)
        lived = log.list_iterations(store, agent=who.name, limit=_SHARED)
        now = clock.now()
        concerned = concern_verbs.list_(store, agent=who.name, rules=seen.rules)
        costs = spending.cost(store, agent=who.name, since=now)
        return Status(
            agent=who.name,
            at=now,
            worker=_worker(store, clock, who.name, seen),
            mode=worker_log.mode_of(worker_log.last_change(store, agent=who.name)),
            focus=next((one.name for one in concerned if one.focus), None),
            paused=who.paused,
            waiting=_waiting(store, clock, who.name),
            window=window_of(store, who),
            plans=PlanFigures(
                next=plans.next_window(store, agent=who.name),
                missed=plans.missed(store, clock, agent=who.name),
            ),
            spent_micros=sum(one.settled_micros + one.reserved_micros for one in costs),
            cap_micros=seen.cap_micros,
            concerns=_shares(concerned, lived),
            lived=tuple(map(_short, lived[-SHOWN:])),
            alerts=tuple(tables.firing(rows, agent=who.name)),
        )


def _worker(store: Store, clock: Clock, agent: str, seen: StatusView) -> str | None:
    """Return who lives an agent: its worker, who holds it for a cycle, or who waits for it."""
    if (life := seen.life) is not None:
        return f"pid {life.pid}{seen.place} since {life.started}"
    lease = leases.find(store, agent=agent)
    return lease.owner if is_held(lease, clock.boot()) else seen.waits


def _waiting(store: Store, clock: Clock, agent: str) -> WaitingFigures:
    """Return how much waits, by who has to do something."""
    heads = inbox.glimpse(store, clock, agent=agent, limit=_GLIMPSED)
    return WaitingFigures(
        events=inbox.count(store, clock, agent=agent, most=MOST_COUNTED),
        urgent=sum(one.priority <= Priority.URGENT for one in heads),
        tickets=len(ticket.list_(store, clock, agent=agent, every=False)),
        decisions=len(decisions.list_(store, clock, agent=agent)),
        tasks=len(tasks.list_(store, agent=agent)),
        runs=len(of_agent(store, agent=agent, states={TriggerRunState.WAITING})),
    )


def window_of(store: Store, who: Agent) -> WindowFigures:
    """Return how much an agent lived, and what of its window the last request took."""
    newest = next(iter(history.cycles(store, agent=who.name, limit=1)), None)
    return WindowFigures(
        cycles=newest.cycle if newest is not None else 0,
        tokens=spending.last_request_tokens(store, agent=who.name),
        budget=who.max_tokens,
    )


def _shares(
    concerns: Sequence[ConcernStanding], lived: Sequence[Iteration]
) -> tuple[ConcernShare, ...]:
    """Return what each concern should get of the newest iterations, and what it got."""
    got = Counter(one.concern for one in lived)
    return tuple(
        ConcernShare(
            concern=one.name,
            focus=one.focus,
            share=one.weight,
            given=got[one.name] / len(lived) if lived else 0.0,
        )
        for one in concerns
    )


def _short(one: Iteration) -> LivedCycles:
    """Return an iteration in short."""
    return LivedCycles(
        number=one.number,
        at=one.at,
        mode=one.mode,
        outcome=one.outcome,
        concern=one.concern,
        events=one.events,
        seconds=round(one.milliseconds / 1000, 6),
    )
