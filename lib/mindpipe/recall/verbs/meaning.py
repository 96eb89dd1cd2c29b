"""Ask the embedding model what questions mean, where there are vectors to compare that with."""

from collections.abc import Sequence
from typing import NamedTuple

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Clock, Embedder, Rows
from mindpipe.recall.vectors.asking import vectors_of
from mindpipe.recall.vectors.codes import Floats
from mindpipe.recall.verbs.nearness import Vectors, models_in, vectors_in


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
