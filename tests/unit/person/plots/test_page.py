"""A life as a page: nothing on it overprints, all words are there, and none is markup."""

import itertools
import re
from typing import Any

import pytest

from mindpipe.person.plots.lives import DAY_US, HOUR_US, spread
from mindpipe.person.plots.page import (
    CHARACTER,
    LEFT,
    NO_CURVES,
    WIDTH,
    PageEntry,
    PageNote,
    entry_of,
    labels,
    page,
)
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.thought import Thought
from unit.person.plots.test_live_view import MARA, state_of

EVIL = '<script>alert("x")</script> & \x1b[2J'


def event(t_us: int, text: str) -> PersonEvent:
    return PersonEvent(v=1, person="mara", t_us=t_us, id=f"ev:{t_us}", type="speech", text=text)


def test_labels_do_not_overprint_and_stay_on_the_strip() -> None:
    words = ["a word", "a much longer line of words that is cut somewhere", "x"]
    entries = [
        PageEntry(number * HOUR_US // 3, "event", "speech", words[number % 3])
        for number in range(71)
    ]
    placed = labels(entries, 0)
    assert len(placed) == 71
    for number, one in enumerate(placed):
        right = one.left + CHARACTER * len(one.words)
        assert one.left >= LEFT
        assert right <= WIDTH
        same = [other for other in placed[number + 1 :] if other.lane == one.lane]
        assert all(other.left >= right for other in same)


def test_places_are_spread_in_order() -> None:
    found = spread([0.0, 0.01, 0.02, 0.99, 1.0], 0.1, 1.0)
    assert all(after - before >= 0.1 - 1e-9 for before, after in itertools.pairwise(found))
    assert found[-1] == 1.0
    assert spread([0.5] * 50, 0.1, 1.0)[0] >= 0.0
    assert spread([], 0.1, 1.0) == []


@pytest.mark.heavy
def test_a_page_holds_all_words_in_order_and_none_of_them_is_markup() -> None:
    thought = Thought(
        person="mara", t_us=9 * HOUR_US, id="th:1", mode="react", content=f"I think {EVIL}"
    )
    note = PageNote("mara", 10 * HOUR_US, f"Noted {EVIL}")
    states = [state_of(MARA, hour * HOUR_US) for hour in range(0, 31, 6)]
    made = page([*states, note, thought, event(8 * HOUR_US, EVIL)], ("arousal", "valence"))
    assert "<script" not in made
    assert "\x1b" not in made
    assert made.count("&lt;script&gt;") >= 4, "the label, and each on the list"
    order = [made.index(words) for words in ("<h2>Day 0", 'li class="e"', "I think", "Noted")]
    assert order == sorted(order)
    assert "<h2>Day 1, Tuesday</h2>" in made
    assert made.count("<polyline") == 4
    assert made.count('class="sleep"') >= 1
    assert not re.search(r'(?:src|href)="', made), "it needs nothing else"
    assert states[-1].t_us > DAY_US


def test_a_day_whose_states_are_too_far_apart_has_neither_curves_nor_nights() -> None:
    states = [state_of(MARA, hour * HOUR_US) for hour in (0, 30)]
    made = page(states, ("arousal", "valence"))
    assert made.count(NO_CURVES) == 2, "one for each day"
    assert "<polyline" not in made
    assert 'class="sleep"' not in made


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"type": "speech", "text": "Hi.", "source": "Ben"}, "Ben: Hi."),
        ({"type": "identity", "self_narrative": "I am brave."}, "I am brave."),
        ({"type": "exercise", "met": 6.0, "dur_us": 600_000_000}, "met 6, dur 10 min"),
        ({"type": "injury", "cls": "cut", "nrs": 4.5}, "nrs 4.5, cut"),
        ({"type": "wake"}, ""),
    ],
)
def test_an_event_is_told_by_its_words_or_by_what_it_says(
    event: dict[str, Any], words: str
) -> None:
    found = entry_of(PersonEvent(v=1, person="mara", t_us=0, id="e1", **event))
    label = "" if "text" in event else event["type"]
    assert found == ("mara", PageEntry(0, "event", event["type"], words, label))
