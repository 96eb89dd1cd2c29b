"""How long feelings last: 5 % of an impulse is left at the duration of its class."""

from math import exp

import pytest

from mindpipe.person.body.emotions import DURATIONS_H, SPANS_H, shifted, weights
from support.tables import each_row


@each_row(
    ("emotion", "shares"),
    [
        ("joy", (0.0, 0.076021, 0.923979, 0.0, 0.0)),
        ("hatred", (0.0, 0.0, 0.800076, 0.199924, 0.0)),
        ("pain", (0.999708, 0.000292, 0.0, 0.0, 0.0)),
    ],
)
def test_weights_are_those_of_the_table(emotion: str, shares: tuple[float, ...]) -> None:
    assert weights(emotion) == pytest.approx(shares, abs=5e-7)


@each_row("emotion", sorted(DURATIONS_H))
def test_a_twentieth_is_left_at_the_duration_of_a_class(emotion: str) -> None:
    shares, hours = weights(emotion), DURATIONS_H[emotion]
    left = sum(share * exp(-hours / span) for share, span in zip(shares, SPANS_H, strict=True))
    assert sum(shares) == pytest.approx(1.0, abs=1e-12)
    assert left == pytest.approx(0.05, rel=1e-9)


def test_the_28_classes_last_as_long_as_section_12_says() -> None:
    told = """sadness 120, hatred 60, joy 35, despair 24, hope 24, anxiety 24, disappointment 24,
        contentment 24, jealousy 15, relief 8, enthusiasm 6, admiration 5, gratitude 5,
        relaxation 4.3, guilt 3.5, stress 3, pride 2.6, touched 2.5, anger 2, boredom 2, surprise 2,
        irritation 1.3, compassion 1.3, humiliation .8, fear .7, shame .5, disgust .5, pain .5"""
    hours = {name: float(span) for name, span in (one.split() for one in told.split(","))}
    assert hours == DURATIONS_H
    assert len(hours) == 28
    assert pytest.approx((600 / 3600, 2, 12, 40, 96), rel=1e-15) == SPANS_H


def test_a_shift_moves_a_share_of_each_mode_to_the_next_slower_one() -> None:
    assert shifted((0.2, 0.2, 0.2, 0.2, 0.2), 0.5) == pytest.approx((0.1, 0.2, 0.2, 0.2, 0.3))
    assert shifted((1.0, 0.0, 0.0, 0.0, 0.0), 0.5) == (0.5, 0.5, 0.0, 0.0, 0.0)
    for emotion in DURATIONS_H:
        assert sum(shifted(weights(emotion), 0.3)) == pytest.approx(1.0, abs=1e-12)
