"""What is indexed, what is asked, and what is found."""

from collections.abc import Callable
from typing import Literal

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.core.sources import Sources
from mindpipe.memory.records import Id, Word

EntrySource = Literal["item", "message", "reflection", "lesson", "entity", "observation"]
AnswerSource = EntrySource | Literal["file"]
"""What an answer is of: an entry, or a file that an index led to."""


class Filters(Record):
    """Which entries are wanted; None means any.

    `kind` is a kind, or the source that an entry is of. Beside what `speaker` said, beliefs are
    wanted whose subject is `about`. `since` and `until` bound when it was true
    (`until` is the first instant that is out). With `as_of` only what was learnt by then counts, as
    it stood then. `trusted` leaves out what was written under untrusted sources. What is archived,
    replaced or refuted is left out unless `history` is set, what is retracted always.
    """

    kind: str | None = None
    speaker: str | None = None
    subject: str | None = None
    about: str | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = None
    trusted: bool = False
    history: bool = False


class RecallQuery(Record, omit_defaults=True):
    """One question of many: its words, and the instant that "last May" is meant from."""

    id: Id
    query: str
    at: str | None = None
    before: Id | None = None
    speaker: Word | None = None


class Hit(Record, omit_defaults=True):
    """Something found for one question: its rank from 1 on, score, and why in a few words.

    `signals` are what the score is made of, with --explain.
    """

    query: Id
    rank: Natural
    ref: Id
    score: float
    why: str
    source: AnswerSource = "item"
    signals: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class Recalled(Record, omit_defaults=True):
    """Something found, with its words: what `mind recall` prints for one question.

    `claimed_speaker` is who an item says that it is of, where nobody knows who said it. Of a file
    that an index led to, `path`, `heading` and `line` say where the words stand, `weight`
    how much they count, and `route` the way there, with --explain.
    """

    rank: Natural
    ref: Id
    source: AnswerSource
    score: float
    why: str
    text: str
    at: str
    kind: str = ""
    speaker: Word | None = None
    claimed_speaker: Word | None = None
    subject: Word | None = None
    status: str = "active"
    superseded_by: Id | None = None
    contradicts: tuple[Id, ...] = ()
    sources: Sources = ()
    path: str | None = None
    heading: str | None = None
    line: Natural | None = None
    weight: float | None = None
    route: tuple[str, ...] = ()
    signals: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class Reindexed(Record):
    """How many entries the index has, made anew."""

    entries: Natural


class Embedded(Record):
    """What was done: how many entries of an agent got how many vectors, by which model.

    `known` had theirs already.
    """

    agent: str
    model: str
    entries: Natural = 0
    vectors: Natural = 0
    known: Natural = 0


FilesOf = Callable[[str, int], list[Recalled]]
"""Returns what files answer to a question, best first, at most so many passages."""


def no_files(_question: str, _most: int) -> list[Recalled]:
    """Return nothing: no index leads to any file."""
    return []
