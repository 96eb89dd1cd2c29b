"""What travels and rests of knowledge: observations, their evidence, and what was decided on them.

The hard invariants stand here as types where types can hold them: evidence names one of the four
substrates of memory and never an observation; an observation points to another by nothing but
`supersedes_observation_id`; a material change of truth is a new observation.
"""

from typing import Annotated, Literal, NamedTuple

import msgspec

from mindpipe.core.records import Natural, Record, State
from mindpipe.core.sources import Sources
from mindpipe.language.records import Meant
from mindpipe.memory.records import Id, Origin, QuotedSpan, Share, Word

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


class BeliefStatus(State):
    """Whether an observation is the current belief; what has been replaced or refuted stays so."""

    ACTIVE = "active"
    STALE = "stale"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"

    def successors(self) -> frozenset["BeliefStatus"]:
        """Return the states that may follow this one."""
        return _SUCCESSORS[self]


_SUCCESSORS = {
    BeliefStatus.ACTIVE: frozenset(
        {BeliefStatus.STALE, BeliefStatus.SUPERSEDED, BeliefStatus.INVALIDATED}
    ),
    BeliefStatus.STALE: frozenset(
        {BeliefStatus.ACTIVE, BeliefStatus.SUPERSEDED, BeliefStatus.INVALIDATED}
    ),
    BeliefStatus.SUPERSEDED: frozenset[BeliefStatus](),
    BeliefStatus.INVALIDATED: frozenset[BeliefStatus](),
}


# Made anew each time, so that it is printed also where it is the default.
_ACTIVE: BeliefStatus = msgspec.field(default_factory=lambda: BeliefStatus.ACTIVE)


class Evidence(Record, omit_defaults=True):
    """One link from an observation to what it stands on.

    `ref` is the id of the item, lesson, reflection or entity; `weight` (default 1, at most 4) its
    strength; `at` when it was true, `learnt` when the mind got to know it; `span` the quoted words
    of the log, where it has any. `linked` and `retracted` tell when it began and ceased to count;
    what is retracted stays. `speaker`, `claimed_speaker`, `sources`, `trusted` and `vouched` are
    those of an item, as they were when it was linked. `reader` is who read it from words, with
    version and pipeline, and `meant` how that says it is meant; both are None of what was not read,
    and in older stores.
    """

    source: EvidenceSource
    ref: Id
    stance: Stance
    weight: Weight = 1.0
    at: str
    learnt: str
    origin: Origin = "human"
    speaker: Word | None = None
    claimed_speaker: Word | None = None
    sources: Sources = ()
    trusted: Sources = ()
    vouched: bool | None = True
    span: QuotedSpan | None = None
    value: str | None = None
    reader: str | None = None
    meant: Meant | None = None
    linked: str | None = None
    retracted: str | None = None


class Denial(Record):
    """Who said, when, in which message, that what an observation took the place of is not so."""

    observation: Id
    speaker: str | None = None
    at: str
    message: str | None = None


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
    `contested` says that evidence against it did not suffice to replace it, `contradicted_at` when
    the newest of that was true. `reinforced` is the support weight that accepted answers have
    added. `version` counts the changes of how it stands; the claim itself never changes.
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
    status: BeliefStatus = _ACTIVE
    contested: bool = False
    pinned: bool = False
    operator_confirmed: bool = False
    valid_from: str
    valid_to: str | None = None
    learnt: str
    ended: str | None = None
    last_supported_at: str | None = None
    contradicted_at: str | None = None
    reinforced: Share = 0.0
    revalidation_due_at: str
    supersedes_observation_id: Id | None = None
    sources: Sources = ()
    version: Natural = 1
    evidence: tuple[Evidence, ...] = ()


