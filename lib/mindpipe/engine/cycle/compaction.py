"""Fold an agent's old cycles when its window passes `max_tokens`, before and after cycles."""

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction import tables as windows
from mindpipe.compaction.plans.plan_lines import plan_octets
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.task import PROMPT_TOKENS
from mindpipe.compaction.verbs import compact
from mindpipe.compaction.verbs import compact as publishing
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.context.verbs import fit as context
from mindpipe.context.verbs import prompts
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Head
from mindpipe.core.models import Target, Usage
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.breaker import Breaker, BreakerStance, after_vain, stance
from mindpipe.engine.cycle.journal import GRACE_SECONDS, holding, renewal
from mindpipe.engine.cycle.request import frame_of, ports_of
from mindpipe.engine.cycle.summary import SECONDS, writer
from mindpipe.engine.dependencies import Dependencies, OpenCycle, Prices
from mindpipe.engine.records.journal import WAITING
from mindpipe.engine.tables import journal
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.spending import verbs as spending

_MUCH = 10_000
_RESTING = "folding it failed before and is tried again within the hour"


def after(deps: Dependencies, *, agent: str) -> None:
    """Fold old cycles where an agent's window is over its budget, once its cycle has closed.

    What keeps it from being done is told, and never fails the cycle that was lived.
    """
    if not deps.policy.lasting:
        return
    with _telling(deps, agent):
        with deps.store.read():
            who = agents.show(deps.store, name=agent)
            is_over = deps.policy.style_of(who) != "timeline" and _is_over(deps, who)
        if is_over:
            if _is_resting(deps, agent):
                deps.holder.tell(f"the window is over its budget; {_RESTING}")
                return
            with _held(deps, agent) as work:
                _compact(deps, work, asks=True)


def before(deps: Dependencies, work: OpenCycle, *, asks: bool = True) -> None:
    """Fold old cycles where the window is over its budget before a cycle asks for the first time.

    It may be so after an import, or with a lower budget; what is measured is the window under the
    head that the cycle will have. Without `asks`, and over plain files, where the summary would be
    thrown away, no model is asked.
    """
    name = work.agent.name
    with _telling(deps, name):
        with deps.store.read() as rows:
            asked = journal.last_turn(rows, agent=name, cycle=work.cycle)
            # A timeline takes the place of the window: nothing of that is sent.
            is_unsent = deps.policy.style_of(work.agent) == "timeline"
            if asked is not None or is_unsent or _is_resting(deps, name):
                return
            wish = frame_of(deps, work)
            is_over = _is_over(deps, work.agent, prompts.head_of(ports_of(deps), wish))
        if is_over:
            with holding(deps, work):
                prompts.frame(ports_of(deps), wish)
            _compact(deps, work, asks=asks and deps.policy.lasting)


def with_waiting(
    store: Store, clock: Clock, wish: PlanOptions, *, agent: Agent, events: Sequence[Event] = ()
) -> PlanOptions:
    """Return a wish with the tickets that are open and, where it has none, the words that wait.

    These are those of `events` and of the next batch of the inbox.
    """
    waiting = inbox.peek(store, clock, agent=agent.name, limit=agent.batch)
    words = "\n".join(event.text or "" for event in (*events, *waiting))
    with store.read() as rows:
        open_tickets = journal.tickets(rows, agent=agent.name, states=WAITING)
    return wish._replace(
        inbox=wish.inbox or words, tickets=tuple(ticket.id for ticket in open_tickets)
    )


def with_cache(store: Store, wish: PlanOptions, *, target: Target, prices: Prices) -> PlanOptions:
    """Return a wish with what the cache of a model holds for the agent, and what a token costs.

    A token of the cache costs that share of a fresh one, None where prices are not known.
    """
    fresh = prices.of(Usage(input_tokens=_MUCH), target)
    cached = prices.of(Usage(cache_read_tokens=_MUCH), target)
    return wish._replace(
        cached=spending.cached(store, agent=wish.agent, model=target.label()),
        cached_price=None if not fresh or cached is None else cached / fresh,
    )


@contextlib.contextmanager
def asking(deps: Dependencies, *, agent: str) -> Iterator[MaterialPorts]:
    """Hold an agent and give what its window is planned with by hand, its model included.

    Raises:
        TemporaryError: a worker has the agent.
    """
    with _held(deps, agent) as work:
        yield _ports(deps, work, asks=True)


def newest(deps: Dependencies, *, agent: str) -> int:
    """Return the number of the last change of an agent's window (0: none)."""
    with deps.store.read() as rows:
        last = windows.in_force(rows, agent=agent)
    return last.number if last else 0


