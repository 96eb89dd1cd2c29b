"""The words that are worth most for their length, whoever said them, users first."""

from mindpipe.compaction.selection.extractive import coarser
from mindpipe.compaction.selection.transcript import Transcript
from mindpipe.compaction.task import CompactionTask, SummaryDraft


def draft(task: CompactionTask) -> SummaryDraft:
    """Return chosen clauses of all that was said and of the lines of earlier summaries."""
    lines = [line for summary in task.folded for line in summary.lines]
    chosen = coarser(lines, Transcript(task.old), room=task.room, count=task.count)
    told = {seq for line in chosen for seq in line.seqs}
    return SummaryDraft(
        lines=chosen,
        kept=frozenset(),
        stubs={},
        reasons={
            one.cycle: "its weightiest words stand for it"
            if any(message.seq in told for message in one.messages)
            else "other cycles say more for their length"
            for one in task.old
        },
    )
