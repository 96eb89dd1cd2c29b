"""Needs that contradict where a person is and what happens to it: they are not felt then."""

from collections.abc import Iterable
from typing import Literal

from mindpipe.person.mind.felt import NOTHING, TIME_OF_DAY
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.event import HOUR_US
from mindpipe.person.records.state import Mind, Readouts

Silent = Literal["boredom", "loneliness", "hunger", "gloom"]
CODES: dict[str, Silent] = {
    "I1": "loneliness",
    "I2": "boredom",
    "I3": "loneliness",
    "H1": "hunger",
    "H2": "hunger",
}
"""What the codes of the state block voice."""
SOURCES: dict[str, Silent] = {
    "alone": "loneliness",
    "contact": "loneliness",
    "stimulation": "boredom",
    "eat": "hunger",
}
"""What drives and needs voice that come to mind."""
HURTS, INJURED = 0.4, 0.6
"""The pain from which on nothing else is wanted, and how bad an injury is for hours."""
INJURY_US, SHOCK_US, GRIEF_US = 6 * HOUR_US, 4 * HOUR_US, 3 * 24 * HOUR_US
SHOCKING, GRIEVOUS = 0.7, 0.85
"""How much bad news matters that takes hunger away, and what is grief."""
MEAL_US = HOUR_US + HOUR_US // 4
COMPANY_US = 2 * HOUR_US
"""For how long nobody is lonely or hungry any more after company, and after a meal."""
ABSORBING = frozenset({"task", "exercise", "contact", "threat", "food"})
MOVING, MOVING_US = 0.6, 2 * HOUR_US
"""How much matters what leaves no room for boredom, and for how long."""
SOLEMN = frozenset({"at a burial", "at a funeral", "in an exam", "giving birth", "in court"})
"""Activities at which no such need is felt."""
CALM = 0.2
"""The stress below which a good moment is calm."""


def silent_needs(
    mind: Mind, situation: LifeSituation, read: Readouts, t_us: int, *, ate_us: int
) -> frozenset[Silent]:
    """Return the needs that are not felt at an instant, and `gloom` where it is calm and good.

    `ate_us` is when the person ate last.
    """
    found: set[Silent] = set()
    episodes = mind.episodes
    tested = situation.activity in SOLEMN or any(_tests(one, t_us) for one in episodes)
    hurt = read.pain > HURTS or any(
        one.type in ("injury", "pain")
        and one.importance >= INJURED
        and _within(one, t_us, INJURY_US)
        for one in episodes
    )
    if tested or hurt:
        found |= {"boredom", "hunger"}
    if tested or situation.company or _was_in_company(episodes, t_us):
        found.add("loneliness")
    if _is_absorbed(mind, t_us) or _is_moved(episodes, t_us):
        found.add("boredom")
    if t_us - ate_us < MEAL_US or _ate(episodes, t_us) or _is_shocked(episodes, t_us):
        found.add("hunger")
    if read.valence > 0.0 and read.stress < CALM:
        found.add("gloom")
    return frozenset(found)


def spoken_codes(codes: Iterable[str], silent: frozenset[Silent]) -> tuple[str, ...]:
    """Return codes of the state block without those of needs that are not felt."""
    left = [code for code in codes if CODES.get(code) not in silent]
    felt = [code for code in left if code != TIME_OF_DAY]
    return tuple(left) if felt else (NOTHING, *left)


def _within(episode: Episode, t_us: int, span_us: int) -> bool:
    """Tell whether something happened within a span before an instant, or goes on."""
    return episode.t_us <= t_us < max(episode.t_us + span_us, episode.until_us)


def _tests(episode: Episode, t_us: int) -> bool:
    """Tell whether a person is being tested, or waits for it."""
    hard = episode.type in ("task", "threat") and episode.importance >= SHOCKING
    return hard and _within(episode, t_us, HOUR_US // 2)


def _was_in_company(episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether a person has just been with somebody."""
    return any(
        (
            one.people
            and one.type != "speech"
            and one.t_us <= t_us < max(one.t_us, one.until_us) + COMPANY_US
        )
        or (one.type == "contact" and one.t_us <= t_us < one.until_us + COMPANY_US)
        for one in episodes
    )


def _is_absorbed(mind: Mind, t_us: int) -> bool:
    """Tell whether a person is in the middle of something."""
    doing = mind.doing
    if doing is not None and doing.t_us <= t_us < doing.until_us:
        return True
    return any(one.type in ABSORBING and one.t_us <= t_us < one.until_us for one in mind.episodes)


def _is_moved(episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether something that matters was just now, or grief is in its first days."""
    return any(
        (one.importance >= MOVING and _within(one, t_us, MOVING_US)) or _grieves(one, t_us)
        for one in episodes
    )


def _grieves(episode: Episode, t_us: int) -> bool:
    """Tell whether a person is in the first days after a loss."""
    lost = episode.topic in ("bereavement", "separation") or episode.type == "news"
    heavy = episode.valence <= -SHOCKING and episode.importance >= GRIEVOUS
    return lost and heavy and _within(episode, t_us, GRIEF_US)


def _is_shocked(episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether bad news or a threat has just struck, or has just come to be known."""
    return any(
        one.valence < -0.3
        and one.importance >= SHOCKING
        and t_us - (one.noticed_us if one.noticed_us is not None else t_us) < SHOCK_US
        for one in episodes
        if one.type != "goal"
    )


def _ate(episodes: Iterable[Episode], t_us: int) -> bool:
    """Tell whether a person eats, or ate within an hour."""
    return any(one.type == "food" and one.t_us <= t_us < one.until_us + MEAL_US for one in episodes)
