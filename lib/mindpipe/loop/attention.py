"""Choose what an iteration attends to: scores, urgency, and fair turns of concerns; pure.

Every event has a score: what its priority is worth (emergency 100, critical 20, urgent 10, normal
0, background -10, after ageing), the boost of its concern, and its novelty (0-2). `urgency` maps a
score back to a priority. One iteration attends to one concern, so that its name always says what
was worked on: that of an emergency, of what waited too long or of what is critical, at once;
else the concern whose turn it is. Turns go round by weight: each concern with something to do is
credited its share, the one that is owed most is served and pays for all.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.events import Priority
from mindpipe.inbox import ordering
from mindpipe.inbox.ordering import Ages, Glimpse
from mindpipe.loop import concerns as about
from mindpipe.loop.attention_records import CONSOLIDATION, Attending, Concern, Turns

WORTH = {
    Priority.EMERGENCY: 100,
    Priority.CRITICAL: 20,
    Priority.URGENT: 10,
    Priority.NORMAL: 0,
    Priority.BACKGROUND: -10,
}
"""What a priority adds to a score; urgent events get +10."""
NEW_KIND, NEW_WORDS = 1.0, 1.0
_MARK_LETTERS = 200
_DIGITS = re.compile(r"\d+")


class Assessed(NamedTuple):
    """An event with whose it is, its score, the priority that it thereby has, and its place."""

    event: Glimpse
    concern: str
    score: float
    urgency: int
    overdue: bool


class Picked(NamedTuple):
    """The concern that is attended to, its events in order, and whose turns counted."""

    concern: str
    events: tuple[Glimpse, ...]
    working: tuple[str, ...]
    preempted: bool


def urgency(score: float) -> int:
    """Return the priority (0-4) that a score comes to: from 100, from 20, from 10, from -5, less.

    Nothing becomes an emergency by boosts and novelty, which add 26 at most.
    """
    for least, priority in ((100, 0), (20, 1), (10, 2), (-5, 3)):
        if score >= least:
            return priority
    return int(Priority.BACKGROUND)


def marks(event: Glimpse) -> tuple[str, str]:
    """Return by what an event is known again: its kind, and its words without their numbers."""
    kind = f"{event.type} {event.source}"
    words = _DIGITS.sub("0", (event.text or "")[:_MARK_LETTERS].casefold())
    return (_digest("kind", kind), _digest("words", f"{kind}\x1f{words}"))


def novelty(marked: tuple[str, str], known: Mapping[str, int]) -> float:
    """Return how new an event is (0-2), by how often its kind and its words were met before."""
    kind, words = marked
    return NEW_KIND / (1 + known.get(kind, 0)) + NEW_WORDS / (1 + known.get(words, 0))


def assess(
    events: Iterable[Glimpse],
    concerns: Sequence[Concern],
    rules: Attending,
    *,
    aged: Ages,
    novel: Mapping[int, float],
) -> list[Assessed]:
    """Return events with their scores, the first to be taken up first.

    `novel` holds the novelty of each by its number.
    """
    ordered = sorted(concerns, key=lambda one: not one.focus)
    named = {one.name: one for one in ordered}
    found = []
    for event in events:
        whose = about.concern_of(ordered, event)
        new = novel.get(event.seq, 0.0) * (3 if rules.novel_first else 1)
        worth = WORTH[Priority(ordering.rank(event, aged))]
        score = worth + about.boost_of(named.get(whose), rules) + new
        late = ordering.is_overdue(event, aged)
        found.append(Assessed(event, whose, score, urgency(score), late))
    return sorted(_lent(found), key=_place)


def pick(
    assessed: Sequence[Assessed],
    concerns: Sequence[Concern],
    turns: Mapping[str, Turns],
    rules: Attending,
    *,
    iteration: int,
) -> Picked:
    """Return what an iteration attends to; nothing where nothing may be taken up in its mode."""
    eligible = _eligible(assessed, concerns, rules)
    first = assessed[0] if assessed else None
    if first is not None and _preempts(first):
        let_through = {one.event.seq for one in eligible}
        with_it = [one for one in assessed if _preempts(one) or one.event.seq in let_through]
        return _taken(first.concern, with_it, rules, working=(), preempted=True)
    working = tuple(sorted({one.concern for one in eligible}))
    if not working:
        return Picked(CONSOLIDATION, (), (), preempted=False)
    free = [name for name in working if _turns(turns, name).yields_until <= iteration]
    share = about.shares(concerns, rules)
    whose = next_turn({name: share[name] for name in free or working}, turns)
    return _taken(whose, eligible, rules, working=tuple(free or working), preempted=False)


def next_turn(share: Mapping[str, float], turns: Mapping[str, Turns]) -> str:
    """Return whose turn it is of some concerns with their shares; of equals the first by name."""
    owed = _credited(share, turns)
    return min(owed, key=lambda name: (-owed[name], name))


def settled(
    turns: Mapping[str, Turns],
    share: Mapping[str, float],
    *,
    served: str,
    working: Sequence[str],
    iteration: int,
) -> list[Turns]:
    """Return how concerns stand after an iteration; without `working` no credit moved.

    Whole turns are paid, so that the sum of all credits stays what it was.
    """
    owed = _credited({name: share.get(name, 0.0) for name in working}, turns)
    if owed:
        owed[served] -= 1.0
    return [
        msgspec.structs.replace(
            _turns(turns, name),
            credit=round(owed.get(name, _turns(turns, name).credit), 9),
            turns=_turns(turns, name).turns + (name == served),
            last=iteration if name == served else _turns(turns, name).last,
        )
        for name in sorted({*owed, served})
    ]


def _credited(share: Mapping[str, float], turns: Mapping[str, Turns]) -> dict[str, float]:
    """Return what concerns are owed once each was credited its part of one turn."""
    total = sum(share.values())
    return {
        name: _turns(turns, name).credit + (part / total if total else 1 / len(share))
        for name, part in share.items()
    }


def _preempts(one: Assessed) -> bool:
    """Tell whether an event is taken up in every mode, whosever turn it is."""
    return one.overdue or one.urgency <= Priority.CRITICAL


def _eligible(
    assessed: Sequence[Assessed], concerns: Sequence[Concern], rules: Attending
) -> list[Assessed]:
    """Return what a mode lets through; what drains takes the oldest where nothing is urgent."""
    found = [one for one in assessed if one.urgency <= rules.up_to]
    focus = next((one.name for one in concerns if one.focus), None)
    if rules.focus_only and focus is not None:
        found = [one for one in found if one.concern == focus or one.urgency <= Priority.URGENT]
    elif not found and rules.drains:
        return sorted(assessed, key=lambda one: one.event.seq)
    return found


def _taken(
    whose: str,
    found: Sequence[Assessed],
    rules: Attending,
    *,
    working: tuple[str, ...],
    preempted: bool,
) -> Picked:
    """Return one concern's first events; one that was tried often is taken alone."""
    own = [one.event for one in found if one.concern == whose][: rules.most]
    return Picked(whose, tuple(ordering.alone(own)), working, preempted)


