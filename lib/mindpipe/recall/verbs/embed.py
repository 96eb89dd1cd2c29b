"""Vectors of what is kept: made, kept in blocks, asked for what is near."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Clock, Embedder, Rows, Store
from mindpipe.history.rows import words_of_parts
from mindpipe.recall.records import Embedded, Filters
from mindpipe.recall.tables import index
from mindpipe.recall.tables import vectors as tables
from mindpipe.recall.vectors import (
    CodedVectors,
    Floats,
    from_halves,
    from_words,
    halves_of,
    pieces,
    prefilter,
    vectors_of,
    words_of,
)

TOGETHER = 64
"""So many entries are embedded and kept at once; a kill costs no more than these."""
BLOCK = 4096
"""From so many entries on that are in no block of bits they become one; below, they are compared
exactly for each question."""
_LOOKED_AT = 50_000
_EVERY = Filters(history=True)


def count(store: Store, *, agent: str) -> int:
    """Return how many entries an agent has in its index."""
    with store.searched.read() as rows:
        return sum(mark.rows for mark in index.marks(rows, agent=agent))


def embed(store: Store, embedder: Embedder, *, agent: str) -> Iterator[Embedded]:
    """Embed what an agent has in its index and no vectors for.

    Each step yields what was done until then, and that is kept. A text is embedded in pieces; what
    is retracted is left out.

    Raises:
        UnavailableError: the model did not answer, or its vectors differ in size from those kept.
        RecoveryError: nothing may be written.
    """
    done = Embedded(agent=agent, model=embedder.name)
    after = 0
    # A model is not asked for what could not be kept.
    with store.write(agent):
        pass
    store = store.searched
    yield done
    while True:
        with store.read() as rows:
            listed = index.listed(rows, agent=agent, after=after, limit=_LOOKED_AT)
            wanting = _wanting(rows, listed, model=embedder.name)
        if not listed:
            return
        done = _more(done, known=len(listed) - len(wanting))
        for start in range(0, len(wanting), TOGETHER):
            with store.read() as rows:
                texts = _texts(rows, wanting[start : start + TOGETHER], agent=agent)
            done = _more(done, entries=len(texts), vectors=_keep(store, embedder, agent, texts))
            yield done
        after = listed[-1]
        yield done


def _more(done: Embedded, *, entries: int = 0, vectors: int = 0, known: int = 0) -> Embedded:
    """Return what was done, with what was done further."""
    return Embedded(
        agent=done.agent,
        model=done.model,
        entries=done.entries + entries,
        vectors=done.vectors + vectors,
        known=done.known + known,
    )


def _wanting(rows: Rows, listed: Sequence[int], *, model: str) -> list[int]:
    """Return the entries that have no vectors of a model."""
    found = tables.model_named(rows, model)
    if found is None or not listed:
        return list(listed)
    had = tables.known(rows, found.number, first=listed[0], last=listed[-1])
    return [entry for entry in listed if entry not in had]


def _texts(rows: Rows, entries: Sequence[int], *, agent: str) -> dict[int, str]:
    """Return the words of entries that are not retracted, in the order of their numbers."""
    texts = {
        one.number: words_of_parts(one.text) if one.source == "message" else one.text
        for one in index.shown(rows, entries, agent=agent, filters=_EVERY)
    }
    return dict(sorted(texts.items()))


def _keep(store: Store, embedder: Embedder, agent: str, texts: dict[int, str]) -> int:
    """Embed some entries, keep their vectors in one transaction, and return how many they are."""
    cut = {entry: pieces(text) for entry, text in texts.items()}
    asked = [piece for each in cut.values() for piece in each]
    if not asked:
        return 0
    with store.read() as rows:
        model = tables.model_named(rows, embedder.name)
    found = vectors_of(embedder, asked, size=model.size if model else None)
    ends = np.cumsum([len(each) for each in cut.values()])[:-1]
    kept = [
        tables.Pieces(entry=entry, halves=halves_of(rows_of_it))
        for entry, rows_of_it in zip(cut, np.split(found, ends), strict=True)
    ]
    with store.write(agent) as rows:
        model = tables.keep_model(rows, embedder.name, found.shape[1])
        tables.keep(rows, model.number, kept)
        close_block(rows, model, agent)
    return len(asked)


def close_block(rows: Rows, model: tables.VectorModel, agent: str) -> None:
    """Make a block of the entries that are in none, if they are enough for one."""
    span = index.span_of(index.keep_agent(rows, agent))._asdict()
    if tables.count_loose(rows, model.number, **span) < BLOCK:
        return
    found = tables.loose(rows, model.number, **span)
    vectors = [from_halves(one.halves, model.size) for one in found]
    entries = np.repeat([one.entry for one in found], [len(each) for each in vectors])
    block = tables.VectorBlock(
        entries=entries.astype(np.int64).tobytes(), bits=words_of(np.concatenate(vectors)).tobytes()
    )
    first, last = found[0].entry, found[-1].entry
    tables.keep_block(rows, model.number, block, first=first, last=last)


class Vectors:
    """The vectors that one agent has of one model; its blocks are read once for many questions.

    It is of use only inside the transaction whose rows it was given. Questions are normalised
    vectors of `size` numbers; how near an entry is to one is the cosine of its best piece.
    """

    def __init__(self, rows: Rows, model: tables.VectorModel, span: index.DaySpan) -> None:
        self.size = model.size
        self._rows = rows
        self._model = model.number
        self._span = span
        self._loose = tables.loose(rows, model.number, **span._asdict())
        self._coded: list[CodedVectors] = []
        for block in tables.blocks(rows, model.number, **span._asdict()):
            entries = np.frombuffer(block.entries, dtype=np.int64)
            self._coded.append(CodedVectors(entries, from_words(block.bits, len(entries))))

    def nearest(self, question: Floats, *, most: int) -> dict[int, float]:
        """Return the `most` entries that are nearest to a question, nearest first."""
        entries = prefilter(self._coded, question)
        found = [*tables.of_entries(self._rows, self._model, entries), *self._loose]
        near = self._cosines(found, question)
        return dict(sorted(near.items(), key=lambda one: (-one[1], one[0]))[:most])

    def newest(self) -> Floats | None:
        """Return a vector of the newest entry, None where there is none."""
        found = tables.newest(self._rows, self._model, **self._span._asdict())
        return None if found is None else from_halves(found.halves, self.size)[0]

    def cosines(self, question: Floats, entries: Sequence[int]) -> dict[int, float]:
        """Return how near some entries are to a question; those without vectors are left out."""
        return self._cosines(tables.of_entries(self._rows, self._model, entries), question)

    def _cosines(self, found: Sequence[tables.Pieces], question: Floats) -> dict[int, float]:
        """Return the greatest cosine of each entry's pieces to a question."""
        held = [one for one in found if one.halves]
        if not held:
            return {}
        each = from_halves(b"".join(one.halves for one in held), self.size) @ question
        counts = [len(one.halves) // (2 * self.size) for one in held]
        starts = np.cumsum([0, *counts[:-1]])
        best = np.maximum.reduceat(each, starts).tolist()
        return {one.entry: cosine for one, cosine in zip(held, best, strict=True)}


def vectors_in(rows: Rows, model: str, *, agent: str) -> Vectors | None:
    """Return the vectors that an agent has of a model, or None where it has none of it."""
    if model not in models_in(rows, agent=agent):
        return None
    found = tables.model_named(rows, model)
    number = index.agent_number(rows, agent)
    return None if found is None or number is None else Vectors(rows, found, index.span_of(number))


def models_in(rows: Rows, *, agent: str) -> list[str]:
    """Return the names of the models that an agent has vectors of."""
    number = index.agent_number(rows, agent)
    return [] if number is None else tables.models_within(rows, **index.span_of(number)._asdict())


class Meant(NamedTuple):
    """The vectors of some questions, one row each, and those of an agent to compare them with.

    `seconds` is what the embedding model took.
    """

    questions: Floats
    vectors: Vectors
    seconds: float


def meant(
    rows: Rows, embedder: Embedder, questions: Sequence[str], *, agent: str, clock: Clock
) -> Meant:
    """Return what questions mean to the model that made an agent's vectors.

    The model is not asked where the agent has no vectors of it.

    Raises:
        UnavailableError: there are no vectors of this model, or it does not answer, or with vectors
            of another size.
    """
    vectors = vectors_in(rows, embedder.name, agent=agent)
    if vectors is None:
        others = models_in(rows, agent=agent)
        but = f", but of {', '.join(others)}" if others else ""
        raise UnavailableError(
            f"{agent} has no vectors of {embedder.name}{but}. Run mind recall embed."
        )
    begun = clock.boot().seconds
    found = vectors_of(embedder, questions, size=vectors.size)
    return Meant(found, vectors, clock.boot().seconds - begun)
