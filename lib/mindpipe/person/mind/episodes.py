"""What happened, as it is kept: made of events, and bounded."""

from collections.abc import Callable
from functools import lru_cache
from math import exp2

import msgspec

from mindpipe.core.patterns import late
from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.people import people_in
from mindpipe.person.mind.residue import in_brief
from mindpipe.person.records.episode import OVER_WELL, Episode
from mindpipe.person.records.event import (
    FIELDS,
    GoalOutcome,
    PersonEvent,
    duration_us,
    number,
)
from mindpipe.person.records.person import PersonIdentity

_TURNING = frozenset(("not", "no", "never", "nobody", "nothing", "without", "off"))
"""Words that turn round what is said: with one of them it is another thing that happened."""
MOST_TEXT, MOST_NAME = 1_200, 60
"""The most characters of what happened, and of the name of who said or did it, that are kept."""
MOST_EPISODES = 64
"""How many of them are kept."""
HALVES_DAYS = 7.0
"""In how many days what happened is worth keeping half as much."""
ALIKE, ALIKE_US = 0.7, 7 * DAY_US
"""The share of words that near-duplicates have in common, and how far apart they are at most."""
AGAIN_US = 2 * 3_600_000_000
"""After how long without one the same thing is new again."""
DONE: GoalOutcome = "done"
"""How a goal ended that was reached."""
MISSED = -0.5
"""How bad it is that a goal of importance 1 was not reached (C)."""
_NO_HAPPENING = frozenset({"identity", "thought", "goal_done"})
_WORD = late(r"[^\W_]{2,}")


def episode_of(event: PersonEvent, identity: PersonIdentity | None = None) -> Episode | None:
    """Return what an event is as something that happened, None where it has no words of its own.

    With an identity those whom its words name have a part in it.
    """
    if not event.text or event.type in _NO_HAPPENING:
        return None
    text = in_brief(event.text, most=MOST_TEXT)
    lasts = "dur_us" in FIELDS[event.type].optional or event.dur_us is not None
    return Episode(
        id=event.id,
        t_us=event.t_us,
        until_us=event.t_us + (duration_us(event) if lasts else 0),
        type=event.type,
        text=_said(event, text) if event.type == "said" else text,
        source=in_brief(event.source or "", most=MOST_NAME),
        people=_people(event, text, identity),
        place=event.place or "",
        valence=valence_of(event),
        importance=importance_of(event),
        emotion=_emotion(event),
        topic=event.topic or "",
        weather=event.weather or "",
        # Whoever says something knows it: it does not have to be noticed any more.
        noticed_us=event.t_us if event.type == "said" else None,
    )


def _said(event: PersonEvent, text: str) -> str:
    """Return what the person itself said as something that happened: to whom, and the words."""
    to = f" to {', '.join(event.people)}" if event.people else ""
    quoted = text.replace('"', "'")
    return f'you said{to}: "{quoted}"'


def with_episode(episodes: tuple[Episode, ...], added: Episode) -> tuple[Episode, ...]:
    """Return what happened with one more episode; of too many the one that is worth least goes.

    A near-duplicate of something makes one of both, as new as the later one.
    """
    same = next((one for one in reversed(episodes) if alike(one, added)), None)
    if same is not None:
        added = _repeated(same, added)
        episodes = tuple(one for one in episodes if one is not same)
    found = (*episodes, added)
    if len(found) <= MOST_EPISODES:
        return found
    least = min(found, key=lambda one: (_worth(one, added.t_us), one.t_us, one.id))
    return tuple(one for one in found if one is not least)


def with_goal_done(episodes: tuple[Episode, ...], event: PersonEvent) -> tuple[Episode, ...]:
    """Return what happened with a goal that has ended, which is worth a thought again."""
    return with_goal_ended(episodes, event, event.text or "", event.outcome or DONE)


