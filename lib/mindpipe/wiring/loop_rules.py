"""What the settings say of a loop: its modes, pauses, rhythms and checkpoints."""

from mindpipe.loop.modes import ModeRules
from mindpipe.loop.records import Mode
from mindpipe.loop.rhythms import RhythmRules
from mindpipe.loop.timing import TimingRules
from mindpipe.loop.worker import LoopRules
from mindpipe.wiring.attention_rules import attending_of
from mindpipe.wiring.settings import Settings

_SET = tuple(mode for mode in Mode if mode is not Mode.RECOVERY)


def loop_rules(settings: Settings) -> LoopRules:
    """Return the rules of a loop."""
    return LoopRules(
        modes=mode_rules(settings),
        timing=timing_rules(settings),
        rhythms=RhythmRules(
            every=settings.whole("memory.consolidation_interval"),
            idle_seconds=settings.real("memory.consolidation_idle_seconds"),
        ),
        checkpoint_every=settings.whole("state.checkpoint_interval"),
        checkpoint_seconds=settings.real("state.checkpoint_seconds"),
    )


def mode_rules(settings: Settings) -> ModeRules:
    """Return when modes begin and end, and what each takes up."""
    attending = attending_of(settings)
    return ModeRules(
        overload_queue=settings.whole("loop.overload_queue"),
        overload_ends=settings.whole("loop.overload_ends"),
        exploration_seconds=settings.real("loop.exploration_seconds"),
        sleep_seconds=settings.real("loop.sleep_seconds"),
        most={mode: settings.whole(f"loop.modes.{mode.value}.max_observations") for mode in _SET},
        primary_share=attending.primary_share,
        primary_boost=attending.primary_boost,
        longest_wait=attending.longest_wait,
    )


def timing_rules(settings: Settings) -> TimingRules:
    """Return the bounds and intervals of pauses."""

    def seconds(name: str) -> float:
        return settings.whole(name) / 1000

    return TimingRules(
        least=seconds("loop.min_interval_ms"),
        most=seconds("loop.max_interval_ms"),
        base=seconds("loop.base_interval_ms"),
        smoothing=settings.real("loop.smoothing"),
        intervals={mode: seconds(f"loop.modes.{mode.value}.interval_ms") for mode in _SET},
    )
