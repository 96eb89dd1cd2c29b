"""How long feelings last: 5 % of an impulse is left at the duration of its class."""

from math import exp

import pytest

from mindpipe.person.body.emotions import DURATIONS_H, SPANS_H, shifted, weights


@pytest.mark.parametrize(
    ("emotion", "shares"),
    [
        ("joy", (0.0, 0.076021, 0.923979, 0.0, 0.0)),
        ("hatred", (0.0, 0.0, 0.800076, 0.199924, 0.0)),
        ("pain", (0.999708, 0.000292, 0.0, 0.0, 0.0)),
    ],
)
def test_weights_are_those_of_the_table(emotion: str, shares: tuple[float, ...]) -> None:
    assert weights(emotion) == pytest.approx(shares, abs=5e-7)


@pytest.mark.parametrize("emotion", sorted(DURATIONS_H))
def test_a_twentieth_is_left_at_the_duration_of_a_class(emotion: str) -> None:
    shares, hours = weights(emotion), DURATIONS_H[emotion]
    left = sum(share * exp(-hours / span) for share, span in zip(shares, SPANS_H, strict=True))
    assert sum(shares) == pytest.approx(1.0, abs=1e-12)
    assert left == pytest.approx(0.05, rel=1e-9)


def test_there_are_28_classes_from_sadness_to_pain() -> None:
    assert len(DURATIONS_H) == 28
    assert (DURATIONS_H["sadness"], DURATIONS_H["shame"], DURATIONS_H["pain"]) == (120, 0.5, 0.5)


def test_a_shift_moves_a_share_of_each_mode_to_the_next_slower_one() -> None:
    assert shifted((0.2, 0.2, 0.2, 0.2, 0.2), 0.5) == pytest.approx((0.1, 0.2, 0.2, 0.2, 0.3))
    assert shifted((1.0, 0.0, 0.0, 0.0, 0.0), 0.5) == (0.5, 0.5, 0.0, 0.0, 0.0)
    for emotion in DURATIONS_H:
        assert sum(shifted(weights(emotion), 0.3)) == pytest.approx(1.0, abs=1e-12)
