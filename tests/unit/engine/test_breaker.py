"""The arithmetic of the breaker."""

from mindpipe.core.records import to_json
from mindpipe.engine.breaker import (
    Breaker,
    BreakerStance,
    after_failure,
    after_success,
    seconds_left,
    stance,
)
from support.tables import each_row


def failing(*moments: float, breaker: Breaker | None = None) -> Breaker:
    found = breaker or Breaker()
    for now in moments:
        found = after_failure(found, now=now)
    return found


def test_four_failures_leave_it_closed_and_the_fifth_opens_it() -> None:
    assert stance(failing(0, 1, 2, 3), now=3) is BreakerStance.CLOSED
    opened = failing(0, 1, 2, 3, 4)
    assert stance(opened, now=4) is BreakerStance.OPEN
    assert seconds_left(opened, now=10) == 24.0


def test_five_failures_over_more_than_a_minute_do_not_open_it() -> None:
    assert stance(failing(0, 20, 40, 60, 80), now=80) is BreakerStance.CLOSED
    assert stance(failing(0, 15, 30, 45, 60), now=60) is BreakerStance.OPEN


def test_a_success_between_them_starts_the_row_anew() -> None:
    between = after_success(failing(0, 1, 2, 3))
    assert stance(failing(4, breaker=between), now=4) is BreakerStance.CLOSED


def test_after_its_pause_it_lets_one_trial_through() -> None:
    opened = failing(0, 1, 2, 3, 4)
    assert stance(opened, now=33.9) is BreakerStance.OPEN
    assert stance(opened, now=34.0) is BreakerStance.HALF_OPEN
    assert stance(after_success(opened), now=34.0) is BreakerStance.CLOSED


def test_failed_trials_double_the_pause_up_to_five_minutes() -> None:
    breaker, now = failing(0, 0, 0, 0, 0), 0.0
    pauses = []
    for _ in range(6):
        pauses.append(seconds_left(breaker, now=now))
        now += pauses[-1]
        assert stance(breaker, now=now) is BreakerStance.HALF_OPEN
        breaker = after_failure(breaker, now=now)
    assert pauses == [30.0, 60.0, 120.0, 240.0, 300.0, 300.0]


def test_a_late_failure_of_a_call_that_ran_before_changes_nothing() -> None:
    opened = failing(0, 1, 2, 3, 4)
    assert after_failure(opened, now=5) == opened


@each_row("breaker", [Breaker(), failing(0, 1), failing(0, 0, 0, 0, 0)])
def test_it_comes_back_from_json_as_it_was(breaker: Breaker) -> None:
    import msgspec

    assert msgspec.json.decode(to_json(breaker), type=Breaker) == breaker
