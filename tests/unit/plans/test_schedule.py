"""When plans come due, and which missed windows still run."""

import itertools

import pytest

from mindpipe.core.errors import IllegalStateError, UsageError
from mindpipe.plans.records import CatchUp, NewPlan, Plan, PlanState, WindowState
from mindpipe.plans.schedule import MOST_AT_ONCE, MOST_SLEPT, DueWindows, due, following, planned
from support.tables import each_row

NOW = "2026-11-21T20:00:00Z"


def make(**given: str) -> Plan:
    return planned(NewPlan(**({"title": "Daily"} | given)), plan="p_1", agent="ava", now=NOW)


def daily(catch_up: CatchUp) -> Plan:
    return planned(
        NewPlan(title="Daily", cron="0 9 * * *", catch_up=catch_up),
        plan="p_1",
        agent="ava",
        now=NOW,
    )


@each_row(
    ("rule", "upcoming"),
    [
        ({"cron": "0 9 * * *"}, "2026-11-22T09:00:00Z"),
        ({"cron": "0 9 * * *", "zone": "Europe/Berlin"}, "2026-11-22T08:00:00Z"),
        ({"at": "2026-11-24T09:00"}, "2026-11-24T09:00:00Z"),
        ({"at": "2026-11-24T09:00", "zone": "Europe/Berlin"}, "2026-11-24T08:00:00Z"),
        ({"at": "2026-11-24T09:00+05:00", "zone": "Europe/Berlin"}, "2026-11-24T04:00:00Z"),
        ({"at": "2026-11-20T09:00Z"}, "2026-11-20T09:00:00Z"),
        ({"after": "2h"}, "2026-11-21T22:00:00Z"),
    ],
)
def test_a_plan_knows_its_first_window(rule: dict[str, str], upcoming: str) -> None:
    plan = make(**rule)
    assert (plan.next, plan.last, plan.state) == (upcoming, None, PlanState.ACTIVE)
    assert (plan.text, plan.created, plan.since) == ("Daily", NOW, NOW)


@each_row(
    ("given", "fault"),
    [
        ({}, "exactly one of cron, at and after"),
        ({"at": NOW, "after": "1h"}, "exactly one of cron, at and after"),
        ({"cron": "x"}, "no cron line"),
        ({"at": "tomorrow"}, "not an instant"),
        ({"at": "0001-01-01T00:00+05:00"}, "not an instant"),
        ({"after": "soon"}, "no duration"),
        ({"after": "1h", "zone": "Mars"}, "no time zone"),
        ({"after": "1h", "title": " "}, "the title is empty"),
        ({"after": "1h", "text": "x" * 16_001}, "the text is 16001 characters long"),
    ],
)
def test_drafts_that_cannot_be_are_refused(given: dict[str, str], fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        make(**given)


SLEPT = ("2026-11-22T09:00:00Z", "2026-11-23T09:00:00Z")


@each_row(
    ("catch_up", "now", "expected"),
    [
        ("once", "2026-11-22T08:59:59Z", DueWindows()),
        ("once", "2026-11-22T09:00:00Z", DueWindows(run=("2026-11-22T09:00:00Z",))),
        ("once", "2026-11-24T23:00:00Z", DueWindows(run=("2026-11-24T09:00:00Z",), skipped=SLEPT)),
        (
            "all",
            "2026-11-24T23:00:00Z",
            DueWindows(run=(*SLEPT, "2026-11-24T09:00:00Z")),
        ),
        ("none", "2026-11-24T09:05:00Z", DueWindows(run=("2026-11-24T09:00:00Z",), skipped=SLEPT)),
        ("none", "2026-11-24T09:05:01Z", DueWindows(skipped=(*SLEPT, "2026-11-24T09:00:00Z"))),
    ],
)
def test_missed_windows_run_as_the_plan_says(
    catch_up: CatchUp, now: str, expected: DueWindows
) -> None:
    assert due(daily(catch_up), last=None, now=now) == expected


@each_row("catch_up", ["once", "all", "none"])
def test_a_window_that_has_been_does_not_come_again(catch_up: CatchUp) -> None:
    found = due(daily(catch_up), last="2026-11-24T09:00:00Z", now="2026-11-24T09:01:00Z")
    assert found == DueWindows()


@each_row("catch_up", ["once", "none"])
def test_of_many_windows_that_were_slept_through_the_newest_are_kept(catch_up: CatchUp) -> None:
    draft = NewPlan(title="Often", cron="* * * * *", catch_up=catch_up)
    plan = planned(draft, plan="p", agent="a", now=NOW)
    found = due(plan, last=None, now="2027-11-21T20:00:30Z")
    assert found.run == ("2027-11-21T20:00:00Z",)
    assert len(found.skipped) == MOST_SLEPT
    assert (found.skipped[0], found.skipped[-1]) == ("2027-11-21T18:20:00Z", "2027-11-21T19:59:00Z")


def test_windows_before_the_plan_was_made_do_not_count() -> None:
    assert due(daily("all"), last=None, now=NOW) == DueWindows()


def test_many_missed_windows_come_in_bounded_pieces() -> None:
    plan = planned(
        NewPlan(title="Often", cron="* * * * *", catch_up="all"), plan="p", agent="a", now=NOW
    )
    found = due(plan, last=None, now="2027-11-21T20:00:00Z")
    assert len(found.run) == MOST_AT_ONCE
    assert following(plan, last=found.run[-1]).next == "2026-11-22T12:41:00Z"


@each_row("rule", [{"at": "2026-11-22T09:00Z"}, {"after": "13h"}])
def test_a_one_time_plan_runs_once_and_is_done(rule: dict[str, str]) -> None:
    plan = make(**rule)
    window = "2026-11-22T09:00:00Z"
    assert due(plan, last=None, now="2026-11-22T08:59:59Z") == DueWindows()
    assert due(plan, last=None, now="2027-01-01T00:00:00Z") == DueWindows(run=(window,))
    ended = following(plan, last=window)
    assert (ended.next, ended.last, ended.state) == (None, window, PlanState.DONE)
    assert due(ended, last=window, now="2027-01-01T00:00:00Z") == DueWindows()


def test_the_rule_in_words() -> None:
    assert make(cron="0 9 * * *").rule() == "recurring, cron: 0 9 * * *"
    assert make(cron="0 9 * * *", zone="Asia/Tokyo").rule() == (
        "recurring, cron: 0 9 * * * Asia/Tokyo"
    )
    assert make(after="1h").rule() == "one-time"


@each_row(("one", "other"), list(itertools.product(PlanState, repeat=2)))
def test_plans_take_only_legal_steps(one: PlanState, other: PlanState) -> None:
    if one is not other:
        assert one.to(other) is other
    else:
        with pytest.raises(IllegalStateError):
            one.to(other)


@each_row(("one", "other"), list(itertools.product(WindowState, repeat=2)))
def test_windows_take_only_legal_steps(one: WindowState, other: WindowState) -> None:
    legal = {("claimed", "claimed"), ("claimed", "done"), ("claimed", "lost")}
    if (one.value, other.value) in legal:
        assert one.to(other) is other
    else:
        with pytest.raises(IllegalStateError):
            one.to(other)
