"""Fold lines coarser until they fit into a number of tokens: the newest stay as they are."""

from collections.abc import Sequence

import msgspec

from mindpipe.compaction.records import Line
from mindpipe.compaction.task import Count, Said
from mindpipe.compaction.wording import written_lines
from mindpipe.core.messages import Role

NEWEST_SHARE = 0.6
"""The newest lines stay whole within this share of the room; the rest is for the others."""
LONGEST_SHARE = 0.25
"""A line that takes more of the room than this is never left whole."""
SHOWN_SEQS = 32
"""Most messages that a coarser line names as its sources."""


def fitted(lines: Sequence[Line], room: int, count: Count) -> tuple[Line, ...]:
    """Return lines that take at most `room` tokens as they are written, in their order.

    Where all of them do not fit, the newest stay as they are, and of the older ones those words
    stay that are worth most.
    """
    sizes = line_sizes(lines, count)
    if sum(sizes) <= room:
        return tuple(lines)
    whole = _newest(sizes, room)
    left = room - sum(sizes[place] for place in whole)
    older = {place: line for place, line in enumerate(lines) if place not in whole}
    kept = [(place, lines[place]) for place in whole]
    kept += _coarser(older, left, count)
    kept.sort(key=lambda one: one[0])
    return _held([line for _, line in kept], room, count)


def line_sizes(lines: Sequence[Line], count: Count) -> list[int]:
    """Return the tokens of each line as it is written by itself, its line end included."""
    return [count(f"{written_lines((line,))[0]}\n") for line in lines]


def _newest(sizes: Sequence[int], room: int) -> list[int]:
    """Return the places of the newest lines, long ones apart, that fit into their share."""
    left = room * NEWEST_SHARE
    places: list[int] = []
    for place in reversed(range(len(sizes))):
        if sizes[place] > room * LONGEST_SHARE:
            continue
        left -= sizes[place]
        if left < 0:
            break
        places.append(place)
    return places


def _coarser(older: dict[int, Line], room: int, count: Count) -> list[tuple[int, Line]]:
    """Return what stays of older lines, each with the place of the first one it is made from."""
    said = [
        Said(seq=place, cycle=line.cycle, role=Role.ASSISTANT, speaker=None, text=line.text)
        for place, line in older.items()
    ]
    return [(min(line.seqs), _of_lines(line, older)) for line in _choose(said, room, count)]


def _of_lines(chosen: Line, older: dict[int, Line]) -> Line:
    """Return a chosen line with the cycles and messages of the lines that it is made from."""
    sources = [older[place] for place in chosen.seqs]
    first = min(line.cycle for line in sources)
    last = max(max(line.cycle, line.until) for line in sources)
    seqs = dict.fromkeys(seq for line in sources for seq in line.seqs)
    return msgspec.structs.replace(
        chosen,
        cycle=first,
        until=last if last > first else 0,
        seqs=tuple(seqs)[-SHOWN_SEQS:],
    )


def _held(lines: list[Line], room: int, count: Count) -> tuple[Line, ...]:
    """Return lines without the oldest of them that are still too many."""
    sizes = line_sizes(lines, count)
    excess = sum(sizes) - room
    place = 0
    while excess > 0 and place < len(lines):
        excess -= sizes[place]
        place += 1
    return tuple(lines[place:])


def _choose(said: Sequence[Said], room: int, count: Count) -> list[Line]:
    """Return the beginnings of what was said, newest first, as far as there is room."""
    chosen: list[Line] = []
    for one in reversed(said):
        text = one.text[:80]
        room -= count(text) + 8
        if room < 0:
            break
        chosen.append(Line(text=text, cycle=one.cycle, seqs=(one.seq,)))
    return chosen[::-1]
