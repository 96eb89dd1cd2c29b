"""Turns of a life: what some events change for days or weeks, and how that fades.

A turn acts on the body as other events do, by contributions with a start and an end: each lasts a
step of six hours, and at its end a weaker one follows until little is left. What it does to
`unrest` delays sleep and ends it early, `broken` wakes by night, `distaste` takes the appetite,
`weary` takes energy, `u` drives the HPA axis. Directions are of the literature (validation, rows
34 to 41); for bereavement, birth and a cold so are sizes, the others are chosen.
"""

from collections.abc import Sequence
from math import exp2
from typing import NamedTuple

import msgspec

from mindpipe.person.mind.relations import Kind
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.mind.told_turn import SICK_LEAVE, WORK, ToldTurn, weight_of
from mindpipe.person.records.event import HOUR_US, LifeTopic, PersonEvent, duration_us, number
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.records.state import Contribution, QueueItem

STEP_US = 6 * HOUR_US
LEAST = 0.04
"""Below this strength of its greatest effect a turn is over."""
KIND = "turn:"
"""What the type of a contribution of a turn begins with."""


class Course(NamedTuple):
    """What a turn of full strength does, and in how many hours half of it is gone."""

    effects: dict[str, float]
    halves_h: float


COURSES: dict[LifeTopic, Course] = {
    "bereavement": Course(
        {"unrest": 0.9, "broken": 0.8, "distaste": 0.8, "weary": 0.6, "u": 0.1}, 21 * 24
    ),
    "separation": Course(
        {"unrest": 0.6, "broken": 0.5, "distaste": 0.5, "weary": 0.4, "u": 0.06}, 10 * 24
    ),
    "dismissal": Course(
        {"unrest": 0.6, "broken": 0.4, "distaste": 0.3, "weary": 0.3, "u": 0.06}, 10 * 24
    ),
    "love": Course({"unrest": 0.6, "distaste": 0.3}, 20 * 24),
    "exam": Course({"unrest": 0.5, "broken": 0.2, "distaste": 0.3, "u": 0.04}, 24),
    "birth": Course({"broken": 1.0, "unrest": 0.2, "weary": 0.4}, 45 * 24),
    "night_work": Course({"broken": 0.2, "distaste": 0.2, "weary": 0.2}, 12),
    "illness": Course({"broken": 0.9, "unrest": 0.2, "distaste": 0.7, "weary": 0.8}, 30),
}
"""The course of each turn."""
AHEAD_US = 72 * HOUR_US
"""How long before it an exam begins to weigh."""


class LifeTurn(NamedTuple):
    """A turn of a life: what it is of (a name, `work`, `sick leave`), and how strong, 0 to 1.

    One of strength 0 is known and changes nothing. `due_us` is when it comes to pass, if told.
    """

    topic: LifeTopic
    about: str
    strength: float
    due_us: int | None = None


_TOLD = frozenset({"news", "speech", "action", "contact", "touch"})
"""Types of events whose words may tell of a turn."""
GOOD, BAD, WEIGHTY, EXAM = 0.2, -0.3, 0.45, 0.5
"""The valence, either way, or the weight from which on what is told may be a turn; of an exam."""
_NIGHT_H, _SHIFT_US = 3, 5 * HOUR_US
_NEAR: dict[Kind, float] = {
    "partner": 1.0,
    "child": 1.0,
    "parent": 0.85,
    "sibling": 0.8,
    "relative": 0.65,
    "mate": 0.6,
    "friend": 0.6,
    "colleague": 0.4,
    "animal": 0.45,
    "other": 0.6,
}
"""How much somebody's death or leaving weighs, by what they are to the person (C)."""


def turn_of(event: PersonEvent, identity: PersonIdentity) -> LifeTurn | None:
    """Return what an event turns in a life: what it says itself, or what its words say for sure.

    Silent rather than wrong: one that only might be a turn is none.
    """
    told = _told(event, identity)
    if told is None or not told.topic:
        return None
    topic, text = told.topic, on_one_line(event.text or "")
    about, strength = "", max(weight_of(event), 0.5)
    if topic in ("bereavement", "separation"):
        about = told.name
        strength *= _NEAR[told.kind]
    elif topic == "death":
        about, strength = told.name, 0.0
    elif topic == "dismissal":
        about = told.name or WORK
    elif topic == "exam":
        about = told.name or text
    elif topic == "love":
        about = told.name or event.source or ""
    elif topic == "illness":
        about = SICK_LEAVE if told.name == SICK_LEAVE else ""
        if event.type == "illness":
            strength = min(1.0, 0.4 + 0.4 * number(event, "peak_c"))
    elif topic == "birth":
        about, strength = ("", 1.0) if told.own else (told.name, 0.0)
    elif topic == "night_work":
        strength = 1.0
    return LifeTurn(topic, about, strength, told.due_us)


def as_news(turn: LifeTurn, event: PersonEvent) -> PersonEvent | None:
    """Return what turns a life as the news that it is, where somebody said it or did it.

    Words alone move the mood for an hour or two; that somebody has died is no such words.
    """
    if event.type not in ("speech", "action") or turn.topic == "exam":
        return None
    return PersonEvent(
        v=event.v,
        person=event.person,
        t_us=event.t_us,
        id=event.id,
        type="news",
        valence=event.valence,
        importance=max(weight_of(event), turn.strength),
    )


