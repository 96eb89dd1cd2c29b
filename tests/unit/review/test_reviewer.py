"""When the observer takes a note: its buffer, its own limit, and a person who sleeps."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from mindpipe.review.note import Reviewer
from mindpipe.review.records import (
    HeardThought,
    ObservedState,
    ReviewError,
    ReviewFailure,
    ReviewNote,
    ReviewQuestion,
)
from mindpipe.review.verbs import note_when_due
from support.tables import each_row

SECOND = 1_000_000
MINUTE = 60 * SECOND


def heard(t_us: int = 0, origin: str = "react, pain +") -> HeardThought:
    return HeardThought(t_us=t_us, id=f"th:ann:{t_us}", origin=origin, content="It hurts.")


def note(_: ReviewQuestion) -> str:
    return "A note."


def look(reviewer: Reviewer, t_us: int, *, awake: bool = True) -> ReviewNote | None:
    made = note_when_due(
        reviewer, ObservedState(t_us=t_us, awake=awake), note, person="ann", model="m"
    )
    assert not isinstance(made, ReviewFailure)
    return made


def test_an_empty_buffer_gives_no_note() -> None:
    reviewer = Reviewer()
    assert look(reviewer, 5 * MINUTE) is None
    assert reviewer.next_us() is None


def test_the_first_thought_is_looked_at_at_once() -> None:
    reviewer = Reviewer()
    reviewer.add_thought(heard(7))
    assert reviewer.next_us() == 7
    made = look(reviewer, 7)
    assert made is not None
    assert (made.t_us, made.thoughts, made.content) == (7, ("th:ann:7",), "A note.")


def test_a_note_is_taken_every_60_seconds_and_not_sooner() -> None:
    reviewer = Reviewer()
    reviewer.add_thought(heard(0))
    times = [t for t in range(0, 5 * MINUTE, SECOND) if look(reviewer, t)]
    assert times == [0, MINUTE, 2 * MINUTE, 3 * MINUTE, 4 * MINUTE]
    assert reviewer.next_us() == 5 * MINUTE


def test_20_thoughts_are_in_view_and_the_oldest_goes() -> None:
    reviewer = Reviewer()
    for t in range(20):
        reviewer.add_thought(heard(t))
    assert [one.t_us for one in reviewer.thoughts] == list(range(20))
    reviewer.add_thought(heard(20))
    assert [one.t_us for one in reviewer.thoughts] == list(range(1, 21))


def test_thoughts_of_all_modes_are_in_view() -> None:
    reviewer = Reviewer()
    origins = ("react, pain +", "spontaneous, AssociativeDrift", "respond, speech")
    for t, origin in enumerate(origins):
        reviewer.add_thought(heard(t, origin))
    assert tuple(one.origin for one in reviewer.thoughts) == origins


def test_asleep_a_note_needs_a_thought_that_is_newer_than_the_last_one() -> None:
    reviewer = Reviewer()
    reviewer.add_thought(heard(0))
    assert look(reviewer, 0)
    assert look(reviewer, 2 * MINUTE, awake=False) is None
    reviewer.add_thought(heard(3 * MINUTE))
    assert look(reviewer, 3 * MINUTE, awake=False)
    assert look(reviewer, 5 * MINUTE, awake=False) is None
    assert look(reviewer, 5 * MINUTE)


def test_a_failure_is_a_record_and_waits_like_a_note() -> None:
    def failing(_: ReviewQuestion) -> str:
        asked.append(reviewer.last_us)
        raise ReviewError("the server is gone", error_class="transient")

    asked: list[int | None] = []
    reviewer = Reviewer()
    reviewer.add_thought(heard(MINUTE))
    made = [
        note_when_due(reviewer, ObservedState(t_us=t), failing, person="ann", model="m")
        for t in range(MINUTE, 3 * MINUTE, SECOND)
    ]
    assert [one for one in made if one] == [
        ReviewFailure(
            person="ann", t_us=t, model="m", error_class="transient", message="the server is gone"
        )
        for t in (MINUTE, 2 * MINUTE)
    ]
    assert asked == [MINUTE, 2 * MINUTE], "when it looked is set before the model is asked"


def test_an_empty_note_is_a_failure() -> None:
    reviewer = Reviewer()
    reviewer.add_thought(heard(0))
    made = note_when_due(reviewer, ObservedState(), lambda _: " \x1b[0m\n", person="ann", model="m")
    assert isinstance(made, ReviewFailure)
    assert made.error_class == "empty_note"


def test_a_note_is_kept_without_control_characters_and_not_without_end() -> None:
    reviewer = Reviewer()
    reviewer.add_thought(heard(0))
    long = f"\x1b[31mred\x07\tand\n{'x' * 9_000}"
    made = note_when_due(reviewer, ObservedState(), lambda _: long, person="ann", model="m")
    assert isinstance(made, ReviewNote)
    assert made.content.startswith("red\tand\nxxx")
    assert len(made.content) == 8_000


@each_row(("model", "composed"), [("composed", True), ("program:./x", False)])
def test_a_note_says_who_wrote_it(model: str, composed: bool) -> None:  # noqa: FBT001 - a table
    reviewer = Reviewer()
    reviewer.add_thought(heard(0))
    made = note_when_due(reviewer, ObservedState(), note, person="ann", model=model)
    assert isinstance(made, ReviewNote)
    assert (made.model, made.composed) == (model, composed)


@given(
    st.lists(st.tuples(st.integers(1, 200), st.booleans(), st.booleans()), max_size=80),
    st.integers(0, 200),
    st.integers(1, 5),
)
def test_looks_are_apart_by_the_interval_and_see_the_latest_thoughts(
    steps: list[tuple[int, bool, bool]], interval: int, capacity: int
) -> None:
    reviewer = Reviewer(interval_us=interval, capacity=capacity)
    now, thoughts, looked = 0, [], []
    for step, thinks, awake in steps:
        now += step
        if thinks:
            thoughts.append(now)
            reviewer.add_thought(heard(now))
        made = look(reviewer, now, awake=awake)
        if made:
            assert made.thoughts == tuple(f"th:ann:{t}" for t in thoughts[-capacity:])
            assert awake or not looked or thoughts[-1] > looked[-1]
            looked.append(now)
    assert all(after - before >= interval for before, after in itertools.pairwise(looked))
    assert bool(looked) == bool(thoughts)