class BeliefDecision(Record, omit_defaults=True):
    """One verdict on new evidence, with the weights that decided it.

    `observation` is what was believed, `made` what came in its place or beside it. `margin` is how
    much the new weight had to be over the old. A queued one waits for a person, who answers on its
    `proposal`, the observation that would be made.
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
    proposal: Observation | None = None
    answered: str | None = None
    answered_by: str | None = None


class GivenVerdict(Record, omit_defaults=True):
    """A verdict that somebody gives on items: the newer ones supersede or contradict the older.

    `conversation` is the talk that the ids are of, where items carry it in theirs (`3/52`); `query`
    names what the verdict was given for, and is passed over.
    """

    relation: Literal["supersedes", "contradicts"]
    old: tuple[Id, ...]
    new: tuple[Id, ...]
    reason: str | None = None
    conversation: str | None = None
    query: str | None = None


class BeliefMark(Record, omit_defaults=True):
    """An item that another one supersedes or contradicts, by a verdict or by consolidation."""

    relation: Literal["supersedes", "contradicts"]
    old: Id
    new: Id
    at: str
    by: str = "consolidate"
    retracted: str | None = None


class BeliefChange(Record, omit_defaults=True):
    """An observation as it is to stand, and the version that was read; 0 makes a new one.

    Evidence that is linked already is passed over, so all or only the new may be given.
    """

    observation: Observation
    expected: Natural = 0
    why: str


class Changes(Record, omit_defaults=True):
    """All that is decided at one instant on one subject: it is written whole or not at all."""

    agent: str
    at: str
    by: str = "consolidate"
    changes: tuple[BeliefChange, ...] = ()
    decisions: tuple[BeliefDecision, ...] = ()
    marks: tuple[BeliefMark, ...] = ()


class ObservationFilter(Record):
    """Which observations of an agent are meant; what is left out is no condition.

    `due` means those that are to be revalidated by then, `statuses` those that stand so.
    """

    agent: str
    ids: tuple[Id, ...] = ()
    keys: tuple[str, ...] = ()
    kind: Kind | None = None
    subject: str | None = None
    due: str | None = None
    statuses: tuple[BeliefStatus, ...] = ()


class Stood(Record, omit_defaults=True):
    """How an observation stood from an instant on, who had it so and why."""

    at: str
    observation: Id
    version: Natural
    status: BeliefStatus
    value: str = ""
    confidence: Share
    freshness: Share
    contested: bool = False
    pinned: bool = False
    operator_confirmed: bool = False
    by: str
    why: str


class RecordedStanding(NamedTuple):
    """How an observation stood, all of it, from an instant on, and who had it so.

    `stood` is without evidence; `version` is the number under which it is kept.
    """

    version: int
    recorded: str
    by: str
    stood: Observation


class Derived(Record, omit_defaults=True):
    """What became of something that stood on words which no longer count: a receipt."""

    kind: Literal["observation", "decision", "mark"]
    id: Id
    text: str
    sources: Sources = ()
    change: str


class Revalidated(Record, omit_defaults=True):
    """What another look at an observation came to, and why; `due` is when the next is."""

    observation: Id
    canonical_key: str
    summary: str
    before: BeliefStatus
    after: BeliefStatus
    confidence: Share
    freshness: Share
    due: str
    why: str


class Explained(Record, omit_defaults=True):
    """One line of why an observation is believed as much as it is.

    `part` says of what: the base and the components of confidence and the confidence itself, with
    the `value` that was counted, its `share` of 0 to 1 and the `points` that it gives; freshness;
    a piece of evidence with the `text` it is in, the `quote` in the log and the `reader` who read
    it, and how far its source is trusted (`trust`) and its speaker speaks for the subject
    (`authority`), each 0 to 1; a decision. `found` tells whether the log has the quoted words where
    the evidence says.
    """

    observation: Id
    part: Literal["base", "component", "confidence", "freshness", "evidence", "decision"]
    name: str
    value: float | None = None
    share: float | None = None
    points: float | None = None
    source: EvidenceSource | None = None
    ref: str | None = None
    at: str | None = None
    learnt: str | None = None
    retracted: str | None = None
    origin: str | None = None
    speaker: str | None = None
    claimed_speaker: str | None = None
    sources: Sources = ()
    reader: str | None = None
    trust: float | None = None
    authority: float | None = None
    text: str | None = None
    message: str | None = None
    quote: str | None = None
    found: bool | None = None
    why: str | None = None


Check = Literal[
    "quote",
    "link",
    "key",
    "confidence",
    "standing",
    "decision",
    "near_duplicate",
    "one_source",
    "contested",
    "stale",
    "orphan",
]


class KnowledgeFinding(Record, omit_defaults=True):
    """Something that `mind knowledge verify` or `audit` found, and at which observation."""

    check: Check
    observation: Id
    canonical_key: str
    summary: str
    other: str | None = None
    why: str


class Verified(Record):
    """What `mind knowledge verify` came to: how much was looked at, and how much is wrong."""

    agent: str
    observations: Natural
    evidence: Natural
    quotes: Natural
    wrong: Natural


class WindowStretch(Record):
    """Numbers of one substrate: from behind `after` up to `upto`."""

    after: Natural = 0
    upto: Natural = 0


class ConsolidationWindow(Record):
    """What one consolidation reads: some items by number, and stretches of the other substrates.

    `opened` is when it was claimed first, which everything that is decided in it is dated by. It
    is held under a lease (`boot`, `seconds` on the clock since boot), at its `attempts`th attempt.
    """

    agent: str
    number: Natural
    items: tuple[int, ...] = ()
    lessons: WindowStretch = WindowStretch()
    reflections: WindowStretch = WindowStretch()
    entities: WindowStretch = WindowStretch()
    opened: str
    state: Literal["claimed", "done", "lost"] = "claimed"
    attempts: Natural = 1
    boot: str = ""
    seconds: float = 0.0


class Consolidated(Record, omit_defaults=True):
    """What a consolidation changed of one subject, as ids of observations and decisions.

    `created` are new beliefs, those too that took the place of another, `reinforced` those that
    found support, `refined` and `superseded` those that gave way to another, `contested` those that
    evidence spoke against, `retracted` those that ended, `doubted` those that may be over and are
    stale until they are said again, and `queued` the decisions that wait for a
    person. `marks` counts the items that were marked as superseded or contradicted by another, and
    `aside` names the sources that came to something unsound and were put aside.
    """

    subject: str
    created: tuple[Id, ...] = ()
    reinforced: tuple[Id, ...] = ()
    refined: tuple[Id, ...] = ()
    superseded: tuple[Id, ...] = ()
    contested: tuple[Id, ...] = ()
    retracted: tuple[Id, ...] = ()
    doubted: tuple[Id, ...] = ()
    queued: tuple[Id, ...] = ()
    marks: Natural = 0
    aside: tuple[Id, ...] = ()
