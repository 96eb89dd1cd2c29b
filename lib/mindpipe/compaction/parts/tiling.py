"""The cycles of a log as one row of tiles: some folded already, some still to be decided on."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindpipe.compaction.records import Kept, Masked, Overlay, Stub, Summary
from mindpipe.compaction.task import Lived


class Tile(NamedTuple):
    """Cycles `first` to `last` of a log: an earlier summary, a cycle as it was lived, or a gap.

    A gap (neither) are cycles without a message. `stubs` are in force for the cycle already.
    """

    first: int
    last: int
    folded: Summary | None = None
    lived: Lived | None = None
    stubs: tuple[Stub, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of the cycle as it is sent now; 0 for what is not sent."""
        if self.lived is None:
            return 0
        return max(0, self.lived.tokens - sum(stub.saved for stub in self.stubs))


def tiles(lived: Sequence[Lived], base: Overlay, *, through: int) -> list[Tile]:
    """Return tiles that cover each of the cycles 1 to `through` once, in their order."""
    stubs = {part.cycle: part.stubs for part in base if isinstance(part, Masked)}
    placed = [
        Tile(part.first, part.last, folded=part) for part in base if isinstance(part, Summary)
    ]
    placed += [
        Tile(one.cycle, one.cycle, lived=one, stubs=stubs.get(one.cycle, ()))
        for one in lived
        if one.cycle <= through
    ]
    placed.sort(key=lambda tile: tile.first)
    covering: list[Tile] = []
    following = 1
    for tile in placed:
        if tile.first > following:
            covering.append(Tile(following, tile.first - 1))
        covering.append(tile)
        following = tile.last + 1
    if following <= through:
        covering.append(Tile(following, through))
    return covering


def present_parts(covering: Iterable[Tile], base: Overlay, first_sent: int) -> Overlay:
    """Return the parts of what is sent now, cycles from `first_sent` on, before it is changed."""
    sent = (tile for tile in covering if tile.lived and tile.first >= first_sent)
    written = (part for part in base if not isinstance(part, Kept | Masked))
    return (*sent_parts(sent), *written)


def sent_ranges(covering: Iterable[Tile], *, since: int = 1) -> tuple[tuple[int, int], ...]:
    """Return the ranges of cycles from `since` on that are sent, neighbours joined."""
    ranges: list[tuple[int, int]] = []
    for tile in covering:
        if tile.lived is None or tile.first < since:
            continue
        if ranges and ranges[-1][1] == tile.first - 1:
            ranges[-1] = (ranges[-1][0], tile.last)
        else:
            ranges.append((tile.first, tile.last))
    return tuple(ranges)


def sent_parts(covering: Iterable[Tile]) -> list[Kept | Masked]:
    """Return the parts of tiles that stay in the window, neighbours joined."""
    parts: list[Kept | Masked] = []
    for tile in covering:
        if tile.stubs:
            parts.append(Masked(cycle=tile.first, stubs=tile.stubs, tokens=tile.tokens))
        elif parts and isinstance(last := parts[-1], Kept) and last.last == tile.first - 1:
            whole = last.tokens + tile.tokens
            parts[-1] = Kept(first=last.first, last=tile.last, tokens=whole)
        else:
            parts.append(Kept(first=tile.first, last=tile.last, tokens=tile.tokens))
    return parts
