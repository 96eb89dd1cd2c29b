"""The persons that validation watches: average traits, and what happens to each of them."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from mindpipe.person.lines import id_of
from mindpipe.person.mind.week_tables import ROUTINES
from mindpipe.person.records.episode import RoutineBlock
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import (
    Habits,
    Pacing,
    Person,
    PersonIdentity,
    PersonSettings,
    Traits,
)

SECOND_US = 1_000_000
MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
DAY_US = 24 * HOUR_US
LAST_DAY = 14
WORKED_NIGHTS = 2

NO_SLEEP = Habits(sleep=False)
NO_MEALS = Habits(meals=False)


class Trial(NamedTuple):
    """One person: what happens to it, its habits, chronotype in hours and trait of loneliness.

    Its week is empty unless it is given: whoever is not met by an event is alone. `relations` are
    those of its identity.
    """

    events: tuple[PersonEvent, ...] = ()
    habits: Habits = Habits()
    chronotype_h: float = 0.0
    loneliness: float = 0.0
    pacing: Pacing = "seed"
    routine: tuple[RoutineBlock, ...] = ()
    relations: tuple[str, ...] = ()


def at(hours: float, kind: str, **fields: object) -> PersonEvent:
    """Return what happens some hours after midnight of day 0, to nobody yet."""
    t_us = round(hours * HOUR_US)
    event = {"v": 1, "person": "nobody", "t_us": t_us, "id": "", "type": kind, **fields}
    return msgspec.convert({"kind": "event", **event}, PersonEvent)


def social_stress(hours: float, *, watched: bool = True) -> tuple[PersonEvent, ...]:
    """Return the protocol P-TSST, a speech and sums before judges; unwatched it is P-PLACEBO."""
    judged = {"social_eval": 1.0, "control": 0.0} if watched else {"control": 1.0}
    ten_min = 10 * MINUTE_US
    return (
        at(hours, "task", load=0.4, level=0.4, dur_us=ten_min, **judged),
        at(hours + 1 / 6, "task", load=0.6, level=1.0, dur_us=ten_min, **judged),
    )


def contact_days(days: int) -> tuple[PersonEvent, ...]:
    """Return company three times a day, as a rested life has it."""
    return tuple(
        at(24 * day + hour, "contact", quality=0.7, dur_us=90 * MINUTE_US)
        for day in range(days)
        for hour in (8.0, 12.5, 18.0)
    )


def _schedule() -> tuple[PersonEvent, ...]:
    """Return five days of 16 hours awake and 8 asleep, and 40 hours awake from day 5 on."""
    days = [step for day in range(5) for step in _day(day)]
    return (*days, at(127, "wake"), at(167, "sleep"))


def _day(day: int) -> tuple[PersonEvent, ...]:
    """Return waking at 7 and sleep at 23 of one day."""
    return at(24 * day + 7, "wake"), at(24 * day + 23, "sleep")


def _nights() -> tuple[PersonEvent, ...]:
    """Return nights of work, each followed by sleep when it comes."""
    return tuple(
        step
        for night in range(WORKED_NIGHTS)
        for step in (
            at(24 * night + 21, "stay_awake", dur_us=10 * HOUR_US),
            at(24 * night + 22, "task", load=0.6, dur_us=8 * HOUR_US),
        )
    )


def _mulling() -> tuple[PersonEvent, ...]:
    """Return a thought of rumination every 30 s for ten minutes, from 15:00 on."""
    return tuple(
        at(15 + number / 120, "thought", labels=["rumination"], hold_s=1.0) for number in range(20)
    )


TURNED_H = 34.0
"""When lives turn: at 10:00 of day 1."""
EXAM_DAY = 4


def _told(topic: str, text: str, valence: float) -> Trial:
    """Return somebody who lives at its own pace and is told what turns its life."""
    news = at(TURNED_H, "news", text=text, topic=topic, valence=valence, importance=1.0)
    return Trial((news,), pacing="lived", relations=("Ines, my wife", "Kim, a friend"))


AWAKE_40_H = at(7.02, "stay_awake", dur_us=40 * HOUR_US)
MEAL = at(7.5, "food", kcal=500, carbs_g=60)

TRIALS: dict[str, Trial] = {
    "alone": Trial(),
    "social": Trial(contact_days(LAST_DAY)),
    "lark": Trial(chronotype_h=-1.2),
    "owl": Trial(chronotype_h=1.0),
    "woken": Trial((at(7, "wake"),), NO_SLEEP),
    "napping": Trial((at(7, "wake"), at(17.5, "sleep"), at(19, "wake")), NO_SLEEP),
    "woken early": Trial((at(4, "wake"),), NO_SLEEP),
    "stressed at 9": Trial(social_stress(9)),
    "stressed at 16": Trial(social_stress(16)),
    "stressed at 20": Trial(social_stress(20)),
    "placebo": Trial(social_stress(16, watched=False)),
    "driven": Trial(
        (at(16, "task", load=0, level=1, social_eval=1, control=0, dur_us=30 * MINUTE_US),)
    ),
    "given cortisol": Trial((at(10, "drug", name="cortisol", amount=10),)),
    "flooded": Trial((at(10, "threat", level=1, danger=1, dur_us=30 * MINUTE_US),)),
    "scheduled": Trial(_schedule(), NO_SLEEP),
    "feverish": Trial((at(0, "illness", peak_c=1, dur_us=2 * DAY_US),)),
    "fasting": Trial((MEAL, at(8, "contact", quality=0.7)), NO_MEALS),
    "fasting, lonely by trait": Trial(
        (MEAL, at(8, "contact", quality=0.7)), NO_MEALS, loneliness=1.0
    ),
    "unfed": Trial(habits=NO_MEALS),
    "fed sugar": Trial((at(10, "food", kcal=300, carbs_g=75),), NO_MEALS),
    "mulling": Trial(_mulling()),
    "controlled": Trial((at(14, "task", load=0, self_control=1, dur_us=2 * HOUR_US),)),
    "awake": Trial((AWAKE_40_H,)),
    "exercised": Trial((at(15, "exercise", met=6, dur_us=20 * MINUTE_US),)),
    "at work by night": Trial(_nights()),
    "worn and stressed": Trial((AWAKE_40_H, *social_stress(46))),
    "stressed on waking": Trial((at(7, "wake"), *social_stress(7.25)), NO_SLEEP),
    "bereaved": _told("bereavement", "Ines has died", -1.0),
    "parted": _told("separation", "Ines leaves you", -0.9),
    "dismissed": _told("dismissal", "you are dismissed", -0.8),
    "in love": _told("love", "Kim kisses you", 0.9),
    "with a newborn": _told("birth", "your daughter is born", 0.9),
    "before an exam": Trial(
        (
            at(
                TURNED_H,
                "goal",
                text="pass the exam",
                importance=1.0,
                due_us=EXAM_DAY * DAY_US + 9 * HOUR_US,
            ),
        ),
        pacing="lived",
    ),
    "with a cold": Trial((at(TURNED_H, "illness", peak_c=0.5, dur_us=5 * DAY_US),), pacing="lived"),
    "nurse on nights": Trial(pacing="lived", routine=ROUTINES["nurse-nights"]),
    "stressed, sleepless": Trial((at(7, "wake"), *social_stress(31.25)), NO_SLEEP),
}
"""Every person by name; a protocol compares some of them."""


def person_of(name: str, consts: Mapping[str, float]) -> Person:
    """Return the person of a trial, with average traits and without a voice."""
    trial = TRIALS[name]
    return Person(
        person=id_of(name),
        name=name,
        traits=Traits(),
        chronotype_h=trial.chronotype_h,
        loneliness_trait=trial.loneliness,
        habits=trial.habits,
        settings=PersonSettings(awareness=False, model="none", pacing=trial.pacing),
        consts=dict(consts),
        routine=trial.routine,
        identity=PersonIdentity(relational_markers=trial.relations),
    )


def events_of(name: str) -> list[PersonEvent]:
    """Return what happens in a trial, in order of time, to its person."""
    person = id_of(name)
    found = [
        msgspec.structs.replace(event, person=person, id=f"ev:{person}:{event.t_us}:{number}")
        for number, event in enumerate(TRIALS[name].events)
    ]
    return sorted(found, key=lambda event: event.t_us)