def _told(event: PersonEvent, identity: PersonIdentity) -> ToldTurn | None:
    """Return what an event turns, and of whom, None where it is no turn."""
    topic = _by_type(event) if event.topic is None else event.topic
    if not event.text or (event.topic is not None and not topic):
        return ToldTurn(topic) if topic else None
    if not topic and not _may_tell(event):
        return None
    # What finds a turn in words is compiled only where an event may be one.
    from mindpipe.person.mind.recognition import told_of, told_turn

    return told_of(topic, event, identity) if topic else told_turn(event, identity)


def _by_type(event: PersonEvent) -> LifeTopic:
    """Return what an event turns by its type, whatever it says."""
    if event.type == "illness":
        return "illness"
    return "night_work" if event.type == "task" and _is_night_shift(event) else ""


def _may_tell(event: PersonEvent) -> bool:
    """Tell whether an event weighs so much that its words may tell of a turn."""
    if event.type in ("goal", "concern"):
        return event.type == "concern" or number(event, "importance") >= EXAM
    valence = event.valence or 0.0
    # That something is due is told without any feeling.
    felt = valence >= GOOD or valence <= BAD or weight_of(event) >= WEIGHTY
    return event.type in _TOLD and felt


def _is_night_shift(event: PersonEvent) -> bool:
    """Tell whether a task lasts five hours or more and goes through the depth of the night."""
    lasts = duration_us(event)
    if lasts < _SHIFT_US:
        return False
    deep_us = (event.t_us // (24 * HOUR_US)) * 24 * HOUR_US + _NIGHT_H * HOUR_US
    nights = (deep_us, deep_us + 24 * HOUR_US)
    return any(event.t_us <= night < event.t_us + lasts for night in nights)


def begun(turn: LifeTurn, event: PersonEvent) -> Contribution | None:
    """Return what a turn does first; what lasts as an illness does, or is still ahead, keeps on.

    An exam that is not yet near does nothing yet, and keeps its place until it is.
    """
    if not turn.strength:
        return None
    course = COURSES[turn.topic]
    chan = {name: amount * turn.strength for name, amount in course.effects.items()}
    span_us = STEP_US
    if turn.topic == "exam":
        due_us = turn.due_us or event.due_us
        if due_us is None:
            return None
        chan = _before(turn.strength, due_us - event.t_us)
        span_us = min(STEP_US, due_us - event.t_us)
    elif event.type in ("illness", "task"):
        span_us = max(STEP_US, duration_us(event))
    if span_us <= 0:
        return None
    return Contribution(
        start_us=event.t_us,
        end_us=event.t_us + span_us,
        type=f"{KIND}{turn.topic}",
        event=event.id,
        chan=chan,
    )


def _before(strength: float, left_us: int) -> dict[str, float]:
    """Return what an exam does so long before it: more the nearer it is."""
    near = strength * min(max(1.0 - left_us / AHEAD_US, 0.0), 1.0)
    return {name: amount * near for name, amount in COURSES["exam"].effects.items()}


def followed(ended: Contribution, t_us: int, queue: Sequence[QueueItem]) -> Contribution | None:
    """Return what follows a step of a turn, None where it is over or ended is none.

    Args:
        ended: What has ended.
        t_us: The instant.
        queue: What waits in the mind, with the goals that an exam is one of.
    """
    if not ended.type.startswith(KIND):
        return None
    topic = ended.type.removeprefix(KIND)
    if topic == "exam":
        return _nearer(ended, t_us, queue)
    course = COURSES[topic]  # type: ignore[index]  # a contribution that was written has a topic
    span_us = t_us - ended.start_us
    decay = exp2(-(min(span_us, STEP_US) / HOUR_US) / course.halves_h)
    chan = {name: level * decay for name, level in ended.chan.items()}
    if max(chan.values(), default=0.0) < LEAST:
        return None
    return msgspec.structs.replace(ended, start_us=t_us, end_us=t_us + STEP_US, chan=chan)


def _nearer(ended: Contribution, t_us: int, queue: Sequence[QueueItem]) -> Contribution | None:
    """Return what an exam does next, None where its goal is reached, given up or due."""
    goal = next((one for one in queue if one.event == ended.event), None)
    if goal is None or goal.due_us is None or goal.due_us <= t_us:
        return None
    left_us = goal.due_us - t_us
    chan = _before(max(goal.strength, 0.5), left_us)
    end_us = t_us + min(STEP_US, left_us)
    return msgspec.structs.replace(ended, start_us=t_us, end_us=end_us, chan=chan)


def joined(active: Sequence[Contribution], new: Contribution) -> list[Contribution]:
    """Return what acts with a turn that begins; of one that goes on the stronger remains."""
    same = [one for one in active if one.type == new.type]
    if not same:
        return [*active, new]
    names = dict.fromkeys(name for one in (*same, new) for name in one.chan)
    chan = {name: max(one.chan.get(name, 0.0) for one in (*same, new)) for name in names}
    others = [one for one in active if one.type != new.type]
    end_us = max(new.end_us, *(one.end_us for one in same))
    return [*others, msgspec.structs.replace(new, chan=chan, end_us=end_us)]
