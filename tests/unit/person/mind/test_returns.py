"""When what happened comes back: by the time that has passed, not by the calendar."""

import msgspec
import pytest

from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.intrusions import intruding, returning
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import HOUR_US, MINUTE_US

KEYS = tuple((7, number) for number in range(6))


def returns(
    importance: float,
    *,
    at_h: float,
    wakes_h: float,
    sleeps_h: float,
    key: tuple[int, int],
    days: int,
) -> list[int]:
    """Return when something bad came back to somebody with these hours, counted from it."""
    began_us = DAY_US + round(at_h * HOUR_US)
    episode = Episode(
        id="e",
        t_us=began_us,
        until_us=began_us,
        type="news",
        text="it happens",
        valence=-0.6,
        importance=importance,
        noticed_us=began_us,
        last_us=began_us + HOUR_US,
    )
    awake_h = (sleeps_h - wakes_h) % 24
    found: list[int] = []
    for t_us in range(began_us + HOUR_US, began_us + days * DAY_US, 12 * MINUTE_US):
        since_h = (t_us / HOUR_US - wakes_h) % 24
        if since_h >= awake_h:
            continue
        woke_us = t_us - round(since_h * HOUR_US)
        if returning((episode,), t_us, key=key, since_us=woke_us) is not None:
            found.append(t_us - began_us)
            episode = msgspec.structs.replace(episode, last_us=t_us)
    return found


DAY = {"at_h": 10.0, "wakes_h": 7.0, "sleeps_h": 23.0}
NIGHT = {"at_h": 3.0, "wakes_h": 16.0, "sleeps_h": 8.0}


@pytest.mark.parametrize("hours", [DAY, NIGHT, {**DAY, "at_h": 22.0}, {**NIGHT, "at_h": 23.9}])
@pytest.mark.parametrize(
    ("importance", "every"), [(0.15, (1,)), (0.55, (1, 2, 3)), (1.0, (1, 3, 6))]
)
def test_what_matters_comes_back_on_the_days_after(
    hours: dict[str, float], importance: float, every: tuple[int, ...]
) -> None:
    start_us = round(hours["at_h"] * HOUR_US)
    for key in KEYS:
        found = returns(importance, **hours, key=key, days=8)
        days = {(start_us + one) // DAY_US for one in found}
        assert set(every) <= days, (key, sorted(days))


def test_it_comes_back_less_each_day_and_more_the_more_it_matters() -> None:
    counts = {}
    for importance in (0.2, 0.6, 1.0):
        found = [one for key in KEYS for one in returns(importance, **DAY, key=key, days=8)]
        counts[importance] = [
            sum(first * DAY_US <= one < (first + 2) * DAY_US for one in found)
            for first in (0, 2, 6)
        ]
    for one in counts.values():
        assert one == sorted(one, reverse=True)
        assert one[0] > one[-1]
    assert counts[0.2][0] < counts[0.6][0] < counts[1.0][0]


def test_who_works_by_night_has_as_much_of_it() -> None:
    by_day = sum(len(returns(0.7, **DAY, key=key, days=4)) for key in KEYS)
    by_night = sum(len(returns(0.7, **NIGHT, key=key, days=4)) for key in KEYS)
    assert abs(by_day - by_night) <= 0.2 * by_day


def test_what_has_just_come_back_leaves_room_for_other_things() -> None:
    def happened(name: str, last_h: float) -> Episode:
        return Episode(
            id=name,
            t_us=0,
            until_us=0,
            type="news",
            text="it happens",
            valence=-0.8,
            importance=1.0,
            noticed_us=0,
            last_us=round(last_h * HOUR_US),
        )

    t_us = 12 * HOUR_US
    found = {
        one.id
        for minute in range(10)
        for key in KEYS
        if (
            one := intruding(
                (happened("just", 11.9), happened("long", 5.0)), t_us + minute * MINUTE_US, key=key
            )
        )
    }
    assert found == {"long"}


def test_what_found_no_words_comes_back_sooner() -> None:
    told = Episode(
        id="e", t_us=DAY_US, until_us=DAY_US, type="contact", text="it happens", valence=0.5,
        importance=0.5, noticed_us=DAY_US, last_us=DAY_US + HOUR_US, told_us=DAY_US + HOUR_US,
    )  # fmt: skip
    wordless = msgspec.structs.replace(told, last_us=DAY_US + 12 * HOUR_US)
    spoken = msgspec.structs.replace(wordless, told_us=DAY_US + 12 * HOUR_US)
    for key in KEYS:
        at = {
            one: next(
                t_us
                for t_us in range(DAY_US + 12 * HOUR_US, 3 * DAY_US, 12 * MINUTE_US)
                if returning((episode,), t_us, key=key, since_us=0) is not None
            )
            for one, episode in (("wordless", wordless), ("spoken", spoken))
        }
        assert at["wordless"] < at["spoken"]
