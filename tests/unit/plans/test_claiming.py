"""Claims on windows and the events that tell of them."""

from mindpipe.core.events import NewEvent
from mindpipe.core.ports import BootTime
from mindpipe.plans.claims import first_claim, given_back, handout, is_over, next_claim
from mindpipe.plans.records import Plan, WindowClaim
from support.tables import each_row

WINDOW = "2026-11-22T09:00:00Z"
PLAN = Plan(id="p_1", agent="ava", title="Daily", text="Write it.", cron="0 9 * * *")
CLAIM = WindowClaim(plan="p_1", window=WINDOW, attempts=1, boot="b", seconds=160.0)


def at(seconds: float, boot: str = "b") -> BootTime:
    return BootTime(boot=boot, seconds=seconds)


def test_a_first_claim_lasts_on_the_boot_clock() -> None:
    assert first_claim(PLAN, WINDOW, now=at(100), seconds=60.0) == CLAIM


@each_row(("now", "over"), [(at(159.9), False), (at(160), True), (at(1, "another boot"), True)])
def test_a_claim_ends(now: BootTime, *, over: bool) -> None:
    assert is_over(CLAIM, now) is over


def test_the_fifth_claim_is_the_last() -> None:
    claim, attempts = CLAIM, [1]
    while claim := next_claim(claim, now=at(500), seconds=60.0):
        attempts.append(claim.attempts)
    assert attempts == [1, 2, 3, 4, 5]


def test_a_claim_that_is_given_back_is_over_and_was_no_attempt() -> None:
    back = given_back(CLAIM)
    assert is_over(back, at(0))
    assert next_claim(back, now=at(100), seconds=60.0) == CLAIM


def test_the_event_has_the_same_key_at_every_attempt() -> None:
    expected = NewEvent(
        type="plan",
        agent="ava",
        source="plan",
        key=f"plan:p_1:{WINDOW}",
        text="Write it.",
        body={"plan": "p_1", "title": "Daily", "window": WINDOW},
    )
    assert handout(PLAN, CLAIM).event == expected
    later = next_claim(CLAIM, now=at(500), seconds=60.0)
    assert later is not None
    assert handout(PLAN, later).event == expected
