"""Why each cycle of a window went where it went, for who asks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindpipe.compaction.parts.tiling import Tile
from mindpipe.compaction.records import Kept, Line, Masked, Overlay, PartKind, Reason, Summary
from mindpipe.compaction.task import Draft, Lived

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
    draft: Draft, wanted: Sequence[Line], lines: Sequence[Line], leaving: Iterable[Lived]
) -> Draft:
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
    """Return why a recent cycle stays."""
    text = "it is the newest cycle" if newest == 1 else f"it is one of the newest {newest} cycles"
    return f"{text}; old results in it make room" if masked else text
