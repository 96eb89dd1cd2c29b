"""Promise 52: a lived month with everything switched on, under kills, floods and lies."""

import datetime
import json
import os
import signal
import statistics
from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from support.proofs import proved, turned_red
from support.server_stores import where_at
from support.simulation.household import AGENTS, BEGINNING, DAY, Household, Mark
from support.simulation.household_model import forgets, unanswered
from support.simulation.household_page import page
from support.validation import faults_of

PAGE = os.environ.get("MIND_MONTH_PAGE")
MOST_GROWTH = 1.25
"""The workers of the last third may take so many times what those of the first third took."""


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("days", "flood"),
    [
        pytest.param(0.25, 12, id="six-hours"),
        pytest.param(30.0, 300, id="month", marks=pytest.mark.long),
    ],
)
def test_a_household_lives_with_everything_switched_on(
    tmp_path: Path, days: float, flood: int
) -> None:
    tmp_path.chmod(0o700)
    with Household(tmp_path, days, flood) as home:
        home.live()
        Path(PAGE or tmp_path / "month.md").write_text(page(home))
        assert home.worker.complaints == []
        check_events(home)
        check_words(home)
        check_lamp(home)
        check_plans(home)
        check_reports(home)
        check_waits(home)
        check_decisions(home)
        check_tasks(home)
        check_observed(home)
        check_logs(home)
        check_store(home)
        if days > 2:
            check_size(home)
        else:
            check_replays(home)
        proved(
            52,
            hours=int(days * 24),
            lives=home.worker.lives,
            kills=home.worker.ends[-signal.SIGKILL],
            events=int(str(home.worker.cell("SELECT count(*) FROM event"))),
            lost=lost(home),
            done_twice=done_twice(home),
        )


@pytest.mark.parametrize(
    ("lines", "heard"),
    [
        ('sarah: "It is well." ← RESUME: you waited for a reply to o_1\nhusam: "#say#"', 2),
        ('husam: "#say#"\nmail: "husam (human): \\"#lamp#\\"  [NEW] ← TRIGGER"', 2),
        ('husam (human): "old"  [SEEN]\nhusam (human): "#say#"  [NEW] ← TRIGGER', 1),
        ('husam (human): "old"  [SEEN]\n[service mail] "#say#" ← TRIGGER', 1),
    ],
    ids=["a reply that was waited for", "mail that looks like a timeline", "timeline", "event"],
)
def test_the_model_of_the_household_hears_all_that_is_new(lines: str, heard: int) -> None:
    message = {"role": "user", "parts": [{"type": "text", "text": lines}]}
    assert len(unanswered([message])) == heard


