"""What a history is made of beside its messages: cycles, segments, the log's end, findings."""

import enum
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from mindpipe.core.messages import Head, Message, Role
from mindpipe.core.models import Target
from mindpipe.core.records import Record, State
from mindpipe.providers.records import RenderOptions, Repair

GENESIS = "0" * 64
"""What stands in the chain before the first row."""


class CycleState(State):
    """How far one act of thinking has come; an open one may be adopted by another worker."""

    OPEN = "open"
    CLOSED = "closed"
    FAILED = "failed"

    def successors(self) -> frozenset["CycleState"]:
        """Return what may follow: an open cycle stays open, closes or fails, and then rests."""
        if self is CycleState.OPEN:
            return frozenset(CycleState)
        return frozenset()


SPLIT = "split"
"""Why a cycle ended whose events later cycles take up: nothing failed but its worker ended."""


class CycleOutcome(enum.StrEnum):
    """What came of a cycle that is no longer open."""

    DONE = "done"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    FAILED = "failed"
    IMPORTED = "imported"

    @property
    def state(self) -> CycleState:
        """Return the state in which a cycle with this outcome rests."""
        return CycleState.FAILED if self is CycleOutcome.FAILED else CycleState.CLOSED


class CycleEnd(Record):
    """How a cycle ended, why if not by itself, and what it took; cost in micro-dollars.

    `cached_tokens` of the input tokens were read from the provider's cache.
    """

    outcome: CycleOutcome
    reason: str | None = None
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0
    milliseconds: int = 0


class Cycle(Record):
    """One act of thinking: what began it, in which state it is and what it took.

    `trigger` is a short text, `events` are the ids of the inbox events it took, `epoch` the lease
    under which it was last worked on, `reason` why it was stopped or failed; `cached_tokens` of the
    input tokens were read from the provider's cache.
    """

    agent: str
    cycle: int
    state: CycleState
    outcome: CycleOutcome | None
    trigger: str
    events: tuple[str, ...]
    model: str
    input_tokens: int
    output_tokens: int
    cost_micros: int
    milliseconds: int
    opened: str
    closed: str | None
    epoch: int
    reason: str | None = None
    cached_tokens: int = 0


class CycleSource(Record):
    """One source of one cycle: a name of whose words it took in."""

    cycle: int
    source: str


class CycleTokens(Record):
    """How many tokens the messages of one cycle have, as counted when they were appended."""

    cycle: int
    tokens: int


class NewSegment(Record):
    """A segment to be opened.

    Its window begins with `first_cycle`; raw replies are sent as they came from `raw_from_cycle`
    on; `reason` says in a few words why it was opened.
    """

    head: Head
    target: Target
    first_cycle: int
    raw_from_cycle: int
    reason: str


class Segment(Record):
    """A run of cycles sent under one frozen head."""

    agent: str
    segment: int
    head_sha256: str
    target: Target
    first_cycle: int
    raw_from_cycle: int
    reason: str
    opened: str
    head: Head


class CarriedRows(Record):
    """Rows that were written in another store, up to the one whose seq is `upto`.

    Their numbers were `moved` lower there, and are hashed so.
    """

    upto: int
    moved: int


class Redaction(Record):
    """What was taken out of a life that had been lived, and what is proved no more since then.

    Of `messages` (their ids) and `segments` the hashes are those of what stood there before. `rows`
    counts all rows that changed, `cycle` is the first cycle of which one is, 0 where none says so.
    """

    agent: str
    number: int
    at: str
    cycle: int
    rows: int
    messages: tuple[str, ...] = ()
    segments: tuple[int, ...] = ()


class LogEnd(Record):
    """The last row of a log: its seq (0: there is none), and the hash of the chain up to it."""

    seq: int = 0
    sha256: str = GENESIS


class LogHead(Record):
    """Where an agent's log ends: the numbers of its last row, its role, and the chain's hash.

    `answered` is the last turn of that cycle in which a model spoke (0: none yet), `role` is None
    and every number 0 where the log is empty.
    """

    agent: str
    seq: int = 0
    segment: int = 0
    cycle: int = 0
    turn: int = 0
    role: Role | None = None
    answered: int = 0
    sha256: str = GENESIS


