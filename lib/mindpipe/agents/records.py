"""What travels of an agent: its identity and settings, goals, notes, and the lease on it."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from mindpipe.agents.builtin_tools import ToolPreset
from mindpipe.core.records import Natural, Positive, Record, State
from mindpipe.core.tools import ToolManifest, ToolNames

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_][a-z0-9_.-]{0,63}$")]
Warmth = Annotated[float, msgspec.Meta(ge=0, le=2)]
Significance = Annotated[float, msgspec.Meta(ge=0, le=10)]
Refresh = Literal["append", "system"]
TaintScope = Literal["request", "cycle"]
ContextStyle = Literal["continuous", "timeline"]
StrategyName = Literal["self-summary", "semantic", "layered", "masked", "anchored", "model"]


class Agent(Record):
    """One agent: who it is, what it was told, what it may use and spend.

    `title` is the name that others see, `entity` its id as a member of spaces. `fallback` is the
    model that is asked where `model` is failing. `max_tokens` is the budget of its window: when it
    is passed, old cycles are folded by the strategy `compaction` (null: by the one that suits its
    history), where that saves `min_saving`
    tokens or more (null: a tenth of `max_tokens`); the last `min_recent_cycles` cycles stay whole
    as long as they fit in 70 % of it. `reply_tokens` caps one reply, `thinking_tokens` of 0 leaves
    thinking off. `refresh` says whether a changed state is appended or rewrites the system text.
    `batch` is the most events of one claim. One cycle ends at `max_turns`, `max_calls`,
    `max_seconds` or `cycle_micros`; `day_micros` caps a day (millionths of a US dollar). `trust`
    names the sources, and speakers as @NAME, on whose text it may act, `allow_tainted` the tools
    that may run unasked even where other text was read; `taint_scope` says whether all that a
    request shows counts for that, or only what its cycle took in. `accepts_trifecta` records that
    the operator accepts an agent that can read private data, read untrusted text and send outward.
    What it makes of a cycle is remembered where its significance (0-10) reaches `memory_threshold`,
    and what is said to it there from 2 less; `knowledge_tokens` caps what a prompt states of what
    it holds true (0: none of it). `style` says how its life is shown to it, null as `context.style`
    says. `reader` is what the `knowledge.reader` auto came to for it, null where it has not been
    used. `builtin_tools` are those that it keeps of the built-in tools, null where nobody ever
    chose: then it has all. `paused` is the reason why it rests, or null. `moves` counts how often
    its life has moved to another store; `away` is since when it goes on there and not here, or
    null; `lacks` names the parts of its life without which that came here, if any.
    """

    name: Name
    title: str = ""
    entity: str = ""
    description: str = ""
    instructions: str = ""
    model: str | None = None
    fallback: str | None = None
    max_tokens: Positive = 100_000
    min_recent_cycles: Natural = 10
    compaction: StrategyName | None = None
    min_saving: Natural | None = None
    reply_tokens: Positive = 4096
    thinking_tokens: Natural = 0
    temperature: Warmth | None = None
    refresh: Refresh = "append"
    batch: Positive = 20
    max_turns: Positive = 20
    max_calls: Positive = 64
    max_seconds: Positive = 1800
    cycle_micros: Natural | None = None
    day_micros: Natural | None = None
    trust: tuple[str, ...] = ()
    allow_tainted: tuple[ToolNames, ...] = ()
    taint_scope: TaintScope = "request"
    accepts_trifecta: bool = False
    memory_threshold: Significance = 5.0
    knowledge_tokens: Natural = 800
    style: ContextStyle | None = None
    reader: str | None = None
    builtin_tools: tuple[str, ...] | None = None
    tools: tuple[ToolManifest, ...] = ()
    created: str = ""
    paused: str | None = None
    moves: Natural = 0
    away: str | None = None
    lacks: tuple[str, ...] | UnsetType = UNSET

    def shown_name(self) -> str:
        """Return the title, or the name where there is none."""
        return self.title or self.name


class AgentChange(Record):
    """The settings to change; what is left unset stays, null goes back to no value.

    `tools` are added, or take the place of tools of the same name. Of the built-in tools `preset`
    names those to keep; `with_tools` names more of them. `without_tools` names tools of both kinds
    to take away.
    """

    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    instructions: str | UnsetType = UNSET
    model: str | UnsetType | None = UNSET
    fallback: str | UnsetType | None = UNSET
    max_tokens: int | UnsetType = UNSET
    min_recent_cycles: int | UnsetType = UNSET
    compaction: StrategyName | UnsetType | None = UNSET
    min_saving: int | UnsetType | None = UNSET
    reply_tokens: int | UnsetType = UNSET
    thinking_tokens: int | UnsetType = UNSET
    temperature: float | UnsetType | None = UNSET
    refresh: Refresh | UnsetType = UNSET
    batch: int | UnsetType = UNSET
    max_turns: int | UnsetType = UNSET
    max_calls: int | UnsetType = UNSET
    max_seconds: int | UnsetType = UNSET
    cycle_micros: int | UnsetType | None = UNSET
    day_micros: int | UnsetType | None = UNSET
    trust: tuple[str, ...] | UnsetType = UNSET
    allow_tainted: tuple[str, ...] | UnsetType = UNSET
    taint_scope: TaintScope | UnsetType = UNSET
    accepts_trifecta: bool | UnsetType = UNSET
    memory_threshold: float | UnsetType = UNSET
    knowledge_tokens: int | UnsetType = UNSET
    style: ContextStyle | UnsetType | None = UNSET
    reader: str | UnsetType | None = UNSET
    preset: ToolPreset | UnsetType = UNSET
    with_tools: tuple[str, ...] = ()
    tools: tuple[ToolManifest, ...] = ()
    without_tools: tuple[str, ...] = ()
    paused: str | UnsetType | None = UNSET


class GoalState(State):
    """Where a goal stands; done and dropped goals may be taken up again."""

    ACTIVE = "active"
    LONG_TERM = "long-term"
    DONE = "done"
    DROPPED = "dropped"

    def successors(self) -> frozenset["GoalState"]:
        """Return the states that may follow this one: any other."""
        return frozenset(GoalState) - {self}


Priority = Annotated[int, msgspec.Meta(ge=1, le=9)]
"""How much a goal matters: 1 is the most."""


class Goal(Record):
    """One thing that an agent wants to reach.

    `priority` (1-9) says how much it matters, 1 the most, if anybody said so; `sources` names whose
    words it was written under.
    """

    id: str = ""
    agent: str = ""
    text: str
    state: GoalState = GoalState.ACTIVE
    priority: Priority | None = None
    created: str = ""
    updated: str = ""
    sources: tuple[str, ...] = ()


class Note(Record):
    """One thing that an agent keeps in view, under a key of its own choice.

    `sources` names whose words it was written under, the operator's apart.
    """

    agent: str = ""
    key: str
    value: str
    updated: str = ""
    sources: tuple[str, ...] = ()


class Lease(Record):
    """Who may write an agent's history, until when on the boot clock; the epoch only grows.

    `owner` is null while the lease is free.
    """

    agent: str
    epoch: int = 0
    owner: str | None = None
    boot: str = ""
    seconds: float = 0.0


class AgentFile(Record):
    """An agent with all that a cycle needs to know of it, as one JSON document without a store.

    `plans` and `spaces` are records of their own domains, carried as they are.
    """

    agent: Agent
    goals: tuple[Goal, ...] = ()
    notes: tuple[Note, ...] = ()
    plans: tuple[dict[str, object], ...] = ()
    spaces: tuple[dict[str, object], ...] = ()
