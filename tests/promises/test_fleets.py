"""Workers of a fleet: any of them lives any agent that is due, and goes on where one is gone."""

import contextlib
import datetime
import itertools
import json
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from support.another_machine import AHEAD
from support.lasting_worker import WAITING_MODEL, WORDS, Gate, write_program
from support.patience import until
from support.postgres_server import Server, programs, running
from support.processes import Newborn, Nursery
from support.stepped_clock import step_to

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.own_server,
    pytest.mark.skipif(
        not hasattr(os, "pidfd_open"), reason="waits for processes by pidfd (Linux)"
    ),
]
FLEET = ("run", "--agents", "team-*")
NUMBERS = itertools.count()
NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")


class Team(Gate):
    """A store with three agents of a team and another one, whose model waits at its first call.

    `elsewhere` are processes of another machine.
    """

    def __init__(self, folder: Path, place: str, address: str | None) -> None:
        super().__init__(folder)
        self.folder, self.place, self._address = folder, place, address
        self.here = Nursery(folder, "support.lasting_server")
        self.elsewhere = Nursery(folder, "support.another_machine")
        words = WAITING_MODEL.format(folder=folder, words=json.dumps(WORDS))
        write_program(folder / "answer", words)
        self.mind("init", "--agent", "team-a")
        for name in ("team-b", "team-c", "other"):
            self.mind("agent", "new", name)
        for name in ("team-a", "team-b", "team-c", "other"):
            self.mind("agent", "set", name, "--model", f"program:{folder / 'answer'}")

    def close(self) -> None:
        """End the processes."""
        self.here.close()
        self.elsewhere.close()
        super().close()

    def mind(self, *arguments: str) -> list[dict]:
        """Run a command to its end."""
        return self.here.run(*arguments, "--store", self.place)

    def push(self, agent: str, *options: str) -> None:
        """Push an event."""
        self.mind("inbox", "push", "--agent", agent, "--text", "Hello", *options)

    def start(
        self,
        *options: str,
        nursery: Nursery | None = None,
        place: str = "",
        key: str | None = None,
        named: bool = True,
    ) -> Newborn:
        """Start a worker of the fleet, which may have another way to the place, or another key."""
        environment = {} if key is None else {"OPENAI_API_KEY": key}
        out = self.folder / f"worker-{next(NUMBERS)}"
        fleet = FLEET if named else FLEET[:1]
        arguments = [*fleet, *options, "--store", place or self.place]
        return (nursery or self.here).start(arguments, out, environment)

    def answers(self) -> None:
        """Let the model answer at once."""
        (self.folder / "first").mkdir()

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        if self._address is None:
            with contextlib.closing(sqlite3.connect(self.place, timeout=30)) as store:
                return store.execute(sql).fetchall()
        with self._server() as connection:
            return connection.execute(sql.encode()).fetchall()

    def time_passes(self, agent: str) -> None:
        """Let what a worker holds of an agent be over."""
        with self._server() as connection:
            for sql in (
                f"UPDATE run SET until = 0 WHERE agent = '{agent}'",
                f"UPDATE agent_lease SET seconds = 0 WHERE agent = '{agent}'",
                f"UPDATE event SET lease_seconds = 0 WHERE agent = '{agent}' AND state = 'leased'",
            ):
                connection.execute(sql.encode())

    def _server(self) -> psycopg.Connection:
        connection = psycopg.connect(self._address or "", autocommit=True)
        connection.execute(f"SET search_path = {self.place.rpartition('schema=')[2]}".encode())
        return connection

    def hint(self) -> None:
        """Let whoever waits look now, as it does in a file that changes, or else a while later."""
        if self._address is not None:
            with self._server() as connection:
                connection.execute(
                    "SELECT pg_notify(%s, '')", ["mindpipe_" + self.place.rpartition("schema=")[2]]
                )

    def is_done(self, *names: str) -> bool:
        """Tell whether all that came to some agents is done."""
        listed = ", ".join(f"'{name}'" for name in names)
        theirs = f"agent IN ({listed}) AND source <> 'recovery'"
        found = self.rows(f"SELECT state FROM event WHERE {theirs}")
        return len(found) >= len(names) and {state for (state,) in found} == {"done"}

    def wait_until_done(self, worker: Newborn, *names: str) -> None:
        """Wait until all that came to some agents is done."""

        def comes() -> bool:
            assert not worker.ended(0), worker.words()
            return self.is_done(*names)

        until(comes, "what a worker should do")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(max(programs())) as found:
        yield found


@pytest.fixture(params=["file", "server"])
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Team]:
    """Return a team, in a file or on a server."""
    place, address = str(tmp_path / "mind.db"), None
    if request.param == "server":
        if not programs():
            pytest.skip("there is no program of PostgreSQL")
        found: Server = request.getfixturevalue("server")
        place, address = found.url(schema=f"team_{next(NUMBERS)}"), found.url()
    with contextlib.closing(Team(tmp_path, place, address)) as made:
        yield made


