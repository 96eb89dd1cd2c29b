"""What a worker that stays needs: its ports, its phases, and its rules."""

from collections.abc import Callable

import msgspec

from mindpipe.core.ports import Chance, Clock, Deliver, Store
from mindpipe.core.records import Natural, Positive, Record
from mindpipe.engine.dependencies import RulePorts, RuleRecording, unrecorded_rules
from mindpipe.engine.records.attention import Attended, AttentionRules, ReflectionRules
from mindpipe.engine.records.journal import CycleReport, EventChoice
from mindpipe.engine.worker.modes import ModeRules, ModeShift
from mindpipe.engine.worker.timing import RhythmRules, TimingRules
from mindpipe.workers.records import Checkpoint, Iteration, WorkerSession


class LoopRules(Record):
    """How a loop changes modes, pauses, beats, and how often its session is written."""

    modes: ModeRules = ModeRules()
    timing: TimingRules = TimingRules()
    rhythms: RhythmRules = RhythmRules()
    reflecting: ReflectionRules = ReflectionRules()
    checkpoint_every: Positive = 10
    checkpoint_seconds: float = 300.0


class JudgedDecisions(Record):
    """How many decisions a decide phase made, and their mean confidence (0-1)."""

    decided: Natural = 0
    confidence: float | None = None


def _nothing_judged() -> JudgedDecisions:
    """Judge nothing."""
    return JudgedDecisions()


def _nothing_done() -> int:
    """Do nothing."""
    return 0


def _nothing_said() -> str:
    """Say nothing."""
    return ""


def _nothing_planned() -> float | None:
    """Know of no plan."""
    return None


def _no_look(ports: RulePorts, iteration: Iteration, attended: Attended) -> float | None:
    """Look back on nothing."""
    del ports, iteration, attended
    return None


def _nobody_hears(
    iteration: Iteration, attended: Attended | None, saved: Checkpoint | None
) -> None:
    """Tell nobody of an iteration."""
    del iteration, attended, saved


def _nothing_passes() -> None:
    """Let idle time pass."""


def _as_it_follows(
    session: Checkpoint, attended: Attended, follows: ModeShift | None
) -> ModeShift | None:
    """Leave the mode that follows as it is."""
    del session, attended
    return follows


def _nobody_notes(words: str) -> None:
    """Tell nobody what happens."""
    del words


class Phases(msgspec.Struct, frozen=True, kw_only=True):
    """The five phases of an iteration and the two slow rhythms, each a verb over its ports.

    `observe` says what is attended to within the bounds of a mode. `think` lives one cycle over
    it. `decide` judges what was proposed, `act` returns how much was applied. `reflect` looks back
    and returns the significance (0-10), in the transaction that also writes the iteration, whose
    session is that before it. `consolidate` and `develop` return in words what they did. `watch`
    hears of every iteration once it is written, of what it attended to, and of the last checkpoint;
    `rest` is called while nothing is to be done. `adjust` says which change of mode is left, or
    asked for, by patterns over iterations. `remind` brings what is planned for now into the inbox
    and returns in how many seconds more comes, None if nothing is planned.
    """

    observe: Callable[[Checkpoint, AttentionRules], Attended]
    think: Callable[[EventChoice], CycleReport]
    decide: Callable[[], JudgedDecisions] = _nothing_judged
    act: Callable[[], int] = _nothing_done
    reflect: Callable[[RulePorts, Iteration, Attended], float | None] = _no_look
    consolidate: Callable[[], str] = _nothing_said
    develop: Callable[[], str] = _nothing_said
    watch: Callable[[Iteration, Attended | None, Checkpoint | None], None] = _nobody_hears
    rest: Callable[[], None] = _nothing_passes
    adjust: Callable[[Checkpoint, Attended, ModeShift | None], ModeShift | None] = _as_it_follows
    remind: Callable[[], float | None] = _nothing_planned


class Worker(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of one life; `wait` returns when the store may have moved.

    `check` raises when the life has to end: it was asked to stop, or the store is in RECOVERY.
    `tell` hears in words why it waits, `note` what else happens. `mending` tells that the life
    before it crashed. `recording` keeps what its loop does by rules.
    """

    store: Store
    clock: Clock
    chance: Chance
    deliver: Deliver
    life: WorkerSession
    phases: Phases
    rules: LoopRules = LoopRules()
    mending: bool = False
    wait: Callable[[float], None]
    check: Callable[[], None]
    tell: Callable[[str], None]
    note: Callable[[str], None] = _nobody_notes
    recording: RuleRecording = unrecorded_rules

    @property
    def ports(self) -> RulePorts:
        """Return what its loop does by rules needs."""
        return RulePorts(self.store, self.clock, self.chance, self.deliver)

    @property
    def agent(self) -> str:
        """Return whose worker this is."""
        return self.life.agent
