"""Verdicts that somebody gives on items, as marks between them and decisions of record."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from mindpipe.core.problems import Problem
from mindpipe.formats.import_ids import import_id
from mindpipe.knowledge.records import Decision, GivenVerdict, Mark

BY = "verdict"


class Given(NamedTuple):
    """What verdicts come to, and what is wrong with some."""

    marks: list[Mark]
    decisions: list[Decision]
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
) -> Given:
    """Return the marks and decisions that verdicts on known items come to.

    Each old item is marked with each new one; an item is never marked with itself.
    """
    marks: dict[tuple[str, str, str], Mark] = {}
    decisions: dict[str, Decision] = {}
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
    return Given(list(marks.values()), list(decisions.values()), problems)


def _faults(verdict: GivenVerdict, known: Collection[str]) -> Iterable[str]:
    """Yield what is wrong with a verdict."""
    for side in ("old", "new"):
        ids = verdict.old if side == "old" else verdict.new
        if not ids:
            yield f"$.{side} names no item"
        yield from (f'$.{side}: there is no item "{one}"' for one in ids if one not in known)


def _marks(verdict: GivenVerdict, now: str) -> list[Mark]:
    """Return the marks of a verdict."""
    return [
        Mark(relation=verdict.relation, old=old, new=new, at=now, by=BY)
        for old in verdict.old
        for new in verdict.new
        if old != new
    ]


def _decision(verdict: GivenVerdict, now: str) -> Decision:
    """Return a verdict as a decision, with all its items as evidence."""
    old, new = " ".join(verdict.old), " ".join(verdict.new)
    return Decision(
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
