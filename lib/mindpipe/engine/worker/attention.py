"""Choose what an iteration attends to: scores, urgency, and fair turns of concerns; pure.

Every event has a score: what its priority is worth (emergency 100, critical 20, urgent 10, normal
0, background -10, after ageing), the boost of its concern, and its novelty (0-2). `urgency` maps a
score back to a priority. One iteration attends to one concern, so that its name always says what
was worked on: that of an emergency, of what waited too long or of what is critical, at once;
else the concern whose turn it is. Turns go round by weight: each concern with something to do is
credited its share, the one that is owed most is served and pays for all.
"""

import fnmatch
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.events import Priority
from mindpipe.engine.records.attention import (
    CONSOLIDATION,
    OTHERS,
    AttentionRules,
    Concern,
    ConcernTurns,
)
from mindpipe.inbox import ordering
from mindpipe.inbox.ordering import Ages, Glimpse

SOURCE = "attention"
"""The source of events that a trigger makes; only these name their concern themselves."""
LEAST_OTHERS = 0.05
"""Share of events that no concern claims, however much the concerns have."""


def is_about(concern: Concern, event: Glimpse, *, folded: str) -> bool:
    """Tell whether a concern is about an event; `folded` is its text in small letters."""
    if event.source == SOURCE and event.concern is not None:
        return event.concern == concern.name
    about = concern.about
    return (
        event.space in about.spaces
        or event.sender in about.senders
        or event.type in about.types
        or _any_passes(event.source, about.sources)
        or _any_passes(event.path, about.paths)
        or _any_stands(folded, about.keywords)
        or _any_stands(folded, about.entities)
    )


def _any_passes(name: str | None, patterns: tuple[str, ...]) -> bool:
    """Tell whether a name is of one of some shell patterns."""
    return name is not None and any(fnmatch.fnmatchcase(name, one) for one in patterns)


