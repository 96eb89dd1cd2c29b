"""What people do by themselves every day: sleep and wake, go to the toilet, drink, eat."""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mindpipe.person.body import circadian, effects, rates, vitals
from mindpipe.person.body.bank import CHANNEL, Bank, Flags, Instants
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import PAINS, pain
from mindpipe.person.chance_arrays import uniforms
from mindpipe.person.records.event import MINUTE_US
from mindpipe.person.records.state import Contribution, Pending, Slot

HOUR_OF_SLEEP_US = 3_600_000_000
SECOND_US = 1_000_000
AWAKENING = ("car_1", "car_2", "car_3", "car_4")
"""The modes that the cortisol awakening response adds its amplitude to."""


def gate(hour: float) -> float:
    """Return how open the awakening response is at an hour of the body's own day: 0 to 1 (F 6)."""
    if hour < 3.0 or hour >= 12.0:
        return 0.0
    if hour < 5.0:
        return (hour - 3.0) / 2.0
    return 1.0 if hour < 10.0 else (12.0 - hour) / 2.0


def fall_asleep(bank: Bank, columns: Instants, t_us: int) -> None:
    """Let awake persons [M] fall asleep; those asleep sleep on.

    Alertness first recovers along a ramp up to its break, where the reserve is low. Coping and
    distortions end.
    """
    some = columns[bank.awake[columns]]
    if not len(some):
        return
    bank.awake[some] = False
    bank.forced[some] = False
    bank.since_us[some] = t_us
    bank.modes[MODE["W"], some] = 0.0
    bank.coping[:, some] = -1
    bank.episode_us[some] = -1
    bank.distortions[:, some] = False
    constants = bank.constants
    missing = constants.break_L - bank.modes[MODE["L"], some]
    ramps = missing > 0.0
    bank.ramp[some] = ramps
    for column, lack in zip(some[ramps].tolist(), missing[ramps].tolist(), strict=True):
        span_us = round(lack / constants.ramp_L_h * HOUR_OF_SLEEP_US)
        due = Pending(at_us=t_us + span_us, what="l_break", since_us=t_us)
        bank.lives[column].pending.append(due)


def wake(bank: Bank, columns: Instants, t_us: int, *, forced: bool) -> None:
    """Let sleepers [M] wake, `forced` where it is against habit; those awake stay awake.

    After three hours of sleep, in the morning of the body's own day, an awakening response of
    cortisol follows.
    """
    constants = bank.constants
    some = columns[~bank.awake[columns]]
    if not len(some):
        return
    long = some[t_us - bank.since_us[some] >= constants.car_least_sleep_s * SECOND_US]
    bank.awake[some] = True
    bank.ramp[some] = False
    bank.forced[some] = forced
    bank.since_us[some] = t_us
    bank.modes[MODE["W"], some] = constants.inertia_W
    hour, at_us = t_us / HOUR_OF_SLEEP_US, t_us + round(constants.car_delay_s * SECOND_US)
    for column, phi in zip(long.tolist(), bank.phi[long].tolist(), strict=True):
        amplitude = constants.car_gain * gate((hour - phi) % 24.0)
        if amplitude > 0.0:
            due = Pending(at_us=at_us, what="car", arg=amplitude, since_us=t_us)
            bank.lives[column].pending.append(due)


def fulfil(bank: Bank, column: int, due: Pending) -> None:
    """Do what was due, unless the wake or the sleep that it belongs to is over."""
    awake = bool(bank.awake[column])
    if awake != (due.what == "car") or int(bank.since_us[column]) != due.since_us:
        return
    if due.what == "car":
        for name in AWAKENING:
            bank.modes[MODE[name], column] += due.arg
    else:
        bank.ramp[column] = False
        bank.modes[MODE["L"], column] = bank.constants.break_L


Some = slice | Instants
"""Columns of a bank: of everybody, or of some."""
ALL = slice(None)


