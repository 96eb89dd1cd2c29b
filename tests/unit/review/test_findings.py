"""The observer is silent where nothing changed, and says one thing of one night."""

from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.review.findings import findings_of
from mindpipe.review.records import (
    Chart,
    ChartDay,
    ChartLook,
    ChartMark,
    ChartNight,
    HeardThought,
    ObservedState,
)

DAY_US = 24 * HOUR_US
SEEN = {"arousal": 0.3, "valence": 0.2, "energy": 0.5}


def thoughts(day: int, of_it: int, others: int) -> list[HeardThought]:
    """Return the thoughts of a day, some of which are of one thing that moved the person."""
    start = day * DAY_US + 8 * HOUR_US
    return [
        HeardThought(
            t_us=start + number * 5 * MINUTE_US, id=f"t{day}{number}", origin="spontaneous",
            content="A thought.", valence=-0.3, about="the letter",
            episode="e1" if number < of_it else f"o{day}{number}",
        )
        for number in range(of_it + others)
    ]  # fmt: skip


def returns(of_it: int) -> list[str]:
    """Return what is noted of returning thoughts where 5 of 20 returned the day before."""
    now = DAY_US + 16 * HOUR_US
    seen = ObservedState(t_us=now, since_us=DAY_US + 7 * HOUR_US, **SEEN)
    looks = (ChartLook(t_us=now, arousal=0.3, valence=0.2, energy=0.5),)
    told = [*thoughts(0, 5, 15), *thoughts(1, of_it, 20 - of_it)]
    found = findings_of(Chart(looked_us=now, since_us=seen.since_us, looks=looks), seen, told)
    return [one.words for one in found if one.subject == "return"]


def test_what_returns_as_often_as_before_is_no_note() -> None:
    assert returns(5) == []
    assert "a larger share" in returns(12)[0]
    assert "a smaller share" in returns(3)[0]


def test_a_night_that_breaks_has_one_note_when_it_is_over() -> None:
    night = ChartNight(asleep_us=-HOUR_US, awake_us=3 * HOUR_US, slept_us=4 * HOUR_US, breaks=1)
    noted = []
    for minutes in range(10, 200, 10):
        now = 3 * HOUR_US + minutes * MINUTE_US
        seen = ObservedState(t_us=now, since_us=3 * HOUR_US, **SEEN)
        looks = (ChartLook(t_us=now, arousal=0.3, valence=0.2, energy=0.5),)
        chart = Chart(looked_us=now, since_us=3 * HOUR_US, nights=(night,), looks=looks)
        noted += [now for one in findings_of(chart, seen, []) if one.subject == "night"][:1]
    # Until then whoever falls asleep again goes on with the same night.
    assert min(noted) > 3 * HOUR_US + 90 * MINUTE_US


def of_a_day(yesterday: float, today: float, moved: float) -> str:
    """Return what is noted in the evening of a day on which a letter moved the mood."""
    now = DAY_US + 20 * HOUR_US
    seen = ObservedState(t_us=now, since_us=DAY_US + 7 * HOUR_US, **SEEN)
    days = tuple(
        ChartDay(day=day, looks=100, valence=100 * valence, arousal=30.0, energy=50.0)
        for day, valence in enumerate((yesterday, today))
    )
    mark = ChartMark(subject="event:e1", t_us=DAY_US + 9 * HOUR_US, value=moved)
    looks = (ChartLook(t_us=now, arousal=0.3, valence=today, energy=0.5),)
    chart = Chart(
        looked_us=now, since_us=seen.since_us, looks=looks, days=days, marks=(mark,)
    )  # fmt: skip
    found = findings_of(chart, seen, thoughts(1, 2, 5))
    return next(one.words for one in found if one.subject == "day")


def test_the_words_of_a_day_fit_its_mood_and_name_what_moved_it() -> None:
    """A good day is not heavy for being less good than the best."""
    less_good = of_a_day(0.8, 0.5, -0.5)
    assert less_good.startswith("Not as good a day as yesterday: the mood was very good")
    assert less_good.endswith("with “the letter”.")
    assert of_a_day(-0.8, -0.5, 0.5).startswith("Not as heavy a day as yesterday")
    assert of_a_day(0.3, -0.4, -0.5).startswith("A heavier day than yesterday")
    assert "letter" not in of_a_day(0.3, -0.4, 0.5)
