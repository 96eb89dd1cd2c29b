"""Delays are random below a bound that doubles up to five minutes."""

import pytest

from mindpipe.inbox.backoff import delay
from support.tables import each_row


@each_row(
    ("attempts", "bound"), [(0, 2), (1, 4), (2, 8), (5, 64), (7, 256), (8, 300), (10_000, 300)]
)
def test_the_bound_doubles_up_to_five_minutes(attempts: int, bound: float) -> None:
    assert delay(attempts, chance=0.0) == 0
    assert delay(attempts, chance=0.5) == bound / 2
    assert delay(attempts, chance=1 - 2**-53) == pytest.approx(bound)