def among(columns: Some, chosen: Flags) -> Instants:
    """Return the columns of those who are chosen among some persons."""
    places: Instants = chosen.nonzero()[0]
    return places if isinstance(columns, slice) else columns[places]


def roused(bank: Bank, some: Some = ALL) -> Flags:
    """Return who of some is asleep and woken by the body: by pain, stress or noise."""
    constants = bank.constants
    asleep = ~bank.awake[some]
    if not asleep.any():
        return asleep
    loud = bank.channel[CHANNEL["noise"]][some] >= constants.waking_noise
    strained = bank.channel[CHANNEL["u"]][some] >= constants.waking_u
    disturbed: Flags = strained | loud
    if bank.rest and bank.rest.rests[PAINS].all():
        return asleep & disturbed
    hurt = (bank.modes[PAINS].any(axis=0) & ~bank.awake)[some]
    if hurt.any():
        feels = pain(vitals.view_of_some(bank, among(some, hurt)))
        disturbed[hurt] |= feels >= constants.waking_pain
    return asleep & disturbed


MEAL_US = 15 * MINUTE_US
NEVER = -(2**62)
"""The number of the latest meal of a person that never ate."""


class Meal(NamedTuple):
    """A meal of the day: its slot, between which hours of the body's day, and what it brings."""

    slot: Slot
    first_h: float
    last_h: float
    kcal: float
    carbs_g: float


MEALS_OF_DAY = (
    Meal("B", 5.0, 11.0, 500.0, 60.0),
    Meal("L", 12.5, 15.0, 700.0, 75.0),
    Meal("D", 19.0, 22.0, 800.0, 75.0),
)
_PLACES = {meal.slot: place for place, meal in enumerate(MEALS_OF_DAY)}


def latest(slots: Iterable[tuple[int, Slot]]) -> int:
    """Return the number of the latest of some meals, counted through all days."""
    return max((day * len(MEALS_OF_DAY) + _PLACES[slot] for day, slot in slots), default=NEVER)


GETTING_UP_US = 3 * 60 * MINUTE_US
"""After how long awake somebody of broken sleep does not go back to bed (C)."""
DEEP_US = 20 * MINUTE_US
"""For how long nothing breaks a sleep that has just begun (C)."""
STREAM = 9
"""The stream of chance that wakes by night who sleeps badly."""
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


def follow(bank: Bank, t_us: int, columns: Some = ALL) -> Instants:
    """Let everybody, or some, follow its habits at an instant of the decision grid.

    Returns:
        The columns of those who fell asleep, woke or began to eat.
    """
    rested, tired = _switches(bank, columns)
    wake(bank, among(columns, rested), t_us, forced=False)
    fall_asleep(bank, among(columns, tired), t_us)
    if (goes := _goes(bank, columns)).any():
        effects.toilet(bank, among(columns, goes))
    if (drinks := _drinks(bank, columns)).any():
        effects.drink(bank, among(columns, drinks), bank.constants.drink_ml)
    places = _meals(bank, columns)
    eats = places >= 0
    if eats.any():
        _eat(bank, t_us, among(columns, eats), places[eats])
    return among(columns, rested | tired | eats)


def stirred(bank: Bank) -> Flags:
    """Return who would do anything by habit at its `t_us`, an instant of the decision grid."""
    rested, tired = _switches(bank, ALL)
    stirs: Flags = rested | tired | _goes(bank, ALL) | _drinks(bank, ALL) | (_meals(bank, ALL) >= 0)
    return stirs


def disturb(bank: Bank, t_us: int) -> Instants:
    """Wake sleepers of broken sleep by chance, at an instant of the slow grid; return who woke."""
    broken = bank.channel[CHANNEL["broken"]]
    deep = ~bank.awake & (t_us - bank.since_us >= DEEP_US)
    columns: Instants = (deep & (broken > 0.0)).nonzero()[0]
    if not len(columns):
        return columns
    drawn = uniforms(bank.keys[:, columns], t_us, STREAM, 0)
    woken: Instants = columns[drawn < bank.constants.broken_rate * broken[columns]]
    wake(bank, woken, t_us, forced=True)
    return woken


