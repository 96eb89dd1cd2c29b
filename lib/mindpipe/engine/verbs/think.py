"""Live one cycle: decide from the journal, take the step, until the cycle is closed."""

import contextlib
from collections.abc import Callable

from mindpipe.core.errors import RefusedError
from mindpipe.core.messages import text_of
from mindpipe.core.models import ModelFault
from mindpipe.core.records import Record
from mindpipe.engine.cycle import (
    approved_calls,
    claim,
    commit,
    emergency,
    failure,
    model_call,
    postconditions,
    tool_calls,
    window,
)
from mindpipe.engine.cycle import model_call as model_calls
from mindpipe.engine.cycle.emergency import EmergencyError
from mindpipe.engine.cycle.journal import GRACE_SECONDS, load, renewal, tokens_used
from mindpipe.engine.cycle.next_step import (
    AskModel,
    CommitTurn,
    ForgetTurn,
    RunCalls,
    SkipTurn,
    Step,
    next_step,
)
from mindpipe.engine.dependencies import Dependencies, OpenCycle
from mindpipe.engine.records.journal import ANY, CycleLimits, CycleReport, EventChoice, Journal
from mindpipe.engine.tables import journal as tables
from mindpipe.engine.worker import commands
from mindpipe.history.verbs import cycles
from mindpipe.history.verbs.history import show

THINK = "think"
"""The kind of operation under which cycles are recorded."""


class ThinkAsked(Record):
    """What one cycle was asked for."""

    limits: CycleLimits
    choice: EventChoice = ANY


def think(
    deps: Dependencies, *, agent: str, limits: CycleLimits, choice: EventChoice = ANY
) -> CycleReport:
    """Live one cycle of an agent and say what it did; before it, what was approved is run.

    Old cycles are folded where the window is over its budget, before the first request and after
    the cycle has closed. Then what plans expect of the windows that are over is looked at.

    Raises:
        NothingToDoError: no event is due.
        TemporaryError: another worker holds the agent, took it over, or the provider is failing.
        RefusedError: a cap was reached, or the agent is paused.
        MindError: the model can never answer this; the event is dead.
    """
    if choice.only is None:
        # Who is not chosen for has no loop that obeys.
        owner = deps.holder.owner
        commands.obey(deps.store, deps.clock, agent=agent, owner=owner, only=commands.STANDING)
    asked = ThinkAsked(limits=limits, choice=choice)
    with deps.recording(deps, agent=agent, kind=THINK, asked=asked) as recorded:
        return again(recorded, agent=agent, asked=asked)


def again(deps: Dependencies, *, agent: str, asked: ThinkAsked) -> CycleReport:
    """Live one cycle as `think` does, from what was recorded of it or with what records it."""
    limits, choice = asked.limits, asked.choice
    with contextlib.suppress(EmergencyError):
        approved_calls.run_approved(deps, agent=agent)
    work = claim.begin(deps, agent=agent, seconds=limits.seconds, choice=choice)
    changes = window.newest(deps.store, agent=agent)
    ended = _to_the_end(deps, work, limits)
    with contextlib.suppress(EmergencyError):
        window.after(deps, agent=agent)
        postconditions.judge(deps, agent=agent)
    return report(deps, ended, changes=changes)


def _to_the_end(deps: Dependencies, work: OpenCycle, limits: CycleLimits) -> OpenCycle:
    """Go on until the cycle is closed; return it with the emergencies that joined it."""
    prepare: Callable[[Dependencies, OpenCycle], None] = window.before
    while True:
        left = work.left(deps.clock.boot().seconds)
        # Each call is bounded by what the cycle has left; a worker that hangs loses its lease.
        with deps.holder.keep_alive(renewal(deps, work), left + GRACE_SECONDS):
            try:
                prepare(deps, work)
                joined = _live(deps, work, limits)
            except EmergencyError:
                joined = work
            except ModelFault as fault:
                raise failure.after_fault(deps, work, fault) from fault
            except RefusedError as refusal:
                if not failure.after_refusal(deps, work, refusal):
                    raise
                return work
            except BaseException as end:
                failure.after_stop(deps, work, end)
                raise
        if joined is None:
            return work
        work, prepare = joined, emergency.put_off


def _live(deps: Dependencies, work: OpenCycle, limits: CycleLimits) -> OpenCycle | None:
    """Go on until the cycle is closed or joined, by the fallback model where the other is failing.

    Returns the cycle with what joined it, None once it is closed.
    """
    try:
        return _go_on(deps, work, limits)
    except ModelFault as fault:
        other = model_calls.instead(deps, work, fault)
        if other is None:
            raise
        return _go_on(other, work, limits)


def _go_on(deps: Dependencies, work: OpenCycle, limits: CycleLimits) -> OpenCycle | None:
    """Take one step after the other, until the cycle is closed or an emergency joins it."""
    while True:
        deps.holder.check()
        journal = load(deps.store, work)
        elapsed = deps.clock.boot().seconds - work.began
        used = tokens_used(deps.store, work) if limits.tokens is not None else 0
        step = next_step(journal, limits, elapsed=elapsed, tokens=used)
        if isinstance(step, AskModel) and (joined := emergency.join(deps, work)) is not work:
            return joined
        if _take(deps, work, journal, step):
            return None


def _take(deps: Dependencies, work: OpenCycle, journal: Journal, step: Step) -> bool:
    """Take one step; return True when the cycle is closed."""
    turn = journal.turn
    if isinstance(step, AskModel):
        model_call.ask(deps, work, turn, step.turn)
    elif turn is not None and isinstance(step, RunCalls):
        tool_calls.run_calls(deps, work, step.calls, turn.asked.sources)
    elif isinstance(step, SkipTurn):
        tool_calls.skip_calls(deps, work, step.call, step.reason)
    elif turn is not None and isinstance(step, ForgetTurn):
        commit.forget(deps, work, turn)
        return True
    elif turn is not None and isinstance(step, CommitTurn):
        commit.commit(deps, work, turn, step)
        return step.last
    return False


def report(deps: Dependencies, work: OpenCycle, *, changes: int) -> CycleReport:
    """Return what a closed cycle did; its window had been changed `changes` times before it."""
    name = work.agent.name
    with deps.store.read() as rows:
        calls = tables.calls_of_cycle(rows, agent=name, cycle=work.cycle)
        last = tables.last_turn(rows, agent=name, cycle=work.cycle)
        newest = window.newest(deps.store, agent=name)
        ended = next(cycles.cycles(deps.store, agent=name, after=work.cycle - 1))
        said = [text_of(one) for one in show(deps.store, agent=name, cycle=work.cycle)]
    return CycleReport(
        agent=name,
        cycle=work.cycle,
        outcome=str(ended.outcome),
        events=tuple(event.id for event in work.events),
        turns=last.turn if last else 0,
        calls=len(calls),
        model=ended.model,
        input_tokens=ended.input_tokens,
        cached_tokens=ended.cached_tokens,
        output_tokens=ended.output_tokens,
        cost_micros=ended.cost_micros,
        milliseconds=ended.milliseconds,
        summary=said[-1] if said else "",
        compacted=newest if newest > changes else None,
    )
