"""Changes of an agent's window as they are printed: as records, or for people."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindpipe.compaction.plans.changing import taken_back
from mindpipe.compaction.records import Compaction
from mindpipe_cli.session import Session

COLUMNS = (
    "number",
    "action",
    "strategy",
    "through",
    "tokens_before",
    "tokens_after",
    "before",
    "segment",
    "at",
)
_SHOWN = ("number", "action", "in force", "tokens", "at")


def write(session: Session, changes: Sequence[Compaction], *, number: int | None = None) -> None:
    """Write all changes of a window, or the one with this number."""
    wanted = [one for one in changes if number in {None, one.number}]
    if session.shape == "table":
        session.write(_rows(wanted, taken_back(changes)), columns=_SHOWN)
    else:
        session.write(wanted, columns=COLUMNS)


def _rows(changes: Iterable[Compaction], took: Mapping[int, int]) -> Iterator[dict[str, str | int]]:
    """Yield a row of each change: what was undone, and what was in force from then on."""
    for one in changes:
        undid = f" of {took[one.number]}" if one.number in took else ""
        yield {
            "number": one.number,
            "action": f"{one.action}{undid}",
            "in force": f"{one.strategy} to {one.through}" if one.window else "whole log",
            "tokens": f"{one.tokens_before} -> {one.tokens_after}",
            "at": one.at,
        }