def _switches(bank: Bank, every: Some) -> Switches:
    """Return who of some falls asleep and who wakes by sleep pressure and the time of day."""
    constants = bank.constants
    pressure, awake = bank.modes[MODE["S"]][every], bank.awake[every]
    most = WAVE_MOST * abs(constants.threshold_wave)
    unrest = bank.channel[CHANNEL["unrest"]][every]
    sleepy, slept = constants.sleep_at - most, constants.wake_at + most
    if unrest.any():
        late, early = constants.unrest_onset * unrest, constants.unrest_early * unrest
        near = np.where(awake, pressure >= sleepy + late, pressure <= slept + early)
    else:
        near = np.where(awake, pressure >= sleepy, pressure <= slept)
    near |= awake & bank.forced[every]
    near &= bank.habits[SLEEP][every]
    rested, tired = np.zeros_like(awake), np.zeros_like(awake)
    if not near.any():
        return Switches(rested, tired)
    places: Some = ALL
    columns = every
    if 2 * np.count_nonzero(near) <= len(awake):
        places, columns = near.nonzero()[0], among(every, near)
    t_us, pressure, awake = bank.t_us[columns], pressure[places], awake[places]
    # The wave of the day needs the first two gains alone.
    now = circadian.clock(t_us, bank.gains[:2, columns])
    wave = constants.threshold_wave * circadian.sleep_wave(now, constants.threshold_phase_h)
    follows, unrest = bank.habits[SLEEP, columns], unrest[places]
    # In a darkened room the day wakes nobody before it slept enough.
    rousing = np.where(bank.in_bed[columns], np.minimum(wave, 0.0), wave)
    early = constants.unrest_early * unrest
    rested[places] = follows & ~awake & (pressure <= constants.wake_at + rousing + early)
    drowsy = pressure >= constants.sleep_at + wave + constants.unrest_onset * unrest
    if (forced := bank.forced[columns]).any():
        broken = bank.channel[CHANNEL["broken"], columns]
        lying_us = constants.forced_awake_s * 1e6 * (1.0 + constants.broken_awake * broken)
        awake_us = t_us - bank.since_us[columns]
        lain = awake_us >= lying_us
        again = forced & lain
        # Who lies awake for long by night gets up.
        again &= ((unrest == 0.0) & (broken == 0.0)) | (awake_us < GETTING_UP_US)
        resleep = constants.resleep_at + wave + constants.unrest_resleep * unrest
        drowsy |= again & (pressure > resleep)
        # However tired: who was woken by broken sleep lies awake for a while.
        drowsy &= (broken == 0.0) | ~forced | lain
    tired[places] = drowsy & follows & awake
    if tired.any():
        where = tired.nonzero()[0]
        columns = among(every, tired)
        stoppable = bank.modes[MODE["S"], columns] < constants.sleep_unstoppable
        tired[where[stoppable]] = ~_blocked(bank, columns[stoppable])
    return Switches(rested, tired)


WAVE_MOST = 1.3
"""More than `circadian.sleep_wave` ever is, upwards or downwards."""


def _blocked(bank: Bank, columns: Instants) -> Flags:
    """Return who of some who are tired is kept from falling asleep."""
    constants = bank.constants
    here = vitals.view_of_some(bank, columns)
    blocked = here.t_us < bank.stay_awake_us[columns]
    blocked |= vitals.vagal_withdrawal(here) >= constants.blocked_vagal
    blocked |= vitals.pain(here) >= constants.blocked_pain
    blocked |= here.mode("aev") >= constants.blocked_aev
    blocked |= here.level("noise") >= constants.blocked_noise
    for index in (~blocked).nonzero()[0].tolist():
        active = bank.lives[columns[index]].active
        blocked[index] = any(one.type in _KEEPS_AWAKE for one in active)
    return blocked


