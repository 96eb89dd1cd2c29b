"""The levels at which habits and the body act (sections 5.3 and 5.4), from just beside each."""

from math import log, pi, sin

import numpy as np
import pytest

from mindpipe.person.body import habits
from mindpipe.person.body import habits as sleeping
from mindpipe.person.body.bank import CHANNEL, Bank
from mindpipe.person.body.habits import NEVER
from mindpipe.person.body.modes import MODE
from mindpipe.person.records.person import Habits
from mindpipe.person.records.state import Contribution
from support import persons
from support.tables import each_row

HOUR_US = 3_600_000_000
MINUTE_US = 60_000_000
NOON_US = 12 * HOUR_US
BESIDE = 1e-4
"""A distance from a level that is less than 1 % of any."""


def wave(hour: float) -> float:
    """Return C(h) of section 5.4 for φ = 0."""
    alpha = 2 * pi * (hour - 8.6) / 24
    shares = enumerate((0.97, 0.22, 0.07, 0.03, 0.001), start=1)
    return sum(share * sin(times * alpha) for times, share in shares)


def body(t_us: int = NOON_US, *, awake: bool = True, **modes: float) -> Bank:
    """Return a bank of one person who wants nothing at an instant, but for some modes."""
    bank = persons.bank([persons.person(1)])
    bank.t_us[:] = bank.anchor_us[:] = bank.last_meal_us[:] = t_us
    bank.since_us[:] = t_us - 6 * HOUR_US
    bank.awake[:] = awake
    bank.modes[:] = 0.0
    bank.modes[MODE["S"]] = 0.5
    for name, level in modes.items():
        bank.modes[MODE[name]] = level
    return bank


def sleeps(bank: Bank) -> bool:
    """Return whether a person is asleep after following its habits."""
    before, stirs = bool(bank.awake[0]), bool(habits.stirred(bank)[0])
    changed = habits.follow(bank, int(bank.t_us[0])).tolist()
    assert changed == ([0] if stirs else [])
    assert stirs is (bool(bank.awake[0]) is not before), "it stirs exactly if anything changes"
    return not bank.awake[0]


def test_the_wave_is_that_of_the_conformance_values() -> None:
    assert wave(12) == pytest.approx(0.987635365, rel=1e-8)
    assert wave(23) == pytest.approx(-0.40985966, rel=1e-8)


@each_row("hour", [7, 12, 19, 23])
def test_persons_sleep_and_wake_at_the_levels_of_the_hour(hour: int) -> None:
    t_us = hour * HOUR_US
    tired, rested, again = (least + 0.12 * wave(hour) for least in (0.67, 0.17, 0.19))
    assert sleeps(body(t_us, S=tired + BESIDE))
    assert not sleeps(body(t_us, S=tired - BESIDE))
    assert not sleeps(body(t_us, awake=False, S=rested - BESIDE))
    assert sleeps(body(t_us, awake=False, S=rested + BESIDE))
    for level, span_us, expected in (
        (again + BESIDE, 15 * MINUTE_US, True),
        (again - BESIDE, 15 * MINUTE_US, False),
        (again + BESIDE, 15 * MINUTE_US - 1, False),
    ):
        woken = body(t_us, S=level)
        woken.forced[:], woken.since_us[:] = True, t_us - span_us
        assert sleeps(woken) is expected


@each_row(("name", "level"), [("vag", 0.3), ("pain_s", 0.5), ("aev", 0.3), ("noise", 0.4)])
def test_what_keeps_a_tired_person_awake(name: str, level: float) -> None:
    for beside, expected in ((0.0, False), (-BESIDE, True)):
        tired = body(S=0.8)
        if name in CHANNEL:
            tired.channel[CHANNEL[name]] = level + beside
        else:
            tired.modes[MODE[name]] = level + beside
        assert sleeps(tired) is expected


@each_row(("until_us", "expected"), [(NOON_US + 1, False), (NOON_US, True)])
def test_who_has_to_stay_awake_does_until_then(until_us: int, *, expected: bool) -> None:
    tired = body(S=0.8)
    tired.stay_awake_us[:] = until_us
    assert sleeps(tired) is expected


@each_row(
    ("what", "expected"),
    [
        ("task", False),
        ("threat", False),
        ("exercise", False),
        ("speech", False),
        ("action", False),
        ("touch", True),
        ("contact", True),
        ("food", True),
    ],
)
def test_some_events_keep_a_tired_person_awake(what: str, *, expected: bool) -> None:
    tired = body(S=0.8)
    acting = Contribution(start_us=0, end_us=NOON_US + 1, type=what, event="", chan={})
    tired.lives[0].active.append(acting)
    assert sleeps(tired) is expected


