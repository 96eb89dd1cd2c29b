"""A whole store moves between files and servers: row by row, once, whatever kills it on its way."""

import contextlib
import hashlib
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import lease as leases
from mindpipe.context.verbs.trust import Revoker
from mindpipe.core import failpoints
from mindpipe.core.errors import (
    InputOutputError,
    NothingToDoError,
    RefusedError,
    TemporaryError,
    UnfitRowError,
)
from mindpipe.history.verbs.history import ChainWalk
from mindpipe.io.chance import make_chance
from mindpipe.io.clock import SystemClock
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.life.verbs.rows import carried
from mindpipe.store import changes, recovery_log
from mindpipe.store.access import open_store, open_where
from mindpipe.store.address import Address, Where, address_of
from mindpipe.store.engine import EngineStore
from mindpipe.store.move_mark import mark_of
from mindpipe.store.records import MovedRows, StoreFinding
from mindpipe.store.recovery_log import RecoveryPassage
from mindpipe.store.scratch import scratch_store
from mindpipe.store.verbs import store as keeper
from support.command import Mind
from support.full_lives import FullLife
from support.killed_steps import AT
from support.life import AGENT
from support.postgres_server import EACH_VERSION, FAST, Server, programs, running
from support.processes import Nursery

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
DAYS = 4
MANY = 25_000
"""So many rows go in several transactions."""
_MANY = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many) "
    "INSERT INTO event(seq, id, agent, type, source, priority, text, lease_seconds, pushed) "
    "SELECT 1000 + i, 'e_' || i, :agent, 'message', 'many', 3, 'word ü ' || i, i / 7.0, '' FROM n"
)


@pytest.fixture(scope="module", params=EACH_VERSION)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give a server of each version."""
    with running(request.param) as started:
        yield started


@pytest.fixture
def there(server: Server) -> Iterator[Address]:
    """Give a schema of it in which nothing is."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE moved")
    yield address_of(server.url("moved", schema="fleet"))
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE moved WITH (FORCE)")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> FullLife:
    """Return a life of some days in a file, of which tests copy the file."""
    life = FullLife(tmp_path_factory.mktemp("lived"))
    for _ in range(DAYS):
        life.day()
    return life


@pytest.fixture
def here(lived: FullLife, tmp_path: Path) -> Path:
    """Return a file in which a life has been lived."""
    tmp_path.chmod(0o700)
    path = tmp_path / "mind.db"
    keeper.backup(lived.path, file=path)
    return path


def move(source: Where, target: Where) -> list[MovedRows]:
    """Move a store."""
    clock, chance = SystemClock(), make_chance(1)
    found = keeper.move(source, clock, chance, to=target, advance=lambda _done, _all: None)
    return list(found.rows)


def cancel(source: Where, target: Where) -> bool:
    """Give a move up."""
    return keeper.cancel_move(source, SystemClock(), make_chance(1), to=target)


@contextlib.contextmanager
def opened(where: Where) -> Iterator[EngineStore]:
    """Hold a store open."""
    with contextlib.closing(open_where(where)) as store:
        yield store


@contextlib.contextmanager
def struck(name: str, error: BaseException) -> Iterator[None]:
    """Let what reaches a failpoint end there."""

    def hook(reached: str) -> None:
        if reached == name:
            raise error

    failpoints.install(hook)
    try:
        yield
    finally:
        failpoints.install(lambda _name: None)


@contextlib.contextmanager
def killed_once(server: Server, name: str) -> Iterator[None]:
    """Kill a server, and start it again, when a failpoint is reached first."""
    kills = iter((server.stop,))

    def hook(reached: str) -> None:
        if reached == name and (stop := next(kills, None)) is not None:
            stop(signal.SIGKILL)
            server.start()

    failpoints.install(hook)
    try:
        yield
    finally:
        failpoints.install(lambda _name: None)
    assert next(kills, None) is None


def state_of(where: Where) -> str | None:
    """Return how the mark of a store stands."""
    with contextlib.closing(open_where(where, moving=True)) as store, store.read() as rows:
        mark = mark_of(rows)
    return mark and mark.state


