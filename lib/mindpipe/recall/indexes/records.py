"""What an index says, and what is found by it."""

from typing import Annotated, NamedTuple

import msgspec

from mindpipe.core.records import Record
from mindpipe.memory.records import Id, Word

FilePath = Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
Weight = Annotated[float, msgspec.Meta(ge=0.01, le=100)]
COMPANION = "_memory"
"""What stands behind the name of a file in that of its companion: `kant.md`, `kant_memory.md`."""
COMPANION_WEIGHT = 2.0
"""The words of a companion count so much more than those of its file."""


class Intent(Record):
    """Where a question with any of some keywords is looked up: in another index."""

    keywords: tuple[Word, ...]
    load_index: FilePath
    intent: Word | None = None


class IndexEntry(Record):
    """One file that an index knows, and what it is about.

    `weight` is how much its words count beside those of others.
    """

    id: Id
    path: FilePath
    title: Word | None = None
    summary: str = ""
    keywords: tuple[Word, ...] = ()
    tags: tuple[Word, ...] = ()
    weight: Weight = 1.0
    meta: dict[str, object] = {}


class Index(Record):
    """One file of an index: intents that lead to other ones, and entries that lead to files.

    All paths count from `base`, which counts from the folder of the first index; only its own is
    looked at. What else is to be noted stands in `meta`.
    """

    version: str | int | float | None = None
    description: str = ""
    base: FilePath = "."
    intent_mappings: tuple[Intent, ...] = ()
    entries: tuple[IndexEntry, ...] = ()
    meta: dict[str, object] = {}


class Led(NamedTuple):
    """One step to an index: its name, and the keyword of the question that led there."""

    name: str
    keyword: str


class Routed(NamedTuple):
    """An entry that a question leads to: where it stands, the way there, and what of it matched.

    `name` is that of the index, `line` its line there (from 1). `bearing` is how much it bears on
    the question: one for each keyword or name, half for each tag.
    """

    name: str
    line: int | None
    entry: IndexEntry
    way: tuple[Led, ...]
    matched: tuple[str, ...]
    bearing: float


class IndexPassage(NamedTuple):
    """A part of a file under one heading, with the line that it begins on (from 1)."""

    heading: str
    line: int
    text: str


class IndexedDocument(NamedTuple):
    """One file that a question was led to: its path, the way there, whether it is a companion."""

    path: str
    routed: Routed
    companion: bool
    passages: tuple[IndexPassage, ...]

    @property
    def weight(self) -> float:
        """Return how much its words count."""
        return self.routed.entry.weight * (COMPANION_WEIGHT if self.companion else 1.0)


class FoundPassages(NamedTuple):
    """A passage that answers a question, with its score.

    `overrides` tells whether its file's own words under the same heading gave way to it.
    """

    document: IndexedDocument
    passage: IndexPassage
    score: float
    overrides: bool = False