def seconds_since_1970(instant: str) -> float:
    return datetime.datetime.fromisoformat(instant).timestamp()


def only_on_a_server(team: Team) -> None:
    if team.place.endswith("mind.db"):
        pytest.skip("a file is on one machine")


def says(worker: Newborn, words: str) -> None:
    """Wait until a worker has said something, as it does once it is there."""

    def has_said() -> bool:
        with contextlib.suppress(FileNotFoundError):
            return words in worker.words()
        return False

    until(has_said, f"a worker that says {words!r}")


def ends(worker: Newborn) -> None:
    worker.kill(signal.SIGTERM)
    assert worker.status() == 0, worker.words()
    assert "Traceback" not in worker.words()


def test_whoever_is_due_is_lived_the_urgent_first_and_nobody_else(team: Team) -> None:
    team.answers()
    team.push("team-b")
    team.push("team-a", "--level", "0")
    team.push("other")
    worker = team.start("--once")
    assert worker.status() == 0, worker.words()
    assert [one["agent"] for one in worker.records()] == ["team-a", "team-b"]
    assert team.rows("SELECT state FROM event WHERE agent = 'other'") == [("ready",)]
    # Who rests leaves nothing behind of being looked at.
    assert team.rows("SELECT * FROM run") == []
    again = team.start("--once")
    assert (again.status(), "nothing is due for team-*." in again.words()) == (3, True)
    assert "no agent" not in again.words()


def test_a_fleet_says_that_nobody_has_its_name_and_waits_for_who_will(team: Team) -> None:
    team.answers()
    worker = team.start("--agents", "crew-*", named=False)
    says(worker, "no agent has such a name yet: crew-*.")
    team.mind("agent", "new", "crew-a", "--model", f"program:{team.folder / 'answer'}")
    team.push("crew-a")
    team.wait_until_done(worker, "crew-a")
    ends(worker)


def test_a_fleet_ends_where_its_store_has_moved(team: Team) -> None:
    """Nothing comes there any more, and nobody would tell it so."""
    team.answers()
    team.push("team-b")
    first = team.start("--once")
    assert first.status() == 0, first.words()
    team.mind("store", "move", "--to", str(team.folder / "elsewhere.db"))
    for options in ((), ("--once",), ("--jobs", "2")):
        late = team.start(*options)
        assert late.status() == 4, late.words()
        assert "elsewhere.db at " in late.words()


def test_a_fleet_that_waits_ends_when_its_store_moves(team: Team) -> None:
    team.answers()
    team.push("team-b")
    worker = team.start()
    team.wait_until_done(worker, "team-b")
    moving = ("store", "move", "--to", str(team.folder / "elsewhere.db"), "--store", team.place)

    def moves() -> bool:
        # It has to wait while somebody is looked at.
        return team.here.start(moving, team.folder / "moved", {}).status() == 0

    until(moves, "a fleet that rests")
    team.hint()
    assert worker.status() == 4, worker.words()
    assert "elsewhere.db at " in worker.words()


def test_who_fails_keeps_nobody_else_from_being_lived(team: Team) -> None:
    team.answers()
    team.mind("agent", "set", "team-a", "--model", "program:/bin/false")
    team.push("team-a", "--level", "0")
    team.push("team-b")
    worker = team.start("--once")
    assert worker.status() == 75, worker.words()
    assert [one["agent"] for one in worker.records()] == ["team-b"]
    assert team.rows("SELECT state FROM event WHERE agent = 'team-a'") == [("ready",)]
    assert team.rows("SELECT agent, state FROM run") == [("team-a", "clean")]


def test_a_worker_that_cannot_begin_leaves_no_life_that_looks_crashed(team: Team) -> None:
    team.push("team-a")
    words = [*FLEET, "--once", "--store", team.place]
    refused = {"MIND_ALERTS_RULES": "nonsense"}
    worker = team.here.start(words, team.folder / "refused", refused)
    assert worker.status() == 65, worker.words()
    assert team.rows("SELECT count(*) FROM run WHERE state = 'running'") == [(0,)]


def test_a_new_agent_is_taken_up_and_a_paused_one_waits_until_it_is_not(team: Team) -> None:
    team.answers()
    worker = team.start()
    team.mind("agent", "set", "team-c", "--pause", "for now")
    team.push("team-c")
    team.mind("agent", "new", "team-d", "--model", f"program:{team.folder / 'answer'}")
    team.push("team-d")
    team.wait_until_done(worker, "team-d")
    assert team.rows("SELECT state FROM event WHERE agent = 'team-c'") == [("ready",)]
    team.mind("agent", "set", "team-c", "--unset", "paused")
    team.push("team-c")
    team.wait_until_done(worker, "team-c", "team-d")
    ends(worker)


