"""Which of the things that happened come back beside a thought: those that are like its moment."""

from collections.abc import Sequence
from math import exp2

from mindpipe.person.calendar import DAY_US
from mindpipe.person.chance import Key, uniform
from mindpipe.person.mind.episodes import words_of
from mindpipe.person.mind.pacing import STREAM, is_fresh
from mindpipe.person.records.episode import Episode, LifeSituation

IMPORTANCE, RECENCY, LIKENESS, SHARED, NAMED, CHANCE = 0.35, 0.2, 0.15, 0.2, 0.5, 0.25
"""The weights of what is recalled: how much it matters, how new it is, how alike it felt, whom,
where and what it has in common with the moment, whether somebody asks for it by its words; and
chance, so that not always the same comes."""
HALVES_DAYS = 2.0
FIRST_SLOT = 16
"""The first slot of chance that things which happened draw from."""


def recalled_episodes(
    episodes: Sequence[Episode],
    t_us: int,
    *,
    about: Episode | None,
    situation: LifeSituation,
    valence: float,
    key: Key,
) -> list[Episode]:
    """Return what reached a thought before and is no longer fresh, what comes back first first."""
    past = [
        one
        for one in episodes
        if one.noticed_us is not None
        and not is_fresh(one, t_us)
        and one is not about
        and not one.is_over_well
    ]

    def worth(place: int) -> float:
        one = past[place]
        return (
            IMPORTANCE * one.importance
            + RECENCY * exp2(-(t_us - one.t_us) / (HALVES_DAYS * DAY_US))
            + LIKENESS * (1.0 - abs(one.valence - valence) / 2.0)
            + SHARED * _shared(one, about, situation)
            + NAMED * _asked_for(one, about)
            + CHANCE * uniform(key, t_us, STREAM, FIRST_SLOT + place)
        )

    order = sorted(range(len(past)), key=lambda place: (-worth(place), -past[place].t_us))
    return [past[place] for place in order]


def _shared(episode: Episode, about: Episode | None, situation: LifeSituation) -> float:
    """Return how much of people, place and topic something has in common with a moment, 0 to 1."""
    people = {*situation.company, *situation.animals, *(about.people if about else ())}
    shared = 0.6 if people & set(episode.people) else 0.0
    if episode.place and episode.place == situation.place:
        shared += 0.2
    if about is not None and episode.topic and episode.topic == about.topic:
        shared += 0.2
    return shared


def _asked_for(episode: Episode, about: Episode | None) -> bool:
    """Tell whether a question that was just put to a person has words of something."""
    if about is None or about.type != "speech" or not about.text.endswith("?"):
        return False
    return not words_of(about.text).isdisjoint(words_of(episode.text))
