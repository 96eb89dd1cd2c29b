"""A change of mood is put down to what was followed by it, not to whatever came before."""

import pytest

from mindpipe.person.records.event import MINUTE_US
from mindpipe.review.findings import findings_of
from mindpipe.review.records import Chart, ChartLook, HeardThought, ObservedState

NOW_US = 60 * MINUTE_US


def look(minute: int, valence: float) -> ChartLook:
    return ChartLook(t_us=minute * MINUTE_US, valence=valence, arousal=0.3, energy=0.6)


def thought(
    minute: float, what: str, valence: float, *, told: bool = False, worth: float | None = None
) -> HeardThought:
    """Return a thought of something, or of pain that grows where that is nothing."""
    origin = "respond" if told else "spontaneous" if what else "react, pain +"
    t_us = round(minute * MINUTE_US)
    return HeardThought(
        t_us=t_us,
        id=f"th:{t_us}",
        origin=origin,
        content="So.",
        valence=valence,
        episode=what,
        about=what,
        told=told,
        worth=worth,
    )


HELLO = thought(51, "Hello", 0.3, told=True)
BURN = "you burn your hand"


@pytest.mark.parametrize(
    ("thoughts", "latest", "pain", "expected"),
    [
        (
            (thought(51, "You lie", 0.3, told=True, worth=-0.5),),
            -0.2,
            0.1,
            "On being told “You lie” the mood fell sharply",
        ),
        ((HELLO, thought(55, BURN, -0.2)), -0.3, 0.6, "After “you burn your hand” the mood fell"),
        (
            (HELLO, thought(55, "", -0.2), thought(56, BURN, -0.25)),
            -0.3,
            0.6,
            "After “you burn your hand” the mood fell sharply",
        ),
        ((HELLO, thought(55, "", -0.2)), -0.3, 0.6, "As pain set in the mood fell sharply"),
        ((HELLO,), -0.3, 0.6, "As pain set in the mood fell sharply"),
        (
            (thought(51, "he is dead", -0.4), thought(56, "she holds you", -0.1, told=True)),
            -0.1,
            0.1,
            "After “he is dead” the mood fell sharply",
        ),
    ],
    ids=["unkind", "worded", "pain first", "felt", "seen", "comfort after"],
)
def test_the_mood_follows_what_came_before_its_step(
    thoughts: tuple[HeardThought, ...], latest: float, pain: float, expected: str
) -> None:
    looks = (look(30, 0.3), look(40, 0.3), look(50, 0.3), look(60, latest))
    seen = ObservedState(t_us=NOW_US, awake=True, since_us=0, valence=latest, pain=pain)
    found = findings_of(Chart(looks=looks), seen, thoughts)
    assert found[0].words.startswith(expected)
    if len(thoughts) > 1 or pain > 0.4:
        assert not any("Hello" in one.words for one in found)
    assert len({one.subject for one in found}) == len(found)


def test_what_is_found_twice_stands_where_the_heavier_of_both_does() -> None:
    looks = (look(30, 0.3), look(40, 0.3), look(50, 0.3), look(60, -0.8))
    seen = ObservedState(t_us=NOW_US, awake=True, since_us=0, valence=-0.8, pain=0.6)
    thoughts = (thought(51, "", -0.1), thought(57, "I hate you", -0.8, told=True, worth=-0.8))
    found = findings_of(Chart(looks=looks), seen, thoughts)
    assert [one.subject for one in found[:2]] == ["pain", "event:I hate you"]


FIRE = "your flat has burnt down"
ALL_GOOD = thought(51, "The doctor says: all good", -0.3, told=True)
SICK = thought(51.1, "My sister is ill", -0.3, told=True, worth=-0.6)


@pytest.mark.parametrize(
    ("thoughts", "expected"),
    [
        ((ALL_GOOD, thought(51.1, BURN, -0.3)), "After “you burn your hand” the mood fell"),
        ((ALL_GOOD, thought(51.1, FIRE, -0.3)), "After “your flat has burnt down” the mood fell"),
        (
            (thought(51, FIRE, -0.3), SICK),
            "After “your flat has burnt down” and “My sister is ill” the mood fell",
        ),
        (
            (thought(51, "You are kind", -0.3, told=True, worth=0.6), SICK),
            "On being told “My sister is ill” the mood fell",
        ),
        ((ALL_GOOD,), ""),
        ((thought(51, FIRE, -0.3), thought(51.1, BURN, -0.3), SICK), ""),
    ],
    ids=["hurt beside", "loss beside", "two can", "kind beside", "neutral alone", "three can"],
)
def test_of_what_came_at_once_the_mood_is_put_down_to_what_can_have_moved_it(
    thoughts: tuple[HeardThought, ...], expected: str
) -> None:
    looks = (look(30, 0.3), look(40, 0.3), look(50, 0.3), look(60, -0.3))
    seen = ObservedState(t_us=NOW_US, awake=True, since_us=0, valence=-0.3, pain=0.1)
    found = [one.words for one in findings_of(Chart(looks=looks), seen, thoughts)]
    blamed = [one for one in found if one.startswith(("On being told", "After"))]
    assert [one[: len(expected)] for one in blamed] == ([expected] if expected else [])