def _goes(bank: Bank, some: Some) -> Flags:
    """Return who of some goes to the toilet."""
    full = bank.modes[MODE["bladder"]][some] >= bank.constants.toilet_at
    goes: Flags = bank.habits[TOILET][some] & bank.awake[some] & full
    return goes


def _drinks(bank: Bank, some: Some) -> Flags:
    """Return who of some drinks."""
    thirsty = bank.modes[MODE["thirst"]][some] >= bank.constants.drink_at
    drinks: Flags = bank.habits[DRINK][some] & bank.awake[some] & thirsty
    return drinks


def _meals(bank: Bank, some: Some) -> Instants:
    """Return which meal of the day some begin, -1 for none; each comes once a day."""
    constants, t_us = bank.constants, bank.t_us
    empty = t_us[some] - bank.last_meal_us[some] >= math.ceil(constants.meal_gap_s * 1e6)
    ready = bank.habits[MEALS][some] & bank.awake[some] & empty
    found = np.full(len(ready), -1)
    if not ready.any():
        return found
    places, columns = ready.nonzero()[0], among(some, ready)
    hour = t_us[columns] / HOUR_US - bank.phi[columns]
    day = np.floor(hour / DAY_H)
    first = day.astype(np.int64) * len(MEALS_OF_DAY)
    hungry = bank.meal[columns] < first + (len(MEALS_OF_DAY) - 1)
    if not hungry.any():
        return found
    places, columns = places[hungry], columns[hungry]
    hour, first = hour[hungry], first[hungry]
    time = hour - DAY_H * day[hungry]
    had = bank.meal[columns]
    fresh = t_us[columns] - bank.since_us[columns] < constants.breakfast_awake_s * 1e6
    for place, meal in enumerate(MEALS_OF_DAY):
        due = (time >= meal.first_h) & (time < meal.last_h) & (had < first + place)
        found[places[due & ~fresh if meal.slot == "B" else due]] = place
    return found


def _eat(bank: Bank, t_us: int, columns: Instants, places: Instants) -> None:
    """Let persons begin a meal of the day, hungry as they are: it is eaten, then digested."""
    days = np.floor((t_us / HOUR_US - bank.phi[columns]) / DAY_H).astype(np.int64)
    bank.meal[columns] = days * len(MEALS_OF_DAY) + places
    bank.last_meal_us[columns] = t_us
    shares = 1.0 - bank.constants.distaste_meal * bank.channel[CHANNEL["distaste"], columns]
    eaten = zip(days.tolist(), places.tolist(), shares.tolist(), strict=True)
    hungry = effects.hunger(bank, columns)
    eaten_us = t_us + MEAL_US
    digested = Contribution(
        start_us=t_us,
        end_us=eaten_us + effects.DIGESTION_US,
        type="food",
        event=HABIT,
        chan=effects.FED,
    )
    for column, (day, place, share), hunger in zip(
        columns.tolist(), eaten, hungry.tolist(), strict=True
    ):
        life = bank.lives[column]
        if life.meal_slots and life.meal_slots[0][0] < day:
            life.meal_slots = [one for one in life.meal_slots if one[0] >= day]
        life.meal_slots.append((day, MEALS_OF_DAY[place].slot))
        eating = Contribution(
            start_us=t_us,
            end_us=eaten_us,
            type="food",
            event=HABIT,
            chan=_meal_channels(place, share),
            start_hunger=hunger,
        )
        life.active += eating, digested
    rates.refresh(bank, columns.tolist())


@lru_cache(maxsize=1024)
def _meal_channels(place: int, share: float) -> dict[str, float]:
    """Return what a share of a meal of the day contributes, the very same for all who eat that."""
    meal = MEALS_OF_DAY[place]
    return effects.meal_channels(meal.kcal * share, meal.carbs_g * share, MEAL_US)
