"""Consolidate lines without a store, by the rules that a store's verb loads and saves for.

No scratch store is filled for it, since that would not give a file back as it was: a store begins
versions at 1, orders evidence by time, and has no place for what the file does not hold itself of
what one of its observations superseded.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from mindpipe.core.problems import Problem
from mindpipe.knowledge.claims.claim import Claim
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.consolidation import RememberedClaims, claims_by_subject, weigh
from mindpipe.knowledge.records import BeliefDecision, BeliefMark, GivenVerdict, Observation
from mindpipe.language.records import StatementReader
from mindpipe.language.strict import STRICT
from mindpipe.providers.items import import_id

Word = Callable[[str, Sequence[Claim]], Sequence[Claim]]
"""Put the claims on one subject into words; they stay the same in all but their summaries."""


class Consolidation(NamedTuple):
    """What is held now, in the order in which it came to be, and what was decided for that."""

    observations: list[Observation]
    decisions: list[BeliefDecision]
    marks: list[BeliefMark]


def consolidated(
    known: Sequence[Observation],
    remembered: RememberedClaims,
    terms: Terms,
    *,
    reader: StatementReader = STRICT,
    word: Word | None = None,
) -> Consolidation:
    """Return what is held after memory was read, subject by subject, in the subjects' order.

    `known` come first and in their order, with all their evidence; those that nothing speaks for
    or against stay as they are.
    """
    beliefs = Beliefs(known)
    weigh(beliefs, (), terms)  # what the days have overtaken, whatever is said
    for subject, found in claims_by_subject(remembered, reader, held=lambda: known).items():
        weigh(beliefs, found if word is None else word(subject, found), terms)
    changed = {
        change.observation.id: change.observation
        for change in beliefs.changes(now=terms.now, windows=terms.windows)
    }
    kept = [changed.pop(one.id, one) for one in known]
    return Consolidation(
        observations=[*kept, *changed.values()],
        decisions=list(beliefs.decisions.values()),
        marks=list(beliefs.marks.values()),
    )


BY = "verdict"


class GivenVerdicts(NamedTuple):
    """What verdicts come to, and what is wrong with some."""

    marks: list[BeliefMark]
    decisions: list[BeliefDecision]
    problems: list[Problem]


def items_of(verdict: GivenVerdict, known: Collection[str]) -> GivenVerdict:
    """Return a verdict with its items under the ids that are known.

    Of items that carry their conversation in their ids (`3/52`), `52` of conversation `3` is one.
    """

    def named(ids: Sequence[str]) -> tuple[str, ...]:
        qualified = {one: f"{verdict.conversation}/{one}" for one in ids}
        return tuple(one if one in known else qualified[one] for one in ids)

    if verdict.conversation is None:
        return verdict
    found = GivenVerdict(
        relation=verdict.relation,
        old=named(verdict.old),
        new=named(verdict.new),
        reason=verdict.reason,
    )
    return found if {*found.old, *found.new} <= set(known) else verdict


def given(
    verdicts: Iterable[GivenVerdict], known: Collection[str], *, now: str, source: str
) -> GivenVerdicts:
    """Return the marks and decisions that verdicts on known items come to.

    Each old item is marked with each new one; an item is never marked with itself.
    """
    marks: dict[tuple[str, str, str], BeliefMark] = {}
    decisions: dict[str, BeliefDecision] = {}
    problems: list[Problem] = []
    for line, one in enumerate(verdicts, 1):
        verdict = items_of(one, known)
        faults = list(_faults(verdict, known))
        problems += [Problem(source=source, line=line, message=fault) for fault in faults]
        if not faults:
            decision = _decision(verdict, now)
            decisions.setdefault(decision.id, decision)
            for mark in _marks(verdict, now):
                marks.setdefault((mark.relation, mark.old, mark.new), mark)
    return GivenVerdicts(list(marks.values()), list(decisions.values()), problems)


def _faults(verdict: GivenVerdict, known: Collection[str]) -> Iterable[str]:
    """Yield what is wrong with a verdict."""
    for side in ("old", "new"):
        ids = verdict.old if side == "old" else verdict.new
        if not ids:
            yield f"$.{side} names no item"
        yield from (f'$.{side}: there is no item "{one}"' for one in ids if one not in known)
    if verdict.old and {*verdict.old} == {*verdict.new}:
        yield "$.new: names what $.old names; no item stands against itself"


def _marks(verdict: GivenVerdict, now: str) -> list[BeliefMark]:
    """Return the marks of a verdict."""
    return [
        BeliefMark(relation=verdict.relation, old=old, new=new, at=now, by=BY)
        for old in verdict.old
        for new in verdict.new
        if old != new
    ]


def _decision(verdict: GivenVerdict, now: str) -> BeliefDecision:
    """Return a verdict as a decision, with all its items as evidence."""
    old, new = " ".join(verdict.old), " ".join(verdict.new)
    return BeliefDecision(
        id=import_id("de", BY, verdict.relation, old, new),
        call="supersede" if verdict.relation == "supersedes" else "contradict",
        canonical_key=f"item:{verdict.old[0]}",
        old_value=old,
        new_value=new,
        evidence=(*verdict.old, *verdict.new),
        at=now,
        by=BY,
        why=verdict.reason or "a verdict was given",
    )
