"""A window as tiles: the parts and stubs that its cycles become, and why."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.anchors import READ_CHARACTERS, names_in
from mindpipe.compaction.records import (
    Kept,
    Masked,
    Overlay,
    PartKind,
    Reason,
    Stub,
    Summary,
    SummaryLine,
)
from mindpipe.compaction.selection.passages import leading
from mindpipe.compaction.task import Count, CycleInView, SummaryDraft
from mindpipe.compaction.window_text import one_line, written_part
from mindpipe.core.messages import CallPart, ResultPart, ResultStatus
from mindpipe.core.sources import MAX_SOURCES, MORE
from mindpipe.history.rows import result_text
from mindpipe.providers.words import FAILED


class Tile(NamedTuple):
    """Cycles `first` to `last` of a log: an earlier summary, a cycle as it was lived, or a gap.

    A gap (neither) are cycles without a message. `stubs` are in force for the cycle already.
    """

    first: int
    last: int
    folded: Summary | None = None
    lived: CycleInView | None = None
    stubs: tuple[Stub, ...] = ()

    @property
    def tokens(self) -> int:
        """Return the tokens of the cycle as it is sent now; 0 for what is not sent."""
        if self.lived is None:
            return 0
        return max(0, self.lived.tokens - sum(stub.saved for stub in self.stubs))


def tiles(lived: Sequence[CycleInView], base: Overlay, *, through: int) -> list[Tile]:
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


KEEP_SHARE = 0.7
"""The recent cycles take at most this share of the room (messages.md C2)."""
Mask = Callable[[CycleInView], tuple[Stub, ...]]
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


CUT = "words of its line stand for it; there was no room for all of them"
LEFT_OUT = "no room for its line; its range is covered, search finds it"
UNFIT = "no room for it whole; its line stands for it"


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


def after_fitting(
    draft: SummaryDraft,
    wanted: Sequence[SummaryLine],
    lines: Sequence[SummaryLine],
    leaving: Iterable[CycleInView],
) -> SummaryDraft:
    """Return a draft whose reasons are true of the `lines` that were left of those `wanted`."""
    stand = {(line.cycle, line.text) for line in lines}
    cut = {
        cycle
        for line in wanted
        if (line.cycle, line.text) not in stand
        for cycle in range(line.cycle, max(line.cycle, line.until) + 1)
    }
    told = {seq for line in lines for seq in line.seqs}
    reasons = dict(draft.reasons)
    for one in leaving:
        if one.cycle in cut:
            named = any(message.seq in told for message in one.messages)
            reasons[one.cycle] = CUT if named else LEFT_OUT
        elif one.cycle in draft.kept or one.cycle in draft.stubs:
            reasons[one.cycle] = UNFIT
    return draft._replace(reasons=reasons)


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
    text = "it is the newest cycle" if newest == 1 else f"it is one of the newest {newest} cycles"
    return f"{text}; old results in it make room" if masked else text


TOOLS_OCTETS = 120
"""The heading of a summary names the tools that were used first, within so many octets."""


def covering_parts(
    covering: Sequence[Tile],
    staying: Mapping[int, tuple[Stub, ...]],
    lines: Sequence[SummaryLine],
    *,
    strategy: StrategyName,
    count: Count,
    facts: Callable[[Sequence[Tile]], Summary],
) -> list[Kept | Masked | Summary]:
    """Return the parts that cover all tiles once, in the order of their cycles.

    `staying` maps the cycles that are sent to their stubs. What lies between two of them becomes
    one summary of its `facts`, with the lines whose first cycle lies in it; gaps go where the tile
    before them goes.
    """
    parts: list[Kept | Masked | Summary] = []
    for run, stays in _runs(covering, staying):
        if stays:
            parts += sent_parts(tile._replace(stubs=staying.get(tile.first, ())) for tile in run)
        else:
            own = _within(lines, run[0].first, run[-1].last)
            parts.append(msgspec.structs.replace(facts(run), lines=own, strategy=strategy))
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
    seqs = [seq for one in earlier for seq in (one.first_seq, one.last_seq) if seq]
    moments = [at for one in earlier for at in (one.began, one.ended) if at]
    tools = dict.fromkeys(tool for one in earlier for tool in one.tools)
    messages = 0
    # One message after the other: there may be more of them than memory for all at once.
    for message in (one for tile in run if tile.lived for one in tile.lived.messages):
        messages += 1
        seqs = _ends(seqs, message.seq)
        moments = _ends(moments, message.at) if message.at else moments
        tools.update(dict.fromkeys(one.tool for one in message.parts if isinstance(one, CallPart)))
    return Summary(
        first=run[0].first,
        last=run[-1].last,
        first_seq=min(seqs, default=0),
        last_seq=max(seqs, default=0),
        messages=messages + sum(one.messages for one in earlier),
        began=min(moments, default=""),
        ended=max(moments, default=""),
        tools=tuple(_first_tools(tools)),
        strategy=strategy,
        folded=max((one.folded + 1 for one in earlier), default=0),
        lines=lines,
        tokens=0,
        sources=_sources(run),
    )


Ordered = TypeVar("Ordered", int, str)


def _ends(found: Sequence[Ordered], more: Ordered) -> list[Ordered]:
    """Return the least and the greatest of some values and one more."""
    return [min(*found, more), max(*found, more)] if found else [more, more]


def _first_tools(tools: Iterable[str]) -> Iterator[str]:
    """Yield the tools of which each comes once, as many as a heading names."""
    room = TOOLS_OCTETS
    for tool in tools:
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


LEAST_SAVED = 16
"""A result is masked only where its stub is shorter by at least as many tokens."""
SHOWN_ERROR = 160
"""About so many characters of the first line of an error are repeated by its stub."""
SHOWN_NAMES = 5
"""Most paths, addresses and ids of a result that its stub repeats: the first ones."""
HASH_DIGITS = 12
NEWEST_RESULTS = 3
"""So many of the newest results stay as they are, where there is room for them."""


def stubs_of(lived: CycleInView, count: Count, *, stored: bool) -> tuple[Stub, ...]:
    """Return stubs for all results of a cycle that are worth one, in their order.

    Only what is `stored` can be fetched back with a tool; else a stub names the cycle alone.
    """
    tools = {
        part.id: part.tool
        for message in lived.messages
        for part in message.parts
        if isinstance(part, CallPart)
    }
    where = f"read_history(cycle={lived.cycle}) shows it"
    if not stored:
        where = f"it is in cycle {lived.cycle} of the full history"
    return tuple(
        stub
        for message in lived.messages
        for part in message.parts
        if isinstance(part, ResultPart)
        if (stub := _stub(part, tools.get(part.call, "tool"), where, count)) is not None
    )


def newest_results(cycles: Sequence[CycleInView], most: int) -> set[str]:
    """Return the ids of the calls with the newest results, at most so many."""
    calls = [
        part.call
        for one in cycles
        for message in one.messages
        for part in message.parts
        if isinstance(part, ResultPart)
    ]
    return set(calls[max(0, len(calls) - most) :])


def _stub(part: ResultPart, tool: str, where: str, count: Count) -> Stub | None:
    """Return the stub of one result, or None where it would save too little."""
    words = result_text(part)
    # No stub is as short as this, so there is nothing to count.
    if len(words) < 2 * LEAST_SAVED or part.status is ResultStatus.TICKETED:
        return None
    text = stub_text(part, words, tool=one_line(tool), where=where)
    saved = count(words) - count(text)
    return Stub(call=part.call, text=text, saved=saved) if saved >= LEAST_SAVED else None


def stub_text(part: ResultPart, words: str, *, tool: str, where: str) -> str:
    """Return what is sent instead of a result: of an error its first line stays, and some names."""
    sha256 = hashlib.sha256(words.encode()).hexdigest()[:HASH_DIGITS]
    failed = ""
    if part.status in FAILED:
        first = one_line(leading(words.strip().partition("\n")[0], SHOWN_ERROR))
        failed = f"{first} " if first else ""
    names = [name for _, name in names_in(words[:READ_CHARACTERS])][:SHOWN_NAMES]
    named = f" with {', '.join(names)}" if names else ""
    return (
        f"{failed}[{tool} result cleared: {len(words)} characters{named}, sha256 {sha256}; {where}]"
    )
