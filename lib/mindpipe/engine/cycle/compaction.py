"""Compact an agent's window. Its model may write the summary: bounded, settled, tried once."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.compaction import prompts
from mindpipe.compaction.plans.lines import plan_octets
from mindpipe.compaction.plans.planner import PlanOptions
from mindpipe.compaction.records import PROMPT_TOKENS
from mindpipe.compaction.verbs import compact as compact_verbs
from mindpipe.compaction.verbs.material import MaterialPorts
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core.errors import MindError, RefusedError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.models import (
    FaultClass,
    ModelFault,
    ModelReply,
    ModelRequest,
    Target,
    TextReply,
    TextRequest,
    Usage,
    Write,
)
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.breaker import Breaker, name_of_compaction
from mindpipe.engine.cycle.journal import GRACE_SECONDS, holding, renewal
from mindpipe.engine.cycle.model_call import check_breaker, note_failure, note_success, settlement
from mindpipe.engine.cycle.request import validate
from mindpipe.engine.dependencies import Dependencies, OpenCycle, Prices
from mindpipe.engine.records.journal import WAITING
from mindpipe.engine.tables import journal
from mindpipe.history.verbs import cycles
from mindpipe.inbox.records import Event
from mindpipe.inbox.verbs import inbox
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from mindpipe.providers.usage import believed
from mindpipe.spending import verbs as spending
from mindpipe.spending.records import NewLedgerEntry

PURPOSE = "compact"
SECONDS = 300.0
"""How long a model may take to write one summary."""
_MUCH = 10_000


def with_waiting(
    store: Store, clock: Clock, options: PlanOptions, *, agent: Agent, events: Sequence[Event] = ()
) -> PlanOptions:
    """Return a wish with the tickets that are open and, where it has none, the words that wait.

    These are those of `events` and of the next batch of the inbox.
    """
    waiting = inbox.peek(store, clock, agent=agent.name, limit=agent.batch)
    words = "\n".join(event.text or "" for event in (*events, *waiting))
    with store.read() as rows:
        open_tickets = journal.tickets(rows, agent=agent.name, states=WAITING)
    return options._replace(
        inbox=options.inbox or words, tickets=tuple(ticket.id for ticket in open_tickets)
    )


def with_cache(
    store: Store, options: PlanOptions, *, target: Target, prices: Prices
) -> PlanOptions:
    """Return a wish with what the cache of a model holds for the agent, and what a token costs.

    A token of the cache costs that share of a fresh one, None where prices are not known.
    """
    fresh = prices.of(Usage(input_tokens=_MUCH), target)
    cached = prices.of(Usage(cache_read_tokens=_MUCH), target)
    return options._replace(
        cached=spending.cached(store, agent=options.agent, model=target.label()),
        cached_price=None if not fresh or cached is None else cached / fresh,
    )


@contextlib.contextmanager
def asking(deps: Dependencies, *, agent: str) -> Iterator[MaterialPorts]:
    """Hold an agent and give what its window is planned with by hand, its model included.

    Raises:
        TemporaryError: a worker has the agent.
    """
    with held(deps, agent) as work:
        yield _ports(deps, work, asks=True)


@contextlib.contextmanager
def held(deps: Dependencies, agent: str) -> Iterator[OpenCycle]:
    """Hold an agent between two cycles; raises TemporaryError where another worker has it."""
    with deps.store.write(agent):
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


def compact(deps: Dependencies, work: OpenCycle, *, asks: bool) -> None:
    """Plan without a transaction, then put the window in force if this worker still has the agent.

    A summary that is written is charged to the last closed cycle.
    """
    name = work.agent.name
    closed = cycles.last_closed(deps.store, agent=name)
    ports = _ports(deps, msgspec.structs.replace(work, cycle=closed), asks=asks)
    planned = compact_verbs.plan(ports, options=_plan_options(deps, work))
    if planned.plan.fallback is not None:
        deps.holder.tell(f"old cycles are folded otherwise: {planned.plan.fallback}")
    with holding(deps, work) as rows:
        compact_verbs.publish(ports, planned=planned, octets=plan_octets(planned))
        journal.save_breaker(rows, model=name_of_compaction(name), boot="", breaker=Breaker())
        reach("compact.before_publish")
    reach("compact.after_publish")


def _ports(deps: Dependencies, work: OpenCycle, *, asks: bool) -> MaterialPorts:
    """Return what a window is planned with, the models too where they may be asked.

    A prompt is never longer than a window of the agent may be, which its model takes.
    """
    ports = material_ports(deps.store, deps.clock, deps.models.tokens)
    if not asks:
        return ports
    embed = deps.models.embedder.vectors if deps.models.embedder else None
    most = min(PROMPT_TOKENS, work.agent.max_tokens)
    return ports._replace(embed=embed, write=writer(deps, work), prompt_tokens=most)


def _plan_options(deps: Dependencies, work: OpenCycle) -> PlanOptions:
    """Return what the agent's settings ask for, with what waits and what the cache holds."""
    options = compact_verbs.plan_options(work.agent, automatic=True)
    options = with_cache(
        deps.store, options, target=deps.models.model.target, prices=deps.models.prices
    )
    return with_waiting(deps.store, deps.clock, options, agent=work.agent, events=work.events)