def test_of_workers_that_are_told_of_the_same_each_lives_another_one(team: Team) -> None:
    workers = [team.start("--jobs", "2")]
    if not team.place.endswith("mind.db"):
        workers.append(team.start(nursery=team.elsewhere))
    team.push("team-a")
    team.asks()
    team.push("team-b")
    team.wait_until_done(workers[0], "team-b")
    assert team.rows("SELECT state FROM event WHERE agent = 'team-a'") == [("leased",)]
    team.let_go()
    team.wait_until_done(workers[0], "team-a", "team-b")
    for worker in workers:
        ends(worker)
    lived = [one["agent"] for worker in workers for one in worker.records()]
    assert sorted(lived) == ["team-a", "team-b"]


def test_whom_one_worker_cannot_live_another_one_does(team: Team) -> None:
    team.answers()
    elsewhere = None if team.place.endswith("mind.db") else team.elsewhere
    lacking = team.start("--model", "openai/some", nursery=elsewhere, key="")
    team.push("team-a")
    says(lacking, "team-a: no key")
    program = team.folder / "only-here"
    write_program(program, (team.folder / "answer").read_text())
    team.mind("agent", "set", "team-b", "--model", f"program:{program}")
    program.rename(program.with_name("away"))
    before = team.start()
    team.push("team-b")
    says(before, "only-here is no program")
    team.wait_until_done(before, "team-a")
    program.with_name("away").rename(program)
    worker = team.start()
    team.wait_until_done(worker, "team-a", "team-b")
    assert team.rows("SELECT attempts FROM event WHERE agent = 'team-b'") == [(1,)]
    for one in (lacking, before, worker):
        ends(one)


def test_the_agent_of_one_that_is_killed_goes_on_with_another(team: Team) -> None:
    killed = team.start()
    team.push("team-a")
    team.asks()
    on_server = not team.place.endswith("mind.db")
    other = team.start(nursery=team.elsewhere if on_server else None)
    killed.kill(signal.SIGKILL)
    killed.status()
    if on_server:
        team.time_passes("team-a")
    team.wait_until_done(other, "team-a")
    assert "recovered: crash: team-a" in other.words()
    ends(other)
    assert team.rows("SELECT agent FROM run WHERE state = 'crashed'") == [("team-a",)]
    cycle = "SELECT state FROM cycle WHERE agent = 'team-a' AND cycle = 1"
    assert team.rows(cycle) == [("closed",)]


def test_one_that_is_told_to_stop_leaves_its_agent_to_another(team: Team) -> None:
    stopped = team.start()
    team.push("team-a")
    team.asks()
    stopped.kill(signal.SIGTERM)
    assert stopped.status() == 0, stopped.words()
    assert team.rows("SELECT state FROM cycle") == [("open",)]
    assert team.rows("SELECT state FROM run") == [("clean",)]
    other = team.start()
    team.wait_until_done(other, "team-a")
    ends(other)
    assert "recovered" not in other.words()


def test_one_that_was_away_for_too_long_commits_nothing(team: Team) -> None:
    only_on_a_server(team)
    late = team.start(nursery=team.elsewhere)
    team.push("team-a")
    team.asks()
    late.kill(signal.SIGSTOP)
    team.time_passes("team-a")
    other = team.start()
    team.wait_until_done(other, "team-a")
    said = "SELECT id, sha256 FROM message WHERE agent = 'team-a' AND cycle = 1 ORDER BY seq"
    before = team.rows(said)
    late.kill(signal.SIGCONT)
    team.let_go()
    team.push("team-b")
    team.wait_until_done(other, "team-a", "team-b")
    until(lambda: "another worker" in late.words(), "the late one hears that it is late")
    assert team.rows(said) == before
    ends(late)
    ends(other)
    assert [one for one in late.records() if one["agent"] == "team-a"] == []


def test_an_agent_that_was_taken_without_a_word_of_it_is_lived_all_the_same(team: Team) -> None:
    team.answers()
    team.push("team-a")
    with contextlib.closing(Nursery(team.folder, "support.unheard_take")) as nursery:
        worker = team.start(nursery=nursery)
        team.wait_until_done(worker, "team-a")
        ends(worker)
    assert "nobody can say" in worker.words()
    assert team.rows("SELECT state FROM run WHERE state = 'crashed'") == []


