"""What people do by themselves every day: sleep and wake, go to the toilet, drink, eat."""

import numpy as np

from mindpipe.person.body import circadian, satisfying, vitals
from mindpipe.person.body.bank import CHANNEL, Bank, Flags, Instants
from mindpipe.person.body.effects import eat
from mindpipe.person.body.event_fields import MINUTE_US
from mindpipe.person.body.meals import MEAL_US, MEALS_OF_DAY, Meal
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


def follow(bank: Bank, t_us: int) -> Instants:
    """Let everybody follow its habits at an instant of the decision grid.

    Returns:
        The columns of those who fell asleep, woke or began to eat.
    """
    changed = _sleep(bank, t_us)
    _toilet(bank)
    _drink(bank)
    changed |= _meals(bank, t_us)
    return changed.nonzero()[0]


def _sleep(bank: Bank, t_us: int) -> Flags:
    """Let people fall asleep and wake by their sleep pressure and the time of day."""
    constants, pressure = bank.constants, bank.modes[MODE["S"]]
    now = circadian.clock(bank.t_us, bank.gains)
    wave = constants.threshold_wave * circadian.sleep_wave(now, constants.threshold_phase_h)
    follows, awake = bank.habits[SLEEP], bank.awake
    rested = follows & ~awake & (pressure <= constants.wake_at + wave)
    again = bank.forced & (t_us - bank.since_us >= constants.forced_awake_s * 1e6)
    tired = (pressure >= constants.sleep_at + wave) | (
        again & (pressure > constants.resleep_at + wave)
    )
    tired &= follows & awake
    if tired.any():
        tired &= (pressure >= constants.sleep_unstoppable) | ~_blocked(bank, t_us, tired)
    for column in rested.nonzero()[0].tolist():
        wake(bank, column, t_us, forced=False)
    for column in tired.nonzero()[0].tolist():
        fall_asleep(bank, column, t_us)
    switched: Flags = rested | tired
    return switched


def _blocked(bank: Bank, t_us: int, tired: Flags) -> Flags:
    """Return who of the tired is kept from falling asleep."""
    constants = bank.constants
    blocked = t_us < bank.stay_awake_us
    here = vitals.view_of(bank, bank.modes, bank.t_us)
    blocked |= vitals.vagal_withdrawal(here) >= constants.blocked_vagal
    blocked |= vitals.pain(here) >= constants.blocked_pain
    blocked |= bank.modes[MODE["aev"]] >= constants.blocked_aev
    blocked |= bank.channel[CHANNEL["noise"]] >= constants.blocked_noise
    for column in (tired & ~blocked).nonzero()[0]:
        active = bank.lives[column].active
        blocked[column] = any(one.type in _KEEPS_AWAKE for one in active)
    return blocked


def _toilet(bank: Bank) -> None:
    """Let those who need to go to the toilet."""
    full = bank.modes[MODE["bladder"]] >= bank.constants.toilet_at
    goes = bank.habits[TOILET] & bank.awake & full
    if goes.any():
        satisfying.toilet(bank, goes.nonzero()[0])


def _drink(bank: Bank) -> None:
    """Let the thirsty drink."""
    thirsty = bank.modes[MODE["thirst"]] >= bank.constants.drink_at
    drinks = bank.habits[DRINK] & bank.awake & thirsty
    if drinks.any():
        satisfying.drink(bank, drinks.nonzero()[0], bank.constants.drink_ml)


def _meals(bank: Bank, t_us: int) -> Flags:
    """Let those eat whose time it is, once for each meal of the day."""
    constants = bank.constants
    empty: Flags = t_us - bank.last_meal_us >= constants.meal_gap_s * 1e6
    eats: Flags = bank.habits[MEALS] & bank.awake & empty
    if not eats.any():
        return eats
    hour = t_us / HOUR_US - bank.phi
    day, time = np.floor(hour / DAY_H), np.mod(hour, DAY_H)
    fresh = t_us - bank.since_us < constants.breakfast_awake_s * 1e6
    first = day.astype(np.int64) * len(MEALS_OF_DAY)
    for place, meal in enumerate(MEALS_OF_DAY):
        due = eats & (time >= meal.first_h) & (time < meal.last_h) & (bank.meal < first + place)
        if meal.slot == "B":
            due &= ~fresh
        for column in due.nonzero()[0].tolist():
            _eat(Subject(bank, column, t_us), meal, int(day[column]))
        bank.meal[due] = first[due] + place
    began: Flags = bank.last_meal_us == t_us
    return began


def _eat(subject: Subject, meal: Meal, day: int) -> None:
    """Let a person begin a meal of the day."""
    slots = subject.bank.lives[subject.column].meal_slots
    slots[:] = [(when, slot) for when, slot in slots if when >= day]
    slots.append((day, meal.slot))
    event = Event(
        v=VERSION,
        person=subject.bank.persons[subject.column].person,
        t_us=subject.t_us,
        id=HABIT,
        type="food",
        kcal=meal.kcal,
        carbs_g=meal.carbs_g,
        dur_us=MEAL_US,
    )
    eat(subject, event)
