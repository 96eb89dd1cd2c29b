"""Old tool results are cleared, all but the newest; only what then does not fit is summarised."""

from collections.abc import Sequence

from mindpipe.compaction.records import Stub
from mindpipe.compaction.selection.extractive import line_sizes
from mindpipe.compaction.strategies.self_summary import Context, context_of, line_of
from mindpipe.compaction.task import CompactionTask, Count, CycleInView, SummaryDraft
from mindpipe.compaction.tiles import NEWEST_RESULTS, newest_results, stubs_of


def draft(task: CompactionTask) -> SummaryDraft:
    """Return old cycles with stubs for their results; the oldest as lines where that is too much.

    All results but the newest three are cleared at once, so that the cached prefix is broken
    seldom; then those three; then the oldest cycles become their own closing summaries.
    """
    stubs = {one.cycle: stubs_of(one, task.count, stored=task.stored) for one in task.old}
    spared = newest_results(task.old, NEWEST_RESULTS)
    lighter = {
        cycle: tuple(stub for stub in own if stub.call not in spared)
        for cycle, own in stubs.items()
    }
    folded = [line for summary in task.folded for line in summary.lines]
    room = task.room - sum(line_sizes(folded, task.count))
    if _tokens(task.old, lighter) <= room:
        stubs = lighter
    context = context_of(task.old)
    staying = _fitting(task.old, stubs, room, task.count, context)
    leaving = [one for one in task.old if one.cycle not in staying]
    own = (line_of(one, context) for one in leaving)
    lines = [line for line in own if line is not None]
    return SummaryDraft(
        lines=tuple(sorted([*folded, *lines], key=lambda line: line.cycle)),
        kept=frozenset(cycle for cycle in staying if not stubs[cycle]),
        stubs={cycle: stubs[cycle] for cycle in staying if stubs[cycle]},
        reasons={one.cycle: _why(one, staying, stubs) for one in task.old},
    )


def _tokens(cycles: Sequence[CycleInView], stubs: dict[int, tuple[Stub, ...]]) -> int:
    """Return the tokens of cycles with stubs in them."""
    return sum(one.tokens - sum(stub.saved for stub in stubs[one.cycle]) for one in cycles)


def _fitting(
    old: Sequence[CycleInView],
    stubs: dict[int, tuple[Stub, ...]],
    room: int,
    count: Count,
    context: Context,
) -> frozenset[int]:
    """Return the newest cycles that fit, with room for the line of each older one."""
    lines = {
        one.cycle: sum(line_sizes([line], count)) if (line := line_of(one, context)) else 0
        for one in old
    }
    left = room - sum(lines.values())
    staying: list[int] = []
    for one in reversed(old):
        left -= _tokens([one], stubs) - lines[one.cycle]
        if left < 0:
            break
        staying.append(one.cycle)
    return frozenset(staying)


def _why(lived: CycleInView, staying: frozenset[int], stubs: dict[int, tuple[Stub, ...]]) -> str:
    if lived.cycle not in staying:
        return "not even without its results does it fit"
    cleared = len(stubs[lived.cycle])
    return f"{cleared} old results cleared" if cleared else "no old result in it is worth clearing"
