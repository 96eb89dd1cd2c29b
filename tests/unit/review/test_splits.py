"""However a run is split, its thoughts, notes and failures are the same, and so are its states."""

import json
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mindpipe.core.ports import Model
from mindpipe.core.text import RecordedWords
from mindpipe.person.life.birth import Birth, new_persons
from mindpipe.person.life.people import InputLine, People
from mindpipe.person.lines import LinePlace
from mindpipe.person.records.event import HOUR_US, MINUTE_US, SECOND_US
from mindpipe.person.records.person import PersonSettings
from mindpipe.person.records.thought import VoiceError
from mindpipe.person.verbs.runs import RunCourse, RunOfLines
from mindpipe.person.verbs.simulate import new
from mindpipe.person.voice.models import VoiceModel, Voices
from mindpipe.person.voice.speech import Speakers
from mindpipe.review.records import ReviewQuestion
from mindpipe.review.verbs import Reviewers
from support.fakes import FixedClock

pytestmark = pytest.mark.heavy

START_US, END_US = 17 * HOUR_US, 29 * HOUR_US
EVENTS = (
    {"at": "18:03", "type": "news", "valence": -1, "importance": 1, "text": "your mother is dead"},
    {"at": "19:40", "type": "speech", "valence": 0.7, "text": "I am with you.", "from": "Ben"},
    {"at": "21:05", "type": "injury", "nrs": 7, "text": "you burn your hand on the stove"},
    {"at": "1d02:20", "type": "news", "valence": 0.9, "importance": 0.9, "text": "you won"},
)


class NoModels:
    """Nobody speaks but the composed voice."""

    records = False

    def open(self, name: str) -> VoiceModel:
        raise AssertionError(name)

    def recorded(self, model: Model) -> Model:
        return model


class Moody:
    """An observer's model that is ill every eighth half hour."""

    def of(self, model: str) -> object:
        return model

    def ask(self, model: str, prompt: ReviewQuestion, *, place: str) -> str:
        del place
        if prompt.seen.t_us // (HOUR_US // 2) % 8 == 0:
            raise VoiceError("ill", error_class="ill")
        return RecordedWords(f"Of {len(prompt.thoughts)}: {len(prompt.user)}.", model)

    def said(self, words: str, prompt: ReviewQuestion) -> str:
        del prompt
        return words


@cache
def born() -> tuple[bytes, ...]:
    """Return the lines of somebody whose observer may make one call a day."""
    asked = PersonSettings(review_model="program:./note", max_calls=6)
    persons = new_persons(Birth(name="Mara", seed=7, settings=asked))
    events = [json.dumps({"kind": "event", **one}).encode() for one in EVENTS]
    return (*new(persons, at_us=START_US), *events)


def lived(lines: Sequence[bytes], until_us: int, every_us: int) -> list[bytes]:
    """Return what a run prints of lines."""
    people = People()
    for number, line in enumerate(lines, 1):
        people.add(InputLine(LinePlace("a", number), line))
    people.settle()
    voices = Speakers(Voices(NoModels()))
    observer = Reviewers(Moody(), model=None, wanted=True, tell=str)
    course = RunCourse(until_us=until_us, every_us=every_us)
    run = RunOfLines(
        people, course, FixedClock(), speaking=voices, shared=None, observer=observer, tell=str
    )
    return list(run.lines())


def parted(lines: Sequence[bytes]) -> tuple[list[dict], dict[int, dict]]:
    """Return all that is printed besides states and events, and the states by their instants."""
    records = [json.loads(line) for line in lines]
    others = [one for one in records if one["kind"] not in ("state", "event")]
    return others, {one["t_us"]: one for one in records if one["kind"] == "state"}


@cache
def whole(every_us: int) -> list[bytes]:
    return lived(born(), END_US, every_us)


@settings(max_examples=3, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(
    splits=st.lists(
        st.integers(START_US // SECOND_US + 1, END_US // SECOND_US - 1), min_size=1, max_size=4
    ),
    every_min=st.sampled_from([7, 10, 45, 1440]),
)
def test_a_split_changes_nothing_but_adds_the_states_where_it_was(
    splits: list[int], every_min: int
) -> None:
    every_us = every_min * MINUTE_US
    lines: Sequence[bytes] = born()
    ends = [second * SECOND_US for second in sorted(set(splits))]
    for end_us in ends:
        # What happens later is told to each run again, as a file of events would be.
        lines = [*lived(lines, end_us, every_us), *born()[2:]]
    found, states = parted(lived(lines, END_US, every_us))
    expected, grid = parted(whole(every_us))
    assert found == expected
    assert {t_us: one for t_us, one in states.items() if t_us in grid} == grid
    assert set(states) - set(grid) <= set(ends)


def test_the_observer_of_such_a_run_spends_its_calls_and_is_ill() -> None:
    records, _ = parted(whole(10 * MINUTE_US))
    notes = [one for one in records if one["kind"] == "observation"]
    assert {one["model"] for one in notes} == {"composed", "program:./note"}
    assert any(one["kind"] == "review_failure" for one in records)
    assert records[-1]["kind"] == "chart"
