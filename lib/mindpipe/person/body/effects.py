"""What each type of event, and the removal of a need, does to the body."""

from collections.abc import Callable
from math import exp, log

import numpy as np

from mindpipe.person.body import circadian, vitals
from mindpipe.person.body.appraisal import (
    EventSituation,
    Temper,
    buffered,
    clip,
    spread,
    strain,
    support,
)
from mindpipe.person.body.bank import Bank, Floats, Instants, Subject
from mindpipe.person.body.emotions import shifted, weights
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.personality import GAIN
from mindpipe.person.records.event import HOUR_US, MINUTE_US, PersonEvent, duration_us, number
from mindpipe.person.records.state import Contribution

PLEASURE = 0.3
REWARD = 0.2
"""What removing a whole need adds to the modes v1 and dopa."""
EMPTYING_ML = 600.0
"""The drink that takes all of a thirst."""


def satisfy(bank: Bank, columns: Instants, removed: Floats | float) -> None:
    """Let persons feel that `removed` (0 to 1) of a need is gone."""
    bank.modes[MODE["v1"], columns] += PLEASURE * removed
    bank.modes[MODE["dopa"], columns] += REWARD * removed


def drink(bank: Bank, columns: Instants, ml: float) -> None:
    """Let persons drink some millilitres."""
    before = bank.modes[MODE["thirst"], columns]
    after = before * max(0.0, 1.0 - ml / EMPTYING_ML)
    bank.modes[MODE["thirst"], columns] = after
    satisfy(bank, columns, before - after)


def toilet(bank: Bank, columns: Instants) -> None:
    """Let persons empty their bladders."""
    before = bank.modes[MODE["bladder"], columns]
    bank.modes[MODE["bladder"], columns] = 0.0
    satisfy(bank, columns, 0.5 * before)


def meet(bank: Bank, column: int) -> None:
    """Let a person find company, in the measure in which it missed it."""
    isolation = float(bank.modes[MODE["iso"], column])
    satisfy(bank, np.array([column]), 1.0 - exp(-3.5 * isolation))


Effect = Callable[[Subject, PersonEvent], None]

INJURIES: dict[str, tuple[float, float, float]] = {
    "sting": (1.0, 0.0, 0.0),
    "bruise": (0.6, 0.4, 0.0),
    "cut": (0.4, 0.4, 0.2),
    "burn": (0.4, 0.4, 0.2),
    "fracture": (0.3, 0.3, 0.4),
}
"""How an injury hurts: the shares of pain for minutes, hours and days."""
DIGESTION_US = 3 * HOUR_US
HURT_US = MINUTE_US
COMPANY_US = 5 * MINUTE_US
BAD_NEWS_US = 30 * MINUTE_US
_FEELINGS = ("v1", "v2", "v3", "v4", "v5")


def act(subject: Subject, event: PersonEvent) -> None:
    """Let an event act on the body of a person; targets are to be computed again afterwards."""
    effect = _EFFECTS.get(event.type)
    if effect is not None:
        effect(subject, event)


def feel(subject: Subject, emotion: str, amount: float) -> None:
    """Add an impulse of an emotion to the modes of valence, spread as its class lasts."""
    share = spread(subject.trait("n"), subject.mode("rum"))
    for mode, weight in zip(_FEELINGS, shifted(weights(emotion), share), strict=True):
        subject.push(mode, amount * weight)


def hunger(bank: Bank, columns: Instants) -> Floats:
    """Return how hungry some persons are: the readout, 0 to 1."""
    view = vitals.view_of_some(bank, columns)
    return vitals.hunger(view, circadian.clock(view.t_us, view.gains))


def eat(subject: Subject, event: PersonEvent) -> None:
    """Let a person start a meal, hungry as it is: it is eaten, then digested."""
    kcal = number(event, "kcal")
    grams = kcal / 8.0 if event.carbs_g is None else event.carbs_g
    span_us = duration_us(event)
    subject.bank.last_meal_us[subject.column] = subject.t_us
    if not span_us:
        return
    hungry = float(hunger(subject.bank, np.array([subject.column]))[0])
    channels = meal_channels(kcal, grams, span_us)
    subject.contribute(_lasting(subject, event, span_us, channels, start_hunger=hungry))
    subject.contribute(_lasting(subject, event, span_us + DIGESTION_US, FED))


