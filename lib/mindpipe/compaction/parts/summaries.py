"""Put the parts of a window together: what stays as it is, and summaries of what leaves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.parts.tiles import Tile, sent_parts
from mindpipe.compaction.records import Kept, Masked, Stub, Summary, SummaryLine
from mindpipe.compaction.task import Count
from mindpipe.compaction.wording import written_part
from mindpipe.core.messages import CallPart
from mindpipe.core.sources import MAX_SOURCES, MORE

TOOLS_OCTETS = 120
"""The heading of a summary names the tools that were used first, within so many octets."""


def covering_parts(
    covering: Sequence[Tile],
    staying: Mapping[int, tuple[Stub, ...]],
    lines: Sequence[SummaryLine],
    *,
    strategy: StrategyName,
    count: Count,
) -> list[Kept | Masked | Summary]:
    """Return the parts that cover all tiles once, in the order of their cycles.

    `staying` maps the cycles that are sent to their stubs. What lies between two of them becomes
    one summary, with the lines whose first cycle lies in it; gaps go where the tile before them
    goes.
    """
    parts: list[Kept | Masked | Summary] = []
    for run, stays in _runs(covering, staying):
        if stays:
            parts += sent_parts(tile._replace(stubs=staying.get(tile.first, ())) for tile in run)
        else:
            own = _within(lines, run[0].first, run[-1].last)
            parts.append(summary_of(run, own, strategy=strategy))
    alone = sum(isinstance(part, Summary) for part in parts) == 1
    return [
        counted(part, count, alone=alone) if isinstance(part, Summary) else part for part in parts
    ]


def counted(part: Summary, count: Count, *, alone: bool) -> Summary:
    """Return a summary with the tokens of its text."""
    return msgspec.structs.replace(part, tokens=count(f"{written_part(part, alone=alone)}\n"))


def _runs(
    covering: Sequence[Tile], staying: Mapping[int, tuple[Stub, ...]]
) -> list[tuple[list[Tile], bool]]:
    """Return tiles in runs that share their fate: whether they stay in the window."""
    runs: list[tuple[list[Tile], bool]] = []
    for tile in covering:
        gap = tile.lived is None and tile.folded is None
        stays = tile.lived is not None and tile.first in staying
        if runs and (gap or runs[-1][1] == stays):
            runs[-1][0].append(tile)
        else:
            runs.append(([tile], stays or gap))
    return runs


def _within(lines: Sequence[SummaryLine], first: int, last: int) -> tuple[SummaryLine, ...]:
    """Return the lines that begin in a range of cycles; none reaches beyond its end."""
    return tuple(
        line if line.until <= last else msgspec.structs.replace(line, until=last)
        for line in lines
        if first <= line.cycle <= last
    )


def summary_of(
    run: Sequence[Tile], lines: tuple[SummaryLine, ...], *, strategy: StrategyName
) -> Summary:
    """Return what covers a run of tiles: facts for audit, and the lines that stand for it."""
    earlier = [tile.folded for tile in run if tile.folded]
    messages = [one for tile in run if tile.lived for one in tile.lived.messages]
    seqs = [seq for one in earlier for seq in (one.first_seq, one.last_seq) if seq]
    seqs += [one.seq for one in messages]
    moments = [at for one in earlier for at in (one.began, one.ended) if at]
    moments += [one.at for one in messages if one.at]
    tools = [tool for one in earlier for tool in one.tools]
    tools += [part.tool for one in messages for part in one.parts if isinstance(part, CallPart)]
    return Summary(
        first=run[0].first,
        last=run[-1].last,
        first_seq=min(seqs, default=0),
        last_seq=max(seqs, default=0),
        messages=len(messages) + sum(one.messages for one in earlier),
        began=min(moments, default=""),
        ended=max(moments, default=""),
        tools=tuple(_first_tools(tools)),
        strategy=strategy,
        folded=max((one.folded + 1 for one in earlier), default=0),
        lines=lines,
        tokens=0,
        sources=_sources(run),
    )


def _first_tools(tools: Iterable[str]) -> Iterator[str]:
    """Yield each tool once, as many as a heading names."""
    room = TOOLS_OCTETS
    for tool in dict.fromkeys(tools):
        room -= len(tool.encode()) + 2
        if room < 0:
            return
        yield tool


def _sources(run: Sequence[Tile]) -> dict[str, int]:
    """Return how many of the cycles took in the words of each name; `MORE` for too many names."""
    counts: dict[str, int] = {}
    for tile in run:
        if tile.folded:
            for name, times in tile.folded.sources.items():
                counts[name] = counts.get(name, 0) + times
        if tile.lived and tile.lived.sources:
            for name in dict.fromkeys(tile.lived.sources):
                counts[name] = counts.get(name, 0) + 1
    if len(counts) <= MAX_SOURCES:
        return counts
    named = sorted(counts.keys() - {MORE})[: MAX_SOURCES - 1]
    rest = sum(times for name, times in counts.items() if name not in set(named))
    return {**{name: counts[name] for name in named}, MORE: rest}
