"""The observer's note without a model, by its template."""

import itertools

from mindpipe.person.records.state import LABELS
from mindpipe.review.note import compose
from mindpipe.review.records import HeardThought, ObservedState, ReviewQuestion

SEEN = ObservedState(arousal=0.72, valence=-0.41, energy=0.5549, regulation=-0.0001)
NUMBERS = "Arousal 0.72, valence -0.41, energy 0.55, regulation 0.00. "
SUSTAINED = " Negative affect has been sustained and is worth watching."


def note(*thoughts: tuple[tuple[str, ...], float | None], seen: ObservedState = SEEN) -> str:
    heard = tuple(
        HeardThought(
            t_us=place, id=f"t{place}", origin="react", content="", labels=labels, valence=valence
        )
        for place, (labels, valence) in enumerate(thoughts)
    )
    return compose(ReviewQuestion(system="", user="", seen=seen, thoughts=heard))


def test_a_note_counts_the_commonest_label() -> None:
    made = note(
        (("rumination",), 0.0), (("denial", "rumination"), 0.0), (("denial",), 0.0), ((), 0.0)
    )
    assert made == f"{NUMBERS}Of the last 4 thoughts, 2 show rumination."
    made = note((("denial",), 0.0), (("denial", "rumination"), 0.0))
    assert made == f"{NUMBERS}Of the last 2 thoughts, 2 show denial."


def test_a_note_says_that_there_is_no_pattern() -> None:
    assert note(((), 0.1)) == f"{NUMBERS}Of the last 1 thoughts, none shows a marked pattern."


def test_negative_affect_is_told_from_half_of_the_thoughts_on() -> None:
    low, edge, unknown = ((), -0.5001), ((), -0.5), ((), None)
    assert note(low, edge).endswith(f"none shows a marked pattern.{SUSTAINED}")
    assert note(low, low, unknown).endswith(SUSTAINED)
    assert not note(low, edge, unknown).endswith(SUSTAINED)


def test_ties_are_decided_by_the_order_of_labels() -> None:
    for first, second in itertools.pairwise(LABELS):
        assert f"1 show {first}." in note(((second,), 0.0), ((first,), 0.0))


def test_what_the_instruments_do_not_show_is_left_out() -> None:
    assert note(((), 0.0), seen=ObservedState()).startswith("Of the last 1 thoughts")
    assert note(((), 0.0), seen=ObservedState(energy=1.0)).startswith("Energy 1.00. Of the last")
