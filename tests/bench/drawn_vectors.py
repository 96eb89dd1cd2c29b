"""Give each item of a bench's store a drawn vector, and print which share of the nearest bits find.

Called as `drawn_vectors.py FOLDER`; the vector of a question is left there as question.npy.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mindpipe.recall.tables import index
from mindpipe.recall.tables import vectors as tables
from mindpipe.recall.vectors import Floats, from_halves, halves_of, normalised
from mindpipe.recall.verbs import embed
from mindpipe.recall.verbs.embed import vectors_in
from mindpipe.store.access import open_store

SIZE, KINDS, NOISE = 384, 48, 2.0
"""Vectors are sums of so many directions, as those of texts are, and of noise in all of them."""
_TOGETHER = embed.BLOCK
_MODEL = "local/drawn"
_QUESTIONS = 20


def main(folder: Path) -> None:
    """Fill the store and print the share."""
    chance = np.random.default_rng(1)
    directions = chance.normal(size=(KINDS, SIZE))
    _fill(folder, chance, directions)
    questions = _drawn(_QUESTIONS, chance, directions)
    np.save(folder / "question.npy", questions[0])
    sys.stdout.write(f"{_share_found(folder, questions)}\n")


def _drawn(count: int, chance: np.random.Generator, directions: Floats) -> Floats:
    """Return so many vectors."""
    noise = NOISE * chance.normal(size=(count, SIZE))
    return normalised((chance.normal(size=(count, KINDS)) @ directions + noise).tolist())


def _fill(folder: Path, chance: np.random.Generator, directions: Floats) -> None:
    """Give each entry of the agent's index a vector."""
    store = open_store(folder / "mind.db")
    after = 0
    while True:
        with store.write() as rows:
            listed = index.listed(rows, agent="ava", after=after, limit=_TOGETHER)
            if not listed:
                break
            model = tables.keep_model(rows, _MODEL, SIZE)
            tables.keep(rows, model.number, _pieces(listed, chance, directions))
            embed.close_block(rows, model, "ava")
        after = listed[-1]
    store.close()


def _pieces(
    entries: Sequence[int], chance: np.random.Generator, directions: Floats
) -> list[tables.Pieces]:
    """Return one drawn vector for each entry."""
    rows = _drawn(len(entries), chance, directions)
    return [
        tables.Pieces(entry=entry, halves=halves_of(row[np.newaxis]))
        for entry, row in zip(entries, rows, strict=True)
    ]


def _share_found(folder: Path, questions: Floats) -> float:
    """Return which share of the ten nearest by a look at every vector is found by bits."""
    store = open_store(folder / "mind.db", read_only=True)
    with store.read() as rows:
        model = tables.model_named(rows, _MODEL)
        span = index.span_of(index.agent_number(rows, "ava") or 0)
        nearest: list[list[tuple[float, int]]] = [[] for _ in questions]
        first = span.first
        while listed := index.listed(rows, agent="ava", after=first, limit=_TOGETHER):
            found = tables.of_entries(rows, model.number if model else 0, listed)
            vectors = from_halves(b"".join(one.halves for one in found), SIZE)
            for place, cosines in enumerate((vectors @ questions.T).T):
                best = np.argsort(-cosines)[:10]
                near = [(-float(cosines[row]), found[row].entry) for row in best]
                nearest[place] = sorted([*nearest[place], *near])[:10]
            first = listed[-1]
        vectors_there = vectors_in(rows, _MODEL, agent="ava")
        assert vectors_there is not None
        hits = sum(
            len({entry for _, entry in near} & set(vectors_there.nearest(question, most=10)))
            for question, near in zip(questions, nearest, strict=True)
        )
    store.close()
    return hits / sum(map(len, nearest))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
