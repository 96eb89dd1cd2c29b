"""Turns of a life: what some events change for days or weeks, and how that fades.

A turn acts on the body as other events do, by contributions with a start and an end: each lasts a
step of six hours, and at its end a weaker one follows until little is left. What it does to
`unrest` delays sleep and ends it early, `broken` wakes by night, `distaste` takes the appetite,
`weary` takes energy, `u` drives the HPA axis. Directions are of the literature (validation, rows
34 to 41), sizes are fitted to it or chosen.
"""

import re
from collections.abc import Sequence
from math import exp2
from typing import NamedTuple

import msgspec

from mindpipe.core.patterns import late
from mindpipe.person.mind.relations import NamedOther, others_of
from mindpipe.person.mind.residue import on_one_line
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
    """A turn of a life: what it is of (somebody's name, or `work`), and how strong, 0 to 1."""

    topic: LifeTopic
    about: str
    strength: float


class _Signs(NamedTuple):
    """By what an event is recognised: its words, the least and the greatest valence, importance.

    The words are compiled where something happens, since most ticks hear nothing.
    """

    words: str
    least: float
    most: float
    importance: float
    types: frozenset[str]


_TOLD = frozenset({"news", "speech", "action", "contact", "touch"})


def _signs(words: str, least: float, most: float, importance: float, *types: str) -> _Signs:
    """Return signs; without types they are those of what is told or done."""
    return _Signs(words, least, most, importance, frozenset(types) or _TOLD)


