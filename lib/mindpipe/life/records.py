"""What travels of a life: its manifest, and what an export, an import and a check of it came to."""

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from mindpipe.core.records import Natural, Record

FORMAT = 1
"""The form of life files that this program writes and reads."""

LifePart = Literal[
    "inbox",
    "plans",
    "tickets",
    "spending",
    "loop",
    "memory",
    "beliefs",
    "spaces",
    "changes",
    "record",
]
"""What of a life may be left out; who it is, its goals and its history always go along."""


class LifeVersions(Record):
    """What a life was lived or written with, as far as the meaning of its bytes can hang on it.

    `zones` is the version of the time zones, `packages` has those of what asks models, counts
    tokens, reads sentences and reckons. An earlier mindpipe said neither.
    """

    mindpipe: str
    schema: Natural
    python: str
    sqlite: str
    unicode: str
    zones: str = ""
    packages: dict[str, str] = {}

    def named(self) -> dict[str, str]:
        """Return all that is known, each by its name."""
        own = {name: str(value) for name, value in msgspec.structs.asdict(self).items() if value}
        del own["schema"]
        own.pop("packages", None)
        return own | self.packages

    def others_than(self, here: "LifeVersions") -> dict[str, str]:
        """Return what is of another version here, with the version of then."""
        there = here.named()
        return {name: one for name, one in self.named().items() if one != there.get(name)}


class SharedWork(Record):
    """What of a life is not its own: the spaces it is in, and the tasks that others work on."""

    spaces: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


class LifeManifest(Record):
    """The first line of a life file.

    `moves` counts how often the life has moved to another store, this time included where it did:
    then `moved` is true, and it goes on wherever the file is imported first. Of a life that has
    not moved the file is a copy. `epoch` is that of its last lease. `anchor` is the hash of the
    last of its `messages`; `tools` has the SHA-256 of each tool's manifest. Of a simulated person
    `person` is true.
    """

    life: Natural = FORMAT
    agent: str
    entity: str
    moves: Natural
    moved: bool
    epoch: Natural
    at: str
    store: str
    cycles: Natural
    messages: Natural
    anchor: str
    without: tuple[LifePart, ...] = ()
    tools: dict[str, str] = {}
    person: bool | UnsetType = UNSET
    shared: SharedWork = SharedWork()
    versions: LifeVersions


class TableHeader(Record):
    """What stands before the rows of a table: its name and its columns, in the rows' order."""

    table: str
    columns: tuple[str, ...]


class TableEnd(Record):
    """What stands behind the rows of a table: how many they are, and the SHA-256 of their lines."""

    rows: Natural
    sha256: str


class Seal(Record):
    """The last line: the SHA-256 of all octets of the file before the member that holds it.

    `hashes` has eight hex digits for each stretch of so many `octets`, by which a change is found.
    """

    seal: str
    octets: Natural
    hashes: str


class LifeImported(Record):
    """What an import brought; of its `spaces` those in `kept_spaces` were there already.

    `versions` has those with which it was written that are others here.
    """

    agent: str
    moved: bool
    cycles: Natural
    messages: Natural
    rows: Natural
    spaces: tuple[str, ...] = ()
    kept_spaces: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    versions: dict[str, str] | UnsetType = UNSET


class LifeVerdict(Record):
    """What a life file came to: what was looked at, and how much of it is not what was written.

    Of `redacted` messages only the place in the chain is proved. Of the parts that it was written
    `without` nothing is, nor that what rests on them is there.
    """

    agent: str
    moves: Natural
    moved: bool
    at: str
    cycles: Natural
    messages: Natural
    anchor: str
    windows: Natural
    beliefs: Natural
    quotes: Natural
    rows: Natural
    wrong: Natural
    redacted: Natural | UnsetType = UNSET
    without: tuple[LifePart, ...] | UnsetType = UNSET


Shown = dict[str, Any]
"""Columns of a row, or fields of what one holds in JSON, as they are shown."""


Change = Literal["only_first", "only_second", "changed"]
"""How two lives differ in one thing."""


class LifeDifference(Record):
    """One thing that is not the same in two lives: what it is, its key, and both as they are.

    Of what both have, only that is there in which they differ; `says` tells what it is about.
    """

    what: str
    key: str
    change: Change
    first: Shown | None
    second: Shown | None
    says: str | UnsetType = UNSET


