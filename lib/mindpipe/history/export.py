"""Messages as a document in another program's form, and the count of what it cannot carry."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from mindpipe.core.messages import Head, Message
from mindpipe.history.records import ExportWanted, LossCount
from mindpipe.providers.exporter import export_chunks
from mindpipe.providers.records import Loss
from mindpipe.providers.rendering import forget

Listen = Callable[[Loss], None]
Draw = Callable[[Listen], Iterator[bytes]]
"""Gives the pieces of a document, and tells what it is given of each loss."""

NO_BLOBS: Mapping[str, bytes] = {}


class Export:
    """One document in pieces; what its form cannot carry is known when the last piece is drawn."""

    def __init__(self, draw: Draw, *, listen: Listen = forget) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._listen = listen
        self._chunks = draw(self._hear)

    def chunks(self) -> Iterator[bytes]:
        """Return the document; no more than one turn of it is held."""
        return self._chunks

    def counts(self) -> list[LossCount]:
        """Return what was lost so far: which part, why, and how often."""
        return [
            LossCount(part=part, why=why, times=times)
            for (part, why), times in sorted(self._counts.items())
        ]

    def _hear(self, loss: Loss) -> None:
        self._counts[loss.part, loss.why] += 1
        self._listen(loss)


def rendered(
    head: Head,
    said: Iterable[Message],
    *,
    wanted: ExportWanted,
    blobs: Mapping[str, bytes] = NO_BLOBS,
    listen: Listen = forget,
    lost: Iterable[Loss] = (),
) -> Export:
    """Return messages, from a store or not, as a document in the form that is wanted.

    `lost` is what the caller already left out.

    Raises:
        UsageError: there is no such form.
    """

    def draw(report: Listen) -> Iterator[bytes]:
        for loss in lost:
            report(loss)
        return export_chunks(
            head, said, format=wanted.format, options=wanted.options, blobs=blobs, report=report
        )

    return Export(draw, listen=listen)
