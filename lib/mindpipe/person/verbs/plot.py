"""Pick from the lines of a run what is drawn of each person."""

from collections.abc import Iterable, Sequence

from mindpipe.person.plots.lives import Life, drawable, gather


def plot(records: Iterable[object], *, readouts: Sequence[str]) -> list[Life]:
    """Return what is drawn of the persons that records tell of, the usual readouts without any.

    Raises:
        UsageError: one of the readouts cannot be drawn.
        NothingToDoError: no state has readouts.
    """
    return gather(records, drawable(readouts))
