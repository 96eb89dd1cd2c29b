"""Fold an agent's old cycles when its window passes `max_tokens`, before and after cycles."""

import contextlib
from collections.abc import Iterator, Sequence

import msgspec

from mindpipe.agents import verbs as agents
from mindpipe.agents.records import Agent
from mindpipe.compaction import tables as windows
from mindpipe.compaction.plans.material import Wish
from mindpipe.compaction.plans.plan_lines import plan_octets
from mindpipe.compaction.task import PROMPT_TOKENS
from mindpipe.compaction.verbs import planning, publishing
from mindpipe.compaction.verbs.loading import Ports
from mindpipe.context.verbs import compacting as context
from mindpipe.context.verbs import prompts
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.failpoints import reach
from mindpipe.core.messages import Head
from mindpipe.core.models import Target, Usage
from mindpipe.core.ports import Clock, Store
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import queue as inbox
from mindpipe.spending import verbs as spending
from mindpipe.think import tables
from mindpipe.think.breaker import Breaker, Stance, after_vain, stance
from mindpipe.think.means import Means, Prices, Work
from mindpipe.think.records import WAITING
from mindpipe.think.verbs.journal import GRACE_SECONDS, holding, renewal
from mindpipe.think.verbs.request import frame_of, ports_of
from mindpipe.think.verbs.writing import SECONDS, writer

_MUCH = 10_000
_RESTING = "folding it failed before and is tried again within the hour"


def after(means: Means, *, agent: str) -> None:
    """Fold old cycles where an agent's window is over its budget, once its cycle has closed.

    What keeps it from being done is told, and never fails the cycle that was lived.
    """
    if not means.lasting:
        return
    with _telling(means, agent):
        with means.store.read():
            is_over = not _is_unsent(means, agent) and _is_over(means, agent)
        if is_over:
            if _is_resting(means, agent):
                means.tell(f"the window is over its budget; {_RESTING}")
                return
            with _held(means, agent) as work:
                _fold(means, work, asks=True)


def before(means: Means, work: Work, *, asks: bool = True) -> None:
    """Fold old cycles where the window is over its budget before a cycle asks for the first time.

    It may be so after an import, or with a lower budget; what is measured is the window under the
    head that the cycle will have. Without `asks`, and over plain files, where the summary would be
    thrown away, no model is asked.
    """
    name = work.agent.name
    with _telling(means, name):
        with means.store.read() as rows:
            asked = tables.last_turn(rows, agent=name, cycle=work.cycle)
            if asked is not None or _is_unsent(means, name) or _is_resting(means, name):
                return
            wish = frame_of(means, work)
            is_over = _is_over(means, name, prompts.head_of(ports_of(means), wish))
        if is_over:
            with holding(means, work):
                prompts.frame(ports_of(means), wish)
            _fold(means, work, asks=asks and means.lasting)


def with_waiting(
    store: Store, clock: Clock, wish: Wish, *, agent: Agent, events: Sequence[Event] = ()
) -> Wish:
    """Return a wish with the tickets that are open and, where it has none, the words that wait.

    These are those of `events` and of the next batch of the inbox.
    """
    waiting = inbox.peek(store, clock, agent=agent.name, limit=agent.batch)
    words = "\n".join(event.text or "" for event in (*events, *waiting))
    with store.read() as rows:
        open_tickets = tables.tickets(rows, agent=agent.name, states=WAITING)
    return wish._replace(
        inbox=wish.inbox or words, tickets=tuple(ticket.id for ticket in open_tickets)
    )


def with_cache(store: Store, wish: Wish, *, target: Target, prices: Prices) -> Wish:
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
def asking(means: Means, *, agent: str) -> Iterator[Ports]:
    """Hold an agent and give what its window is planned with by hand, its model included.

    Raises:
        TemporaryError: a worker has the agent.
    """
    with _held(means, agent) as work:
        yield _ports(means, work, asks=True)


def newest(means: Means, *, agent: str) -> int:
    """Return the number of the last change of an agent's window (0: none)."""
    with means.store.read() as rows:
        last = windows.in_force(rows, agent=agent)
    return last.number if last else 0


