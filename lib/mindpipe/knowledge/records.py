"""What travels and rests of knowledge: observations, their evidence, and what was decided on them.

The hard invariants stand here as types where types can hold them: evidence names one of the four
substrates of memory and never an observation; an observation points to another by nothing but
`supersedes_observation_id`; a material change of truth is a new observation.
"""

from typing import Annotated, Literal

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.core.sources import Sources
from mindpipe.core.states import State
from mindpipe.memory.records import Id, Origin, Share, Span, Word

Kind = Literal[
    "operator_preference",
    "project_state",
    "world_fact",
    "self_model",
    "relationship_fact",
    "tooling_state",
]
SubjectType = Literal["entity", "project", "tool", "agent", "global"]
EvidenceSource = Literal["memory_item", "lesson", "reflection", "entity"]
Stance = Literal["support", "contradict", "context"]
Call = Literal["corroborate", "refine", "supersede", "contradict", "retract"]
Weight = Annotated[float, msgspec.Meta(ge=0, le=4)]


class Status(State):
    """Whether an observation is the current belief; what has been replaced or refuted stays so."""

    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"

    def successors(self) -> frozenset["Status"]:
        """Return the states that may follow this one."""
        return _SUCCESSORS[self]


_SUCCESSORS = {
    Status.ACTIVE: frozenset({Status.STALE, Status.SUPERSEDED, Status.INVALIDATED}),
    Status.STALE: frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.INVALIDATED}),
    Status.SUPERSEDED: frozenset[Status](),
    Status.INVALIDATED: frozenset[Status](),
}


class Evidence(Record, omit_defaults=True):
    """One link from an observation to what it stands on.

    `ref` is the id of the item, lesson, reflection or entity; `weight` (default 1, at most 4) its
    strength; `at` when it was true, `learnt` when the mind got to know it; `span` the quoted words
    of the log, where it has any.
    """

    source: EvidenceSource
    ref: Id
    stance: Stance
    weight: Weight = 1.0
    at: str
    learnt: str
    origin: Origin = "human"
    sources: Sources = ()
    span: Span | None = None
    value: str | None = None


class Components(Record):
    """What a confidence is made of; see `mindpipe.knowledge.confidence` for the formula."""

    source_count: Natural
    source_diversity: Natural
    support_weight: float
    contradiction_weight: float
    recency_weight: Share
    operator_confirmed_boost: Share


class Observation(Record, omit_defaults=True):
    """What a mind holds true of one subject in one slot, and since when.

    `canonical_key` is made by code from kind, subject and slot. `value` is what the slot holds,
    `summary` the claim in one sentence. `valid_from` and `valid_to` tell when it was true,
    `learnt` when it was first believed and `ended` when it ceased to be (all UTC instants).
    `contested` says that evidence against it did not suffice to replace it.
    """

    id: Id
    agent: str | None = None
    kind: Kind
    subject_type: SubjectType
    subject_id: Word
    slot: Word
    canonical_key: str
    value: str
    summary: str
    detail: str = ""
    tags: tuple[Word, ...] = ()
    confidence: Share
    components: Components
    freshness: Share
    status: Status = Status.ACTIVE
    contested: bool = False
    pinned: bool = False
    operator_confirmed: bool = False
    valid_from: str
    valid_to: str | None = None
    learnt: str
    ended: str | None = None
    last_supported_at: str | None = None
    revalidation_due_at: str
    supersedes_observation_id: Id | None = None
    sources: Sources = ()
    evidence: tuple[Evidence, ...] = ()


class Decision(Record, omit_defaults=True):
    """One verdict on new evidence, with the weights that decided it.

    `observation` is what was believed, `made` what came in its place or beside it. `margin` is how
    much the new weight had to be over the old. A queued one waits for a person.
    """

    id: Id
    agent: str | None = None
    call: Call
    canonical_key: str
    observation: Id | None = None
    made: Id | None = None
    old_value: str | None = None
    new_value: str
    old_weight: float = 0.0
    new_weight: float = 0.0
    margin: float = 0.0
    evidence: tuple[Id, ...] = ()
    at: str
    by: str = "consolidate"
    why: str
    state: Literal["applied", "queued", "approved", "denied"] = "applied"


class GivenVerdict(Record, omit_defaults=True):
    """A verdict that somebody gives on items: the newer ones supersede or contradict the older."""

    relation: Literal["supersedes", "contradicts"]
    old: tuple[Id, ...]
    new: tuple[Id, ...]
    reason: str | None = None


class Mark(Record, omit_defaults=True):
    """An item that another one supersedes or contradicts, by a verdict or by consolidation."""

    relation: Literal["supersedes", "contradicts"]
    old: Id
    new: Id
    at: str
    by: str = "consolidate"