def test_what_a_machine_writes_down_whose_clocks_are_ahead_is_on_the_server_s_clock(
    team: Team,
) -> None:
    only_on_a_server(team)
    away = ("--store", team.place)
    ((before,),) = team.rows(NOW)
    worker = team.start(nursery=team.elsewhere)
    for words in (
        ("inbox", "push", "--agent", "team-a", "--text", "Hello"),
        ("memory", "add", "--agent", "team-b", "--text", "Tea is hot."),
        ("task", "add", "--agent", "team-b", "Work", "--worker", "other"),
    ):
        team.elsewhere.run(*words, *away)
    (plan,) = team.elsewhere.run("plan", "add", "--agent", "team-b", "Rest", "--after", "5m", *away)
    team.asks()
    held = (
        "SELECT until FROM run UNION ALL SELECT seconds FROM agent_lease WHERE owner IS NOT NULL "
        "UNION ALL SELECT lease_seconds FROM event WHERE state = 'leased'"
    )
    deadlines = [seconds for (seconds,) in team.rows(held)]
    ((now,),) = team.rows(NOW)
    assert len(deadlines) == 3
    assert before < min(deadlines) <= max(deadlines) < now + AHEAD
    team.let_go()
    team.wait_until_done(worker, "team-a")
    # It would be due by those clocks.
    looks = ("plan", "due", "--push", "--agent", "team-b", *away)
    assert team.elsewhere.start(looks, team.folder / "due", {}).status() == 3
    ends(worker)
    ((after,),) = team.rows(NOW)
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    for (table,) in team.rows(tables):
        if table.startswith("plan"):
            continue
        for (row,) in team.rows(f"SELECT row_to_json(one)::text FROM {table} AS one"):
            for instant in INSTANT.findall(row):
                assert seconds_since_1970(instant) <= after, (table, row)
    assert before + 300 <= seconds_since_1970(plan["next"]) + 1 <= after + 301


def test_a_step_of_the_server_s_clock_hastens_who_goes_on_and_commits_nothing_twice(
    team: Team, request: pytest.FixtureRequest
) -> None:
    only_on_a_server(team)
    server: Server = request.getfixturevalue("server")
    step_to(server, 0)
    with contextlib.closing(Nursery(team.folder, "support.stepped_clock")) as machines:
        late = team.start(nursery=machines)
        team.push("team-a")
        team.asks()
        step_to(server, 600)
        other = team.start(nursery=machines)
        team.wait_until_done(other, "team-a")
        said = "SELECT id, sha256 FROM message WHERE agent = 'team-a' AND cycle = 1 ORDER BY seq"
        before = team.rows(said)
        step_to(server, -600)
        team.let_go()
        until(lambda: "another worker" in late.words(), "the late one hears that it is late")
        team.push("team-b")
        team.wait_until_done(other, "team-a", "team-b")
        assert team.rows(said) == before
        ends(late)
        ends(other)


def test_who_waits_on_another_machine_is_not_taken_for_crashed(team: Team) -> None:
    only_on_a_server(team)
    team.answers()
    out = team.folder / "alone"
    arguments = ["run", "--agent", "other", "--store", team.place]
    alone = team.elsewhere.start(arguments, out, {})
    lives = "SELECT state FROM run WHERE agent = 'other'"
    until(lambda: team.rows(lives) == [("running",)], "the other machine's worker")
    team.push("team-a")
    assert team.start("--once").status() == 0
    assert team.rows(lives) == [("running",)]
    (status,) = team.mind("status", "--agent", "other")
    assert re.fullmatch(rf"pid {alone.pid} of (?!another)\S+ since \S+", status["worker"])
    ends(alone)
    assert team.rows(lives) == [("clean",)]


def test_a_fleet_that_waits_is_seen_as_long_as_it_is_there(team: Team) -> None:
    worker = team.start()

    def seen() -> str:
        found = team.mind("store", "check")
        return next(one["found"] for one in found if one["check"] == "workers")

    waits = rf"team-\* pid {worker.pid} of \S+ waits since {INSTANT.pattern}"
    until(lambda: re.fullmatch(waits, seen()) is not None, "the fleet is seen")
    (status,) = team.mind("status", "--agent", "team-b")
    assert status["worker"].startswith(f"pid {worker.pid} of ")
    (other,) = team.mind("status", "--agent", "other")
    assert other["worker"] is None
    os.kill(worker.pid, signal.SIGKILL)
    until(lambda: seen() == "none", "it is seen no more")
    again = team.start()
    until(lambda: seen() != "none", "another one is seen")
    ends(again)
    assert seen() == "none"


def test_processes_of_one_worker_have_one_listener(team: Team) -> None:
    only_on_a_server(team)
    team.answers()
    worker = team.start("--jobs", "3")
    team.push("team-a")
    team.wait_until_done(worker, "team-a")
    channel = f"mindpipe_{team.place.rpartition('schema=')[2]}"
    sql = f"SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN {channel}'"
    assert team.rows(sql) == [(1,)]
    ends(worker)
