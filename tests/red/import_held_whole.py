"""Run `mind` as a broken build would: it holds a whole conversation before it goes on."""

from collections.abc import Iterable, Iterator

from mindpipe.history import adoption
from mindpipe.providers.turns import ImportedPiece
from support.broken_builds import run_broken


def _one_batch(pieces: Iterable[ImportedPiece]) -> Iterator[ImportedPiece]:
    """Return all messages in one batch."""
    held = list(pieces)
    yield ImportedPiece(
        messages=tuple(message for one in held for message in one.messages),
        sources={name: source for one in held for name, source in one.sources.items()},
        blobs={name: octets for one in held for name, octets in one.blobs.items()},
    )


PATCHES = ((adoption, "_batches", _one_batch),)

if __name__ == "__main__":
    run_broken(PATCHES)