def past_of(where: Where, revoker: Revoker) -> list[object]:
    """Return all rows of the life as they were after each cycle, and what it is once it is back."""
    with opened(where) as store:
        with store.read() as rows:
            was = [
                (header.table, list(found))
                for cycle in range(1, DAYS)
                for header, found in carried(rows, agent=AGENT, cycle=cycle)
            ]
        went = rewinds.rewind(store, revoker, agent=AGENT, cycle=2)
        assert list(ChainWalk(store, agent=AGENT).broken()) == []
        return [was, went.messages, goals.list_(store, agent=AGENT)]


def test_a_store_goes_to_a_server_and_comes_back_as_it_was(
    here: Path, there: Address, tmp_path: Path
) -> None:
    with opened(here) as store, store.write() as rows:
        rows.run(_MANY, {"many": MANY, "agent": AGENT})
        rows.run("UPDATE event SET lease_seconds = 1e308 WHERE seq = 1001")
    went = move(here, there)
    assert all(one.source == one.target for one in went)
    counts = {one.name: one.rows for one in went if one.what == "table"}
    with opened(here) as store, store.read() as rows:
        kept = {name: rows.value(int, f'SELECT count(*) FROM "{name}"') for name in counts}
    assert counts == kept
    assert counts["event"] > MANY > counts["blob"] > 0
    assert {one.name for one in went if one.what == "log"} >= {AGENT}
    found = [one for one in keeper.check(there, SystemClock()) if is_about_rows(one)]
    assert {one.verdict for one in found} == {"ok"}
    with opened(there) as store:
        assert list(ChainWalk(store, agent=AGENT).broken()) == []
    back = tmp_path / "back.db"
    came = move(there, back)
    differing = {name_of(one) for one in came} - {name_of(one) for one in went}
    # That the index was made anew on the server is written down in each log.
    assert {words.split()[1] for words in differing} == {"change", AGENT}
    with opened(back) as store:
        assert list(ChainWalk(store, agent=AGENT).broken()) == []


def is_about_rows(one: StoreFinding) -> bool:
    """Tell whether a finding is about the rows and their schema, and no setting of a server."""
    rows = {question.check for question in keeper.INVARIANTS}
    return one.check in rows | {"schema", "history chain", "other tables"}


def counts_of(where: Where, *tables: str) -> list[int | None]:
    """Return how many rows some tables have."""
    with opened(where) as store, store.read() as rows:
        return [rows.value(int, f"SELECT count(*) FROM {table}") for table in tables]


def name_of(one: MovedRows) -> str:
    """Return what was moved and its hash."""
    return f"{one.what} {one.name} {one.source}"


