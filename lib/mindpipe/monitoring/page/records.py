"""The data of a page that shows a life: what is known of all of it, then its cycles in blocks.

A page may have less room than there are words: it may cut any text and leave out rows.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.compaction.records import Compaction, WindowPart
from mindpipe.core.records import Record
from mindpipe.core.tools import Effect
from mindpipe.engine.records.journal import CallState, TurnState
from mindpipe.history.records import CycleOutcome, CycleState
from mindpipe.knowledge.records import BeliefStatus, Kind, Stance
from mindpipe.plans.records import Plan, PlanWindow
from mindpipe.spending.records import Cost
from mindpipe.trigger_runs.records import ReplyWait


class PagePart(Record, omit_defaults=True):
    """A part of a message; `text` are its words, those of a call its arguments."""

    type: str
    text: str = ""
    call: str | None = None
    tool: str | None = None
    status: str | None = None
    ticket: str | None = None
    invalid: str | None = None
    media_type: str | None = None
    sha256: str | None = None


class PageMessage(Record, omit_defaults=True):
    """A message of the log, `seq` its number; one that never came to be in it has none."""

    seq: int = 0
    cycle: int
    turn: int
    role: str
    at: str
    origin: str = "program"
    taint: bool = False
    parts: tuple[PagePart, ...] = ()


class PageTurn(Record, omit_defaults=True):
    """What one turn asked: which segment's head and window, and which messages were news then.

    `unsent` are the numbers of these, `apart` those of them that never came to be in the log.
    `sha256` is the hash of the request's bytes, empty where it was not sent; `sources` are those
    that are not trusted.
    """

    cycle: int
    turn: int
    state: TurnState
    model: str
    segment: int
    sha256: str
    unsent: tuple[int, ...] = ()
    apart: tuple[PageMessage, ...] = ()
    sources: tuple[str, ...] = ()


class PageCall(Record):
    """How a call of a tool stands in the journal."""

    id: str
    effect: Effect
    state: CallState


class PageSegment(Record, omit_defaults=True):
    """A segment: its number, the hash of its head, whether that is a timeline, its first cycle."""

    segment: int
    head: str
    timeline: bool = False
    first_cycle: int
    reason: str


class PageHead(Record, omit_defaults=True):
    """What stood before all messages: system text, tools, and the summary of what was folded."""

    sha256: str
    system: str
    tools: tuple[str, ...] = ()
    schemas: str = ""
    summary: str | None = None


class PageCycle(Record, omit_defaults=True):
    """A cycle: how it ended, what it took, how many events it took up, and whose words it took in.

    The cost is in micro-dollars. `began` is what its first events said, and who said it; `reason`
    says why it was stopped or failed; `untrusted` are those of its `sources` that are not trusted.
    """

    cycle: int
    state: CycleState
    outcome: CycleOutcome | None = None
    began: str
    model: str
    events: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    milliseconds: int = 0
    opened: str
    closed: str | None = None
    reason: str | None = None
    sources: tuple[str, ...] = ()
    untrusted: tuple[str, ...] = ()


class CycleBlock(Record, tag="cycles", tag_field="kind", omit_defaults=True):
    """Some cycles side by side with all that was said in them."""

    cycles: tuple[PageCycle, ...]
    messages: tuple[PageMessage, ...] = ()
    turns: tuple[PageTurn, ...] = ()
    calls: tuple[PageCall, ...] = ()
    segments: tuple[PageSegment, ...] = ()
    heads: tuple[PageHead, ...] = ()


class PageEvidence(Record, omit_defaults=True):
    """One piece of evidence, down to the quoted characters of the message numbered `seq`.

    `start` and `end` count characters of the words of that message. `found` tells whether they are
    there. Without a message it stands on `text` alone.
    """

    stance: Stance
    weight: float
    source: str
    ref: str
    at: str
    linked: str | None = None
    retracted: str | None = None
    origin: str
    speaker: str | None = None
    claimed_speaker: str | None = None
    sources: tuple[str, ...] = ()
    text: str | None = None
    quote: str | None = None
    seq: int | None = None
    cycle: int | None = None
    start: int | None = None
    end: int | None = None
    found: bool | None = None


class PageStanding(Record, omit_defaults=True):
    """How a belief stood from an instant on, and why."""

    at: str
    status: BeliefStatus
    confidence: float
    contested: bool = False
    pinned: bool = False
    operator_confirmed: bool = False
    by: str
    why: str


class PageBelief(Record, omit_defaults=True):
    """A belief: its claim, how it has stood at any moment, and what it stands on.

    `sources` are those that are not trusted, as everywhere on a page.
    """

    id: str
    type: Kind
    subject: str
    slot: str
    value: str
    summary: str
    learnt: str
    valid_from: str
    valid_to: str | None = None
    supersedes: str | None = None
    sources: tuple[str, ...] = ()
    stood: tuple[PageStanding, ...] = ()
    evidence: tuple[PageEvidence, ...] = ()


class PageTicket(Record, omit_defaults=True):
    """A matter for a person, and what was decided."""

    id: str
    type: str
    state: str
    cycle: int
    call: str | None = None
    tool: str | None = None
    arguments: str = ""
    reason: str
    created: str
    decided: str | None = None
    person: str | None = None
    result: str | None = None
    sources: tuple[str, ...] = ()


class PageWindow(Record):
    """The parts of a window that a compaction put in force, by the hash of its bytes."""

    sha256: str
    parts: tuple[WindowPart, ...]


class LifeOverview(Record, tag="agent", tag_field="kind", omit_defaults=True):
    """An agent, and all of its life that is not bound to one cycle; lists have the newest last."""

    made: str
    agent: str
    title: str
    entity: str
    model: str | None = None
    description: str = ""
    instructions: str = ""
    trust: tuple[str, ...] = ()
    compactions: tuple[Compaction, ...] = ()
    windows: tuple[PageWindow, ...] = ()
    beliefs: tuple[PageBelief, ...] = ()
    tickets: tuple[PageTicket, ...] = ()
    plans: tuple[Plan, ...] = ()
    fired: tuple[PlanWindow, ...] = ()
    waits: tuple[ReplyWait, ...] = ()
    costs: tuple[Cost, ...] = ()
    cycles: int = 0
    messages: int = 0


class PersonEntry(Record):
    """One thing that is read on the page: when, what it is, which of that kind, its words."""

    t_us: int
    what: str
    how: str
    words: str


class PersonLife(Record, tag="person", tag_field="kind", omit_defaults=True):
    """A person's curves over time, its nights, and what happened, was thought and was noted.

    Curves go through the states of a stretch, given by its first and last instant; where there is
    none, `no_curves` says what to do.
    """

    person: str
    made: str
    t_us: tuple[int, ...]
    curves: dict[str, tuple[float, ...]]
    stretches: tuple[tuple[int, int], ...] = ()
    no_curves: str = ""
    nights: tuple[tuple[int, int], ...] = ()
    entries: tuple[PersonEntry, ...] = ()


class PairMoment(NamedTuple):
    """Something of a life that is shown beside another: its place in it, and its words."""

    place: int
    label: str
    what: str
    words: str


class PairSide(NamedTuple):
    """One of two lives: its moments in order; of a person curves over `t_us`, and its nights."""

    name: str
    moments: tuple[PairMoment, ...]
    t_us: tuple[int, ...] = ()
    curves: Mapping[str, tuple[float, ...]] = {}
    nights: tuple[tuple[int, int], ...] = ()


class PairRow(Record, omit_defaults=True):
    """What two lives have at one place; where that is the `same` it stands in `first` alone."""

    label: str
    what: str
    first: str | None = None
    second: str | None = None
    same: bool = False


class PairDifference(Record):
    """One thing in which two lives differ, each side in the words of `mind life diff --table`."""

    what: str
    key: str
    first: str
    second: str


class PairCurves(Record, omit_defaults=True):
    """The curves of one of two persons, over its instants, and its nights."""

    t_us: tuple[int, ...]
    curves: dict[str, tuple[float, ...]]
    nights: tuple[tuple[int, int], ...] = ()


class PairLife(Record, tag="pair", tag_field="kind", omit_defaults=True):
    """Two lives: what both share from the beginning, then both beside each other.

    `parting` is the first row in which they are not the same. Of agents `curves` are empty.
    """

    made: str
    names: tuple[str, str]
    parting: PairRow | None = None
    differences: tuple[PairDifference, ...] = ()
    rows: tuple[PairRow, ...] = ()
    shared: tuple[PairRow, ...] = ()
    curves: tuple[PairCurves, ...] = ()


PageBlock = CycleBlock | LifeOverview | PersonLife | PairLife
