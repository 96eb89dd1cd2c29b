"""Put what was found where verdicts want it: the new above the old, the other side beside one.

Relevance does not know time: what replaced something tends to say less of it than the old one did.
So what is superseded gives its place to its successor and stands right below it, unless it stood
lower anyhow; nothing else moves but by that one place. Where a question asks how things went, both
stay where they fit. A contradiction is settled by nobody: its other side comes along right below
the side that was found. Nothing that was found is dropped.

Before that the two sides of a mark lend each other a tenth of what the lesser one scores: where
both fit a question of how things are, it is about what they disagree on.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mindpipe.knowledge.records import Mark
from mindpipe.recall.candidates import MARKED
from mindpipe.recall.query import Understood, falls_in
from mindpipe.recall.ranking import Ranked

LENT = 0.1
"""What of the lesser score of two sides is added to both."""


def place(ranked: Sequence[Ranked], marks: Sequence[Mark], asked: Understood) -> list[Ranked]:
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


def _may_move(mark: Mark, items: Mapping[str, Ranked], asked: Understood) -> bool:
    """Tell whether a mark lifts nothing from outside of the days that are asked for above them."""
    old, new = (falls_in(asked, items[ref].candidate.at) for ref in (mark.old, mark.new))
    return old == new or (new and mark.relation == "supersedes")


def _supported(items: Mapping[str, Ranked], marks: Iterable[Mark]) -> dict[str, Ranked]:
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