def _place(one: Assessed) -> tuple[int, float, int]:
    """Return what sorts events: emergencies, the overdue, the others by score; then by arrival."""
    if one.urgency == Priority.EMERGENCY:
        return (0, 0.0, one.event.seq)
    if one.overdue:
        return (1, 0.0, one.event.seq)
    return (2, -one.score, one.event.seq)


def _lent(found: Sequence[Assessed]) -> list[Assessed]:
    """Return events of which none stands behind a later one of its own talk.

    In one space, or else from one source, an event has the highest score of those after it that
    have its priority and concern.
    """
    best: dict[tuple[str, ...], Assessed] = {}
    lent = []
    for one in sorted(found, key=lambda each: -each.event.seq):
        event = one.event
        talk = (one.concern, str(event.priority), event.space or "", event.space or event.source)
        higher = best.get(talk)
        if higher is not None and higher.score > one.score:
            one = one._replace(score=higher.score, urgency=higher.urgency)
        best[talk] = one
        lent.append(one)
    return lent


def _turns(turns: Mapping[str, Turns], name: str) -> Turns:
    """Return how a concern stands; one that never had a turn is owed nothing."""
    return turns.get(name) or Turns(concern=name)


def _digest(kind: str, words: str) -> str:
    """Return a short hash of some words."""
    return f"{kind}:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:20]}"