FED = {"fed": 1.0}
"""What contributes as long as a meal is digested."""


def meal_channels(kcal: float, grams: float, span_us: int) -> dict[str, float]:
    """Return what a meal of so much energy and carbohydrate contributes while it is eaten."""
    span_s = span_us / 1e6
    eaten = log(1.0 / max(0.12, 1.0 - 0.00135 * kcal)) / span_s
    return {"carb": grams / span_s, "eat": eaten}


def _lasting(
    subject: Subject,
    event: PersonEvent,
    span_us: int,
    channels: dict[str, float],
    *,
    start_hunger: float | None = None,
) -> Contribution:
    """Return what an event contributes to channels for a span from now on."""
    return Contribution(
        start_us=subject.t_us,
        end_us=subject.t_us + span_us,
        type=event.type,
        event=event.id,
        chan=channels,
        start_hunger=start_hunger,
    )


def _contribute(subject: Subject, event: PersonEvent, **channels: float) -> None:
    """Let an event contribute to channels for as long as it lasts."""
    subject.contribute(_lasting(subject, event, duration_us(event), channels))


def _temper(subject: Subject) -> Temper:
    """Return what an event meets in a person, before it adds anything."""
    z_a = subject.trait("a")
    return Temper(subject.trait("n"), z_a, support(subject.channel("q"), z_a))


def _drink(subject: Subject, event: PersonEvent) -> None:
    drink(subject.bank, np.array([subject.column]), number(event, "ml"))


def _toilet(subject: Subject, event: PersonEvent) -> None:
    toilet(subject.bank, np.array([subject.column]))


def _stay_awake(subject: Subject, event: PersonEvent) -> None:
    until = subject.bank.stay_awake_us
    until[subject.column] = max(int(until[subject.column]), subject.t_us + duration_us(event))


def _noise(subject: Subject, event: PersonEvent) -> None:
    db = number(event, "db")
    _contribute(subject, event, noise=clip((db - 50.0) / 50.0))
    subject.push("aev", 0.6 * clip((db - 70.0) / 40.0))


def _light(subject: Subject, event: PersonEvent) -> None:
    _contribute(subject, event, lux=number(event, "lux"))


def _climate(subject: Subject, event: PersonEvent) -> None:
    _contribute(subject, event, air_c=number(event, "air_c"), clo=number(event, "clo"))


def _injury(subject: Subject, event: PersonEvent) -> None:
    hurt = number(event, "nrs") / 10.0
    shares = INJURIES[event.cls or "cut"]
    for mode, share in zip(("pain_1", "pain_2", "pain_3"), shares, strict=True):
        subject.push(mode, hurt * share)
    subject.push("aev", 0.6 * hurt)
    subject.push("adr", 200.0 * hurt)
    subject.push("vag", 0.5 * hurt * (1.0 - subject.mode("vag")))
    subject.push("endo", 6.0 * hurt)
    feel(subject, "pain", -0.3 * hurt)


def _pain(subject: Subject, event: PersonEvent) -> None:
    _contribute(subject, event, pain_in=number(event, "nrs") / 10.0)


def _threat(subject: Subject, event: PersonEvent) -> None:
    situation = EventSituation(
        level=number(event, "level"),
        social_eval=number(event, "social_eval"),
        control=number(event, "control"),
        danger=number(event, "danger"),
    )
    strained = strain(situation, _temper(subject), subject.bank.constants)
    mortal = situation.danger * situation.level
    _contribute(subject, event, u=strained.u, symp=strained.symp, adr_in=1500.0 * mortal)
    subject.push("aev", 0.5 * strained.u + 0.1 * situation.level + 0.4 * mortal)
    feel(subject, event.cls or "fear", -(mortal + 0.5 * strained.u))


