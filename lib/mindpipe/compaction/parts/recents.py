"""Which of the newest cycles stay whole, and what of them is masked so that they fit."""

from collections.abc import Callable, Sequence

from mindpipe.compaction.parts.masks import NEWEST_RESULTS, newest_results
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
    summarised. The newest cycle is never left, however large it is, and masked only where it does
    not fit alone; its newest results stay.
    """
    newest = list(lived[-keep:]) if keep else []
    left = min(int(room * KEEP_SHARE), room - spare) - sum(tile.tokens for tile in newest)
    for place, tile in enumerate(newest[:-1]):
        if left >= 0:
            break
        newest[place] = masked_tile(tile, mask)
        left += tile.tokens - newest[place].tokens
    if newest and (whole := newest[-1].tokens) > room - spare:
        newest[-1] = _lighter(newest[-1], mask, room - spare)
        left += whole - newest[-1].tokens
    return newest[_first_fitting(newest, left) :]


def _first_fitting(newest: Sequence[Tile], left: int) -> int:
    """Return how many of the oldest have to go until nothing is `left` below 0, but not all."""
    place = 0
    while left < 0 and place < len(newest) - 1:
        left += newest[place].tokens
        place += 1
    return place


def _lighter(tile: Tile, mask: Mask, room: int) -> Tile:
    """Return a cycle without its old results: the newest three stay, or one if that is all."""
    lighter = masked_tile(tile, mask, spared=NEWEST_RESULTS)
    return lighter if lighter.tokens <= room else masked_tile(tile, mask, spared=1)


def masked_tile(tile: Tile, mask: Mask, *, spared: int = 0) -> Tile:
    """Return a cycle with stubs in place of all results that are worth one, but the newest."""
    if tile.lived is None:
        return tile
    newest = newest_results([tile.lived], spared)
    present = {stub.call: stub for stub in tile.stubs}
    found = {stub.call: stub for stub in mask(tile.lived) if stub.call not in newest}
    return tile._replace(stubs=tuple((found | present).values()))
