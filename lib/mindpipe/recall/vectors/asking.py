"""Ask an embedding model for vectors, and take from it only what can be compared."""

from collections.abc import Sequence

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Embedder
from mindpipe.recall.vectors.codes import Floats, normalised


def vectors_of(embedder: Embedder, texts: Sequence[str], *, size: int | None = None) -> Floats:
    """Return one normalised vector for each text, as rows of `size` numbers where that is given.

    Raises:
        UnavailableError: the model did not answer, or not with one finite vector for each text, all
            of one size, and that of the vectors which are kept.
    """
    try:
        found = normalised(embedder.vectors(texts))
    except ValueError:
        raise _unusable(embedder, "its vectors differ in length or hold no finite number") from None
    if len(found) != len(texts):
        raise _unusable(embedder, f"{len(found)} vectors came for {len(texts)} texts")
    if size is not None and found.shape[1] != size:
        raise _unusable(
            embedder, f"it gives vectors of {found.shape[1]} numbers, and those kept have {size}"
        )
    return found


def _unusable(embedder: Embedder, why: str) -> UnavailableError:
    """Return the error that names the model and what was wrong with its vectors."""
    return UnavailableError(f"the embedding model {embedder.name} cannot be used: {why}.")
