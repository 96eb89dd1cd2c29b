"""Let what supersedes or contradicts something found stand where a reader looks for it.

What was superseded comes right below what superseded it wherever it would have come before it, and
what contradicts something comes right below that: relevance does not know time, and half of a
contradiction is no answer.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mindpipe.knowledge.records import Mark
from mindpipe.recall.candidates import Candidate
from mindpipe.recall.ranking import Ranked

SUCCESSOR = "supersedes another"
OTHER_SIDE = "contradicts another"
"""What is added to a score for a mark: what takes it to the place of the other."""


def with_marks(
    ranked: Sequence[Ranked], marks: Iterable[Mark], others: Mapping[str, Candidate]
) -> list[Ranked]:
    """Return what was found with the other sides of marks beside it.

    `others` are the items, by id, that may come in although nothing of the question speaks for
    them. Nothing falls below what it was not marked with, and nothing is left out.
    """
    placing = _Placing(ranked, marks, others)
    for one in ranked:
        placing.place(one)
    return list(placing.placed.values())


class _Placing:
    """A ranking that is put together anew, each thing once."""

    def __init__(
        self, ranked: Sequence[Ranked], marks: Iterable[Mark], others: Mapping[str, Candidate]
    ) -> None:
        self.placed: dict[int, Ranked] = {}
        self._begun: set[int] = set()
        self._items = {ref: Ranked(one, 0.0, {}) for ref, one in others.items()}
        self._items |= {one.candidate.ref: one for one in ranked if one.candidate.source == "item"}
        self._successors: dict[str, list[str]] = defaultdict(list)
        self._against: dict[str, list[str]] = defaultdict(list)
        for mark in marks:
            if mark.relation == "supersedes":
                self._successors[mark.old].append(mark.new)
            else:
                self._against[mark.old].append(mark.new)
                self._against[mark.new].append(mark.old)

    def place(self, one: Ranked) -> None:
        """Place something: behind what superseded it, before what contradicts it."""
        number = one.candidate.number
        if number in self._begun:
            return
        self._begun.add(number)
        own = one.candidate.ref if one.candidate.source == "item" else ""
        for ref in self._successors.get(own, ()):
            self._raise(ref, to=one.score, by=SUCCESSOR)
        self.placed[number] = one
        for ref in self._against.get(own, ()):
            self._raise(ref, to=one.score, by=OTHER_SIDE)

    def _raise(self, ref: str, *, to: float, by: str) -> None:
        """Place an item now, with what its score lacks, if it is there and has no place yet."""
        one = self._items.get(ref)
        if one is None or one.candidate.number in self._begun:
            return
        if (lacking := to - one.score) > 0:
            one = Ranked(one.candidate, to, {**one.signals, by: lacking})
        self.place(one)
