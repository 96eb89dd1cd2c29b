"""What a loop writes of itself: its iterations as they end, and changes of its mode."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from mindpipe.core.records import Record
from mindpipe.engine.dependencies import RulePorts
from mindpipe.engine.records.attention import Attended
from mindpipe.engine.worker import checkpoints, log
from mindpipe.engine.worker.modes import LoopSituation, ModeShift, shift
from mindpipe.engine.worker.phases import LoopRules
from mindpipe.engine.worker.timing import Load, LoopPace, pace
from mindpipe.workers.records import Checkpoint, Iteration, LoopMode

ITERATION, MODE = "iteration", "mode"
"""The kinds of operation under which both are recorded."""

SIGNIFICANT = 7.0
"""From this significance (0-10) on an iteration is worth a checkpoint of its own."""

Reflect = Callable[[RulePorts, Iteration, Attended], float | None]
Adjust = Callable[[Checkpoint, Attended, ModeShift | None], ModeShift | None]


class IterationEnd(Record, kw_only=True):
    """An iteration that ends: what was measured of it, and what its loop knows.

    `session` is that before it, `saved` the last checkpoint that was written, `rate` how many
    events came a second. Where it was a `beat` of a slow rhythm nothing was attended to.
    """

    iteration: Iteration
    attended: Attended
    session: Checkpoint
    saved: Checkpoint | None
    rate: float | None
    beat: str | None = None


class Written(NamedTuple):
    """How a loop stands after it wrote: its session, and the last checkpoint."""

    session: Checkpoint
    saved: Checkpoint | None


def end_iteration(
    ports: RulePorts, ended: IterationEnd, *, rules: LoopRules, reflect: Reflect
) -> tuple[Iteration, Written]:
    """Reflect, and write the iteration and what else is due, in one transaction."""
    weight = rules.timing.smoothing
    with ports.store.write(ended.session.agent):
        before = _caught_up(ports, ended.session, weight=weight)
        made = msgspec.structs.replace(ended.iteration, number=before.iteration + 1)
        if ended.beat is None:
            began = ports.clock.boot().seconds
            significance = reflect(ports, made, ended.attended)
            took = (ports.clock.boot().seconds - began) * 1000
            made = msgspec.structs.replace(
                made, significance=significance, reflect_ms=round(took, 3)
            )
            after = checkpoints.after(before, made, weight=weight)
            after = msgspec.structs.replace(after, queue=ended.attended.events)
            paced = pace_of(after, rate=ended.rate, urgent=False, rules=rules)
            made = msgspec.structs.replace(made, interval_ms=round(paced.seconds * 1000))
        else:
            after = _after_beat(ports, checkpoints.after(before, made, weight=weight), ended.beat)
        log.add_iteration(ports.store, made)
        is_significant = ended.beat is not None or (made.significance or 0.0) >= SIGNIFICANT
        saved = keep(ports, after, ended.saved, rules=rules, is_significant=is_significant)
    return made, Written(after, saved)


def _caught_up(ports: RulePorts, session: Checkpoint, *, weight: float) -> Checkpoint:
    """Return the session with what another worker of the agent lived meanwhile.

    The iteration that is about to be written comes after that, in the same transaction.
    """
    lived = log.list_iterations(
        ports.store,
        agent=session.agent,
        after=session.iteration,
        limit=checkpoints.REMEMBERED,
    )
    return checkpoints.caught_up(session, lived, weight=weight)


def _after_beat(ports: RulePorts, session: Checkpoint, beat: str) -> Checkpoint:
    """Return the session after a beat, that failed too."""
    now = ports.clock.now()
    if beat == checkpoints.CONSOLIDATED:
        return msgspec.structs.replace(session, since_consolidation=0, consolidated=now)
    return msgspec.structs.replace(session, developed=now)


def pace_of(session: Checkpoint, *, rate: float | None, urgent: bool, rules: LoopRules) -> LoopPace:
    """Return the pause that the formula gives after a session."""
    load = Load(
        mode=session.mode,
        rate=rate,
        mean_queue=session.mean_queue,
        mean_seconds=session.mean_seconds,
        urgent=urgent,
    )
    return pace(load, rules.timing)


def keep(
    ports: RulePorts,
    session: Checkpoint,
    saved: Checkpoint | None,
    *,
    rules: LoopRules,
    is_significant: bool = False,
) -> Checkpoint | None:
    """Write a checkpoint where one is due; return the last that was written."""
    if not checkpoints.is_due(
        session,
        saved,
        every=rules.checkpoint_every,
        seconds=rules.checkpoint_seconds,
        significant=is_significant,
    ):
        return saved
    checkpoints.save_checkpoint(ports.store, session)
    return session


class ModeQuestion(Record, kw_only=True):
    """Which mode follows: on what that depends, and what its loop knows; see `IterationEnd`.

    `crashed` tells that the life before this one did, of which the loop recovers first.
    """

    situation: LoopSituation
    seen: Attended | None
    session: Checkpoint
    saved: Checkpoint | None
    crashed: bool = False


def next_mode(asked: ModeQuestion, *, rules: LoopRules, adjust: Adjust) -> ModeShift | None:
    """Return the mode that follows, or None where this one goes on."""
    if asked.crashed or asked.seen is None:
        return ModeShift(LoopMode.RECOVERY, "the life before this one crashed")
    follows = shift(asked.session.mode, asked.situation, rules.modes)
    return follows if asked.situation.held else adjust(asked.session, asked.seen, follows)


def change_mode(
    ports: RulePorts, asked: ModeQuestion, *, rules: LoopRules, adjust: Adjust
) -> tuple[ModeShift, Written]:
    """Go into the mode that follows, with its record and a checkpoint.

    Raises:
        NothingToDoError: no other one follows.
    """
    with ports.store.write(asked.session.agent):
        follows = next_mode(asked, rules=rules, adjust=adjust)
        if follows is None:
            follows = ModeShift(asked.session.mode, "")
        log.change_mode(
            ports.store,
            ports.clock,
            agent=asked.session.agent,
            after=follows.after,
            by="loop",
            reason=follows.reason,
        )
        return follows, into_mode(ports, asked.session, asked.saved, follows.after, rules=rules)


def into_mode(
    ports: RulePorts,
    session: Checkpoint,
    saved: Checkpoint | None,
    mode: LoopMode,
    *,
    rules: LoopRules,
) -> Written:
    """Be in another mode from now on."""
    session = msgspec.structs.replace(session, mode=mode, at=ports.clock.now())
    with ports.store.write(session.agent):
        return Written(session, keep(ports, session, saved, rules=rules))
