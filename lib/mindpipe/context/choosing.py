"""Choose which observations a prompt states: those that bear on the present, within a budget."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set

from mindpipe.core.function_words import FUNCTION_WORDS
from mindpipe.knowledge.freshness import STALE_BELOW
from mindpipe.knowledge.records import Observation, Status
from mindpipe.recall.stems import stem

LEAST_CONFIDENCE = 0.5
"""One fresh piece of evidence of weight 1 gives 0.57 (`mindpipe.knowledge.confidence`)."""
LEAST_FRESHNESS = STALE_BELOW
MOST = 500
"""No more are looked at, the most confident first."""

_WORD = re.compile(r"\w+")


def stems_of(*texts: str) -> frozenset[str]:
    """Return the stems of the words of texts, without those that say nothing of their subject."""
    words = (word for text in texts for word in _WORD.findall(text.casefold()))
    return frozenset(stem(word) for word in words if word not in FUNCTION_WORDS)


def may_be_stated(observation: Observation) -> bool:
    """Tell whether an observation is the present belief, sure and fresh enough, or pinned."""
    if observation.status is not Status.ACTIVE:
        return False
    return observation.pinned or (
        observation.confidence >= LEAST_CONFIDENCE and observation.freshness >= LEAST_FRESHNESS
    )


def chosen(
    ranked: Sequence[Observation],
    present: Set[str],
    *,
    budget: int,
    cost: Callable[[Observation], int],
) -> list[Observation]:
    """Return the observations that a prompt states, in the order of their keys.

    `ranked` are those of an agent, the most confident first. Pinned ones come first, then those
    that share the most with `present`, the stems of what it is about: each shared stem counts
    `ln(1 + N / n)` where n of N observations have it. Ties go to the more confident. Each that
    still fits is taken; `cost` tells how many tokens of the `budget` one takes. As they are stated
    in the order of their keys, the same choice is the same bytes.
    """
    fit = [one for one in ranked if may_be_stated(one)][:MOST]
    stems = [stems_of(one.summary, one.subject_id, one.value) for one in fit]
    holders = Counter(word for words in stems for word in words)
    weights = {word: math.log1p(len(fit) / count) for word, count in holders.items()}
    bearing = [_sum(weights[word] for word in words & present) for words in stems]
    order = sorted(range(len(fit)), key=lambda n: (not fit[n].pinned, -bearing[n], n))
    taken: list[Observation] = []
    for number in order:
        taken_up = cost(fit[number])
        if taken_up <= budget:
            budget -= taken_up
            taken.append(fit[number])
    return sorted(taken, key=lambda one: one.canonical_key)


def _sum(weights: Iterable[float]) -> float:
    """Return a sum that does not depend on the order of a set."""
    return math.fsum(weights)
