"""Answer questions from all that an agent lived through, remembers and holds true."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.core.function_words import FUNCTION_WORDS
from mindpipe.core.ports import Rows, Store
from mindpipe.knowledge.records import Mark
from mindpipe.knowledge.verbs.marking import marks_of
from mindpipe.recall.candidates import Candidate
from mindpipe.recall.records import Filters, RecallQuery
from mindpipe.recall.verbs.gathering import Gathered, Gathering

if TYPE_CHECKING:
    from mindpipe.recall.verbs.meaning import Meant

NEAREST = 100
"""So many things that vectors find nearest are candidates beside those that hold the words."""
Meaning = Callable[[Rows, Sequence[str]], "Meant | None"]
"""Tell what questions mean, or None where words alone are searched."""


class Ranked(NamedTuple):
    """Something found, how well it fits and why."""

    candidate: Candidate
    score: float
    why: str
    signals: dict[str, float]


class Asked(NamedTuple):
    """How questions are asked: by which agent, of which entries, now, and how many answers each."""

    agent: str
    now: str
    filters: Filters = Filters()
    limit: int = 10


class Answer(NamedTuple):
    """What was found for one question, best first, and the marks between items among it."""

    question: RecallQuery
    found: list[Ranked]
    marks: list[Mark]
    statuses: dict[int, str]


def search(
    store: Store,
    asked: Asked,
    questions: Sequence[RecallQuery],
    *,
    meaning: Meaning = lambda _rows, _questions: None,
) -> Iterator[Answer]:
    """Yield what is found for each question, from what is indexed.

    All are answered from one state of the store, and what one has read the others need not.
    """
    with store.read() as rows:
        searching = _Searching(store, rows, asked)
        meant = meaning(rows, [one.query for one in questions])
        for number, question in enumerate(questions):
            yield searching.answer(question, number, meant)


class _Searching:
    """Questions inside one read."""

    def __init__(self, store: Store, rows: Rows, asked: Asked) -> None:
        self._store = store
        self._rows = rows
        self._asked = asked
        self._gatherings: dict[str | None, Gathering] = {}

    def answer(self, question: RecallQuery, number: int, meant: "Meant | None") -> Answer:
        """Return what is found for one question, the vectors of which stand in that row."""
        gathering = self._gathering(question.speaker)
        words = _words(question.query)
        near = _nearest(meant, number)
        gathered = gathering.gather(words, named=near, before=question.before)
        marks = self._marks(gathered)
        if others := _others(marks, gathered):
            named = [*near, *gathering.items(others)]
            gathered = gathering.gather(words, named=named, before=question.before)
            marks = self._marks(gathered)
        candidates = _with_cosines(gathered.candidates, meant, number)
        return Answer(question, self._ranked(candidates), marks, gathered.statuses)

    def _gathering(self, speaker: str | None) -> Gathering:
        """Return the gathering of what one speaker said, or of all that is asked for."""
        if speaker not in self._gatherings:
            filters = self._asked.filters
            if speaker is not None:
                filters = msgspec.structs.replace(filters, speaker=speaker)
            self._gatherings[speaker] = Gathering(
                self._rows, agent=self._asked.agent, filters=filters
            )
        return self._gatherings[speaker]

    def _marks(self, gathered: Gathered) -> list[Mark]:
        """Return the marks that name a candidate."""
        return marks_of(
            self._store,
            agent=self._asked.agent,
            refs={one.ref for one in gathered.candidates if one.source == "item"},
            as_of=self._asked.filters.as_of,
        )

    def _ranked(self, candidates: Sequence[Candidate]) -> list[Ranked]:
        ordered = sorted(candidates, key=lambda one: (-one.bm25, -one.number))
        found = [Ranked(one, one.bm25, "words", {"words": one.bm25}) for one in ordered if one.bm25]
        return found[: self._asked.limit]


def _words(query: str) -> list[str]:
    found = dict.fromkeys(re.findall(r"[a-z0-9]+", query.lower()))
    return [word for word in found if word not in FUNCTION_WORDS]


def _nearest(meant: "Meant | None", number: int) -> list[int]:
    """Return the numbers of what the vectors find nearest to a question."""
    if meant is None:
        return []
    return list(meant.vectors.nearest(meant.questions[number], most=NEAREST))


def _others(marks: Sequence[Mark], gathered: Gathered) -> list[str]:
    """Return the other sides of marks that are not there yet."""
    there = {one.ref for one in gathered.candidates if one.source == "item"}
    return sorted({ref for mark in marks for ref in (mark.old, mark.new)} - there)


def _with_cosines(
    candidates: Sequence[Candidate], meant: "Meant | None", number: int
) -> Sequence[Candidate]:
    """Return candidates with how near their vectors are to a question."""
    if meant is None:
        return candidates
    cosines = meant.vectors.cosines(meant.questions[number], [one.number for one in candidates])
    return [one._replace(dense=cosines.get(one.number)) for one in candidates]