def _task(subject: Subject, event: PersonEvent) -> None:
    load = number(event, "load")
    situation = EventSituation(
        level=load if event.level is None else event.level,
        social_eval=number(event, "social_eval"),
        control=number(event, "control"),
        danger=number(event, "danger"),
    )
    strained = strain(situation, _temper(subject), subject.bank.constants)
    strain_of = {"u": strained.u, "symp": strained.symp}
    _contribute(subject, event, **strain_of, task=load, sc=number(event, "self_control"))
    mortal = situation.danger * situation.level
    subject.push("aev", 0.5 * strained.u + 0.1 * situation.level + 0.4 * mortal)
    if situation.social_eval * (1.0 - situation.control) > 0.0:
        feel(subject, "stress", -0.3 * strained.u)


def _address(subject: Subject, event: PersonEvent) -> None:
    valence, intensity = number(event, "valence"), number(event, "intensity")
    closeness = number(event, "closeness")
    temper = _temper(subject)
    subject.push("aev", 0.25 * intensity)
    emotion = event.cls or ("gratitude" if valence >= 0.0 else "irritation")
    feel(subject, emotion, 0.8 * valence * intensity * (0.5 + 0.5 * closeness))
    warmth = float(subject.bank.gains[GAIN["oxy"], subject.column])
    subject.push("oxy", 0.15 * max(valence, 0.0) * closeness * warmth)
    subject.push("dopa", 0.1 * valence * intensity)
    quality = max(0.2, closeness) if valence >= -0.3 else 0.2
    subject.contribute(_lasting(subject, event, COMPANY_US, {"q": quality}))
    if valence < 0.0:
        blow = 0.3 * -valence * intensity
        channels = {"u": clip(blow * buffered(temper, 1.0, subject.bank.constants)), "symp": blow}
        subject.contribute(_lasting(subject, event, HURT_US, channels))


def _touch(subject: Subject, event: PersonEvent) -> None:
    valence, intensity = number(event, "valence"), number(event, "intensity")
    _contribute(subject, event, touch=clip(intensity * max(valence, 0.0)), q=0.5)
    feel(subject, "touched", 0.3 * valence * intensity)


def _contact(subject: Subject, event: PersonEvent) -> None:
    meet(subject.bank, subject.column)
    _contribute(subject, event, q=number(event, "quality"))


def _exercise(subject: Subject, event: PersonEvent) -> None:
    _contribute(subject, event, met=number(event, "met"))


def _news(subject: Subject, event: PersonEvent) -> None:
    valence, importance = number(event, "valence"), number(event, "importance")
    temper = _temper(subject)
    emotion = event.cls or ("joy" if valence >= 0.0 else "sadness")
    feel(subject, emotion, 2.0 * valence * importance)
    subject.push("aev", 0.5 * importance)
    curiosity = float(subject.bank.gains[GAIN["news"], subject.column])
    subject.push("dopa", 0.3 * importance * valence * curiosity)
    if valence < 0.0:
        drive = clip(0.3 * importance * -valence * buffered(temper, 0.0, subject.bank.constants))
        subject.contribute(_lasting(subject, event, BAD_NEWS_US, {"u": drive}))


def _illness(subject: Subject, event: PersonEvent) -> None:
    _contribute(subject, event, fever=number(event, "peak_c"))


def _drug(subject: Subject, event: PersonEvent) -> None:
    amount = number(event, "amount")
    if event.name == "caffeine":
        subject.push("caf", amount / 200.0)
    elif event.name == "alcohol":
        subject.push("alc", amount / 40.0)
    else:
        subject.push("exo", amount)


_EFFECTS: dict[str, Effect] = {
    "stay_awake": _stay_awake,
    "food": eat,
    "drink": _drink,
    "toilet": _toilet,
    "noise": _noise,
    "light": _light,
    "climate": _climate,
    "injury": _injury,
    "pain": _pain,
    "threat": _threat,
    "task": _task,
    "speech": _address,
    "action": _address,
    "touch": _touch,
    "contact": _contact,
    "exercise": _exercise,
    "news": _news,
    "illness": _illness,
    "drug": _drug,
}
"""Sleep and waking are those of `habits.py`; others are of the mind."""