class _Call(NamedTuple):
    """One call of a model: its entry in the ledger, and what is sent."""

    entry: str
    request: ModelRequest


def writer(deps: Dependencies, work: OpenCycle) -> Write:
    """Return what asks the model of a worker that holds an agent.

    The call is entered in the ledger as turn 0 of the cycle `work.cycle`, and held against all caps
    but those of thinking.
    """

    def write(question: TextRequest) -> TextReply:
        try:
            call = _reserve(deps, work, _request(deps, question))
            return prompts.written_of(_send(deps, work, call))
        except (RefusedError, UnavailableError, ModelFault) as fault:
            return TextReply(text="", fault=f"the model cannot be asked: {str(fault).rstrip('.')}")

    return write


def _request(deps: Dependencies, question: TextRequest) -> ModelRequest:
    check_breaker(deps)
    request = make_request(
        prompts.conversation_of(question),
        deps.models.model.target,
        prompts.options_of(question),
        RenderOptions(),
        SECONDS,
    )
    validate(request)
    return request


def _reserve(deps: Dependencies, work: OpenCycle, request: ModelRequest) -> _Call:
    """Reserve the most that a call can cost; an earlier one that broke off counts in full."""
    name, cycle = work.agent.name, work.cycle
    with holding(deps, work):
        spending.lose_open(deps.store, agent=name, cycle=cycle)
        before = spending.cycle_entries(deps.store, agent=name, cycle=cycle)
        attempt = 1 + sum(entry.turn == 0 for entry in before)
        entry = NewLedgerEntry(
            id=f"{name}/{cycle}/0/{attempt}",
            agent=name,
            cycle=cycle,
            turn=0,
            attempt=attempt,
            purpose=PURPOSE,
            model=request.target.label(),
            micros=deps.models.prices.at_most(request),
        )
        caps = msgspec.structs.replace(deps.models.caps, purpose_day=None)
        spending.reserve(deps.store, deps.clock, entry=entry, caps=caps)
    return _Call(entry.id, request)


def _send(deps: Dependencies, work: OpenCycle, call: _Call) -> ModelReply:
    """Send one request and settle it; no transaction is open meanwhile."""
    try:
        reply = deps.models.model.reply(call.request)
    except UnavailableError:
        with holding(deps, work):
            spending.void(deps.store, entry_id=call.entry)
        raise
    except ModelFault as fault:
        with holding(deps, work) as rows:
            if fault.fault is FaultClass.TRANSIENT:
                note_failure(deps, rows, fault, alone=True)
            end = spending.lose if fault.sent else spending.void
            end(deps.store, entry_id=call.entry)
        raise
    reply = believed(reply, call.request, tell=deps.holder.tell)
    settled = settlement(deps.models, entry=call.entry, request=call.request, reply=reply)
    with holding(deps, work) as rows:
        note_success(deps, rows)
        spending.settle(deps.store, settlement=settled)
    return reply
