"""What comes back by itself of what happened: less each day, more the more it matters."""

from collections.abc import Sequence
from math import exp, exp2

from mindpipe.person.calendar import DAY_US
from mindpipe.person.chance import Key, uniform
from mindpipe.person.mind.pacing import HOUR_OF_RETURN, NEVER_US, OTHER, STREAM, WHICH, is_fresh
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import HOUR_US, MINUTE_US

HALVES_DAYS, OVER_HALVES_DAYS = 2.5, 0.8
"""In how many days what hurts, or is still ahead, comes back half as much; and what is over."""
ENDED = 0.3
"""How much what has ended still comes back."""
MOST, STEEPNESS = 0.55, 1.6
"""The largest share of thoughts at rest that are of what happened, and how fast it comes near."""
RESTS_MIN, PRESSING = 60.0, 0.7
"""For how long what came to mind does not come again by chance, since a mind has other things, too;
and by what share that is shorter for what matters wholly."""
GAP_H, GOAL_H, LONGEST_H = 2.5, 14.0, 72.0
"""After how long what matters wholly comes back at first, and a goal; later than the last nothing.

Chosen so that what matters a little (0.15) comes back within a day once, and what matters (0.55)
every day for four days.
"""
GROWS_DAYS, OVER_GROWS_DAYS = 2.5, 1.5
"""In how many days these gaps are twice as long, for what hurts and for what is over."""
WORDLESS = 0.5
"""After what share of a gap something comes back that came to mind and found no words."""
STRAY = 0.2
"""How far a gap strays to both sides, as a share of it."""
FIRST_HOURS, RETURN_HOURS = 0.5, 6.0
"""Between how many hours after waking something comes back that was due in sleep."""


def returning(episodes: Sequence[Episode], t_us: int, *, key: Key, since_us: int) -> Episode | None:
    """Return what has to come back by now and has not yet; what matters most first.

    It comes by the time since it came last, whatever the hour and the day: who works by night has
    no other memory. `since_us` is when the person woke.
    """
    due = [one for one in episodes if t_us >= _due_us(one, key, since_us)]
    return max(due, key=lambda one: (one.importance, one.t_us, one.id), default=None)


def intruding(episodes: Sequence[Episode], t_us: int, *, key: Key) -> Episode | None:
    """Return what of the past comes to mind at an instant by chance, if anything does."""
    found = [(one, weight) for one in episodes if (weight := weight_of(one, t_us)) > 0.0]
    total = sum(weight for _, weight in found)
    if uniform(key, t_us, STREAM, OTHER) >= MOST * (1.0 - exp(-STEEPNESS * total)):
        return None
    point, reached = uniform(key, t_us, STREAM, WHICH) * total, 0.0
    for one, weight in found:
        reached += weight
        if point < reached:
            return one
    return found[-1][0] if found else None


def weight_of(episode: Episode, t_us: int) -> float:
    """Return how strongly something that happened comes back by itself."""
    if episode.noticed_us is None or episode.is_over_well or is_fresh(episode, t_us):
        return 0.0
    rests_us = round(RESTS_MIN * (1.0 - PRESSING * episode.importance) * MINUTE_US)
    if episode.last_us is not None and t_us - episode.last_us < rests_us:
        return 0.0
    open_ = _is_open(episode)
    days = max(t_us - _since_us(episode), 0) / DAY_US
    weight = (
        episode.importance
        * episode.importance
        * exp2(-days / (HALVES_DAYS if open_ else OVER_HALVES_DAYS))
    )
    return weight * (ENDED if episode.ended else 1.0)


def weighing(episodes: Sequence[Episode], t_us: int) -> Episode | None:
    """Return the worst thing that is not over yet, if anything weighs."""
    bad = [one for one in episodes if one.valence < 0.0 and not one.ended and _weighs(one, t_us)]
    return max(bad, key=lambda one: (_weighs(one, t_us), one.t_us, one.id), default=None)


WEIGHS = 0.25
"""How much of its importance has to be left of what still weighs."""


def _weighs(episode: Episode, t_us: int) -> float:
    """Return how much of something still weighs, or 0 where it no longer does."""
    days = max(t_us - episode.t_us, 0) / DAY_US
    left = episode.importance * exp2(-days / (2.0 * HALVES_DAYS))
    return left if left >= WEIGHS else 0.0


def _is_open(episode: Episode) -> bool:
    """Tell whether something hurts, or is still ahead."""
    return not episode.ended and (episode.valence < 0.0 or episode.type in ("goal", "concern"))


def _due_us(episode: Episode, key: Key, since_us: int) -> int:
    """Return when something comes back next: the sooner the more it matters and the newer it is."""
    tried_us, last_us = episode.last_us, episode.told_us or episode.last_us
    if tried_us is None or last_us is None or episode.importance <= 0.0 or episode.is_over_well:
        return NEVER_US
    if episode.type == "goal" and not episode.ended:
        hours = GOAL_H
    else:
        days = max(tried_us - _since_us(episode), 0) / DAY_US
        grown = exp2(days / (GROWS_DAYS if _is_open(episode) else OVER_GROWS_DAYS))
        hours = GAP_H * grown / episode.importance
    if hours > LONGEST_H:
        return NEVER_US
    stray = 2.0 * uniform(key, last_us, STREAM, HOUR_OF_RETURN) - 1.0
    due_us = last_us + round(hours * (1.0 + STRAY * stray) * HOUR_US)
    if tried_us > last_us:
        # What came to mind and found no words has not come back: it does so sooner.
        due_us = max(due_us, tried_us + round(WORDLESS * hours * HOUR_US))
    if due_us >= since_us:
        return due_us
    # What was due in sleep does not all come at once on waking.
    draw = uniform(key, episode.t_us, STREAM, HOUR_OF_RETURN)
    return since_us + round((FIRST_HOURS + (RETURN_HOURS - FIRST_HOURS) * draw) * HOUR_US)


def _since_us(episode: Episode) -> int:
    """Return when something happened, or when it ended."""
    return episode.until_us if episode.ended else episode.t_us
