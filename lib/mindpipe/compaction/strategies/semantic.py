"""The old cycles that bear most on what waits in the inbox stay whole, the others as summaries."""

import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mindpipe.compaction.selection.extractive import line_sizes
from mindpipe.compaction.selection.transcript import said_of
from mindpipe.compaction.strategies import self_summary
from mindpipe.compaction.task import CompactionTask, CycleInView, Embed, SummaryDraft
from mindpipe.core.errors import UnavailableError
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.history.query import stem

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
    texts = ["\n".join(said.text for said in said_of([one]))[:READ_CHARACTERS] for one in task.old]
    scores, fault = _relevance(task, texts)
    places = [place for place, score in enumerate(scores) if score > 0]
    # Of cycles that bear as much on the inbox, the newer one stays.
    places.sort(key=lambda place: (-scores[place], -place))
    ranked = [task.old[place] for place in places]
    left_over = task.room - sum(line_sizes(plain.lines, task.count))
    room = max(int(task.room * WHOLE_SHARE), left_over)
    kept = _fitting(ranked, task.old, room, {line.cycle: line.denied for line in plain.lines})
    ranks = {one.cycle: f"rank {rank} for what waits" for rank, one in enumerate(ranked, 1)}
    return plain._replace(
        lines=tuple(line for line in plain.lines if line.cycle not in kept),
        kept=kept,
        reasons={cycle: ranks.get(cycle, why) for cycle, why in plain.reasons.items()},
        strategy="semantic" if fault else None,
        fallback=fault,
    )


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


def _fitting(
    ranked: Sequence[CycleInView],
    old: Sequence[CycleInView],
    room: int,
    denying: Mapping[int, Iterable[int]],
) -> frozenset[int]:
    """Return the numbers of those cycles that fit, each with those in which it is denied."""
    tokens = {one.cycle: one.tokens + HEADING_TOKENS for one in old}
    kept: set[int] = set()
    for one in ranked:
        wanted = {one.cycle}
        open_ = [one.cycle]
        while open_:
            further = set(denying.get(open_.pop(), ())) - wanted
            wanted |= further
            open_ += further
        needed = sum(tokens[cycle] for cycle in wanted - kept)
        if needed <= room:
            room -= needed
            kept |= wanted
    return frozenset(kept)


# Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009).
_K1, _B = 1.2, 0.75
_ANY_WORD = re.compile(r"[^\W_]+")


def by_words(query: str, texts: Sequence[str]) -> list[float]:
    """Return the BM25 of each text for the words of a query, 0 where it holds none of them.

    Words are compared without their endings; function words do not count.
    """
    wanted = {stem(word) for word in _words(query) if word not in FUNCTION_WORDS}
    counted = [_words(text) for text in texts]
    usual = sum(map(len, counted)) / max(len(counted), 1) or 1.0
    known = {word for words in counted for word in words}
    roots = {word: root for word in known if (root := stem(word)) in wanted}
    held = [Counter(map(roots.__getitem__, filter(roots.__contains__, words))) for words in counted]
    holders = Counter(root for found in held for root in found)
    rarity = {
        root: math.log(1 + (len(texts) - number + 0.5) / (number + 0.5))
        for root, number in holders.items()
    }
    return [
        sum(
            rarity[root] * times * (_K1 + 1) / (times + _K1 * (1 - _B + _B * len(words) / usual))
            for root, times in found.items()
        )
        for words, found in zip(counted, held, strict=True)
    ]


def _words(text: str) -> list[str]:
    return _ANY_WORD.findall(text.lower())


def by_vectors(query: str, texts: Sequence[str], *, embed: Embed) -> list[float]:
    """Return the cosine of each text's vector and a query's, between -1 and 1; blank texts get -1.

    Raises:
        UnavailableError: the model is not there.
    """
    asked = [text for text in texts if text.strip()]
    first, *vectors = embed([query, *asked])
    found = iter(_cosine(first, vector) for vector in vectors)
    return [next(found) if text.strip() else -1.0 for text in texts]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors, 0 where one has no length."""
    size = math.hypot(*one) * math.hypot(*other)
    return sum(map(operator.mul, one, other)) / size if size else 0.0
