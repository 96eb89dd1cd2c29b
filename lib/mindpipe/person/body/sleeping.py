"""Falling asleep and waking: what switches in the body, and what it will do by itself later."""

from mindpipe.person.body.bank import CHANNEL, Bank, Flags
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.vitals import pain, view_of
from mindpipe.person.records.state import Pending

HOUR_US = 3_600_000_000
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


def fall_asleep(bank: Bank, column: int, t_us: int) -> None:
    """Let an awake person fall asleep; somebody asleep sleeps on.

    Alertness first recovers along a ramp up to its break, where the reserve is low. Coping and
    distortions end.
    """
    if not bank.awake[column]:
        return
    bank.awake[column] = False
    bank.forced[column] = False
    bank.since_us[column] = t_us
    bank.modes[MODE["W"], column] = 0.0
    bank.coping[:, column] = -1
    bank.episode_us[column] = -1
    bank.distortions[:, column] = False
    begin_recovery(bank, column, t_us)


def begin_recovery(bank: Bank, column: int, t_us: int) -> None:
    """Choose the regime in which a sleeper's alertness recovers, and plan the end of a ramp."""
    constants = bank.constants
    missing = constants.break_L - float(bank.modes[MODE["L"], column])
    bank.ramp[column] = missing > 0.0
    if missing > 0.0:
        span_us = round(missing / constants.ramp_L_h * HOUR_US)
        since_us = int(bank.since_us[column])
        due = Pending(at_us=t_us + span_us, what="l_break", since_us=since_us)
        bank.lives[column].pending.append(due)


def wake(bank: Bank, column: int, t_us: int, *, forced: bool) -> None:
    """Let a sleeper wake, `forced` where it is against habit; somebody awake stays awake.

    After three hours of sleep, in the morning of the body's own day, an awakening response of
    cortisol follows.
    """
    if bank.awake[column]:
        return
    constants = bank.constants
    slept_us = t_us - int(bank.since_us[column])
    bank.awake[column] = True
    bank.ramp[column] = False
    bank.forced[column] = forced
    bank.since_us[column] = t_us
    bank.modes[MODE["W"], column] = constants.inertia_W
    if slept_us < constants.car_least_sleep_s * SECOND_US:
        return
    amplitude = constants.car_gain * gate((t_us / HOUR_US - float(bank.phi[column])) % 24.0)
    if amplitude > 0.0:
        at_us = t_us + round(constants.car_delay_s * SECOND_US)
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


def roused(bank: Bank) -> Flags:
    """Return who is asleep and woken by the body: by pain, stress or noise."""
    constants = bank.constants
    asleep = ~bank.awake
    if not asleep.any():
        return asleep
    loud = bank.channel[CHANNEL["noise"]] >= constants.waking_noise
    strained = bank.channel[CHANNEL["u"]] >= constants.waking_u
    hurt = pain(view_of(bank, bank.modes, bank.t_us)) >= constants.waking_pain
    disturbed: Flags = hurt | strained | loud
    return asleep & disturbed
