"""Give everything that can be found its vectors: what has none yet, some at a time."""

from collections.abc import Iterator, Sequence

import numpy as np

from mindpipe.core.ports import Embedder, Rows, Store
from mindpipe.history.rows import words_of as words_of_message
from mindpipe.recall.records import Embedded, Filters
from mindpipe.recall.tables import index
from mindpipe.recall.vectors import tables
from mindpipe.recall.vectors.asking import vectors_of
from mindpipe.recall.vectors.codes import from_halves, halves_of, words_of
from mindpipe.recall.vectors.pieces import pieces

TOGETHER = 64
"""So many entries are embedded and kept at once; a kill costs no more than these."""
BLOCK = 4096
"""From so many entries on that are in no block of bits they become one; below, they are compared
exactly for each question."""
_LOOKED_AT = 50_000
_EVERY = Filters(history=True)


def count(store: Store, *, agent: str) -> int:
    """Return how many entries an agent has in its index."""
    with store.read() as rows:
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
    with store.write():
        pass
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
        one.number: words_of_message(one.text) if one.source == "message" else one.text
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
    with store.write() as rows:
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
    block = tables.Block(
        entries=entries.astype(np.int64).tobytes(), bits=words_of(np.concatenate(vectors)).tobytes()
    )
    first, last = found[0].entry, found[-1].entry
    tables.keep_block(rows, model.number, block, first=first, last=last)
