"""Live one cycle: decide from the journal, take the step, until the cycle is closed."""

import contextlib
from collections.abc import Callable

from mindpipe.core.errors import RefusedError
from mindpipe.core.messages import text_of
from mindpipe.core.models import ModelFault
from mindpipe.history.verbs import cycles
from mindpipe.history.verbs.show import show as messages
from mindpipe.think import tables
from mindpipe.think.decide import Act, Ask, Fold, Forget, Skip, Step, next_step
from mindpipe.think.means import Means, Work
from mindpipe.think.records import ANY, Choice, CycleReport, Journal, Limits
from mindpipe.think.verbs import (
    act,
    aftermath,
    approved,
    asking,
    claim,
    compacting,
    fallback,
    fold,
    joining,
)
from mindpipe.think.verbs.joining import EmergencyError
from mindpipe.think.verbs.journal import GRACE_SECONDS, load, renewal, tokens_used


def think(means: Means, *, agent: str, limits: Limits, choice: Choice = ANY) -> CycleReport:
    """Live one cycle of an agent and say what it did; before it, what was approved is run.

    Old cycles are folded where the window is over its budget, before the first request and after
    the cycle has closed.

    Raises:
        NothingToDoError: no event is due.
        TemporaryError: another worker holds the agent, took it over, or the provider is failing.
        RefusedError: a cap was reached, or the agent is paused.
        MindError: the model can never answer this; the event is dead.
    """
    with contextlib.suppress(EmergencyError):
        approved.run_approved(means, agent=agent)
    work = claim.begin(means, agent=agent, seconds=limits.seconds, choice=choice)
    changes = compacting.newest(means, agent=agent)
    ended = _to_the_end(means, work, limits)
    with contextlib.suppress(EmergencyError):
        compacting.after(means, agent=agent)
    return report(means, ended, changes=changes)


def _to_the_end(means: Means, work: Work, limits: Limits) -> Work:
    """Go on until the cycle is closed; return it with the emergencies that joined it."""
    prepare: Callable[[Means, Work], None] = compacting.before
    while True:
        left = work.left(means.clock.boot().seconds)
        # Each call is bounded by what the cycle has left; a worker that hangs loses its lease.
        with means.keep_alive(renewal(means, work), left + GRACE_SECONDS):
            try:
                prepare(means, work)
                joined = _live(means, work, limits)
            except EmergencyError:
                joined = work
            except ModelFault as fault:
                raise aftermath.after_fault(means, work, fault) from fault
            except RefusedError as refusal:
                if not aftermath.after_refusal(means, work, refusal):
                    raise
                return work
            except BaseException as end:
                aftermath.after_stop(means, work, end)
                raise
        if joined is None:
            return work
        work, prepare = joined, joining.put_off


def _live(means: Means, work: Work, limits: Limits) -> Work | None:
    """Go on until the cycle is closed or joined, by the fallback model where the other is failing.

    Returns the cycle with what joined it, None once it is closed.
    """
    try:
        return _go_on(means, work, limits)
    except ModelFault as fault:
        other = fallback.instead(means, work, fault)
        if other is None:
            raise
        return _go_on(other, work, limits)


def _go_on(means: Means, work: Work, limits: Limits) -> Work | None:
    """Take one step after the other, until the cycle is closed or an emergency joins it."""
    while True:
        means.check()
        journal = load(means, work)
        elapsed = means.clock.boot().seconds - work.began
        used = tokens_used(means, work) if limits.tokens is not None else 0
        step = next_step(journal, limits, elapsed=elapsed, tokens=used)
        if isinstance(step, Ask) and (joined := joining.join(means, work)) is not work:
            return joined
        if _take(means, work, journal, step):
            return None


def _take(means: Means, work: Work, journal: Journal, step: Step) -> bool:
    """Take one step; return True when the cycle is closed."""
    turn = journal.turn
    if isinstance(step, Ask):
        asking.ask(means, work, turn, step.turn)
    elif turn is not None and isinstance(step, Act):
        act.run(means, work, step.calls, turn.asked.sources)
    elif isinstance(step, Skip):
        act.skip(means, work, step.call, step.reason)
    elif turn is not None and isinstance(step, Forget):
        fold.forget(means, work, turn)
        return True
    elif turn is not None and isinstance(step, Fold):
        fold.fold(means, work, turn, step)
        return step.last
    return False


def _last_word(means: Means, agent: str, cycle: int) -> str:
    """Return the agent's own summary of a cycle, or nothing where it left no trace."""
    said = [text_of(m) for m in messages(means.store, agent=agent, cycle=cycle)]
    return said[-1] if said else ""


def report(means: Means, work: Work, *, changes: int) -> CycleReport:
    """Return what a closed cycle did; its window had been changed `changes` times before it."""
    name = work.agent.name
    with means.store.read() as rows:
        calls = tables.calls_of_cycle(rows, agent=name, cycle=work.cycle)
        last = tables.last_turn(rows, agent=name, cycle=work.cycle)
        newest = compacting.newest(means, agent=name)
        ended = next(cycles.cycles(means.store, agent=name, after=work.cycle - 1))
        summary = _last_word(means, name, work.cycle)
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
        summary=summary,
        compacted=newest if newest > changes else None,
    )