def with_goal_ended(
    episodes: tuple[Episode, ...], event: PersonEvent, goal_text: str, outcome: GoalOutcome
) -> tuple[Episode, ...]:
    """Return what happened with a goal that an event ended; one that was not reached hurts.

    Where the event is something that happened itself, thoughts are of that.
    """
    text = in_brief(goal_text, most=MOST_TEXT)
    goal = next((one for one in reversed(episodes) if _is_goal(one, text)), None)
    if goal is None:
        goal = Episode(
            id=event.id,
            t_us=event.t_us,
            until_us=event.t_us,
            type="goal",
            text=text,
            importance=0.4,
        )
    ended = msgspec.structs.replace(goal, until_us=event.t_us, ended=outcome)
    if outcome != DONE:
        valence = round(MISSED * goal.importance, 3)
        ended = msgspec.structs.replace(ended, valence=valence, emotion="disappointment")
    if event.type not in _NO_HAPPENING:
        # What tells of it is what one thinks of, and the goal is only over.
        return tuple(ended if one is goal else one for one in episodes)
    ended = msgspec.structs.replace(ended, event=event.id, noticed_us=None, thoughts=0)
    return (*(one for one in episodes if one is not goal), ended)[-MOST_EPISODES:]


def eased(episode: Episode) -> Episode:
    """Return something that happened that weighs no more: it is over, and neither good nor bad."""
    least = min(episode.importance, _ORDINARY)
    return msgspec.structs.replace(
        episode, valence=0.0, emotion="", topic="", importance=least, ended=OVER_WELL
    )


def alike(one: Episode, other: Episode) -> bool:
    """Tell whether two things that happened are nearly the same: in type, people and words.

    Who asks for what was told does not tell it again.
    """
    if one.text.endswith("?") != other.text.endswith("?"):
        return False
    if one.type != other.type or one.ended or set(one.people) != set(other.people):
        return False
    if other.t_us - one.t_us > ALIKE_US:
        return False
    words, others = words_of(one.text), words_of(other.text)
    every = words | others
    if not every or words & _TURNING != others & _TURNING:
        return one.text.casefold() == other.text.casefold()
    return len(words & others) / len(every) >= ALIKE


def importance_of(event: PersonEvent) -> float:
    """Return how much an event matters, from 0 to 1: as it says, or as it is appraised."""
    if event.importance is not None:
        return event.importance
    return round(min(1.0, max(0.0, _appraised(event))), 3)


def valence_of(event: PersonEvent) -> float:
    """Return how good or bad an event is, from -1 to 1: as it says, or as it is appraised."""
    if event.valence is not None:
        return event.valence
    if event.type == "contact":
        return round(number(event, "quality") - 0.3, 3)
    if event.type in ("injury", "pain"):
        return -min(1.0, number(event, "nrs") / 10.0)
    if event.type in ("threat", "task"):
        return round(-_level(event) * (1.0 - number(event, "control")), 3)
    return _VALENCES.get(event.type, 0.0)


_VALENCES = {"concern": -0.4, "illness": -0.6, "touch": 0.6, "exercise": 0.2, "noise": -0.2}
_ORDINARY = 0.25


def _appraised(event: PersonEvent) -> float:
    """Return how much an event matters that does not say so itself."""
    weigh = _WEIGHED.get(event.type)
    return weigh(event) if weigh else _ORDINARY + 0.3 * (event.surprise or 0.0)


def _of_words(event: PersonEvent) -> float:
    """Return how much speech or an action matters: by its tone, its strength and who it is from."""
    valence, strong = event.valence or 0.0, number(event, "intensity") - 0.5
    found = 0.15 + 0.45 * abs(valence) + 0.2 * strong + 0.2 * number(event, "closeness")
    return found + (0.05 if valence < 0.0 else 0.0)


def _of_task(event: PersonEvent) -> float:
    """Return how much a task matters: by its load, how it strains, and who judges it."""
    social = event.social_eval or 0.0
    return 0.3 * number(event, "load") + 0.4 * _level(event) + 0.4 * social


