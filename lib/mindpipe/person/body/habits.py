"""What people do by themselves every day: sleep and wake, go to the toilet, drink, eat."""

import math
from typing import NamedTuple

import numpy as np

from mindpipe.person.body import circadian, satisfying, vitals
from mindpipe.person.body.bank import CHANNEL, Bank, Flags, Instants
from mindpipe.person.body.effects import eat
from mindpipe.person.body.event_fields import MINUTE_US
from mindpipe.person.body.meals import MEAL_US, MEALS_OF_DAY
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.sleeping import fall_asleep, wake
from mindpipe.person.body.subject import Subject
from mindpipe.person.records.event import Event
from mindpipe.person.records.ranges import VERSION

HABIT = "habit"
"""The id of what a person does by itself, as the event of its contributions."""
SLEEP, MEALS, DRINK, TOILET = range(4)
HOUR_US = 60 * MINUTE_US
DAY_H = 24.0
_KEEPS_AWAKE = frozenset({"task", "threat", "exercise", "speech", "action"})


class Switches(NamedTuple):
    """Who has slept enough, and who falls asleep [N]."""

    rested: Flags
    tired: Flags


def follow(bank: Bank, t_us: int) -> Instants:
    """Let everybody follow its habits at an instant of the decision grid.

    Returns:
        The columns of those who fell asleep, woke or began to eat.
    """
    rested, tired = _switches(bank)
    for column in rested.nonzero()[0].tolist():
        wake(bank, column, t_us, forced=False)
    for column in tired.nonzero()[0].tolist():
        fall_asleep(bank, column, t_us)
    if (goes := _goes(bank)).any():
        satisfying.toilet(bank, goes.nonzero()[0])
    if (drinks := _drinks(bank)).any():
        satisfying.drink(bank, drinks.nonzero()[0], bank.constants.drink_ml)
    places = _meals(bank)
    for column in (places >= 0).nonzero()[0].tolist():
        _eat(Subject(bank, column, t_us), int(places[column]))
    return (rested | tired | (places >= 0)).nonzero()[0]


def stirred(bank: Bank) -> Flags:
    """Return who would do anything by habit at its `t_us`, an instant of the decision grid."""
    rested, tired = _switches(bank)
    stirs: Flags = rested | tired | _goes(bank) | _drinks(bank) | (_meals(bank) >= 0)
    return stirs


def _switches(bank: Bank) -> Switches:
    """Return who falls asleep and who wakes by sleep pressure and the time of day."""
    constants, pressure = bank.constants, bank.modes[MODE["S"]]
    now = circadian.clock(bank.t_us, bank.gains)
    wave = constants.threshold_wave * circadian.sleep_wave(now, constants.threshold_phase_h)
    follows, awake = bank.habits[SLEEP], bank.awake
    rested = follows & ~awake & (pressure <= constants.wake_at + wave)
    again = bank.forced & (bank.t_us - bank.since_us >= constants.forced_awake_s * 1e6)
    tired = (pressure >= constants.sleep_at + wave) | (
        again & (pressure > constants.resleep_at + wave)
    )
    tired &= follows & awake
    if tired.any():
        tired &= (pressure >= constants.sleep_unstoppable) | ~_blocked(bank, tired)
    return Switches(rested, tired)


def _blocked(bank: Bank, tired: Flags) -> Flags:
    """Return who of the tired is kept from falling asleep."""
    constants = bank.constants
    blocked = bank.t_us < bank.stay_awake_us
    here = vitals.view_of(bank, bank.modes, bank.t_us)
    blocked |= vitals.vagal_withdrawal(here) >= constants.blocked_vagal
    blocked |= vitals.pain(here) >= constants.blocked_pain
    blocked |= bank.modes[MODE["aev"]] >= constants.blocked_aev
    blocked |= bank.channel[CHANNEL["noise"]] >= constants.blocked_noise
    for column in (tired & ~blocked).nonzero()[0]:
        active = bank.lives[column].active
        blocked[column] = any(one.type in _KEEPS_AWAKE for one in active)
    return blocked


def _goes(bank: Bank) -> Flags:
    """Return who goes to the toilet."""
    full = bank.modes[MODE["bladder"]] >= bank.constants.toilet_at
    goes: Flags = bank.habits[TOILET] & bank.awake & full
    return goes


def _drinks(bank: Bank) -> Flags:
    """Return who drinks."""
    thirsty = bank.modes[MODE["thirst"]] >= bank.constants.drink_at
    drinks: Flags = bank.habits[DRINK] & bank.awake & thirsty
    return drinks


def _meals(bank: Bank) -> Instants:
    """Return which meal of the day everybody begins, -1 for none; each comes once a day."""
    constants, t_us = bank.constants, bank.t_us
    found = np.full(len(bank.persons), -1)
    empty = t_us - bank.last_meal_us >= constants.meal_gap_s * 1e6
    ready = bank.habits[MEALS] & bank.awake & empty
    if not ready.any():
        return found
    hour = t_us / HOUR_US - bank.phi
    time = np.mod(hour, DAY_H)
    fresh = t_us - bank.since_us < constants.breakfast_awake_s * 1e6
    first = np.floor(hour / DAY_H).astype(np.int64) * len(MEALS_OF_DAY)
    for place, meal in enumerate(MEALS_OF_DAY):
        due = ready & (time >= meal.first_h) & (time < meal.last_h) & (bank.meal < first + place)
        found[due & ~fresh if meal.slot == "B" else due] = place
    return found


def _eat(subject: Subject, place: int) -> None:
    """Let a person begin a meal of the day."""
    bank, column, t_us = subject
    meal, slots = MEALS_OF_DAY[place], bank.lives[column].meal_slots
    day = math.floor((t_us / HOUR_US - float(bank.phi[column])) / DAY_H)
    slots[:] = [(when, slot) for when, slot in slots if when >= day]
    slots.append((day, meal.slot))
    bank.meal[column] = day * len(MEALS_OF_DAY) + place
    event = Event(
        v=VERSION,
        person=bank.persons[column].person,
        t_us=t_us,
        id=HABIT,
        type="food",
        kcal=meal.kcal,
        carbs_g=meal.carbs_g,
        dur_us=MEAL_US,
    )
    eat(subject, event)