@pytest.mark.heavy
def test_what_a_life_was_can_be_told_and_gone_back_to_where_it_came(
    here: Path,
    there: Address,
    lived: FullLife,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    copy = tmp_path / "copy.db"
    keeper.backup(here, file=copy)
    move(here, there)
    assert past_of(there, lived.revoker) == past_of(copy, lived.revoker)


def test_numbers_go_on_behind_the_last_one(here: Path, there: Address, tmp_path: Path) -> None:
    back = tmp_path / "back.db"
    with opened(here) as store, store.write() as rows:
        rows.run(_MANY, {"many": 3, "agent": AGENT})
    for source, target, first in ((here, there, 1004), (there, back, 1006)):
        move(source, target)
        with opened(target) as store:
            for number in (first, first + 1):
                with store.write(AGENT) as rows:
                    rows.run(
                        "INSERT INTO event(id, agent, type, source, priority, pushed) "
                        "VALUES(:id, :agent, 'message', 'more', 3, '')",
                        {"id": f"e_{number}", "agent": AGENT},
                    )
            with store.read() as rows:
                asked = "SELECT seq FROM event WHERE seq >= :first ORDER BY seq"
                assert rows.all(int, asked, {"first": first}) == [first, first + 1]


@pytest.mark.heavy
@pytest.mark.parametrize("version", EACH_VERSION)
def test_a_move_goes_on_after_its_server_was_killed(
    here: Path, version: str, tmp_path: Path
) -> None:
    # It may forget what others wrote last, but nothing of a move.
    assert "synchronous_commit=off" in FAST
    with running(version, settings=FAST) as server:
        there = address_of(server.url(schema="fleet"))
        for source, target in ((here, there), (there, tmp_path / "back.db")):
            with killed_once(server, "move.mid"), pytest.raises(TemporaryError):
                move(source, target)
            assert state_of(source) == "leaving"
            assert all(one.source == one.target for one in move(source, target))
            assert (state_of(source), state_of(target)) == ("left", "arrived")


def test_both_engines_have_the_same_columns_in_the_same_order(
    here: Path, there: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = {one.name for one in move(here, there) if one.what == "table"}
    found = []
    for store in (scratch_store(), open_where(there)):
        monkeypatch.setattr(changes, "_KNOWN", {})
        with contextlib.closing(store), store.read() as rows:
            found.append({table: changes.columns_of(rows, table) for table in tables})
    assert found[0] == found[1]


@pytest.mark.heavy
def test_who_holds_it_open_writes_no_more_once_it_moves(
    here: Path, there: Address, tmp_path: Path
) -> None:
    for source, target in ((here, there), (there, tmp_path / "back.db")):
        with opened(source) as store:
            goals.add(store, SystemClock(), make_chance(5), agent=AGENT, text="Still here.")
            with struck("move.mid", KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
                move(source, target)
            with pytest.raises(RefusedError, match="has been moving to "):
                goals.add(store, SystemClock(), make_chance(6), agent=AGENT, text="Lost.")
            with pytest.raises(TemporaryError, match="is not whole yet"), opened(target) as half:
                goals.list_(half, agent=AGENT)
            move(source, target)
            with pytest.raises(RefusedError, match="moved to "):
                goals.add(store, SystemClock(), make_chance(7), agent=AGENT, text="Lost.")
            said = [goal.text for goal in goals.list_(store, agent=AGENT)]
        assert [one for one in keeper.check(source, SystemClock()) if one.check == "move"]
        with opened(target) as store:
            assert [goal.text for goal in goals.list_(store, agent=AGENT)] == said
        with pytest.raises(NothingToDoError, match="already"):
            move(source, target)


@pytest.mark.heavy
def test_a_move_that_is_killed_at_every_few_steps_is_gone_on_with(
    here: Path, there: Address, tmp_path: Path
) -> None:
    with opened(here) as store, store.write() as rows:
        rows.run(_MANY, {"many": MANY, "agent": AGENT})
    for source, target in ((here, there), (there, tmp_path / "back.db")):
        arguments = ["store", "move", "--from", str(source), "--to", str(target)]
        with contextlib.closing(Nursery(tmp_path, "support.killed_steps")) as nursery:
            status, step, runs = -9, 3, 0
            while status == -9:
                born = nursery.start(arguments, tmp_path / "out", {AT: str(step)})
                status, step, runs = born.status(), 2 * step + 1, runs + 1
        # A last one may have been killed once all was done.
        assert status in {0, 3}, born.words()
        assert runs > 3
        assert (state_of(source), state_of(target)) == ("left", "arrived")
        with opened(target) as store, store.read() as rows:
            found = rows.all(int, "SELECT seq FROM event WHERE source = 'many' ORDER BY seq")
        assert found == list(range(1001, 1001 + MANY))
        assert counts_of(target, "message", "operation") == counts_of(
            source, "message", "operation"
        )


@pytest.mark.heavy
def test_a_store_goes_from_one_schema_to_another(here: Path, there: Address) -> None:
    other = address_of(f"{there.server}&schema=other")
    move(here, there)
    assert all(one.source == one.target for one in move(there, other))
    assert (state_of(there), state_of(other)) == ("left", "arrived")


@pytest.mark.parametrize(
    "point",
    [
        *("move.after_leaving", "move.after_arriving", "move.mid", "move.after_rows"),
        *("move.after_left", "move.after_arrived"),
    ],
)
def test_a_move_that_ends_at_any_point_is_gone_on_with(point: str, here: Path) -> None:
    there = here.with_name("other.db")
    with struck(point, KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        move(here, there)
    if point != "move.after_arrived":
        assert all(one.source == one.target for one in move(here, there))
    with pytest.raises(NothingToDoError):
        move(here, there)
    assert (state_of(here), state_of(there)) == ("left", "arrived")


def test_a_move_is_given_up_and_begun_anew(here: Path, there: Address) -> None:
    with struck("move.mid", KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        move(here, there)
    with pytest.raises(RefusedError, match="is moving to"):
        move(here, here.with_name("other.db"))
    assert cancel(here, there)
    assert state_of(here) is None
    with opened(here) as store:
        goals.add(store, SystemClock(), make_chance(5), agent=AGENT, text="I stay.")
    move(here, there)
    with opened(there) as store:
        assert "I stay." in [goal.text for goal in goals.list_(store, agent=AGENT)]
    with pytest.raises(RefusedError, match="move it back"):
        cancel(here, there)


def test_a_move_that_was_given_up_by_halves_is_given_up_whole(here: Path, there: Address) -> None:
    with struck("move.mid", KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        move(here, there)
    with struck("move.after_staying", KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        cancel(here, there)
    with opened(here) as store:
        goals.add(store, SystemClock(), make_chance(5), agent=AGENT, text="I stay.")
    for target in (there, here.with_name("third.db")):
        with pytest.raises(RefusedError, match="--cancel"):
            move(here, target)
    assert cancel(here, there)
    with pytest.raises(NothingToDoError):
        cancel(here, there)
    move(here, there)
    with pytest.raises(NothingToDoError):
        cancel(there, here)
    assert (state_of(here), state_of(there)) == ("left", "arrived")


def test_a_move_that_is_given_up_beside_it_does_not_end(here: Path, there: Address) -> None:
    def give_up(reached: str) -> None:
        if reached == "move.after_rows":
            with pytest.raises(KeyboardInterrupt):
                cancel(here, there)
        if reached == "move.after_staying":
            raise KeyboardInterrupt

    failpoints.install(give_up)
    try:
        with pytest.raises(RefusedError, match="was given up"):
            move(here, there)
    finally:
        failpoints.install(lambda _name: None)
    with opened(here) as store:
        goals.add(store, SystemClock(), make_chance(5), agent=AGENT, text="I stay.")
    assert cancel(here, there)


@pytest.mark.heavy
def test_who_moves_what_another_has_opened_meanwhile_brings_nothing_more(
    here: Path, there: Address
) -> None:
    with opened(here) as store, store.write() as rows:
        rows.run(_MANY, {"many": MANY, "agent": AGENT})

    def beside(reached: str) -> None:
        if reached == "move.mid":
            failpoints.install(lambda _name: None)
            move(here, there)
            with opened(there) as store, store.write() as rows:
                rows.run("DELETE FROM event")

    failpoints.install(beside)
    with pytest.raises(NothingToDoError, match="already"):
        move(here, there)
    with opened(there) as store, store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM event") == 0


def test_two_who_move_the_same_store_open_it_once(here: Path, there: Address) -> None:
    def beside(reached: str) -> None:
        if reached == "move.after_left":
            failpoints.install(lambda _name: None)
            move(here, there)

    failpoints.install(beside)
    move(here, there)
    with opened(there) as store, store.read() as rows:
        asked = "SELECT count(*) FROM change WHERE agent = :agent AND undo LIKE '%recall_text%'"
        assert rows.value(int, asked, {"agent": AGENT}) == 1


def test_what_came_otherwise_than_it_was_is_not_opened(here: Path, there: Address) -> None:
    with struck("move.after_rows", KeyboardInterrupt()), pytest.raises(KeyboardInterrupt):
        move(here, there)
    with psycopg.connect(there.server, autocommit=True) as connection:
        connection.execute("SET search_path = fleet, pg_catalog")
        connection.execute("UPDATE goal SET text = 'Another.' WHERE number = 1")
    with pytest.raises(InputOutputError, match=r"what came is not what was there \(table goal\)"):
        move(here, there)
    assert (state_of(here), state_of(there)) == ("leaving", "arriving")


def test_nothing_moves_while_somebody_thinks(here: Path, there: Address) -> None:
    with opened(here) as store:
        leases.acquire(store, SystemClock(), agent=AGENT, owner="w1")
    with pytest.raises(TemporaryError, match=f"somebody thinks for {AGENT}"):
        move(here, there)
    assert state_of(here) is None


def test_what_a_server_cannot_keep_is_said_before_anything_moves(
    here: Path, there: Address
) -> None:
    with opened(here) as store, store.write() as rows:
        rows.run("UPDATE goal SET text = 'a' || char(0) || 'b' WHERE number = 1")
    with pytest.raises(UnfitRowError, match="1 of the rows of goal"):
        move(here, there)
    assert state_of(here) is None
    move(here, here.with_name("other.db"))


def test_a_row_that_no_server_could_find_is_named_before_anything_moves(
    here: Path, there: Address
) -> None:
    put = "UPDATE post SET key = :key WHERE id = (SELECT min(id) FROM post)"
    odd = "".join(hashlib.sha256(b"%d" % number).hexdigest() for number in range(50))
    with opened(here) as store, store.write() as rows:
        assert rows.changed(put, {"key": odd}) == 1
    with pytest.raises(
        UnfitRowError, match=f"a row of post has in space, sender, key .*{odd[:20]}"
    ):
        move(here, there)
    assert state_of(here) is None
    with opened(here) as store, store.write() as rows:
        rows.run(put, {"key": "k" * len(odd)})
    assert ("table", "post") in {(one.what, one.name) for one in move(here, there)}


def test_what_is_taken_is_not_touched(here: Path, there: Address) -> None:
    with psycopg.connect(there.server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA fleet CREATE TABLE mine(id INT)")
    with pytest.raises(RefusedError, match="schema fleet is not empty"):
        move(here, there)
    assert state_of(here) is None


def test_a_store_that_was_restored_moves_and_is_open(
    here: Path, there: Address, tmp_path: Path
) -> None:
    again, back = tmp_path / "again.db", tmp_path / "back.db"
    keeper.restore(again, file=here, clock=SystemClock(), loss_since="2026-11-21")
    with pytest.raises(TemporaryError, match="is in RECOVERY"):
        move(again, there)
    recovery_log.note(again, RecoveryPassage(at="", state="left", cause="restore", why=""))
    move(again, there)
    move(there, back)
    with opened(back) as store:
        assert not store.takes_nothing


def test_a_copy_of_what_has_moved_lives(
    here: Path, there: Address, tmp_path: Path, mind: Mind
) -> None:
    move(here, there)
    mind("life", "fork", AGENT, "--as", "eva", "--store", str(here))
    mind("goal", "add", "--agent", AGENT, "Live", "--store", str(here.with_name("eva.db")))
    copy, again = tmp_path / "copy.db", tmp_path / "again.db"
    keeper.backup(here, file=copy)
    keeper.restore(again, file=copy, clock=SystemClock(), loss_since="2026-11-21")
    assert state_of(copy) == "left"
    with contextlib.closing(open_store(again, read_only=True)) as store, store.read() as rows:
        assert mark_of(rows) is None


def test_one_agent_moves_by_its_life_file(here: Path, there: Address, mind: Mind) -> None:
    file, server = str(here), str(there)
    mind("init", "--store", server)
    mind("life", "export", AGENT, "--move", "--output", "it.life", "--store", file)
    mind("life", "import", "it.life", "--store", server)
    mind("goal", "add", "--agent", AGENT, "Go on", "--store", server)
    ran = mind.run("goal", "add", "--agent", AGENT, "Stay", "--store", file)
    assert (ran.status, "has lived in another store" in ran.words) == (4, True)
    mind("life", "export", AGENT, "--move", "--output", "back.life", "--store", server)
    mind("life", "import", "back.life", "--store", file)
    said = mind("goal", "list", "--agent", AGENT, "--store", file).records()
    assert "Go on" in [goal["text"] for goal in said]