@contextlib.contextmanager
def _telling(deps: Dependencies, agent: str) -> Iterator[None]:
    """Tell why nothing was folded; what would be in vain again rests for a while."""
    try:
        yield
    except TemporaryError as fault:
        deps.holder.tell(f"nothing was folded: {fault}")
    except MindError as fault:
        deps.holder.tell(f"nothing was folded: {fault}")
        with contextlib.suppress(MindError):
            _rest(deps, agent)


def _is_resting(deps: Dependencies, agent: str) -> bool:
    """Tell whether folding the window of an agent was in vain a while ago."""
    now = deps.clock.boot()
    with deps.store.read() as rows:
        breaker = journal.breaker_of(rows, model=_name(agent), boot=now.boot)
    return stance(breaker, now=now.seconds) is BreakerStance.OPEN


def _is_over(deps: Dependencies, agent: Agent, head: Head | None = None) -> bool:
    """Tell whether the window of an agent is over its budget, under its own head or a coming one.

    A window in which nothing can be folded is not.
    """
    ports = context.ports_of(deps.store, deps.clock, deps.models.tokens)
    try:
        size = compact.sent_size(ports, agent=agent.name, head=head)
    except NothingToDoError:
        return False
    return size.closed > 0 and size.total > agent.max_tokens


def _rest(deps: Dependencies, agent: str) -> None:
    """Let folding rest for a while, which is kept beside what is held against models."""
    now = deps.clock.boot()
    with deps.store.write() as rows:
        breaker = journal.breaker_of(rows, model=_name(agent), boot=now.boot)
        rested = after_vain(breaker, now=now.seconds)
        journal.save_breaker(rows, model=_name(agent), boot=now.boot, breaker=rested)


def _name(agent: str) -> str:
    """Return the name under which it is kept that folding was in vain."""
    return f"compaction of {agent}"


@contextlib.contextmanager
def _held(deps: Dependencies, agent: str) -> Iterator[OpenCycle]:
    """Hold an agent between two cycles; raises TemporaryError where another worker has it."""
    with deps.store.write():
        epoch = leases.acquire(
            deps.store, deps.clock, agent=agent, owner=deps.holder.owner, seconds=deps.holder.lease
        )
        work = OpenCycle(
            agent=agents.show(deps.store, name=agent),
            epoch=epoch,
            cycle=cycles.last_closed(deps.store, agent=agent),
            events=(),
            began=deps.clock.boot().seconds,
            seconds=SECONDS,
        )
    try:
        with deps.holder.keep_alive(renewal(deps, work), SECONDS + GRACE_SECONDS):
            yield work
    finally:
        with contextlib.suppress(MindError):
            leases.release(deps.store, agent=agent, owner=deps.holder.owner, epoch=epoch)


def _compact(deps: Dependencies, work: OpenCycle, *, asks: bool) -> None:
    """Plan without a transaction, then put the window in force if this worker still has the agent.

    A summary that is written is charged to the last closed cycle.
    """
    name = work.agent.name
    closed = cycles.last_closed(deps.store, agent=name)
    ports = _ports(deps, msgspec.structs.replace(work, cycle=closed), asks=asks)
    planned = compact.plan(ports, wish=_wish(deps, work))
    if planned.plan.fallback is not None:
        deps.holder.tell(f"old cycles are folded otherwise: {planned.plan.fallback}")
    with holding(deps, work) as rows:
        publishing.publish(ports, planned=planned, octets=plan_octets(planned))
        journal.save_breaker(rows, model=_name(name), boot="", breaker=Breaker())
        reach("compact.before_publish")
    reach("compact.after_publish")


def _ports(deps: Dependencies, work: OpenCycle, *, asks: bool) -> MaterialPorts:
    """Return what a window is planned with, the models too where they may be asked.

    A prompt is never longer than a window of the agent may be, which its model takes.
    """
    ports = context.ports_of(deps.store, deps.clock, deps.models.tokens)
    if not asks:
        return ports
    embed = deps.models.embedder.vectors if deps.models.embedder else None
    most = min(PROMPT_TOKENS, work.agent.max_tokens)
    return ports._replace(embed=embed, write=writer(deps, work), prompt_tokens=most)


def _wish(deps: Dependencies, work: OpenCycle) -> PlanOptions:
    """Return what the agent's settings ask for, with what waits and what the cache holds."""
    wish = compact.wish_of(work.agent, automatic=True)
    wish = with_cache(deps.store, wish, target=deps.models.model.target, prices=deps.models.prices)
    return with_waiting(deps.store, deps.clock, wish, agent=work.agent, events=work.events)
