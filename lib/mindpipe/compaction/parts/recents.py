"""Which of the newest cycles stay whole, and what of them is masked so that they fit."""

from collections.abc import Callable, Sequence

from mindpipe.compaction.parts.tiling import Tile
from mindpipe.compaction.records import Stub
from mindpipe.compaction.task import Lived

KEEP_SHARE = 0.7
"""The recent cycles take at most this share of the room (messages.md C2)."""

Mask = Callable[[Lived], tuple[Stub, ...]]
"""The stubs for all results of a cycle that are worth one."""


def recent_tiles(
    lived: Sequence[Tile], *, keep: int, room: int, spare: int, mask: Mask
) -> list[Tile]:
    """Return the last `keep` cycles as they are to be sent, fewer where they do not fit.

    Where they take more than 70 % of the room, or leave less than `spare` of it, results in them
    are masked, oldest cycle first; where that is not enough, the oldest cycles are left to be
    summarised. The newest cycle is never masked and never left, so that one stays whole however
    large it is.
    """
    newest = list(lived[-keep:]) if keep else []
    left = min(int(room * KEEP_SHARE), room - spare) - sum(tile.tokens for tile in newest)
    for place, tile in enumerate(newest[:-1]):
        if left >= 0:
            break
        newest[place] = masked_tile(tile, mask)
        left += tile.tokens - newest[place].tokens
    return newest[_first_fitting(newest, left) :]


def _first_fitting(newest: Sequence[Tile], left: int) -> int:
    """Return how many of the oldest have to go until nothing is `left` below 0, but not all."""
    place = 0
    while left < 0 and place < len(newest) - 1:
        left += newest[place].tokens
        place += 1
    return place


def masked_tile(tile: Tile, mask: Mask) -> Tile:
    """Return a cycle with stubs in place of all results that are worth one."""
    if tile.lived is None:
        return tile
    present = {stub.call: stub for stub in tile.stubs}
    found = {stub.call: stub for stub in mask(tile.lived)}
    return tile._replace(stubs=tuple((found | present).values()))