def _of_threat(event: PersonEvent) -> float:
    """Return how much a threat matters: by how it strains, and what it threatens."""
    at_stake = max(event.social_eval or 0.0, event.danger or 0.0)
    return 0.3 + 0.4 * _level(event) + 0.3 * at_stake


_WEIGHED: dict[str, Callable[[PersonEvent], float]] = {
    "speech": _of_words,
    "action": _of_words,
    "task": _of_task,
    "threat": _of_threat,
    "said": lambda event: 0.1,
    "contact": lambda event: 0.65 * number(event, "quality"),
    "injury": lambda event: number(event, "nrs") / 10.0,
    "pain": lambda event: number(event, "nrs") / 10.0,
    "illness": lambda event: 0.3 + 0.25 * number(event, "peak_c"),
    "exercise": lambda event: 0.25 + 0.03 * number(event, "met"),
    "touch": lambda event: 0.2 + 0.4 * abs(number(event, "valence")),
    "goal": lambda event: number(event, "importance"),
    "concern": lambda event: 0.55,
    "prediction_error": lambda event: 0.6 * number(event, "strength"),
}
"""How much events of each type matter, by their appraisal (C)."""


def _level(event: PersonEvent) -> float:
    """Return how far a threat or a task strains."""
    if event.level is not None:
        return event.level
    return number(event, "load") if event.type == "task" else 0.5


def _emotion(event: PersonEvent) -> str:
    """Return the class of the emotion of an event; of an injury it is that of the wound."""
    return "" if event.type == "injury" else event.cls or ""


def _people(event: PersonEvent, text: str, identity: PersonIdentity | None) -> tuple[str, ...]:
    """Return who had a part in an event, who speaks or acts first."""
    said_by = in_brief(event.source or "", most=MOST_NAME)
    named = [said_by, *(event.people or ())]
    if identity is not None and event.type not in ("speech", "said", "goal", "concern", "news"):
        named += [one for one in people_in(text, identity) if not _is_named(one, named)]
    return tuple(dict.fromkeys(name for name in named if name))


def _is_named(name: str, others: list[str]) -> bool:
    """Tell whether one of some names is another form of a name."""
    return any(name in other or (other and other in name) for other in others)


def _repeated(before: Episode, again: Episode) -> Episode:
    """Return one episode for something that happened again, which thoughts of it still refer to."""
    recent = before.noticed_us is not None and again.t_us - before.t_us < AGAIN_US
    return msgspec.structs.replace(
        again,
        id=before.id,
        event=again.id,
        importance=max(before.importance, again.importance),
        count=before.count + again.count,
        noticed_us=before.noticed_us if recent else again.noticed_us,
        thoughts=before.thoughts if recent else 0,
        last_us=before.last_us,
        told_us=before.told_us,
    )


def _is_goal(episode: Episode, text: str) -> bool:
    """Tell whether something that happened is the goal of these words, not yet reached."""
    same = episode.text.casefold() == text.casefold()
    return episode.type == "goal" and not episode.ended and same


def _worth(episode: Episode, now_us: int) -> float:
    """Return how much something is worth keeping, twice as much while nobody has thought of it."""
    waiting = 2.0 if episode.noticed_us is None else 1.0
    return waiting * episode.importance * exp2(-(now_us - episode.t_us) / (HALVES_DAYS * DAY_US))


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text that say what it is about."""
    return frozenset(_WORD.findall(text.casefold())) - (FUNCTION_WORDS - _TURNING)


STEM = 4
"""By how many letters a word is known whatever its ending."""


def is_named(episode: Episode, text: str) -> bool:
    """Tell whether a text names something that happened by a word of it: who was there is none."""
    words = set(map(_stem, words_of(text)))
    people = words_of(" ".join(episode.people))
    known = words_of(episode.text) - people or people
    return not words.isdisjoint(map(_stem, known))


def _stem(word: str) -> str:
    """Return the beginning of a word, without an ending."""
    return word.removesuffix("s")[:STEM]
