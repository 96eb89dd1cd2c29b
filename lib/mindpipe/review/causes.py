"""What moved the mood: each thing that came to mind lately, with the step that is its own.

The observer sees no events. It sees when a thing first came to mind, and how the mood was at each
look and in each thought. A thing is given the step from the mood before it to the last one before
the next thing, so that what was harmless is not blamed for what came after it.
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
"""What comes to mind so soon after pain is what hurts."""
PAIN = 0.4
"""From this pain on it is strong."""
PAIN_ROSE = "react, pain +"
"""The origin of a thought of pain that grows."""
UNSEEN = Feelings(0.0, 0.2, 0.5)
"""How somebody is held to have felt before the first look."""


class Step(NamedTuple):
    """How somebody felt before a thing first came to mind, and its mood before the next thing.

    `first` is the first thought of it, None where it is pain that nobody put in words.
    """

    first: HeardThought | None
    before: Feelings
    after: float

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
    for place, first in enumerate(recent):
        end_us = recent[place + 1].t_us if place + 1 < len(recent) else seen.t_us + 1
        looks = [look for look in chart.looks if look.t_us < first.t_us][-3:]
        before = mean_of(looks) or UNSEEN
        if found:
            before = before._replace(valence=found[-1].after)
        after = [valence for at_us, valence in course if first.t_us <= at_us < end_us]
        mood = after[-1] if after else before.valence
        found.append(Step(None if first is pain else first, before, mood))
    if hurt and chart.looks:
        earlier = mean_of(chart.looks[-4:-1]) or UNSEEN
        before = earlier._replace(valence=found[-1].after) if found else earlier
        found.append(Step(None, before, chart.looks[-1].valence))
    return found


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