_DIED = (
    r"\b(?:(?:has |had |is |was )?(?:just )?(?:died|dead)|passed away|has passed|'s death"
    r"|death of|heart (?:has )?stopped|(?:was|were|been) killed|drowned|breathed (?:his|her|their) "
    r"last|did not (?:survive|wake up|make it)|didn't (?:survive|make it)|could not be (?:saved"
    r"|revived)|lost (?:his|her|their) li(?:fe|ves)|no longer (?:alive|with us)"
    r"|stillborn|miscarriage|found (?:him|her|them) dead)\b"
)
_NOT_DIED = late(
    r"\b(?:nearly|almost|not|n't|never|would have|could have|might have) (?:have )?(?:died|dead|"
    r"been killed)|\bdied (?:down|away|out)\b|\bdead (?:end|line|tired|battery|phone|line|wood|"
    r"slow|sure|heat|leaves|calm)\b|\b(?:battery|engine|line|phone|laptop|plant|fire|radio|screen"
    r"|car|tree|server|connection)s? (?:has |had |is |was |are )?(?:died|dead)\b|\byears? ago\b",
    re.I,
)
_SIGNS: dict[LifeTopic, _Signs] = {
    "bereavement": _signs(_DIED, -1.0, -0.5, 0.6),
    "separation": _signs(
        r"\b(?:leav(?:es|ing) you|(?:has|had) left you|left you(?: for| last| this|$|[.,!])"
        r"|I(?:'m| am) leaving you|break(?:s|ing)? up with you|broke up|split up|it(?:'s| is) over "
        r"between us|(?:wants?|asks? for|files? for|talks? of) (?:a )?(?:divorce|separation)"
        r"|divorce (?:papers|is|was)|mov(?:es|ed) out|wants? to separate|engagement is off)\b",
        -1.0,
        -0.4,
        0.5,
    ),
    "dismissal": _signs(
        r"\b(?:you(?:'re|'ve| are| were| have)?(?: being| been)? (?:fired|sacked|dismissed|laid off"
        r"|made redundant|let go)|dismissal|redundancy|your job is gone"
        r"|los(?:e|es|t|ing) your (?:job|position|post|work)"
        r"|(?:fires|sacks|dismisses) you|lets? you go|contract (?:is|was|will) not (?:be )?"
        r"(?:renewed|extended)|(?:plant|factory|shop|office|branch|mine|mill|yard) (?:is |will )?"
        r"(?:be )?clos(?:es|ing|ed)(?: down)?"
        r"|you(?:'re| are) (?:out of (?:a job|work)|unemployed))\b",
        -1.0,
        -0.3,
        0.5,
    ),
    "love": _signs(
        r"\b(?:kisses you|kissed you|you kiss|you kissed|I love you|loves you|falls? for you"
        r"|you(?:'re| are| fall| fell) in love|marry me|asks? you to marry"
        r"|proposes to you|will you be my|you spend the night together"
        r"|says yes to you)\b",
        0.5,
        1.0,
        0.45,
    ),
    "birth": _signs(
        r"\b(?:(?:is|are|was|were) born|g(?:ive|ives|ave) birth|newborn"
        r"|your (?:baby|little one) (?:is here|has come|arrives|arrived)"
        r"|delivered (?:of )?a (?:boy|girl|son|daughter)"
        r"|(?:baby|girl|boy|son|daughter|twins) (?:is|are|comes?) (?:here|into the world))\b",
        0.2,
        1.0,
        0.5,
    ),
    "exam": _signs(
        r"\b(?:exams?|examination|finals|mid-?terms?|viva|oral(?:s| exam)?|thesis defen[cs]e"
        r"|defend (?:your|the|my) thesis|driving test|entrance test|licen[cs]ing test|A-levels"
        r"|baccalaur[eé]at|matura|abitur|audition|bar exam)\b",
        -1.0,
        1.0,
        0.5,
        "goal",
        "concern",
    ),
}
_OTHERS_BIRTH = late(
    r"\bgrand|\b(?:sister|brother|aunt|uncle|niece|nephew|cousin|calf|calves|foal|lamb|pupp|kitten|colleague|neighbo|friend)",
    re.I,
)
_SICK = late(
    r"\byou(?:'ve| have| are|'re)? (?:been )?(?:got |have )?(?:diagnosed|cancer|tumou?r|covid"
    r"|the flu|pneumonia|to be operated)",
    re.I,
)
_UNFIT = late(
    r"\b(?:weeks?|months?) (?:off|without|out of|away from) work|\bunfit (?:for|to) work"
    r"|\bsigned off (?:work|sick)|\bon sick leave|\b(?:cannot|can't|must not|may not) work\b"
    r"|\bno work for \w+ (?:weeks|months)",
    re.I,
)
"""Words of who may not work for a while, such as a doctor's."""
BACK_AT_WORK = late(
    r"\b(?:your new job|you(?:'re| are) hired|got the job|first day (?:back )?at (?:your new )?work"
    r"|you(?:'re| are| go)? back (?:at|to) work|offer(?:s|ed)? you (?:a|the) (?:job|position|post)"
    r"|start work again)\b",
    re.I,
)
WORK = "work"
_NIGHT_H, _SHIFT_US = 3, 5 * HOUR_US
_NEAR: dict[str, float] = {
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
_KIN = frozenset({"child", "parent", "sibling", "relative", "animal", "partner"})


def turn_of(event: PersonEvent, identity: PersonIdentity) -> LifeTurn | None:
    """Return what an event turns in a life: what it says itself, or what its words say for sure.

    Silent rather than wrong: one that only might be a turn is none.
    """
    topic = _topic(event, identity)
    if not topic:
        return None
    text = on_one_line(event.text or "")
    about, strength = "", max(weight_of(event), 0.5)
    if topic in ("bereavement", "separation"):
        whom = _whom(event, text, identity, topic)
        about = whom.name if whom else ""
        strength *= _NEAR[whom.kind if whom else "other"]
    elif topic == "dismissal" or (topic == "illness" and _UNFIT().search(text)):
        about = WORK
    elif topic == "exam":
        about = text
    elif topic == "love":
        about = event.source or ""
    elif event.type == "illness":
        strength = min(1.0, 0.4 + 0.4 * number(event, "peak_c"))
    elif topic in ("birth", "night_work"):
        strength = 1.0
    return LifeTurn(topic, about, strength)


def weight_of(event: PersonEvent) -> float:
    """Return how much an event weighs, 0 to 1: as it says, or by its valence and strength."""
    if event.importance is not None:
        return event.importance
    intensity = 0.5 if event.intensity is None else event.intensity
    return abs(event.valence or 0.0) * (0.5 + 0.5 * intensity)


def _topic(event: PersonEvent, identity: PersonIdentity) -> LifeTopic:
    """Return the topic of an event, empty where it is none."""
    if event.topic is not None:
        return event.topic
    if event.type == "illness":
        return "illness"
    if event.type == "task" and _is_night_shift(event):
        return "night_work"
    text = on_one_line(event.text or "")
    if not text:
        return ""
    for topic, signs in _SIGNS.items():
        if (
            event.type in signs.types
            and _shows(event, text, signs)
            and _fits(event, text, topic, identity)
        ):
            return topic
    bad = (event.valence or 0.0) <= -0.4 and weight_of(event) >= 0.5
    return (
        "illness"
        if bad and event.type in _TOLD and (_SICK().search(text) or _UNFIT().search(text))
        else ""
    )


def _shows(event: PersonEvent, text: str, signs: _Signs) -> bool:
    """Tell whether an event has the words and the weight of a turn."""
    if not re.search(signs.words, text, re.I):
        return False
    weight = number(event, "importance") if event.type == "goal" else weight_of(event)
    if event.type == "concern":
        return True
    valence = event.valence or 0.0
    return signs.least <= valence <= signs.most and weight >= signs.importance


def _fits(event: PersonEvent, text: str, topic: LifeTopic, identity: PersonIdentity) -> bool:
    """Tell whether nothing speaks against a turn that words show."""
    if topic == "bereavement":
        if _NOT_DIED().search(text):
            return False
        known = _whom(event, text, identity, topic) is not None
        return known or weight_of(event) >= 0.8
    if topic == "separation":
        whom = _whom(event, text, identity, topic)
        return whom is None or whom.kind == "partner" or whom.kind not in _KIN
    if topic == "birth":
        return not _OTHERS_BIRTH().search(text)
    if topic == "love":
        source = (event.source or "").casefold()
        named = [one for one in others_of(identity) if one.name.casefold() == source]
        kin = any(one.kind in _KIN for one in named)
        return not kin and not _KINSHIP().search(source)
    return True


_KINSHIP = late(
    r"\b(?:grand\w*|mum|mom|mother|mama|dad|papa|father|aunt\w*|uncle|son|daughter|sister|brother)\b"
)


def _is_night_shift(event: PersonEvent) -> bool:
    """Tell whether a task lasts five hours or more and goes through the depth of the night."""
    lasts = duration_us(event)
    if lasts < _SHIFT_US:
        return False
    deep_us = (event.t_us // (24 * HOUR_US)) * 24 * HOUR_US + _NIGHT_H * HOUR_US
    nights = (deep_us, deep_us + 24 * HOUR_US)
    return any(event.t_us <= night < event.t_us + lasts for night in nights)


def _whom(
    event: PersonEvent, text: str, identity: PersonIdentity, topic: LifeTopic
) -> NamedOther | None:
    """Return who of an identity died or left: the last one that is named before the words of it."""
    others = [one for one in others_of(identity) if not one.gone]
    if topic == "separation":
        source = (event.source or "").casefold()
        left = [one for one in others if one.name.casefold() == source]
        if left:
            return left[0]
    signs = _SIGNS.get(topic)
    found = re.search(signs.words, text, re.I) if signs else None
    end = found.start() if found else len(text)
    places = [(place, one) for one in others if (place := _place_of(one, text)) >= 0]
    before = [(place, one) for place, one in places if place <= end]
    if before:
        return max(before, key=lambda one: one[0])[1]
    return min(places, key=lambda one: one[0])[1] if places else None


def _place_of(other: NamedOther, text: str) -> int:
    """Return where a text names somebody, -1 where it does not."""
    words = [re.escape(other.name)]
    if other.role:
        words.append(rf"(?:your|my) {re.escape(other.role)}")
    found = re.search(rf"(?<![\w])(?:{'|'.join(words)})(?![\w-])", text, re.I)
    return found.start() if found else -1


def begun(turn: LifeTurn, event: PersonEvent) -> Contribution | None:
    """Return what a turn does first; what lasts as an illness does, or is still ahead, keeps on.

    An exam that is not yet near does nothing yet, and keeps its place until it is.
    """
    course = COURSES[turn.topic]
    chan = {name: amount * turn.strength for name, amount in course.effects.items()}
    span_us = STEP_US
    if turn.topic == "exam":
        if event.due_us is None:
            return None
        chan = _before(turn.strength, event.due_us - event.t_us)
        span_us = min(STEP_US, event.due_us - event.t_us)
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
