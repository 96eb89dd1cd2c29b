"""What may answer a question: rows of the index with what the index knows of them for it.

The index delivers them and the ranking orders them; both meet here and nowhere else.
"""

from collections.abc import Mapping
from typing import NamedTuple

from mindpipe.core.sources import Sources
from mindpipe.recall.records import EntrySource

MARKED: frozenset[EntrySource] = frozenset(["item", "observation"])
"""What may be superseded or contradicted by its like; nothing else has marks."""


class Candidate(NamedTuple):
    """One row of the index that may answer a question.

    `ref` is the id that it has where it rests. `place` is one more than that of the row before it,
    so that neighbours stand side by side. `kind` is the kind of an item, an observation or an
    entity, the role of a message. Beside those that hold a word of the question come their
    neighbours (same source and session, `place` 1 or 2 away), and what vectors, marks or the graph
    found. `dense` is the cosine of its vector (of its best piece) to the question, None where no
    vector was compared.
    """

    number: int
    source: EntrySource
    ref: str
    place: int
    kind: str
    text: str
    at: str
    learnt: str
    speaker: str | None = None
    subject: str | None = None
    session: str | None = None
    entities: tuple[str, ...] = ()
    significance: float = 5.0
    sources: Sources = ()
    dense: float | None = None


class Statistics(NamedTuple):
    """What the index knows of the words of a question: all its rows, and those with each word.

    `rows_with` counts by the word as `mindpipe.recall.query` spells it, lower case, unstemmed;
    a word that is missing is in no row.
    """

    rows: int
    rows_with: Mapping[str, int]
