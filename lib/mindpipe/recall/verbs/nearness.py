"""What an agent's vectors say of a question: which entries are nearest, and how near one is."""

from collections.abc import Sequence

import numpy as np

from mindpipe.core.ports import Rows
from mindpipe.recall.tables import index
from mindpipe.recall.vectors import tables
from mindpipe.recall.vectors.codes import Floats, from_halves, from_words
from mindpipe.recall.vectors.search import Coded, prefilter


class Vectors:
    """The vectors that one agent has of one model; its blocks are read once for many questions.

    It is of use only inside the transaction whose rows it was given. Questions are normalised
    vectors of `size` numbers; how near an entry is to one is the cosine of its best piece.
    """

    def __init__(self, rows: Rows, model: tables.VectorModel, span: index.Span) -> None:
        self.size = model.size
        self._rows = rows
        self._model = model.number
        self._span = span
        self._loose = tables.loose(rows, model.number, **span._asdict())
        self._coded: list[Coded] = []
        for block in tables.blocks(rows, model.number, **span._asdict()):
            entries = np.frombuffer(block.entries, dtype=np.int64)
            self._coded.append(Coded(entries, from_words(block.bits, len(entries))))

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