def test_nothing_keeps_a_person_awake_who_can_no_more() -> None:
    assert sleeps(body(S=0.97, vag=1.0))
    assert not sleeps(body(S=0.97 - BESIDE, vag=1.0))


@each_row(("name", "level", "left"), [("bladder", 0.7, 0.0), ("thirst", 0.35, 1 - 400 / 600)])
def test_toilet_and_drink(name: str, level: float, left: float) -> None:
    for awake, beside, share in ((True, 0.0, left), (True, -BESIDE, 1), (False, 0.0, 1)):
        bank = body(awake=awake)
        bank.modes[MODE[name]] = level + beside
        assert bool(habits.stirred(bank)[0]) is (share != 1)
        habits.follow(bank, NOON_US)
        assert bank.modes[MODE[name], 0] == pytest.approx((level + beside) * share, rel=1e-12)


MEALS = [
    (5.0, 11.0, 500.0, 60.0),
    (12.5, 15.0, 700.0, 75.0),
    (19.0, 22.0, 800.0, 75.0),
]


def eaten(hour: float, *, phi: float = 0.0, fasted_us: int = 2 * HOUR_US) -> list[Contribution]:
    """Return what acts on a person who follows its habits at an hour of its own day."""
    t_us = round((hour + phi) * HOUR_US)
    bank = body(t_us)
    bank.phi[:], bank.meal[:] = phi, NEVER
    bank.last_meal_us[:] = t_us - fasted_us
    stirs = bool(habits.stirred(bank)[0])
    changed = habits.follow(bank, t_us).tolist()
    assert changed == ([0] if stirs else [])
    assert stirs is bool(bank.lives[0].active)
    return bank.lives[0].active


@each_row("phi", [0.0, 1.5])
@each_row(("first", "last", "kcal", "carbs_g"), MEALS)
def test_meals(first: float, last: float, kcal: float, carbs_g: float, phi: float) -> None:
    for hour in (first, last - 1 / 60, 72 + first):
        eating, _ = eaten(hour, phi=phi)
        assert eating.end_us - eating.start_us == 15 * MINUTE_US
        shrink = log(1 / max(0.12, 1 - 0.00135 * kcal)) / 900
        assert eating.chan == pytest.approx({"carb": carbs_g / 900, "eat": shrink}, rel=1e-12)
    assert eaten(first - 1 / 60, phi=phi) == eaten(last, phi=phi) == []
    assert eaten(first, phi=phi, fasted_us=2 * HOUR_US - 1) == []


@each_row(
    ("hour", "span_us", "eats"),
    [(6, 30 * MINUTE_US, True), (6, 30 * MINUTE_US - 1, False), (13, 0, True)],
)
def test_only_breakfast_waits_for_half_an_hour(hour: int, span_us: int, *, eats: bool) -> None:
    t_us = hour * HOUR_US
    bank = body(t_us)
    bank.last_meal_us[:] = 0
    bank.since_us[:] = t_us - span_us
    habits.follow(bank, t_us)
    assert bool(bank.lives[0].active) is eats


def test_each_meal_comes_once_a_day() -> None:
    bank = body(13 * HOUR_US)
    for hour, meals in ((13.0, 1), (14.9, 1), (37.0, 2)):
        t_us = round(hour * HOUR_US)
        bank.t_us[:] = t_us
        bank.last_meal_us[:] = t_us - 3 * HOUR_US
        habits.follow(bank, t_us)
        assert len(bank.lives[0].active) == 2 * meals
    assert bank.lives[0].meal_slots == [(1, "L")]
    bank.t_us[:] = 43 * HOUR_US + HOUR_US // 2
    habits.follow(bank, int(bank.t_us[0]))
    assert bank.lives[0].meal_slots == [(1, "L"), (1, "D")]


def test_habits_that_are_off_are_not_followed() -> None:
    off = Habits(sleep=False, meals=False, drink=False, toilet=False)
    bank = persons.bank([persons.person(1, habits=off)])
    bank.awake[:], bank.t_us[:] = True, 13 * HOUR_US
    bank.modes[[MODE[name] for name in ("S", "bladder", "thirst")]] = 1.0
    before = bank.modes.copy()
    habits.follow(bank, 13 * HOUR_US)
    assert bank.awake.all() and not bank.lives[0].active
    assert np.array_equal(bank.modes, before)


@each_row(("name", "level"), [("pain_s", 0.4), ("u", 0.3), ("noise", 0.2)])
def test_what_wakes_a_sleeper(name: str, level: float) -> None:
    for beside, expected in ((0.0, True), (-BESIDE, False)):
        bank = body(awake=False)
        if name in CHANNEL:
            bank.channel[CHANNEL[name]] = level + beside
        else:
            bank.modes[MODE[name]] = level + beside
        assert bool(sleeping.roused(bank)[0]) is expected
        bank.awake[:] = True
        assert not sleeping.roused(bank).any()
