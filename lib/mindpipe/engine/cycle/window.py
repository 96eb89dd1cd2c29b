"""Look before and after a cycle whether an agent's window is over its `max_tokens`, and see to it.

Most cycles find that it is not: what compacts is loaded where it is.
"""

import contextlib
from collections.abc import Iterator

from mindpipe.agents.records import Agent
from mindpipe.agents.verbs import agent as agents
from mindpipe.compaction import tables
from mindpipe.compaction.verbs.material import sent_size
from mindpipe.context.verbs import prompts
from mindpipe.context.verbs.origins import material_ports
from mindpipe.core.errors import MindError, NothingToDoError, TemporaryError
from mindpipe.core.messages import Head
from mindpipe.core.ports import Clock, Store
from mindpipe.engine.breaker import BreakerStance, after_vain, name_of_compaction, stance
from mindpipe.engine.cycle.journal import holding
from mindpipe.engine.cycle.request import ports_of, prompt_options
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.tables import journal

_RESTING = "folding it failed before and is tried again within the hour"


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
            if asked is not None or is_unsent or _is_resting(deps.store, deps.clock, name):
                return
            options = prompt_options(deps, work)
            is_over = _is_over(deps, work.agent, prompts.head_of(ports_of(deps), options))
        if is_over:
            with holding(deps, work):
                prompts.segment_for(ports_of(deps), options)
            from mindpipe.engine.cycle import compaction

            compaction.compact(deps, work, asks=asks and deps.policy.lasting)


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
            if _is_resting(deps.store, deps.clock, agent):
                deps.holder.tell(f"the window is over its budget; {_RESTING}")
                return
            from mindpipe.engine.cycle import compaction

            with compaction.held(deps, agent) as work:
                compaction.compact(deps, work, asks=True)


def newest(store: Store, *, agent: str) -> int:
    """Return the number of the last change of an agent's window (0: none)."""
    with store.read() as rows:
        last = tables.in_force(rows, agent=agent)
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
            _rest(deps.store, deps.clock, agent)


def _is_resting(store: Store, clock: Clock, agent: str) -> bool:
    """Tell whether folding the window of an agent was in vain a while ago."""
    now = clock.boot()
    with store.read() as rows:
        breaker = journal.breaker_of(rows, model=name_of_compaction(agent), boot=now.boot)
    return stance(breaker, now=now.seconds) is BreakerStance.OPEN


def _is_over(deps: Dependencies, agent: Agent, head: Head | None = None) -> bool:
    """Tell whether the window of an agent is over its budget, under its own head or a coming one.

    A window in which nothing can be folded is not.
    """
    ports = material_ports(deps.store, deps.clock, deps.models.tokens)
    try:
        size = sent_size(ports, agent=agent.name, head=head)
    except NothingToDoError:
        return False
    return size.closed > 0 and size.total > agent.max_tokens


def _rest(store: Store, clock: Clock, agent: str) -> None:
    """Let folding rest for a while, which is kept beside what is held against models."""
    now = clock.boot()
    with store.write(agent) as rows:
        breaker = journal.breaker_of(rows, model=name_of_compaction(agent), boot=now.boot)
        rested = after_vain(breaker, now=now.seconds)
        journal.save_breaker(rows, model=name_of_compaction(agent), boot=now.boot, breaker=rested)
