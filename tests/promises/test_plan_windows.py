"""Promise 56: each time of a plan comes once or is told as missed, through kills and odd clocks.

Workers of an agent with plans of four kinds start at instants that go forward and back; most are
killed. When all is over each time that ever came is held against what the plans are, worked out
here minute by minute.
"""

import collections
import contextlib
import datetime
import json
import random
import signal
import zoneinfo
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from red import plan_settled_first
from support.command import Mind, end_leases, looked_into
from support.killed_steps import AT, COUNT
from support.kills import BUILD
from support.processes import Nursery
from support.proofs import proved, turned_red
from support.server_stores import where_at
from support.validation import faults_of

pytestmark = pytest.mark.heavy

SEED = 49
NOTHING_DUE, IN_RECOVERY = 3, 75
UTC = datetime.UTC
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
MADE = "2026-10-24T20:00:00Z"
# An hour forward and back, the end of summer time in the zone of a plan, a year that is long over,
# then nights slept through.
CLOCK = (
    *("2026-10-24T20:59:59Z", "2026-10-24T22:00:00Z", "2026-10-24T21:00:00Z"),
    *("2026-10-25T00:29:00Z", "2026-10-25T00:31:00Z", "2026-10-25T01:31:00Z"),
    *("2019-01-01T00:00:00Z", "2026-10-25T06:00:00Z", "2026-10-25T05:00:00Z"),
    *("2026-10-27T12:00:00Z", "2026-10-27T12:00:00Z"),
)
SPRING = ("2027-03-28T00:59:00Z", "2027-03-28T01:00:00Z", "2027-03-28T00:30:00Z")
PLANS = {
    "Each": ("--cron", "0 */6 * * *", "--catch-up", "all"),
    "Night": ("--cron", "30 2 * * *", "--zone", "Europe/Berlin"),
    "Late": ("--cron", "15 3 * * *", "--catch-up", "none", "--expect", "note:late"),
    "Once": ("--after", "90m"),
}
MODEL = """#!/bin/sh
echo '{"text": "Done."}'
"""


def instant(text: str) -> datetime.datetime:
    """Return an instant."""
    return datetime.datetime.fromisoformat(text)


def shown(moment: datetime.datetime) -> str:
    """Return an instant as the store keeps it."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def minutes(until: str) -> Iterator[datetime.datetime]:
    """Yield every minute from the making of the plans on."""
    moment, end = instant(MADE), instant(until)
    while (moment := moment + datetime.timedelta(minutes=1)) <= end:
        yield moment


def nights(until: str) -> list[str]:
    """Return when it is half past two in Berlin; where that comes twice, the first time.

    Where the clocks skip it, it is when they have.
    """
    found: dict[datetime.date, str] = {}
    for moment in minutes(until):
        local = moment.astimezone(BERLIN)
        if (local.hour, local.minute) >= (2, 30) and local.date() > instant(MADE).date():
            found.setdefault(local.date(), shown(moment))
    return list(found.values())


def at_hours(until: str, hours: tuple[int, ...], minute: int) -> list[str]:
    """Return when it is one of these hours."""
    return [
        shown(moment)
        for moment in minutes(until)
        if (moment.hour in hours, moment.minute) == (True, minute)
    ]


COMES: dict[str, Callable[[str], list[str]]] = {
    "Each": lambda until: at_hours(until, (0, 6, 12, 18), 0),
    "Night": nights,
    "Late": lambda until: at_hours(until, (3,), 15),
    "Once": lambda until: [one for one in ["2026-10-24T21:30:00Z"] if one <= until],
}


@dataclass
class Almanac:
    """An agent with four plans, and workers that start at instants of a clock that jumps."""

    mind: Mind
    nursery: Nursery
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))
    looks: list[str] = field(default_factory=list)
    kills: int = 0
    born: int = 0

    def begin(self) -> None:
        """Make the agent and its plans."""
        (self.mind.folder / "answer").write_text(MODEL)
        (self.mind.folder / "answer").chmod(0o700)
        self.nursery.run("init", "--agent", "ava")
        for title, rule in PLANS.items():
            self.nursery.run("plan", "add", "--agent", "ava", title, *rule, "--now", MADE)

    def live(self, now: str, kills: int) -> None:
        """Let workers start at an instant, that many of which are killed, and one that ends."""
        steps = self.look(now)[1] if self.born == 0 else 200
        for _ in range(kills):
            # Most of what is done for a plan is done first.
            status, _ = self.look(now, at=self.chance.randint(1, steps))
            self.kills += status == -signal.SIGKILL
            end_leases(self.mind.folder, "ava")
            if status == IN_RECOVERY:
                self.nursery.run("store", "recover", "--resume", "--now", now)
        while self.look(now)[0] == IN_RECOVERY:
            self.nursery.run("store", "recover", "--resume", "--now", now)
        self.looks.append(now)

    def look(
        self, now: str, *, at: int = 0, environment: Mapping[str, str] | None = None
    ) -> tuple[int, int]:
        """Let a worker live until nothing is due; return its status and its steps."""
        self.born += 1
        out, count = (self.mind.folder / f"{name}{self.born}" for name in ("out", "count"))
        arguments = ["run", "--agent", "ava", "--once", "--model", "program:./answer"]
        own = {"MIND_NOW": now, AT: str(at), COUNT: str(count)}
        born = self.nursery.start(arguments, out, {**own, **(environment or {})})
        status = born.status()
        assert status in {0, NOTHING_DUE, IN_RECOVERY, -signal.SIGKILL}, born.words()
        return status, int(count.read_text() or 0) if count.exists() else 0

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with looked_into(self.mind.folder) as store:
            return list(store.execute(sql))

    def told(self) -> collections.Counter[tuple[str, str]]:
        """Return how often the agent was told of each time of each plan."""
        bodies = self.rows("SELECT body FROM event WHERE type = 'plan' AND key NOT LIKE '%:failed'")
        found = [json.loads(body) for (body,) in bodies]
        return collections.Counter((one["title"], one["window"]) for one in found)

    def kept(self) -> dict[tuple[str, str], str]:
        """Return how each time stands, by the plan's title."""
        sql = "SELECT p.title, w.window, w.state FROM plan_window w JOIN plan p ON p.id = w.plan"
        return {(str(title), str(at)): str(state) for title, at, state in self.rows(sql)}

    def faults(self) -> dict[str, list]:
        """Return every time that came twice, or is not accounted for."""
        told, kept = self.told(), self.kept()
        done = {one for one, state in kept.items() if state == "done"}
        every = {title: comes(max(self.looks)) for title, comes in COMES.items()}
        lost = []
        for now in self.looks:
            for title, comes in every.items():
                came = [at for at in comes if at <= now]
                wanted = came if title == "Each" else came[-1:]
                lost += [(title, at) for at in wanted if (title, at) not in kept]
        return {
            "twice": [one for one, times in told.items() if times > 1],
            "lost": [*lost, *sorted(done - set(told))],
            "never": [one for one in {*told, *kept} if one[1] not in every[one[0]]],
        }