@contextlib.contextmanager
def _telling(means: Means, agent: str) -> Iterator[None]:
    """Tell why nothing was folded; what would be in vain again rests for a while."""
    try:
        yield
    except TemporaryError as fault:
        means.tell(f"nothing was folded: {fault}")
    except MindError as fault:
        means.tell(f"nothing was folded: {fault}")
        with contextlib.suppress(MindError):
            _rest(means, agent)


def _is_unsent(means: Means, agent: str) -> bool:
    """Tell whether nothing of an agent's window is sent: a timeline takes its place."""
    return means.style_of(agents.show(means.store, name=agent)) == "timeline"


def _is_resting(means: Means, agent: str) -> bool:
    """Tell whether folding the window of an agent was in vain a while ago."""
    now = means.clock.boot()
    with means.store.read() as rows:
        breaker = tables.breaker_of(rows, model=_name(agent), boot=now.boot)
    return stance(breaker, now=now.seconds) is Stance.OPEN


def _is_over(means: Means, agent: str, head: Head | None = None) -> bool:
    """Tell whether the window of an agent is over its budget, under its own head or a coming one.

    A window in which nothing can be folded is not.
    """
    ports = context.ports_of(means.store, means.clock, means.tokens)
    try:
        size = planning.sent_size(ports, agent=agent, head=head)
    except NothingToDoError:
        return False
    most = agents.show(means.store, name=agent).max_tokens
    return size.closed > 0 and size.total > most


def _rest(means: Means, agent: str) -> None:
    """Let folding rest for a while, which is kept beside what is held against models."""
    now = means.clock.boot()
    with means.store.write() as rows:
        breaker = tables.breaker_of(rows, model=_name(agent), boot=now.boot)
        rested = after_vain(breaker, now=now.seconds)
        tables.save_breaker(rows, model=_name(agent), boot=now.boot, breaker=rested)


def _name(agent: str) -> str:
    """Return the name under which it is kept that folding was in vain."""
    return f"compaction of {agent}"


@contextlib.contextmanager
def _held(means: Means, agent: str) -> Iterator[Work]:
    """Hold an agent between two cycles; raises TemporaryError where another worker has it."""
    with means.store.write():
        epoch = agents.lease_acquire(
            means.store, means.clock, agent=agent, owner=means.owner, seconds=means.lease
        )
        work = Work(
            agent=agents.show(means.store, name=agent),
            epoch=epoch,
            cycle=cycles.last_closed(means.store, agent=agent),
            events=(),
            began=means.clock.boot().seconds,
            seconds=SECONDS,
        )
    try:
        with means.keep_alive(renewal(means, work), SECONDS + GRACE_SECONDS):
            yield work
    finally:
        with contextlib.suppress(MindError):
            agents.lease_release(means.store, agent=agent, owner=means.owner, epoch=epoch)


def _fold(means: Means, work: Work, *, asks: bool) -> None:
    """Plan without a transaction, then put the window in force if this worker still has the agent.

    A summary that is written is charged to the last closed cycle.
    """
    name = work.agent.name
    closed = cycles.last_closed(means.store, agent=name)
    ports = _ports(means, msgspec.structs.replace(work, cycle=closed), asks=asks)
    planned = planning.plan(ports, wish=_wish(means, work))
    if planned.plan.fallback is not None:
        means.tell(f"old cycles are folded otherwise: {planned.plan.fallback}")
    with holding(means, work) as rows:
        publishing.publish(ports, planned=planned, octets=plan_octets(planned))
        tables.save_breaker(rows, model=_name(name), boot="", breaker=Breaker())
        reach("compact.before_publish")
    reach("compact.after_publish")


def _ports(means: Means, work: Work, *, asks: bool) -> Ports:
    """Return what a window is planned with, the models too where they may be asked.

    A prompt is never longer than a window of the agent may be, which its model takes.
    """
    ports = context.ports_of(means.store, means.clock, means.tokens)
    if not asks:
        return ports
    embed = means.embedder.vectors if means.embedder else None
    most = min(PROMPT_TOKENS, work.agent.max_tokens)
    return ports._replace(embed=embed, write=writer(means, work), prompt_tokens=most)


def _wish(means: Means, work: Work) -> Wish:
    """Return what the agent's settings ask for, with what waits and what the cache holds."""
    wish = planning.wish_of(work.agent, automatic=True)
    wish = with_cache(means.store, wish, target=means.model.target, prices=means.prices)
    return with_waiting(means.store, means.clock, wish, agent=work.agent, events=work.events)
