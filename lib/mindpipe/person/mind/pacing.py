"""When a person who lives at its own pace thinks next: dense around events, sparse at rest."""

from collections.abc import Iterable

from mindpipe.person.calendar import DAY_US
from mindpipe.person.chance import Key, uniform
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.person.records.state import Mind

STREAM = 7
"""The stream of chance of this pace, and what each of its draws decides."""
GAP, OF_EVENT, WHICH, OTHER, HOUR_OF_RETURN, PASSING, REMINDED = range(7)
NEVER_US = 2**62
FRESH_US = 2 * HOUR_US
"""For how long the thoughts after an event are mostly of it."""
STEPS_MIN = (1.0, 3.0, 6.0, 10.0, 15.0, 18.0, 20.0, 22.0)
"""After how many minutes the next thought of an event that matters wholly follows each one."""
SLOWEST = 2.6
"""How much longer these are for an event that does not matter at all."""
REST_MIN, SPREAD = 5.5, 0.5
"""The gap of thoughts at rest, and how far it strays to both sides, as a share of it."""
REACTS_US, REACTS_FRESH_US = 25 * MINUTE_US, 8 * MINUTE_US
"""The gap of reactions to the body, at rest and shortly after an event."""
FIRST_DREAM_MIN, DREAMS_MIN, DREAM_SPREAD = 30.0, 95.0, 0.2
"""After how many minutes of sleep one dreams, and then again: as often as sleep is of that kind."""
LATE_US, LATEST_US = 45 * MINUTE_US, 8 * MINUTE_US
"""Before midnight, between these two, one who sleeps dreams if the day would be mute so long."""
SETTLED_US = 5 * MINUTE_US
"""Nobody dreams in the first minutes of sleep."""


def next_us(mind: Mind, key: Key, *, awake: bool, since_us: int, least_us: int) -> int:
    """Return when the next thought comes by itself, `NEVER_US` where none does before waking.

    Args:
        mind: What is on the mind.
        key: The person's chance.
        awake: Whether it is awake.
        since_us: Since when it is awake, or asleep.
        least_us: The least gap.
    """
    last_us = since_us if mind.last_call_us is None else mind.last_call_us
    stray = 2.0 * uniform(key, last_us, STREAM, GAP) - 1.0
    if not awake:
        return _next_dream_us(mind, last_us, since_us, stray)
    last_us = max(last_us, since_us)
    fresh = freshest(mind.episodes, last_us)
    if fresh is None:
        gap_min = REST_MIN
    else:
        step = STEPS_MIN[min(max(fresh.thoughts, 1), len(STEPS_MIN)) - 1]
        gap_min = min(step * (SLOWEST - (SLOWEST - 1.0) * fresh.importance), 3.0 * REST_MIN)
    return last_us + max(least_us, round(gap_min * (1.0 + SPREAD * stray) * MINUTE_US))


def freshest(episodes: Iterable[Episode], t_us: int) -> Episode | None:
    """Return what reached the mind within the last two hours and matters most there, if anything.

    What was thought of often already gives way to what is new.
    """
    fresh = [one for one in episodes if is_fresh(one, t_us)]
    return max(fresh, key=lambda one: (pull(one, t_us), one.t_us, one.id), default=None)


def is_fresh(episode: Episode, t_us: int) -> bool:
    """Tell whether something reached the mind within the last two hours, and weighs on it yet."""
    noticed_us = episode.noticed_us
    fresh = noticed_us is not None and t_us - noticed_us < FRESH_US
    return fresh and not episode.is_over_well


def pull(episode: Episode, t_us: int) -> float:
    """Return how strongly something fresh draws thoughts to itself."""
    age = (t_us - (episode.noticed_us or t_us)) / FRESH_US
    return (0.3 + episode.importance) * (1.2 - age) / (1.0 + 0.15 * episode.thoughts)


def reacts(mind: Mind, t_us: int) -> bool:
    """Tell whether a change of the body may bring a thought again."""
    if mind.last_react_us is None:
        return True
    fresh = freshest(mind.episodes, t_us) is not None
    return t_us - mind.last_react_us >= (REACTS_FRESH_US if fresh else REACTS_US)


def unnoticed(mind: Mind) -> Episode | None:
    """Return the first of what happened that has not reached a thought, if anything has not."""
    return next((one for one in mind.episodes if one.noticed_us is None), None)


def _next_dream_us(mind: Mind, last_us: int, since_us: int, stray: float) -> int:
    """Return when a sleeper dreams next; what waits to be known at waking leaves no dreams."""
    if unnoticed(mind) is not None:
        return NEVER_US
    first = last_us <= since_us
    gap_min = FIRST_DREAM_MIN if first else DREAMS_MIN
    begun_us = since_us if first else last_us
    due_us = begun_us + round(gap_min * (1.0 + DREAM_SPREAD * stray) * MINUTE_US)
    midnight_us = (begun_us // DAY_US + 1) * DAY_US
    late_us = max(midnight_us - LATE_US, since_us + SETTLED_US)
    if begun_us < midnight_us - LATE_US and due_us > midnight_us - LATEST_US:
        span_us = max(midnight_us - LATEST_US - late_us, 0)
        due_us = late_us + round(0.5 * (1.0 + stray) * span_us)
    return due_us