class Window(Record):
    """What a segment sends: its messages, the blobs they need, and their tokens."""

    segment: Segment
    messages: tuple[Message, ...]
    blobs: dict[str, bytes]
    tokens: int

    @property
    def head(self) -> Head:
        """Return what stands before the messages."""
        return self.segment.head


class SegmentRow(Record):
    """A segment as it rests; `sha256` is the hash of every other column."""

    agent: str
    segment: int
    head_sha256: str
    target: str
    first_cycle: int
    raw_from_cycle: int
    reason: str
    opened: str
    sha256: str


class MessageRow(Record):
    """A message as it rests; the chain hashes every column but `sha256`, which is its link."""

    number: int
    agent: str
    seq: int
    id: str
    segment: int
    cycle: int
    turn: int
    role: str
    parts: str
    raw: str | None
    origin: str
    taint: int
    synthetic: int
    at: str
    tokens: int
    tokenizer: str
    source: str | None
    sha256: str


class Match(Record):
    """A message that holds a word, and what the word counts for there (more is better)."""

    seq: int
    weight: float


class OctetRow(Record):
    """A message's row with its text as octets, so that a row that is no text can be named too.

    `segment_sha256` is the hash of its segment's row, None where that row is gone.
    """

    number: int
    agent: bytes
    seq: int
    id: bytes
    segment: int
    cycle: int
    turn: int
    role: bytes
    parts: bytes
    raw: bytes | None
    origin: bytes
    taint: int
    synthetic: int
    at: bytes
    tokens: int
    tokenizer: bytes
    source: bytes | None
    sha256: bytes
    segment_sha256: bytes | None


class RuleBreach(Record):
    """A rule of histories that a message breaks; `seq` is the message's number."""

    rule: str
    seq: int
    what: str


class BrokenRow(Record):
    """A row that is not what was written: which table and number, and what is wrong with it."""

    agent: str
    table: str
    number: int
    what: str


class Verdict(Record):
    """What a walk along the chain found; `anchor` is the hash to keep elsewhere.

    Of `redacted` rows only the place in the chain is proved.
    """

    agent: str
    rows: int
    anchor: str
    broken: int
    redacted: int | UnsetType = UNSET


class Found(Record):
    """A message that a search found: its place, the words around the hit, and its score.

    `ref` is the message's id. A higher score fits better; scores compare only within one search.
    """

    agent: str
    ref: str
    seq: int
    cycle: int
    turn: int
    role: Role
    at: str
    score: float
    excerpt: str


class GivenQuery(Record):
    """One search of many: its words or question, under an id of the caller's."""

    id: str
    query: str


class RankedFound(Found):
    """A message that one search of many found: the search's id, and the rank from 1 on."""

    query: str
    rank: int


class StoredImport(Record):
    """One imported document: its place in its file and in the log, and where its envelope is.

    `document_sha256` is the hash of the whole file, `position` the document's place in it (from 0).
    """

    agent: str
    id: str
    format: str
    name: str
    document_sha256: str
    position: int
    envelope_sha256: str
    segment: int
    first_cycle: int
    last_cycle: int
    first_seq: int
    last_seq: int
    at: str


class ImportReceipt(StoredImport):
    """What an import did: where its messages are, what it repaired and what it left out.

    `repeats` is an earlier import with all of which this one begins: a file that has grown since.
    """

    duplicate: bool = False
    repeats: str | None = None
    repairs: tuple[Repair, ...] = ()
    left_out: tuple[str, ...] = ()


class ExportWanted(Record):
    """What an export is to hold: in which form, and one cycle or one imported document alone.

    With `render` an imported file is written anew and not given back as it was read.
    """

    format: str
    options: RenderOptions = RenderOptions()
    cycle: int | None = None
    document: str | None = None
    render: bool = False


class LossCount(Record):
    """What a form could not carry: which part, why, and how often."""

    part: str
    why: str
    times: int


class Coverage(NamedTuple):
    """The ranges of cycles that summaries cover, and those that are sent; None: no end."""

    covered: Sequence[tuple[int, int]]
    sent: Sequence[tuple[int, int | None]]
