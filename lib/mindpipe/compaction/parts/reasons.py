"""Why each cycle of a window went where it went, for who asks."""

from collections.abc import Iterator, Mapping, Sequence

from mindpipe.compaction.parts.tiling import Tile
from mindpipe.compaction.records import Kept, Masked, Overlay, PartKind, Reason, Summary


def reasons_of(
    parts: Overlay, covering: Sequence[Tile], recent: Sequence[Tile], why: Mapping[int, str]
) -> tuple[Reason, ...]:
    """Return one reason for each cycle that was lived, and for each earlier summary.

    That of a summary stands at its first cycle. `why` are the strategy's own words.
    """
    newest = {tile.first for tile in recent}
    placed = dict(_places(parts))
    reasons: list[Reason] = []
    for tile in covering:
        to: PartKind = placed.get(tile.first, "summary")
        if tile.folded:
            text = f"summarised before, up to cycle {tile.last}"
        elif tile.lived is None:
            text = "it has no messages"
        elif tile.first in newest:
            text = _of_recent(len(newest), masked=to == "masked")
        else:
            text = why.get(tile.first, "an old cycle")
        reasons.append(Reason(cycle=tile.first, to=to, why=text))
    return tuple(reasons)


def _places(parts: Overlay) -> Iterator[tuple[int, PartKind]]:
    """Yield the cycles that are sent, and how."""
    for part in parts:
        match part:
            case Kept():
                for cycle in range(part.first, part.last + 1):
                    yield cycle, "kept"
            case Masked():
                yield part.cycle, "masked"
            case Summary():
                pass
            case _:
                return


def _of_recent(newest: int, *, masked: bool) -> str:
    """Return why a recent cycle stays."""
    text = "it is the newest cycle" if newest == 1 else f"it is one of the newest {newest} cycles"
    return f"{text}; old results in it make room" if masked else text
