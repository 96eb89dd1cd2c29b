"""What an event means to a person: how it drives stress, surprises, and how feeling spreads."""

from typing import NamedTuple

from mindpipe.person.body.constants import Constants
from mindpipe.person.records.event import PersonEvent


def clip(number: float, least: float = 0.0, most: float = 1.0) -> float:
    """Return the number, or the end of the range that it is beyond."""
    return min(max(number, least), most)


LOUD_DB = 85.0
"""From this level on a noise surprises."""
SURPRISING = 0.5
"""From this strength on a surprise is something to think about."""
SURPRISES = {
    "injury": "you got hurt",
    "noise": "a sudden loud noise",
    "threat": "something threatens you",
    "news": "the news you just heard",
}
"""What a surprise without words of its own is, by the type of its event."""
UNEXPECTED = "something unexpected happened"


class Strain(NamedTuple):
    """How an event drives the body while it lasts: the HPA axis and the sympathetic system."""

    u: float
    symp: float


class EventSituation(NamedTuple):
    """What an event is like: all between 0 and 1."""

    level: float
    social_eval: float
    control: float
    danger: float


class Temper(NamedTuple):
    """What of a person an event meets: standard traits n and a, and support by others, 0 to 1."""

    z_n: float
    z_a: float
    support: float


def gravity(situation: EventSituation, constants: Constants) -> float:
    """Return how grave a situation is by social evaluation and lack of control, 0.05 to 1."""
    c = constants
    social, helpless = situation.social_eval, 1.0 - situation.control
    alone = c.grave_base + c.grave_social * social + c.grave_helpless * helpless
    return alone + c.grave_both * social * helpless


def proneness(temper: Temper, social_eval: float) -> float:
    """Return the factor p by which traits raise or lower stress, 0.4 to 1.6."""
    return clip((1.0 + 0.10 * temper.z_n) * (1.0 - 0.10 * temper.z_a * social_eval), 0.4, 1.6)


def buffered(temper: Temper, social_eval: float, constants: Constants) -> float:
    """Return proneness after the relief of support."""
    return proneness(temper, social_eval) * (1.0 - constants.support_relief * temper.support)


def support(quality: float, z_a: float) -> float:
    """Return the support that contact of a quality (0 to 1, 0 alone) gives, 0 to 1."""
    return clip(quality * (1.0 + 0.1 * z_a))


def strain(situation: EventSituation, temper: Temper, constants: Constants) -> Strain:
    """Return the strain of a threat or a task, both parts between 0 and 1; fixed when it starts."""
    c, level, grave = constants, situation.level, gravity(situation, constants)
    return Strain(
        u=clip(level * grave * buffered(temper, situation.social_eval, c)),
        symp=max(clip(level * (c.symp_least + c.symp_grave * grave)), situation.danger * level),
    )


def spread(z_n: float, rumination: float) -> float:
    """Return the share of a feeling that moves to slower modes, 0 to 0.5."""
    return clip(0.15 * z_n + 0.3 * rumination, 0.0, 0.5)


def surprise(event: PersonEvent) -> float:
    """Return how surprising an event is, 0 to 1: as told, 1 - certainty, or what its type says."""
    if event.surprise is not None:
        return event.surprise
    if event.certainty is not None:
        return 1.0 - event.certainty
    if event.type == "noise":
        return 1.0 if event.db is not None and event.db >= LOUD_DB else 0.0
    if event.type == "news":
        return event.importance or 0.0
    return {"injury": 1.0, "threat": 0.8}.get(event.type, 0.0)
