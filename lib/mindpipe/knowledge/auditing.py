"""What a person should look at among observations, found by rules and no model."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from mindpipe.knowledge.findings import finding
from mindpipe.knowledge.freshness import STALE_BELOW
from mindpipe.knowledge.records import Checked, Observation, Status

ALIKE = 0.8
"""From this share of words in common on (Jaccard), two claims about one subject are much alike."""
_WORD = re.compile(r"\w+")


def audited(held: Sequence[Observation]) -> Iterator[Checked]:
    """Yield what is odd about observations that are active or stale, with their evidence.

    These are claims much like another on the same subject, claims of one source, contested ones,
    stale ones, and those that nothing supports any more.
    """
    yield from _near_duplicates([one for one in held if one.status is Status.ACTIVE])
    for one in held:
        counted = one.components
        if not any(each.stance == "support" and not each.retracted for each in one.evidence):
            yield finding("orphan", one, "no evidence that counts supports it")
        elif counted.source_count == 1 and not one.operator_confirmed:
            yield finding("one_source", one, "one source supports it, and nobody confirmed it")
        if one.contested or counted.contradiction_weight > 0:
            why = f"{counted.contradiction_weight:g} against {counted.support_weight:g}"
            yield finding("contested", one, f"what contradicts it weighs {why} for it")
        if one.status is Status.STALE or one.freshness < STALE_BELOW:
            last = one.last_supported_at or "never"
            yield finding("stale", one, f"freshness {one.freshness:g}, last supported {last}")


def _near_duplicates(active: Sequence[Observation]) -> Iterator[Checked]:
    """Yield each pair of claims that are much alike, the later one first.

    Two sets of words with a Jaccard index of at least t share one of the first n - ceil(t n) + 1
    words of either, rarest first (prefix filtering: Bayardo, Ma and Srikant, WWW 2007), so that
    only these are looked up.
    """
    words = [frozenset(_WORD.findall(one.summary.casefold())) for one in active]
    often = Counter(word for each in words for word in each)
    seen: dict[tuple[str, str], list[int]] = {}
    for place, own in enumerate(words):
        rarest = sorted(own, key=lambda word: (often[word], word))
        first = rarest[: len(own) - int(-(-ALIKE * len(own) // 1)) + 1]
        subject = active[place].subject_id
        near = {other for word in first for other in seen.get((subject, word), ())}
        for other in sorted(near):
            alike = len(own & words[other]) / len(own | words[other])
            if alike >= ALIKE:
                why = f"{alike:.0%} of its words are those of {active[other].canonical_key}"
                yield finding("near_duplicate", active[place], why, other=active[other].id)
        for word in first:
            seen.setdefault((subject, word), []).append(place)
