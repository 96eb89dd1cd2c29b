"""What a loop attends to, and how it looks back: concerns, reflections on iterations, patterns."""

import enum
from typing import Annotated

import msgspec

from mindpipe.core.records import Natural, Positive, Record, State
from mindpipe.workers.records import LoopMode

OTHERS = "others"
CONSOLIDATION = "consolidation"
RESERVED = (OTHERS, CONSOLIDATION)
"""Concerns that nobody adds: events that no concern claims, and time in which nothing waits."""

ConcernName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_][a-z0-9_.-]{0,63}$")]
ShareOfTurns = Annotated[float, msgspec.Meta(ge=0, le=1)]
Boost = Annotated[int, msgspec.Meta(ge=-10, le=10)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class Relevance(Record, omit_defaults=True):
    """Which events a concern is about: those to which any of these applies.

    `sources` and `paths` are shell patterns (`*` also passes `/`), `keywords` and `entities` whole
    words of the text whatever their case, the others exact.
    """

    sources: tuple[Word, ...] = ()
    paths: tuple[Word, ...] = ()
    spaces: tuple[Word, ...] = ()
    senders: tuple[Word, ...] = ()
    types: tuple[Word, ...] = ()
    keywords: tuple[Word, ...] = ()
    entities: tuple[Word, ...] = ()


class ConcernTrigger(Record, omit_defaults=True):
    """When a concern is worked on although nothing came: every so many iterations, or when idle."""

    every: Positive | None = None
    idle_seconds: Positive | None = None


class Concern(Record, omit_defaults=True):
    """Something that an agent attends to over many iterations.

    `share` is its part of all iterations (0-1) in the background; the one that has the `focus` has
    the share and boost of the primary focus. `boost` (-10 to 10) is added to the score of events
    that it is about. `since` is when it last took the focus.
    """

    agent: str
    name: ConcernName
    text: str = ""
    share: ShareOfTurns = 0.1
    boost: Boost = 0
    about: Relevance = Relevance()
    trigger: ConcernTrigger = ConcernTrigger()
    focus: bool = False
    since: str | None = None
    created: str = ""


class ConcernStanding(Concern, omit_defaults=True):
    """A concern as it stands: `weight` is its share when all have work, `turns` how many it had."""

    weight: float = 0.0
    turns: Natural = 0


class ConcernChange(Record):
    """What to change of a concern; None leaves it."""

    text: str | None = None
    share: ShareOfTurns | None = None
    boost: Boost | None = None
    about: Relevance | None = None
    trigger: ConcernTrigger | None = None


class ConcernTurns(Record):
    """How a concern stands among the others.

    `credit` is what it is owed, in turns; `turns` is how many it had. `last` is the iteration of
    its last one, `fired` that of its last trigger. It yields to others before `yields_until`.
    """

    concern: str
    credit: float = 0.0
    turns: Natural = 0
    last: Natural = 0
    fired: Natural = 0
    yields_until: Natural = 0


class AttentionRules(Record):
    """What bounds attention in one iteration.

    At most `most` events of one concern. With `up_to`, those as urgent or more go first; the
    others wait, or where it `drains` are taken up, the oldest first, while nothing else is there.
    `focus_only` leaves what the focus is not about, unless it is urgent. `novel_first` lets
    novelty count threefold. `primary_share` (0-1) and `primary_boost` belong to the focus. What
    waited `longest_wait` seconds goes before all but emergencies.
    """

    most: Positive = 10
    up_to: Natural = 4
    drains: bool = True
    focus_only: bool = False
    novel_first: bool = False
    primary_share: ShareOfTurns = 0.6
    primary_boost: Boost = 3
    longest_wait: float = 3600.0


class Attended(Record, omit_defaults=True):
    """What one iteration attends to: events of one concern, in the order to take them up.

    `events` are ids; `marks` tells by which they are known next time. `working` are the concerns
    that had something to do, `preempted` is set where their turns did not count. `queue` counts
    the open events, `urgent` those seen with priority 0-2, `relevant` those seen that the focus is
    about; `oldest_seconds` is how long the oldest waits.
    """

    agent: str
    at: str
    mode: LoopMode
    concern: str
    focus: str | None = None
    events: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    working: tuple[str, ...] = ()
    preempted: bool = False
    queue: Natural = 0
    urgent: Natural = 0
    relevant: Natural = 0
    oldest_seconds: float = 0.0


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
