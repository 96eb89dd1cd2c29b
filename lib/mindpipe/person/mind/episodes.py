"""What happened, as it is kept: made of events, and bounded."""

from collections.abc import Iterable

from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import FIELDS, PersonEvent, duration_us

MOST_EPISODES = 64
"""How many of them are kept."""
_NO_HAPPENING = frozenset({"identity", "thought", "goal_done"})
_SPEECH_IMPORTANCE, _ORDINARY_IMPORTANCE = 0.4, 0.3


def episode_of(event: PersonEvent) -> Episode | None:
    """Return what an event is as something that happened, None where it has no words of its own."""
    if not event.text or event.type in _NO_HAPPENING:
        return None
    lasts = "dur_us" in FIELDS[event.type].optional or event.dur_us is not None
    return Episode(
        id=event.id,
        t_us=event.t_us,
        until_us=event.t_us + (duration_us(event) if lasts else 0),
        type=event.type,
        text=_text(event),
        source=event.source or "",
        people=_people(event),
        place=event.place or "",
        valence=event.valence or 0.0,
        importance=_importance(event),
        emotion=event.cls or "",
        topic=event.topic or "",
        # Whoever says something knows it: it does not have to be noticed any more.
        noticed_us=event.t_us if event.type == "said" else None,
    )


def _text(event: PersonEvent) -> str:
    """Return what happened in words; of what the person itself said, that it did, and to whom."""
    words = on_one_line(event.text or "")
    if event.type != "said":
        return words
    to = f" to {', '.join(event.people)}" if event.people else ""
    quoted = words.replace('"', "'")
    return f'you said{to}: "{quoted}"'


def with_episode(episodes: tuple[Episode, ...], added: Episode) -> tuple[Episode, ...]:
    """Return what happened with one more episode, the oldest of too many let go of."""
    return (*episodes, added)[-MOST_EPISODES:]


def _people(event: PersonEvent) -> tuple[str, ...]:
    """Return who had a part in an event, who speaks or acts first."""
    named: Iterable[str] = (event.source or "", *(event.people or ()))
    return tuple(dict.fromkeys(name for name in named if name))


def _importance(event: PersonEvent) -> float:
    """Return how much an event matters, from 0 to 1, as far as it says that itself."""
    if event.importance is not None:
        return event.importance
    if event.type in ("speech", "action"):
        strength = max(abs(event.valence or 0.0), event.intensity or 0.0)
        return min(1.0, _SPEECH_IMPORTANCE + 0.5 * strength)
    return _ORDINARY_IMPORTANCE