def _any_stands(folded: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether one of some words stands in a text."""
    return any(has_words(folded, one) for one in wanted)


def has_words(folded: str, wanted: str) -> bool:
    """Tell whether some words stand as whole words in a text that is in small letters."""
    small = wanted.casefold()
    if small not in folded:
        return False
    return re.search(rf"(?<!\w){re.escape(small)}(?!\w)", folded) is not None


def concern_of(concerns: Sequence[Concern], event: Glimpse) -> str:
    """Return whose an event is: the first concern's that is about it, else nobody's."""
    folded = (event.text or "").casefold()
    found = (one.name for one in concerns if is_about(one, event, folded=folded))
    return next(found, OTHERS)


def boost_of(concern: Concern | None, rules: AttentionRules) -> int:
    """Return what is added to the score of an event of a concern."""
    if concern is None:
        return 0
    return rules.primary_boost + concern.boost if concern.focus else concern.boost


def shares(concerns: Sequence[Concern], rules: AttentionRules) -> dict[str, float]:
    """Return each concern's share of iterations, and that of events that no concern claims.

    They are weights: what one has no use for goes to the others in proportion.
    """
    found = {one.name: rules.primary_share if one.focus else one.share for one in concerns}
    rest = max(LEAST_OTHERS, 1.0 - sum(found.values()))
    return {**found, OTHERS: rest}


def is_trigger_due(concern: Concern, turns: ConcernTurns, *, iteration: int) -> bool:
    """Tell whether a concern had no turn for as many iterations as its trigger says."""
    every = concern.trigger.every
    return every is not None and iteration - max(turns.fired, turns.last) >= every


def is_idle(concern: Concern, turns: ConcernTurns, *, idle_seconds: float, lived: int) -> bool:
    """Tell whether the loop has been idle for as long as a concern's trigger says.

    It was `idle_seconds` since the iteration `lived`; an idle time brings a trigger once.
    """
    idle = concern.trigger.idle_seconds
    return idle is not None and idle_seconds >= idle and turns.fired <= lived


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


class ScoredEvent(NamedTuple):
    """An event with whose it is, its score, the priority that it thereby has, and its place."""

    event: Glimpse
    concern: str
    score: float
    urgency: int
    overdue: bool


class PickedConcern(NamedTuple):
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
    rules: AttentionRules,
    *,
    aged: Ages,
    novel: Mapping[int, float],
) -> list[ScoredEvent]:
    """Return events with their scores, the first to be taken up first.

    `novel` holds the novelty of each by its number.
    """
    ordered = sorted(concerns, key=lambda one: not one.focus)
    named = {one.name: one for one in ordered}
    found = []
    for event in events:
        whose = concern_of(ordered, event)
        new = novel.get(event.seq, 0.0) * (3 if rules.novel_first else 1)
        worth = WORTH[Priority(ordering.rank(event, aged))]
        score = worth + boost_of(named.get(whose), rules) + new
        late = ordering.is_overdue(event, aged)
        found.append(ScoredEvent(event, whose, score, urgency(score), late))
    return sorted(_lent(found), key=_place)


def pick(
    assessed: Sequence[ScoredEvent],
    concerns: Sequence[Concern],
    turns: Mapping[str, ConcernTurns],
    rules: AttentionRules,
    *,
    iteration: int,
) -> PickedConcern:
    """Return what an iteration attends to; nothing where nothing may be taken up in its mode."""
    eligible = _eligible(assessed, concerns, rules)
    first = assessed[0] if assessed else None
    if first is not None and _preempts(first):
        let_through = {one.event.seq for one in eligible}
        with_it = [one for one in assessed if _preempts(one) or one.event.seq in let_through]
        return _taken(first.concern, with_it, rules, working=(), preempted=True)
    working = tuple(sorted({one.concern for one in eligible}))
    if not working:
        return PickedConcern(CONSOLIDATION, (), (), preempted=False)
    free = [name for name in working if _turns(turns, name).yields_until <= iteration]
    share = shares(concerns, rules)
    whose = next_turn({name: share[name] for name in free or working}, turns)
    return _taken(whose, eligible, rules, working=tuple(free or working), preempted=False)


def next_turn(share: Mapping[str, float], turns: Mapping[str, ConcernTurns]) -> str:
    """Return whose turn it is of some concerns with their shares; of equals the first by name."""
    owed = _credited(share, turns)
    return min(owed, key=lambda name: (-owed[name], name))


def settled(
    turns: Mapping[str, ConcernTurns],
    share: Mapping[str, float],
    *,
    served: str,
    working: Sequence[str],
    iteration: int,
) -> list[ConcernTurns]:
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


def _credited(share: Mapping[str, float], turns: Mapping[str, ConcernTurns]) -> dict[str, float]:
    """Return what concerns are owed once each was credited its part of one turn."""
    total = sum(share.values())
    return {
        name: _turns(turns, name).credit + (part / total if total else 1 / len(share))
        for name, part in share.items()
    }


def _preempts(one: ScoredEvent) -> bool:
    """Tell whether an event is taken up in every mode, whosever turn it is."""
    return one.overdue or one.urgency <= Priority.CRITICAL


def _eligible(
    assessed: Sequence[ScoredEvent], concerns: Sequence[Concern], rules: AttentionRules
) -> list[ScoredEvent]:
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
    found: Sequence[ScoredEvent],
    rules: AttentionRules,
    *,
    working: tuple[str, ...],
    preempted: bool,
) -> PickedConcern:
    """Return one concern's first events; one that was tried often is taken alone."""
    own = [one.event for one in found if one.concern == whose][: rules.most]
    return PickedConcern(whose, tuple(ordering.alone(own)), working, preempted)


def _place(one: ScoredEvent) -> tuple[int, float, int]:
    """Return what sorts events: emergencies, the overdue, the others by score; then by arrival."""
    if one.urgency == Priority.EMERGENCY:
        return (0, 0.0, one.event.seq)
    if one.overdue:
        return (1, 0.0, one.event.seq)
    return (2, -one.score, one.event.seq)


def _lent(found: Sequence[ScoredEvent]) -> list[ScoredEvent]:
    """Return events of which none stands behind a later one of its own talk.

    In one space, or else from one source, an event has the highest score of those after it that
    have its priority and concern.
    """
    best: dict[tuple[str, ...], ScoredEvent] = {}
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


def _turns(turns: Mapping[str, ConcernTurns], name: str) -> ConcernTurns:
    """Return how a concern stands; one that never had a turn is owed nothing."""
    return turns.get(name) or ConcernTurns(concern=name)


def _digest(kind: str, words: str) -> str:
    """Return a short hash of some words."""
    return f"{kind}:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:20]}"
