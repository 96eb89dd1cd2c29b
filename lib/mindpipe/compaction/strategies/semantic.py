"""The old cycles that bear most on what waits in the inbox stay whole, the others as summaries."""

from collections.abc import Iterator, Sequence

from mindpipe.compaction.records import SummaryLine
from mindpipe.compaction.selection.rarity import by_vectors, by_words
from mindpipe.compaction.selection.said import said_of
from mindpipe.compaction.selection.selecting import line_sizes
from mindpipe.compaction.strategies import self_summary
from mindpipe.compaction.task import CompactionTask, CycleInView, SummaryDraft
from mindpipe.core.errors import UnavailableError

EMBEDDED_CHARACTERS = 1000
"""Of the words of a cycle, and of those that wait, so many are given to the embedding model."""
READ_CHARACTERS = 4000
"""Of the words of a cycle so many are compared where there is no embedding model."""
WHOLE_SHARE = 0.5
"""So much of the room is for cycles that stay whole, or more where the lines leave more."""
HEADING_TOKENS = 40
"""What a cycle that stays whole costs besides: the summary around it falls into two parts."""


def draft(task: CompactionTask) -> SummaryDraft:
    """Return the most relevant cycles that fit as kept ones, and a line for each of the others.

    Relevance is the cosine of vectors where there is an embedding model that answers, else the BM25
    of the words alone, and then a cycle that shares no word with the inbox is not kept.
    """
    plain = self_summary.draft(task)
    if not task.inbox.strip():
        why = "Nothing waits in the inbox that old cycles could bear on."
        return plain._replace(strategy="self-summary", fallback=why)
    texts = [_words(one) for one in task.old]
    scores, fault = _relevance(task, texts)
    ranked = [task.old[place] for place in _best_first(scores)]
    kept = frozenset(_fitting(ranked, _room_for_whole(task, plain.lines)))
    ranks = {one.cycle: f"rank {rank} for what waits" for rank, one in enumerate(ranked, 1)}
    return plain._replace(
        lines=tuple(line for line in plain.lines if line.cycle not in kept),
        kept=kept,
        reasons={cycle: ranks.get(cycle, why) for cycle, why in plain.reasons.items()},
        strategy="semantic" if fault else None,
        fallback=fault,
    )


def _words(lived: CycleInView) -> str:
    """Return what was said in a cycle, from its beginning."""
    return "\n".join(said.text for said in said_of([lived]))[:READ_CHARACTERS]


def _relevance(task: CompactionTask, texts: Sequence[str]) -> tuple[list[float], str | None]:
    """Return how much each text bears on the inbox (0 or less: not at all), and what went wrong."""
    fault = None
    if task.embed is not None:
        asked = [text[:EMBEDDED_CHARACTERS] for text in texts]
        try:
            return by_vectors(task.inbox[:EMBEDDED_CHARACTERS], asked, embed=task.embed), None
        except UnavailableError as error:
            fault = f"{error} Words were compared instead."
    return by_words(task.inbox, texts), fault


def _best_first(scores: Sequence[float]) -> list[int]:
    """Return the places of all scores above 0, the best first; of equals the last comes first."""
    places = [place for place, score in enumerate(scores) if score > 0]
    return sorted(places, key=lambda place: (-scores[place], -place))


def _room_for_whole(task: CompactionTask, lines: Sequence[SummaryLine]) -> int:
    """Return the tokens there are for cycles that stay whole."""
    return max(int(task.room * WHOLE_SHARE), task.room - sum(line_sizes(lines, task.count)))


def _fitting(ranked: Sequence[CycleInView], room: int) -> Iterator[int]:
    """Yield the numbers of those cycles that fit, in their order."""
    for one in ranked:
        needed = one.tokens + HEADING_TOKENS
        if needed <= room:
            room -= needed
            yield one.cycle
