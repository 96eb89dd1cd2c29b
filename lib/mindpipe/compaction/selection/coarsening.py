"""Make lines coarser until they fit into a number of tokens: the newest stay as they are."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from itertools import groupby, pairwise

import msgspec

from mindpipe.compaction.records import Line
from mindpipe.compaction.selection.fitting import line_sizes
from mindpipe.compaction.selection.selecting import choose
from mindpipe.compaction.task import Count, Said
from mindpipe.core.messages import Role

NEWEST_SHARE = 0.6
"""The newest lines stay whole within this share of the room; the rest is for the others."""
LONGEST_SHARE = 0.25
"""A line that takes more of the room than this is never left whole."""
SHOWN_SEQS = 32
"""Most messages that a coarser line names as its sources."""


def fitted(
    lines: Sequence[Line], room: int, count: Count, *, staying: Collection[int] = ()
) -> tuple[Line, ...]:
    """Return lines that take at most `room` tokens as they are written, in their order.

    Where all of them do not fit, the newest stay as they are, and of the older ones those words
    stay that are worth most. No line is made from cycles on both sides of one of `staying`.
    """
    sizes = line_sizes(lines, count)
    if sum(sizes) <= room:
        return tuple(lines)
    whole = _newest(sizes, room)
    left = room - sum(sizes[place] for place in whole)
    older = [line for place, line in enumerate(lines) if place not in whole]
    coarse = _coarse(older, left, count, borders=sorted(staying))
    kept = [*coarse, *(lines[place] for place in sorted(whole))]
    if all(one.cycle <= after.cycle for one, after in pairwise(lines)):
        kept.sort(key=lambda line: line.cycle)
    return tuple(kept)


def _newest(sizes: Sequence[int], room: int) -> set[int]:
    """Return the places of the newest lines, long ones apart, that fit into their share."""
    left = room * NEWEST_SHARE
    places: set[int] = set()
    for place in reversed(range(len(sizes))):
        if sizes[place] > room * LONGEST_SHARE:
            continue
        left -= sizes[place]
        if left < 0:
            break
        places.add(place)
    return places


def _coarse(
    lines: Sequence[Line], room: int, count: Count, *, borders: Sequence[int]
) -> list[Line]:
    """Return what is worth most of lines, border by border, each with its share of the room."""
    sizes = dict(zip(map(id, lines), line_sizes(lines, count), strict=True))
    whole = sum(sizes.values())
    coarse: list[Line] = []
    for _, run in groupby(lines, key=lambda line: bisect_right(borders, line.cycle)):
        own = list(run)
        share = room * sum(sizes[id(line)] for line in own) // whole
        coarse += coarser(own, (), room=share, count=count)
    return coarse


def coarser(
    lines: Sequence[Line], said: Sequence[Said], *, room: int, count: Count
) -> tuple[Line, ...]:
    """Return what is worth most of some lines and of what was said since, within a room.

    Lines are chosen from as notes, numbered below 0 to tell them from messages.
    """
    noted = [
        Said(seq=-place, cycle=line.cycle, role=Role.NOTE, speaker=None, text=line.text)
        for place, line in enumerate(lines, 1)
    ]
    return choose([*noted, *said], room=room, count=count, finish=lambda line: _traced(line, lines))


def _traced(chosen: Line, lines: Sequence[Line]) -> Line:
    """Return a chosen line with the messages and cycles of the lines that it is made from."""
    made_from = [lines[-seq - 1] for seq in chosen.seqs if seq < 0]
    if not made_from:
        return chosen
    last = max([chosen.cycle, chosen.until, *(line.until for line in made_from)])
    seqs = [seq for line in made_from for seq in line.seqs]
    seqs += [seq for seq in chosen.seqs if seq > 0]
    return msgspec.structs.replace(
        chosen,
        until=last if last > chosen.cycle else 0,
        seqs=tuple(dict.fromkeys(seqs))[-SHOWN_SEQS:],
    )