@contextlib.contextmanager
def almanac(mind: Mind, build: str = BUILD) -> Iterator[Almanac]:
    """Return an agent with plans, in a build whose steps are counted."""
    with contextlib.closing(Nursery(mind.folder, build)) as nursery:
        made = Almanac(mind, nursery)
        made.begin()
        yield made


@pytest.mark.parametrize(
    ("clock", "kills"),
    [
        pytest.param(CLOCK, 1, id="short"),
        pytest.param((*CLOCK, *SPRING), 12, id="long", marks=pytest.mark.long),
    ],
)
def test_each_time_comes_once_or_is_told_as_missed(
    mind: Mind, clock: tuple[str, ...], kills: int
) -> None:
    with almanac(mind) as plans:
        for now in clock:
            plans.live(now, kills)
        assert plans.faults() == {"twice": [], "lost": [], "never": []}
        kept = plans.kept()
    assert kept["Night", "2026-10-25T00:30:00Z"] == "done"
    assert kept["Once", "2026-10-24T21:30:00Z"] == "done"
    assert {title for title, _ in kept} == set(PLANS)
    assert [at for title, at in kept if title == "Late" and kept[title, at] == "skipped"]
    assert plans.rows("SELECT count(*) FROM event WHERE state NOT IN ('done', 'dead')") == [(0,)]
    assert faults_of(where_at(mind.folder / "mind.db")) == []
    proved(56, windows=len(kept), kills=plans.kills, jumps=len(clock), twice=0, lost=0)


def test_a_build_that_settles_first_loses_times(mind: Mind) -> None:
    with almanac(mind, "red.plan_settled_first") as plans:
        assert plans.look(CLOCK[1], environment={plan_settled_first.DIES: "1"})[0] == -9
        end_leases(mind.folder, "ava")
        plans.live(CLOCK[1], 0)
        lost = len(plans.faults()["lost"])
    assert lost > 0
    turned_red(56, "plan_settled_first", lost=lost)


def test_a_build_that_forgets_times_has_them_twice(mind: Mind) -> None:
    with almanac(mind, "red.plan_keys_of_each_look") as plans:
        # A worker would never come to its end.
        for now in ("2026-10-25T06:00:00Z",) * 2:
            plans.nursery.run("plan", "due", "--push", "--now", now)
            plans.looks.append(now)
        twice = len(plans.faults()["twice"])
    assert twice > 0
    turned_red(56, "plan_keys_of_each_look", twice=twice)