@pytest.mark.long
def test_a_build_whose_tools_act_apart_answers_twice(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    build, point = "support.simulation.effect_apart", "store_tool.before_commit"
    with Household(tmp_path, 0.25, 12, kill_every=1800.0, build=build, failpoint=point) as home:
        home.live(enough=lambda: done_twice(home) > 0)
        twice = done_twice(home)
    assert twice > 0
    turned_red(52, "effect_apart", done_twice=twice)


def bare(mark: Mark) -> str:
    """Return a mark as tools are told it."""
    return mark.name.strip("#").replace(":", "-")


def lost(home: Household) -> int:
    """Return how much was acknowledged and is not there, or was never answered."""
    known = {str(one) for (one,) in home.worker.rows("SELECT id FROM event WHERE state = 'done'")}
    known |= {str(one) for (one,) in home.worker.rows("SELECT id FROM post")}
    gone = {one.record for one in home.marks.values()} - known
    return len(gone) + (expected_answers(home) - answers(home)).total()


def done_twice(home: Household) -> int:
    """Return how often an answer, a lamp, a proposal or a task was done once more."""
    texts = home.worker.rows("SELECT text FROM post WHERE text LIKE 'proposed %'")
    written = [file.read_text() for file in (home.folder / "written").iterdir()]
    tasks = [one for one in home.marks.values() if one.kind == "delegate"]
    return sum(
        max(0, count - 1)
        for count in (
            *answers(home).values(),
            *home.lit().values(),
            *Counter(str(text) for (text,) in texts).values(),
            *(sum(bare(mark) in text for text in written) for mark in tasks),
        )
    )


def check_events(home: Household) -> None:
    """Everything acknowledged is there, and over; nothing was done twice."""
    assert (lost(home), done_twice(home)) == (0, 0)
    assert home.worker.cell("SELECT count(*) FROM event WHERE state != 'done'") == 0
    assert home.worker.cell("SELECT count(*) FROM cycle WHERE state = 'open'") == 0
    assert home.worker.cell("SELECT count(*) FROM post WHERE state = 'held'") == 0


def answers(home: Household) -> Counter[tuple[str, str]]:
    """Return in which space an agent answered which word, and how often."""
    said = home.worker.rows("SELECT space, text FROM post WHERE text LIKE 'read %'")
    return Counter((str(space), str(text)) for space, text in said)


def expected_answers(home: Household) -> Counter[tuple[str, str]]:
    """Return in which space which agent is to answer which word."""
    return Counter(
        (f"log-{agent}", f"read {one.name}")
        for one in home.marks.values()
        for agent in AGENTS
        if one.kind == "say" and one.agent in (agent, "both")
    )


def check_words(home: Household) -> None:
    """Each agent answered each word that it was told, once."""
    read, expected = answers(home), expected_answers(home)
    assert read - expected == Counter(), "done twice, or unasked"
    assert expected - read == Counter(), "lost"


def check_lamp(home: Household) -> None:
    """The lamp was lit as asked, and for no stranger unless a person approved the very call."""
    lit = home.lit()
    assert [one for one, count in lit.items() if count > 1] == []
    asked = home.worker.rows("SELECT args, state FROM ticket WHERE tool = 'lamp'")
    for mark in (one for one in home.marks.values() if one.kind == "lamp"):
        tickets = [str(state) for args, state in asked if bare(mark) in str(args)]
        assert len(tickets) <= 1 or set(tickets) & {"expired", "cancelled"}, (mark, tickets)
        if mark.source in ("mail", "web", "observer:shop"):
            assert tickets, f"nobody was asked for {mark}"
        if lit[bare(mark)]:
            assert not tickets or set(tickets) & {"executed", "was_done"}, (mark, tickets)
        else:
            assert tickets, f"forgotten: {mark}"
            assert "executed" not in tickets, (mark, tickets)


def check_plans(home: Household) -> None:
    """Each time of each plan is accounted for once, and told once."""
    zone = ZoneInfo("Europe/Berlin")
    first, last = instant(BEGINNING), instant(home.wall())
    recorded: dict[str, list[str]] = {name: [] for name in home.plans}
    names = {plan: name for name, plan in home.plans.items()}
    for plan, window, state in home.worker.rows("SELECT plan, window, state FROM plan_window"):
        assert state in ("done", "skipped"), (plan, window, state)
        if plan in names:
            recorded[names[plan]].append(str(window))
    days = [first + datetime.timedelta(days=day) for day in range(int(home.days) + 2)]

    def expected(
        hour: int, minute: int, where: datetime.tzinfo, *, weekday: int | None
    ) -> set[str]:
        times = (
            datetime.datetime(day.year, day.month, day.day, hour, minute, tzinfo=where)
            for day in days
        )
        return {
            f"{time.astimezone(datetime.UTC):%Y-%m-%dT%H:%M:%SZ}"
            for time in times
            if first < time <= last and weekday in (None, time.weekday())
        }

    assert set(recorded["daily"]) == expected(6, 30, zone, weekday=None)
    assert set(recorded["weekly"]) == expected(9, 0, zone, weekday=0)
    reports = (expected(hour, 0, datetime.UTC, weekday=None) for hour in (9, 12, 18))
    assert set(recorded["report"]) == set().union(*reports)
    assert recorded["once"] == ["2026-10-09T12:00:00Z"]
    assert len(recorded["after"]) == 1
    keys = [str(key) for (key,) in home.worker.rows("SELECT key FROM event WHERE source = 'plan'")]
    assert len(keys) == len(set(keys))
    done = home.worker.rows("SELECT plan, window FROM plan_window WHERE state = 'done'")
    first = {f"plan:{plan}:{window}" for plan, window in done}
    assert first <= set(keys)
    failed = home.worker.cell("SELECT count(*) FROM plan_outcome WHERE state = 'failed'")
    assert len(keys) - len(first) == int(str(failed)) + home.told["plans retried"]


def check_reports(home: Household) -> None:
    """Each report that Ava left out failed, and no other; handed over again it was there, late."""
    outcomes: dict[str, list[str]] = {}
    sql = "SELECT window, state FROM plan_outcome ORDER BY window, attempt"
    for window, state in home.worker.rows(sql):
        outcomes.setdefault(str(window), []).append(str(state))
    sql = "SELECT window FROM plan_window WHERE plan = ? AND state = 'done'"
    handed = {str(window) for (window,) in home.worker.rows(sql, home.plans["report"])}
    assert outcomes.keys() == handed
    first = {window: states[0] for window, states in outcomes.items()}
    assert first == {one: "failed" if forgets(one) else "met" for one in handed}
    again = [state for states in outcomes.values() for state in states[1:]]
    assert again == ["met"] * home.told["plans retried"]
    assert {*first.values(), *again} == {"failed", "met"}, "nothing was tried"
    assert home.told["plans retried"] > 0


def instant(seconds: float) -> datetime.datetime:
    """Return the instant so many seconds after 1970."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)


def check_waits(home: Household) -> None:
    """Each wait ended once, by whom it waited for or by its time, and so did each run."""
    questions = home.worker.rows("SELECT id FROM post WHERE text LIKE 'Sarah, what of%'")
    waits = home.worker.rows("SELECT post, state, by FROM run_wait")
    assert sorted(str(post) for post, _, _ in waits) == sorted(str(one) for (one,) in questions)
    assert {state for _, state, _ in waits} <= {"replied", "timed_out"}
    repliers = {
        sender
        for _, state, by in waits
        if state == "replied"
        for (sender,) in home.worker.rows("SELECT sender FROM post WHERE id = ?", by)
    }
    assert repliers <= {"sarah"}
    asked = sum(one.kind == "ask" for one in home.marks.values())
    assert len(waits) == asked
    assert home.worker.cell("SELECT count(*) FROM agent_run WHERE ended IS NULL") == 0


def check_decisions(home: Household) -> None:
    """What was proposed was done once if it was to be done, and else never."""
    found = home.worker.rows("SELECT state, body FROM decision")
    posts = Counter(str(text) for (text,) in home.worker.rows("SELECT text FROM post"))
    kinds = ("propose", "consider", "suggest", "wonder")
    proposals = [one for one in home.marks.values() if one.kind in kinds]
    assert len(found) == len(proposals)
    for mark in proposals:
        (state,) = (state for state, body in found if f"proposed {bare(mark)}" in str(body))
        assert state in ("applied", "rejected", "expired", "returned"), (mark, state)
        assert posts[f"proposed {bare(mark)}"] == (state == "applied"), (mark, state)


def check_tasks(home: Household) -> None:
    """What was delegated was done once, unless a person had to approve it and did not."""
    found = home.worker.rows("SELECT state, body FROM task")
    written = [file.read_text() for file in (home.folder / "written").iterdir()]
    asked = [one for one in home.marks.values() if one.kind == "delegate"]
    assert len(found) == len(asked)
    for mark in asked:
        (state,) = (state for state, body in found if bare(mark) in str(body))
        assert state in ("done", "failed"), (mark, state)
        assert sum(bare(mark) in text for text in written) == (state == "done"), (mark, state)


def check_observed(home: Household) -> None:
    """Each change of a file and each commit was told once; each order of the shop as well."""
    for what, source in (("files", "observer:notes"), ("commits", "observer:history")):
        sql = "SELECT count(*) FROM event WHERE source = ?"
        assert home.worker.cell(sql, source) == home.told[what], what
    orders = sum(one.source == "observer:shop" for one in home.marks.values())
    assert home.worker.cell("SELECT count(*) FROM event WHERE source = 'observer:shop'") == orders


def check_logs(home: Household) -> None:
    """No log and nothing that was said holds a traceback, and every line of a log is a record."""
    assert [words for words in home.worker.words if "Traceback" in words] == []
    lines = list(home.logged())
    assert len(lines) > home.worker.lives
    for line in lines:
        assert "Traceback" not in line
        json.loads(line)


def check_store(home: Household) -> None:
    """The store is sound, its chains and beliefs hold, and every API takes its histories."""
    home.run("store", "check")
    for agent in AGENTS:
        home.run("history", "verify", "--agent", agent)
        assert home.tried("knowledge", "verify", "--agent", agent) in (0, 3)
    assert faults_of(where_at(home.folder / "mind.db")) == []
    assert sorted(one.name for one in home.folder.glob("mind-*")) == []


def check_replays(home: Household) -> None:
    """Each life comes out of what it heard once more, with all that was recalled and believed."""
    for agent in AGENTS:
        home.run("life", "export", agent, "--output", f"{agent}.life")
        assert home.tried("life", "replay", f"{agent}.life") == 0, home.worker.words[-1]


def check_size(home: Household) -> None:
    """No worker of later takes more than one of the beginning."""
    third = home.days * DAY / 3600 / 3
    early = [one for one in home.samples if one.hour < third]
    late = [one for one in home.samples if one.hour > 2 * third]
    assert median_kib(late) <= MOST_GROWTH * median_kib(early)
    files = [statistics.median(one.files for one in some) for some in (early, late)]
    assert files[1] <= files[0] + 1


def median_kib(samples: list) -> float:
    """Return the median memory of samples, in KiB."""
    return statistics.median(one.resident_kib for one in samples)
