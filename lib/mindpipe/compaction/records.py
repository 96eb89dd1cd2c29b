"""What a compaction is made of: a plan, which heads it, and the ordered parts of the window."""

from typing import Annotated, Literal

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.core.records import Natural, Positive, Record
from mindpipe.spending.records import LEAST_CALIBRATION, MOST_CALIBRATION

PartKind = Literal["head", "kept", "masked", "summary", "anchors", "pointer"]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Calibration = Annotated[float, msgspec.Meta(ge=LEAST_CALIBRATION, le=MOST_CALIBRATION)]

PROMPT_TOKENS = 32_000
"""Most tokens of a prompt: they fit every window that is in use, answer included."""


class SummaryLine(Record, omit_defaults=True, gc=False):
    """One line of a summary: its words, without a line end, and where they come from.

    `cycle` is the first cycle that it speaks of, `until` the last one (0: the same), `seqs` are
    the numbers of the messages whose words stand in it. In the later cycles `denied` something of
    it is denied or taken back: without their lines it would mislead.
    """

    text: str
    cycle: Positive
    until: Natural = 0
    seqs: tuple[Natural, ...] = ()
    denied: tuple[Positive, ...] = ()


class Kept(Record, tag="kept", tag_field="part"):
    """Cycles `first` to `last`, sent whole."""

    first: Positive
    last: Positive
    tokens: Natural


class Stub(Record):
    """What is sent instead of the answer to the tool call `call`, and the tokens it saves."""

    call: str
    text: str
    saved: Natural


class Masked(Record, tag="masked", tag_field="part"):
    """One cycle, sent with stubs in place of some of its tool results; no call is left out."""

    cycle: Positive
    stubs: tuple[Stub, ...]
    tokens: Natural


class Summary(Record, tag="summary", tag_field="part"):
    """Cycles `first` to `last`, of which only lines are sent.

    It covers `messages` messages numbered `first_seq` to `last_seq` (0: none), said between `began`
    and `ended`, in which `tools` were used. `folded` counts how often lines of it were taken from
    an earlier summary. `sources` counts, for each name whose words were taken in, the cycles that
    did so.
    """

    first: Positive
    last: Positive
    first_seq: Natural
    last_seq: Natural
    messages: Natural
    began: str
    ended: str
    tools: tuple[str, ...]
    strategy: StrategyName
    folded: Natural
    lines: tuple[SummaryLine, ...]
    tokens: Natural
    sources: dict[str, Natural] = {}


AnchorKind = Literal[
    "task", "quoted", "ticket", "error", "path", "url", "id", "decision", "promise"
]


class Anchor(Record):
    """Words that stay as they were said: of which kind, from which cycle and message."""

    kind: AnchorKind
    text: str
    cycle: Positive
    seq: Natural


class Anchors(Record, tag="anchors", tag_field="part"):
    """What stays verbatim of all that was summarised."""

    anchors: tuple[Anchor, ...]
    tokens: Natural


class Pointer(Record, tag="pointer", tag_field="part"):
    """How to find the rest, with `terms` that are worth a search."""

    text: str
    terms: tuple[str, ...]
    tokens: Natural


WindowPart = Kept | Masked | Summary | Anchors | Pointer
Overlay = tuple[WindowPart, ...]
"""The parts of a window in the order of their cycles; anchors and pointer come last."""


class Measures(Record):
    """What a plan keeps of what it folds, as shares between 0 and 1.

    `anchors` is the share of the anchors found in what leaves that are still in the window,
    `grounded` that of the rare words of the messages that leave which the summary holds, in the
    mean of the messages.
    """

    anchors: Share
    grounded: Share


class CompactionPlan(Record, tag="plan", tag_field="part"):
    """What a compaction would do, bound to the end of the log it was planned on.

    Its lines of JSON are this record, then one line per part (and, asked for, one `Reason` per
    cycle); their SHA-256 names the window. `base` names the window that it replaces, null where the
    whole log is sent. The parts cover each of the cycles 1 to `through` once; later cycles are sent
    whole. `before` and `after` are tokens by kind (`head` is system text and tools), multiplied by
    `calibration`, which is what the provider reported over what `tokenizer` counts. `sent_before`
    are the ranges of cycles that were sent until now. Compaction by itself waits where it would
    save fewer than `min_saving` tokens; `cached` tokens of the present prefix leave the provider's
    cache, which has paid for itself after `pays_after` requests (null: prices are not known).
    `fallback` says why another strategy than `strategy` wrote the lines (null: none did), `chosen`
    why `strategy` was taken where nobody named one.
    """

    version: Literal[1] = 1
    agent: str
    strategy: StrategyName
    budget: Positive
    keep_cycles: Natural
    through: Natural
    head_seq: Natural
    head_sha256: str
    base: str | None
    tokenizer: str
    calibration: Calibration
    sent_before: tuple[tuple[Positive, Positive], ...]
    before: dict[PartKind, Natural]
    after: dict[PartKind, Natural]
    saving: Natural
    min_saving: Natural
    cached: Natural
    pays_after: Natural | None
    measures: Measures
    fallback: str | None = None
    chosen: str | None = None


class Reason(Record, tag="reason", tag_field="part"):
    """Where a cycle went and why, in a few words."""

    cycle: Positive
    to: PartKind
    why: str


class WindowPlan(Record):
    """A plan with the parts of its window and, where they were asked for, its reasons."""

    plan: CompactionPlan
    parts: Overlay
    reasons: tuple[Reason, ...] = ()


class Compaction(Record):
    """One change of an agent's window, as it rests; rows are only ever added.

    `window` names the plan that is in force from then on (null: the whole log is sent), `before`
    is the number of the change whose window an undo brings back (0: the whole log). `strategy` is
    the one that wrote the lines of the window, `masked` where it has none. All of these are, of an
    undo too, those of the window that is in force from then on, not of what it undid (the whole
    log: null, 0 and no strategy); its tokens are what was sent before and after it.
    """

    agent: str
    number: int
    action: Literal["apply", "undo"]
    window: str | None
    before: int
    through: int
    strategy: str
    tokens_before: int
    tokens_after: int
    segment: int
    at: str
