"""Which facet of what happened a thought turns up, so that no return of it says the same again.

While a thing is fresh each thought takes the next of its facets. Later it has a word once in each
phase of its aftermath: some hours after it, when the day is nearly over, the next day and, where it
matters, on later days. A thought that would only say again what was said says nothing.
"""

from bisect import bisect
from collections.abc import Callable
from typing import NamedTuple

from mindpipe.person.calendar import DAY_US, HOUR_US
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.thought import LifeMoment
from mindpipe.person.voice.mention import Slots

NOTICE = "notice"
"""The first thought of something."""
FRESH_US = 2 * HOUR_US
"""For how long each thought of something takes the next facet."""
FACETS = ("detail", "inside", "means", "next", "others", "self", "way", "turn", "beside")
"""The facets of something fresh in their order, each said once."""
OF_GOAL = ("first", "doubt", "helper", "self", "after")
"""The facets of what one is after, from the first thought of it on."""
LEAST, MORE = 3, 7
"""How many facets something has that does not matter, and how many more if it matters wholly."""
PHASES_H = (3.0, 5.5, 8.0, 11.0)
"""After how many hours something is taken up again on its day."""
GREAT, FAIR, SLIGHT = 0.6, 0.35, 0.15
"""How much something has to matter to be taken up at each phase, at some, and on the next day."""
GRAVE, AGAIN_US, LATE_US = 0.8, 4 * HOUR_US, 14 * HOUR_US
"""From which importance on something is taken up again and again on the next day, how often, and
from which time of day on once more on later days."""
GOAL_H = 1.5
"""How often what one is after turns another facet up, once it is no longer new."""
OPEN_US, NIGHT_H = 20 * HOUR_US, 21
"""For how long a wish that names no time stands open, and from which hour on it is late for it."""
UNWELCOME = -0.15
"""From which valence on what is asked is not agreed to."""
DAWN_US, SAME_DAY_US = 4 * HOUR_US, 8 * HOUR_US
"""When a new day begins for what happened, and for how long its day lasts at least."""


def facet_of(
    episode: Episode, lived: LifeMoment, t_us: int, can_tell: Callable[[str], bool]
) -> str:
    """Return the facet that a thought of an episode turns up, nothing where all was said.

    Args:
        episode: What the thought is of, as it was before this thought.
        lived: The moment.
        t_us: Its instant.
        can_tell: Whether there is anything to say of a facet.
    """
    noticed_us = episode.noticed_us
    if noticed_us is None or not episode.thoughts:
        return NOTICE
    last_us = noticed_us if episode.told_us is None else episode.told_us
    if episode.type == "goal" and not episode.ended:
        return _of_goal(episode, lived, noticed_us, last_us, t_us, can_tell)
    if t_us - noticed_us < FRESH_US:
        told = [one for one in FACETS if can_tell(one)]
        most = LEAST + round(MORE * episode.importance)
        place = episode.thoughts - 1
        return told[place] if place < min(len(told), most) else ""
    phase = _phase(episode, noticed_us, t_us, lived.woke_us)
    return phase.facet if phase != _phase(episode, noticed_us, last_us, lived.woke_us) else ""


class _Phase(NamedTuple):
    """A stretch of the aftermath of something, and the facet that it turns up, if any."""

    facet: str
    part: int


def _phase(episode: Episode, noticed_us: int, t_us: int, woke_us: int | None) -> _Phase:
    """Return in which phase of its aftermath something is; without sleep no new day begins."""
    gone_us, slept = t_us - noticed_us, woke_us is None or noticed_us < woke_us <= t_us
    day = (t_us - DAWN_US) // DAY_US - (noticed_us - DAWN_US) // DAY_US
    weight = episode.importance
    if day <= 0 or gone_us < SAME_DAY_US or not slept:
        passed = bisect(PHASES_H, gone_us / HOUR_US)
        if weight < GREAT:
            # What matters less comes back once or twice.
            passed = passed // 2 if weight >= FAIR else min(passed // 2, 1)
        return _Phase("later" if passed else "", passed)
    if day == 1 and weight >= SLIGHT:
        if gone_us < DAY_US or weight < GREAT:
            return _Phase("morrow", 0)
        more = (gone_us - DAY_US) // AGAIN_US if weight >= GRAVE else 0
        return _Phase("morrow_late", 1 + more)
    later = t_us % DAY_US >= LATE_US and weight >= GRAVE
    return _Phase("days", 2 * day + later) if day > 1 and weight >= FAIR else _Phase("", -1)


def _of_goal(
    episode: Episode,
    lived: LifeMoment,
    noticed_us: int,
    last_us: int,
    t_us: int,
    can_tell: Callable[[str], bool],
) -> str:
    """Return the facet of what one is after, another one at each time of the day."""
    told = ["awaited"] if lived.goal_over else [one for one in OF_GOAL if can_tell(one)]
    place = episode.thoughts - 1
    if t_us - noticed_us < FRESH_US and place < len(told):
        return told[place]
    span_us = round(GOAL_H * HOUR_US)
    turn = (t_us - noticed_us) // span_us
    if not told or turn == (last_us - noticed_us) // span_us:
        return ""
    return told[turn % len(told)]


def wish_of(episode: Episode, lived: LifeMoment, t_us: int, slots: Slots) -> set[str]:
    """Return how it stands with what somebody asked: open, kept, missed, or not agreed to."""
    if not slots.get("wish") and not slots.get("promise"):
        return set()
    after = lived.since
    if after is not None and episode.source in (after.source, *after.people):
        return {"wish_kept"}
    stale = t_us - episode.t_us >= OPEN_US
    if slots.get("promise"):
        return set() if stale else {"promised"}
    if episode.valence <= UNWELCOME:
        return {"wish_hard"}
    hour = t_us % DAY_US // HOUR_US
    if episode.t_us // DAY_US != t_us // DAY_US and t_us % DAY_US >= DAWN_US:
        return set() if stale else {"wish_missed"}
    late = hour >= NIGHT_H or hour < DAWN_US // HOUR_US
    return set() if stale else {"wish_night"} if late else {"wish_open"}