class LifeForked(Record):
    """A fork: the store that it lives in, where it parted, and what it must ask a person for.

    Without a source, so many events that others pushed later are `waiting` in its inbox; so many
    messages that others said in spaces since are `unsaid` there.
    """

    agent: str
    store: str
    cycle: Natural
    messages: Natural
    anchor: str
    day_micros: Natural
    asks_first: tuple[str, ...] = ()
    waiting: Natural | UnsetType = UNSET
    unsaid: Natural | UnsetType = UNSET


class ReplayDifference(Record, omit_defaults=True):
    """Where a life that is lived again first differs from what is recorded of it.

    `operation` and `part` say which of its transactions it was in, `cycle` which cycle was the last
    one then. `what` is `prompt`, `rows`, `messages`, `scores` (of what was recalled), `program`,
    `reading` (something was asked of the outside that was not asked then), `end` (it did less) or
    `record` (one before it is not there); `then` and `now` show both, and `diff` the lines of long
    values in which they differ.
    """

    agent: str
    cycle: Natural
    operation: Natural
    kind: str
    part: Natural
    what: str
    table: str = ""
    key: tuple[Any, ...] = ()
    then: Any = None
    now: Any = None
    diff: tuple[str, ...] = ()


class LifeReplayed(Record):
    """What came of living a life again.

    `lived` operations were done again, with `prompts` requests to models and `changes` equal
    transactions; `given` changes came from outside, of so many rows of each table (`given_rows`),
    and `given_cycles` were not lived again, as nothing says what they heard. `cut` operations were
    ended then before they were over, or only looked at something after their last commit, and
    `different` ones came out otherwise. `before` changes lie before the record begins. `equal`
    tells that nothing differed, but for `redacted` operations, which come out otherwise since
    something was taken out of what they heard, and prove nothing. `versions` has what is of another
    version here than it was then, with those.
    """

    agent: str
    cycles: Natural
    lived: Natural
    prompts: Natural
    changes: Natural
    given: Natural
    given_rows: dict[str, Natural] = {}
    given_cycles: Natural
    cut: Natural
    before: Natural
    different: Natural
    equal: bool
    redacted: Natural | UnsetType = UNSET
    versions: dict[str, tuple[str, ...]] | UnsetType = UNSET


class LifeRedacted(Record):
    """What a redaction came to: its number, the first cycle that has a mark now, and the rows.

    `others` are agents in whose lives the secret is still.
    """

    agent: str
    number: Natural
    cycle: Natural
    rows: Natural
    messages: Natural
    others: tuple[str, ...] = ()


class LifeEffect(Record):
    """Something that a rewind leaves as it is, because the world has it: what it is, and where.

    `kind` says what: a `call` of a tool that was not pure, a `post` that others can read, a `task`
    that was given out, an `escalation`, or an `event` that came meanwhile and is not heard again.
    """

    kind: Literal["call", "post", "task", "escalation", "event"]
    id: str
    what: str
    cycle: Natural | None = None


class LifeRewound(Record):
    """A rewind: its number, and where the life is now; `branch` is what was taken up again.

    `parted` is the last cycle that is both in what was left and in what came after. `micros` was
    spent in what was left, and stays counted. What people took back of memory meanwhile, before
    that was recorded, is remembered again: `revived` are the items. So many `beliefs` less are
    held, as consolidations go back too.
    """

    agent: str
    number: Natural
    cycle: Natural
    parted: Natural
    left_cycles: Natural
    messages: Natural
    anchor: str
    branch: Natural | None = None
    micros: Natural = 0
    effects: tuple[LifeEffect, ...] = ()
    revived: tuple[str, ...] | UnsetType = UNSET
    beliefs: Natural | UnsetType = UNSET


class Rewind(Record):
    """A rewind as it is kept: its number, counted from 1, and when it was.

    `parted` as in `LifeRewound`. In the log of changes it is `change`, and went back to how it was
    after the change `upto`.
    """

    agent: str
    number: Natural
    at: str
    parted: Natural
    change: Natural
    upto: Natural
