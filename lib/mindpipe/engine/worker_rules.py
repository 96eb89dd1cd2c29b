"""What the settings say of a loop, of attention and of reflection."""

from mindpipe.engine.records.attention import AttentionRules, ReflectionRules
from mindpipe.engine.worker.modes import ModeRules
from mindpipe.engine.worker.phases import LoopRules
from mindpipe.engine.worker.timing import RhythmRules, TimingRules
from mindpipe.settings import ModeSettings, Settings
from mindpipe.workers.records import LoopMode


def attention_rules(settings: Settings) -> AttentionRules:
    """Return what bounds attention in every mode; a mode says what else does."""
    return AttentionRules(
        primary_share=settings.attention.primary_share,
        primary_boost=settings.attention.primary_boost,
        longest_wait=settings.attention.longest_wait_seconds,
    )


def reflecting_of(settings: Settings) -> ReflectionRules:
    """Return how an agent looks back."""
    return ReflectionRules(
        every=settings.attention.patterns_every,
        ineffective_after=settings.attention.ineffective_after,
        overloaded_after=settings.attention.overloaded_after,
        holds=settings.attention.change_iterations,
        attending=attention_rules(settings),
    )


def _modes(settings: Settings) -> dict[LoopMode, ModeSettings]:
    """Return what is set of each mode; recovery only reads."""
    modes = settings.loop.modes
    return {
        LoopMode.NORMAL: modes.normal,
        LoopMode.DEEP_FOCUS: modes.deep_focus,
        LoopMode.EXPLORATION: modes.exploration,
        LoopMode.OVERLOAD: modes.overload,
        LoopMode.SLEEP: modes.sleep,
    }


def loop_rules(settings: Settings) -> LoopRules:
    """Return the rules of a loop."""
    return LoopRules(
        modes=mode_rules(settings),
        timing=timing_rules(settings),
        rhythms=RhythmRules(
            every=settings.memory.consolidation_interval,
            idle_seconds=settings.memory.consolidation_idle_seconds,
        ),
        reflecting=reflecting_of(settings),
        checkpoint_every=settings.state.checkpoint_interval,
        checkpoint_seconds=settings.state.checkpoint_seconds,
    )


def mode_rules(settings: Settings) -> ModeRules:
    """Return when modes begin and end, and what each takes up."""
    attending = attention_rules(settings)
    return ModeRules(
        overload_queue=settings.loop.overload_queue,
        overload_ends=settings.loop.overload_ends,
        exploration_seconds=settings.loop.exploration_seconds,
        sleep_seconds=settings.loop.sleep_seconds,
        most={mode: one.max_observations for mode, one in _modes(settings).items()},
        primary_share=attending.primary_share,
        primary_boost=attending.primary_boost,
        longest_wait=attending.longest_wait,
    )


def timing_rules(settings: Settings) -> TimingRules:
    """Return the bounds and intervals of pauses."""
    loop = settings.loop
    return TimingRules(
        least=loop.min_interval_ms / 1000,
        most=loop.max_interval_ms / 1000,
        base=loop.base_interval_ms / 1000,
        smoothing=loop.smoothing,
        intervals={mode: one.interval_ms / 1000 for mode, one in _modes(settings).items()},
    )
