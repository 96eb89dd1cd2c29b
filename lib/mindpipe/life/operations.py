"""What is recorded of an operation beside what it heard: what was asked, and what was set."""

import msgspec

from mindpipe.context.budget.records import Allocations
from mindpipe.core.models import Target
from mindpipe.core.records import Record
from mindpipe.engine.dependencies import Policy
from mindpipe.inbox.records import Bounds
from mindpipe.life.records import LifeVersions
from mindpipe.memory.strength import ARCHIVE_BELOW
from mindpipe.spending.records import Caps
from mindpipe.store.changes import Plain

DUE, REVALIDATE, ARCHIVE = "due", "revalidate", "archive"
"""Kinds of operations: plans that come due, beliefs that are looked at again, faded memory."""
EXTRACT = "extract"
"""The kind of operation in which memory is found in the log, by rules."""
REVOKE, RETRACT = "revoke", "retract"
"""Kinds of operations: words of a source, and single items, that are taken back."""


class RevokeAsked(Record):
    """The source of which all is taken back."""

    source: str


class RetractAsked(Record):
    """The ids of what is taken back."""

    ids: tuple[str, ...]


class ExtractAsked(Record):
    """From which cycle on the log is read, the least significance (0-10), and who is trusted.

    Without a cycle what was not read yet is. `trusted` are those of the settings.
    """

    since_cycle: int | None
    least: float
    trusted: tuple[str, ...]


class ArchiveAsked(Record):
    """Below which strength (0-1) items are set aside."""

    below: float = ARCHIVE_BELOW


class OperationSetup(Record, kw_only=True):
    """What every operation is set up with: the identity of its store, and with which versions.

    An earlier mindpipe did not keep the versions, nor with which `scores` things were recalled.
    `mirrored` tells that words were searched in a copy, which was brought to the state of the store
    by a transaction of its own before each search.
    """

    store: str
    versions: LifeVersions | None = None
    scores: bool = False
    mirrored: bool = False


class Setup(OperationSetup, kw_only=True):
    """What an operation was set up with, as plain data.

    `model` and `fallback` who was asked, `embedder` and
    `tokens` the names of what measured meaning and counted; `streams` tells that a reply was heard
    while it was written. `slots` and `windows` are the settings of knowledge, `indexed` tells that
    an index led to files, and `files` that it did in an earlier program, which kept nothing of what
    they answered; `lease` is in seconds.
    """

    model: Target
    fallback: Target | None
    embedder: str | None
    streams: bool
    tokens: str
    caps: Caps
    slots: str | None
    windows: str | None
    budget: Allocations
    files: bool
    workers: tuple[str, ...] | None
    folders: tuple[str, ...] | None
    bounds: Bounds
    policy: Policy
    lease: float
    indexed: bool = False


class RuleSetup(OperationSetup, kw_only=True):
    """What an operation was set up with that is done by rules alone: these, as plain data.

    `slots` and `windows` as in `Setup`; `bounds` are those of inboxes, `max_depth` is that
    of `Policy`.
    """

    slots: str | None
    windows: str | None
    bounds: Bounds
    max_depth: int
    rules: msgspec.Raw


class ConsolidationSetup(OperationSetup, kw_only=True):
    """What a consolidation was set up with.

    `slots` and `windows` as in `Setup`. `reader` is the name of who read statements; with
    `writes` a model put claims into words. It did so too where it is `worded`, by an earlier
    program, which kept nothing of its replies.
    """

    slots: str | None
    windows: str | None
    reader: str
    worded: bool = False
    writes: bool = False


class FoldSetup(OperationSetup, kw_only=True):
    """What a window was changed with by hand, beside: the name of what counted tokens."""

    tokens: str


class BreakerRow(Record):
    """What is remembered of a model that was failing, as a store keeps it."""

    model: str
    boot: str
    body: str


class Outside(Record):
    """What others had done by some moment, in short.

    `change` is the last one of all agents, `agents` how many there are, `breakers` what is
    remembered of failing models, as a JSON array.
    """

    change: int
    agents: int
    breakers: str

    def failing(self) -> list[BreakerRow]:
        """Return what is remembered of failing models."""
        return msgspec.json.decode(self.breakers, type=list[BreakerRow])


NOTHING_KNOWN = Outside(change=-1, agents=-1, breakers="[]")
"""What is known of others before anything was asked."""


OtherAgent = tuple[str, str | None]
"""Another agent of the store: its name, and since when it has been in another one."""


SeenRows = dict[str, list[tuple[Plain, ...]]]
"""Rows of other agents that one sees, by table."""


class Begun(Record, kw_only=True):
    """How an operation began: what `kind` it was, and what it was asked.

    `owner` is who held the agent, `epoch` that of the lease before it. `place` counts what is
    recorded of the agent from 1, so that one that is gone leaves a gap; 0 where nobody counted.
    The one before it has so many `parts_before`, None where nobody counted.
    """

    kind: str
    asked: msgspec.Raw
    owner: str
    epoch: int
    place: int = 0
    parts_before: int | None = None


class Operation(Record):
    """One operation of an agent: how it began, and how it was set up, by its kind."""

    agent: str
    begun: Begun
    setup: msgspec.Raw


class NewPart(Record):
    """What an operation heard before one of its transactions.

    The transaction came after the change `after`, and made those up to `number`. `blobs` are the
    hashes of octets that were heard and that the store keeps, as a JSON array.
    """

    operation: int
    part: int
    after: int
    number: int
    blobs: str
    heard: bytes
