"""What moved the mood: each thing that came to mind lately, with the step that is its own.

The observer sees no events. It sees when a thing first came to mind, and how the mood was at each
look and in each thought. A thing is given the step from the mood before it to the last one before
the next thing, so that what was harmless is not blamed for what came after it. What came to mind at
the same time shares one step: it is put down to what can have moved the mood that way. Pain lowers
it, what was said moves it only as it was meant, and words that were neither good nor bad do not.
Where two can have, it is both; where none or more can, it is nobody's.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.review.chart import Feelings, mark_of, mean_of
from mindpipe.review.records import Chart, HeardThought, ObservedState

RECENT_US = HOUR_US // 2
"""How long ago a thing may have come to mind that a change of mood is put down to."""
SAME_US = 2 * MINUTE_US
"""What comes to mind so soon after pain is what hurts, and after another thing at the same time."""
MOVES = 0.12
"""By how much what happens must move the mood to be noted; in the good direction it takes more."""
WORTH = 0.1
"""How good or bad something must be to move the mood."""
PAIN = 0.4
"""From this pain on it is strong."""
PAIN_ROSE = "react, pain +"
"""The origin of a thought of pain that grows."""
_ONE_WAY = {PAIN_ROSE: False, "react, valence -": False, "react, valence +": True}
"""Whether what comes to mind with a change that is felt lifts the mood, or lowers it."""
UNSEEN = Feelings(0.0, 0.2, 0.5)
"""How somebody is held to have felt before the first look."""


class Step(NamedTuple):
    """How somebody felt before a thing first came to mind, and its mood before the next thing.

    `first` is the first thought of it, None where it is pain that nobody put in words; `beside` is
    another that came at the same time, where that can have moved the mood as well.
    """

    first: HeardThought | None
    before: Feelings
    after: float
    beside: HeardThought | None = None

    @property
    def change(self) -> float:
        """By how much the mood moved."""
        return self.after - self.before.valence


def steps_of(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> list[Step]:
    """Return what came to mind for the first time of late, oldest first, with its own step."""
    recent, pain = _recent(seen.t_us, thoughts)
    course = [(look.t_us, look.valence) for look in chart.looks]
    course += [(one.t_us, one.valence) for one in thoughts if one.valence is not None]
    course.sort()
    hurt = _hurts_anew(chart, seen) and not any(_is_pain(one) for one in recent)
    if hurt:
        # It set in since the last look: that mood is of the pain, not of what was said before.
        course = [one for one in course if one[0] < seen.t_us]
    found: list[Step] = []
    mood: float | None = None
    groups = _at_once(recent)
    for place, group in enumerate(groups):
        start_us = group[0].t_us
        end_us = groups[place + 1][0].t_us if place + 1 < len(groups) else seen.t_us + 1
        looks = [look for look in chart.looks if look.t_us < start_us][-3:]
        before = mean_of(looks) or UNSEEN
        if mood is not None:
            before = before._replace(valence=mood)
        after = [valence for at_us, valence in course if start_us <= at_us < end_us]
        mood = after[-1] if after else before.valence
        causes = [one for one in group if _can_move(one, mood - before.valence)]
        if 1 <= len(causes) <= 2:
            named = [one for one in causes if one is not pain]
            beside = named[1] if len(named) > 1 else None
            found.append(Step(named[0] if named else None, before, mood, beside))
    if hurt and chart.looks:
        earlier = mean_of(chart.looks[-4:-1]) or UNSEEN
        before = earlier if mood is None else earlier._replace(valence=mood)
        found.append(Step(None, before, chart.looks[-1].valence))
    return found


def _at_once(firsts: Sequence[HeardThought]) -> list[list[HeardThought]]:
    """Return what came to mind, with what came at the same time beside it."""
    groups: list[list[HeardThought]] = []
    for one in firsts:
        if groups and one.t_us - groups[-1][0].t_us <= SAME_US:
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _can_move(first: HeardThought, change: float) -> bool:
    """Tell whether something can have moved the mood by a change, as far as it shows."""
    if abs(change) < MOVES:
        return True
    if first.told:
        worth = first.worth or 0.0
        return abs(worth) >= WORTH and (worth > 0) == (change > 0)
    if first.origin in _ONE_WAY:
        return _ONE_WAY[first.origin] == (change > 0)
    return True


def _recent(
    t_us: int, thoughts: Sequence[HeardThought]
) -> tuple[list[HeardThought], HeardThought | None]:
    """Return the first thoughts of what is new, and which of them is of pain and of nothing else.

    A thought of pain that is the first of what happened is of that.
    """
    firsts: dict[str, HeardThought] = {}
    pain: HeardThought | None = None
    for one in thoughts:
        if one.occurrence and one.occurrence not in firsts:
            firsts[one.occurrence] = one
        elif _is_pain(one) and pain is None and t_us - one.t_us <= RECENT_US:
            # What it is put down to was known before; what hurts may be something else.
            pain = one
    found = [one for one in firsts.values() if t_us - one.t_us <= RECENT_US]
    if pain is not None:
        named = [one for one in found if 0 <= one.t_us - pain.t_us <= SAME_US]
        if named:
            # What hurts is known by its words, and hurt from when the pain was felt.
            place = found.index(named[0])
            found[place] = msgspec.structs.replace(named[0], t_us=pain.t_us)
            pain = None
        else:
            found.append(pain)
    return sorted(found, key=_instant), pain


def _is_pain(thought: HeardThought) -> bool:
    """Tell whether a thought is of pain that grows."""
    return thought.origin == PAIN_ROSE


def _hurts_anew(chart: Chart, seen: ObservedState) -> bool:
    """Tell whether strong pain has set in since the last look."""
    mark = mark_of(chart, "pain")
    known = mark is not None and mark.value > 0.0
    return seen.pain is not None and seen.pain >= PAIN and not known


def _instant(thought: HeardThought) -> int:
    return thought.t_us
