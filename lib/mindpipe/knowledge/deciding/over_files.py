"""Consolidate what is read from files, without a store: the same claims, weighed the same way."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.consolidation import weigh
from mindpipe.knowledge.deciding.remembered import Remembered, claims_by_subject
from mindpipe.knowledge.records import Decision, Mark, Observation

Word = Callable[[str, Sequence[Claim]], Sequence[Claim]]
"""Put the claims on one subject into words; they stay the same in all but their summaries."""


class Outcome(NamedTuple):
    """What is held now, in the order in which it came to be, and what was decided for that."""

    observations: list[Observation]
    decisions: list[Decision]
    marks: list[Mark]


def consolidated(
    known: Sequence[Observation],
    remembered: Remembered,
    terms: Terms,
    *,
    word: Word | None = None,
) -> Outcome:
    """Return what is held after memory was read, subject by subject, in the subjects' order.

    `known` come first and in their order, with all their evidence; those that nothing speaks for
    or against stay as they are.
    """
    beliefs = Beliefs(known)
    for subject, found in claims_by_subject(remembered).items():
        weigh(beliefs, found if word is None else word(subject, found), terms)
    changed = {
        change.observation.id: change.observation
        for change in beliefs.changes(now=terms.now, windows=terms.windows)
    }
    kept = [changed.pop(one.id, one) for one in known]
    return Outcome(
        observations=[*kept, *changed.values()],
        decisions=list(beliefs.decisions.values()),
        marks=list(beliefs.marks.values()),
    )
