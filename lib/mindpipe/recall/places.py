"""Where hits stand: around what they are, and in which order they are shown."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from mindpipe.knowledge.records import BeliefMark
from mindpipe.recall.candidates import MARKED
from mindpipe.recall.query import Understood, falls_in
from mindpipe.recall.ranking import Ranked

_APART = 1000


class Around(NamedTuple):
    """The numbers of the rows before and after one, nearest first."""

    before: Sequence[int]
    after: Sequence[int]


def places(around: Mapping[int, Around]) -> dict[int, int]:
    """Return a place for each row and for those around it.

    Two rows have places one apart exactly if one is known to follow the other at once.
    """
    follows: set[tuple[int, int]] = set()
    numbers: set[int] = set()
    for number, (before, after) in around.items():
        run = (*reversed(before), number, *after)
        numbers.update(run)
        follows.update(pairwise(run))
    placed: dict[int, int] = {}
    place, previous = 0, -1
    for number in sorted(numbers):
        place += 1 if (previous, number) in follows else _APART
        placed[number] = place
        previous = number
    return placed


LENT = 0.1
"""What of the lesser score of two sides is added to both."""


def place(ranked: Sequence[Ranked], marks: Sequence[BeliefMark], asked: Understood) -> list[Ranked]:
    """Return what was found in an order that heeds marks.

    Candidates to which nothing leads (see `Ranked.speaks`) are there for the marks alone: they come
    along with what was found, or not at all. A mark of what is no candidate does nothing, and one
    bears on items and observations alone.
    """
    items = {one.candidate.ref: one for one in ranked if one.candidate.source in MARKED}
    known = [
        mark
        for mark in marks
        if mark.old in items and mark.new in items and _may_move(mark, items, asked)
    ]
    newer: dict[str, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = defaultdict(list)
    for mark in known:
        if mark.relation == "contradicts":
            others[mark.old].append(mark.new)
            others[mark.new].append(mark.old)
        elif not asked.course:
            newer[mark.old].append(mark.new)
    if not (asked.course or asked.wish):
        items |= _supported(items, known)
    found = [one for one in (_now(each, items) for each in ranked) if one.speaks]
    placed: dict[int, Ranked] = {}
    for one in sorted(found, key=lambda each: -each.score):
        run = [one]
        if one.candidate.source in MARKED:
            run = [items[ref] for ref in _run(one.candidate.ref, newer, others)]
        for each in run:
            placed.setdefault(each.candidate.number, each)
    return list(placed.values())


def _may_move(mark: BeliefMark, items: Mapping[str, Ranked], asked: Understood) -> bool:
    """Tell whether a mark lifts nothing from outside of the days that are asked for above them."""
    old, new = (falls_in(asked, items[ref].candidate.at) for ref in (mark.old, mark.new))
    return old == new or (new and mark.relation == "supersedes")


def _supported(items: Mapping[str, Ranked], marks: Iterable[BeliefMark]) -> dict[str, Ranked]:
    """Return the sides of marks with what the other side lends them, at most once each."""
    lent: dict[str, float] = {}
    for mark in marks:
        lesser = min(items[mark.old].score, items[mark.new].score)
        for ref in {mark.old, mark.new} if mark.old != mark.new else ():
            lent[ref] = max(lent.get(ref, 0.0), LENT * lesser)
    return {
        ref: items[ref]._replace(
            score=items[ref].score + share, signals={**items[ref].signals, "other side": share}
        )
        for ref, share in lent.items()
        if share
    }


def _now(one: Ranked, items: Mapping[str, Ranked]) -> Ranked:
    """Return a candidate as it is among those with marks, or as it was."""
    return items[one.candidate.ref] if one.candidate.source in MARKED else one


def _run(ref: str, newer: Mapping[str, list[str]], others: Mapping[str, list[str]]) -> list[str]:
    """Return what is put where `ref` was: the newest above it, then it, then its other sides."""
    above: list[str] = []
    waiting, seen = [ref], {ref}
    while waiting:
        for new in newer.get(waiting.pop(0), ()):
            if new not in seen:
                seen.add(new)
                waiting.append(new)
                above.insert(0, new)
    return [one for each in (*above, ref) for one in (each, *others.get(each, ()))]
