"""What rests of an agent's looking back: reflections on iterations, and patterns over many."""

import enum

from mindpipe.core.records import Natural, Positive, Record, State
from mindpipe.engine.records.attention import AttentionRules
from mindpipe.workers.records import LoopMode


class IterationReflection(Record, omit_defaults=True):
    """What one iteration was, looked at from outside, by rules and without a model.

    `observed` counts what was taken up by type, `sources` names where it came from, `decided`
    names what was called and how it ended, `well` and `less` what went well and what did not.
    `significance` lies in 0-10; from the agent's threshold on it is the memory `item`. `action` is
    the same for the same calls with the same arguments, empty where none was made; `tried` counts
    calls and decisions, `effective` those that came to something. `tools` counts for each tool its
    calls and those that ended well. But for `sources`, none of it is in the words of others or of
    the model.
    """

    agent: str
    iteration: Natural
    at: str
    mode: LoopMode = LoopMode.NORMAL
    concern: str | None = None
    focus: str | None = None
    cycle: Positive | None = None
    observed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    outcome: str = "idle"
    well: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    significance: float = 0.0
    action: str = ""
    tried: Natural = 0
    effective: Natural = 0
    tools: dict[str, tuple[int, int]] = {}
    queue: Natural = 0
    item: str | None = None


class PatternKind(enum.StrEnum):
    """What may be amiss over many iterations."""

    STUCK = "stuck"
    OSCILLATING = "oscillating"
    INEFFECTIVE = "ineffective"
    OVERLOADED = "overloaded"


class PatternChange(enum.StrEnum):
    """What is changed where a pattern is found."""

    YIELD = "yield"
    DWELL = "dwell"
    ESCALATE = "escalate"
    OVERLOAD = "overload"


CHANGES = {
    PatternKind.STUCK: PatternChange.YIELD,
    PatternKind.OSCILLATING: PatternChange.DWELL,
    PatternKind.INEFFECTIVE: PatternChange.ESCALATE,
    PatternKind.OVERLOADED: PatternChange.OVERLOAD,
}


class PatternState(State):
    """Whether what a pattern changed still holds."""

    IN_FORCE = "in_force"
    OVER = "over"
    UNDONE = "undone"

    def successors(self) -> frozenset["PatternState"]:
        """Return the states that may follow."""
        if self is PatternState.IN_FORCE:
            return frozenset({PatternState.OVER, PatternState.UNDONE})
        return frozenset()


class PatternFinding(Record):
    """A pattern before it is kept: the iterations it stands on, and whose they were."""

    kind: PatternKind
    iterations: tuple[int, ...]
    words: str
    concern: str | None = None


class IterationPattern(Record, omit_defaults=True):
    """A pattern over iterations, and what was changed because of it.

    `iterations` are those it stands on. The `change` holds before the iteration `until`, unless it
    was `undone`: the concern yields its turns, focus and mode stay, the mode is overload, or a
    person has the `ticket`.
    """

    id: str
    agent: str
    kind: PatternKind
    at: str
    iteration: Natural
    iterations: tuple[int, ...]
    words: str
    change: PatternChange
    until: Natural
    concern: str | None = None
    ticket: str | None = None
    state: PatternState = PatternState.IN_FORCE
    by: str | None = None


class Adjustments(Record):
    """What patterns ask of the loop now: before `dwell_until` focus and mode stay; a mode to take.

    Iterations are numbers of the agent's.
    """

    dwell_until: int | None = None
    mode: LoopMode | None = None


class ReflectionRules(Record):
    """How an agent looks back.

    Patterns are looked for every `every` iterations; `ineffective_after` iterations without effect
    and `overloaded_after` in which the queue grew are one. What changes holds for `holds`
    iterations.
    """

    every: Positive = 5
    ineffective_after: Positive = 5
    overloaded_after: Positive = 5
    holds: Positive = 5
    attending: AttentionRules = AttentionRules()
