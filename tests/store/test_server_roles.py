"""Roles with the least rights, and backups by PostgreSQL's own programs."""

import contextlib
import os
import subprocess
import threading
from pathlib import Path

import psycopg
import pytest

from mindpipe.core.errors import UsageError
from mindpipe.core.records import Migration
from mindpipe.io.clock import SystemClock
from mindpipe.store.address import Address, address_of
from mindpipe.store.migrations import migrations
from mindpipe.store.postgres.migrate import migrate
from mindpipe.store.postgres.roles import script
from mindpipe.store.postgres.schema import open_store
from mindpipe.store.verbs import store as keeper
from support.command import Mind
from support.patience import until
from support.postgres_server import Server, programs
from support.proofs import proved_on_server

pytestmark = pytest.mark.skipif(not programs(), reason="there is no program of PostgreSQL")
LATER = Migration(name="0999_later", sql="SELECT 1", postgres="CREATE TABLE later(id TEXT)")


@pytest.fixture
def logins(fleet: Address, mind: Mind) -> dict[str, str]:
    """Give the address of a login for each role, made as the manual says."""
    said = mind("store", "roles").text
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        for _ in range(2):
            connection.execute(said.encode())
        for role in ("owner", "worker", "reader"):
            login = f"a_{role}"
            connection.execute(f"DROP ROLE IF EXISTS {login}".encode())
            connection.execute(f"CREATE ROLE {login} LOGIN; GRANT fleet_{role} TO {login}".encode())
    return {
        role: str(fleet).replace("//mind@", f"//a_{role}@")
        for role in ("owner", "worker", "reader")
    }


def refused(address: str, sql: str) -> bool:
    """Tell whether the server refuses a statement for want of rights."""
    found = address_of(address)
    with psycopg.connect(found.server, autocommit=True) as connection:
        try:
            connection.execute(f"SET search_path = fleet, pg_catalog; {sql}".encode())
        except psycopg.errors.InsufficientPrivilege:
            return True
    return False


def test_a_worker_lives_and_can_change_no_table(logins: dict[str, str], mind: Mind) -> None:
    mind.environment["MIND_STORE"] = logins["worker"]
    (mind.folder / "answer").write_text('#!/bin/sh\ncat > /dev/null; echo \'{"text": "Yes."}\'\n')
    (mind.folder / "answer").chmod(0o700)
    mind("inbox", "push", stdin='{"agent": "ava", "text": "And now?"}')
    mind("think", "--agent", "ava")
    mind("agent", "new", "bea")
    mind("goal", "add", "--agent", "bea", "Sleep.")
    mind("note", "set", "--agent", "bea", "k", "v")
    mind("plan", "add", "--agent", "bea", "Tea", "Drink tea.", "--cron", "0 9 * * *")
    assert mind("store", "query", "SELECT current_user::text AS who").record() == {
        "who": "fleet_reader"
    }
    worker = logins["worker"]
    assert refused(worker, "DROP TABLE event")
    assert refused(worker, "ALTER TABLE event ADD COLUMN mine INT")
    assert refused(worker, "ALTER TABLE message DISABLE TRIGGER ALL")
    assert refused(worker, "TRUNCATE event")
    assert refused(worker, "CREATE TABLE mine(id INT)")
    assert refused(worker, "UPDATE migration SET checksum = ''")
    assert refused(worker, "INSERT INTO store_move VALUES('m', 'left', 'elsewhere', '')")
    assert refused(worker, "DELETE FROM store")
    assert not refused(worker, "DELETE FROM note")


def test_roles_wait_for_who_writes_and_when_given_again_for_nobody_who_reads(
    fleet: Address,
) -> None:
    told = f"SET lock_timeout = '200ms'; {script(fleet)}".encode()
    with contextlib.closing(open_store(fleet)) as store:
        with (
            store.write("ava"),
            psycopg.connect(fleet.server, autocommit=True) as connection,
            pytest.raises(psycopg.errors.LockNotAvailable),
        ):
            connection.execute(told)
        with psycopg.connect(fleet.server, autocommit=True) as connection:
            connection.execute(script(fleet).encode())
            with store.read() as rows:
                assert rows.value(int, "SELECT count(*) FROM agent") == 1
                connection.execute(told)


def test_a_reader_reads_and_cannot_write(logins: dict[str, str], mind: Mind) -> None:
    mind.environment["MIND_STORE"] = logins["reader"]
    assert mind("agent", "list").record()["name"] == "ava"
    assert mind("history", "show", "--agent", "ava").records() != []
    ran = mind.run("note", "set", "--agent", "ava", "k", "v")
    assert (ran.status, "See mind store roles" in ran.words) == (4, True)
    assert all(
        refused(logins["reader"], sql)
        for sql in (
            "DELETE FROM note",
            "INSERT INTO store VALUES('x')",
            "CREATE TABLE mine(id INT)",
        )
    )


def test_who_only_reads_makes_a_backup(
    logins: dict[str, str], fleet_server: Server, mind: Mind
) -> None:
    with psycopg.connect(fleet_server.url()) as connection:
        version = str(connection.info.server_version // 10_000)
    with_programs(mind, programs()[version])
    later = "CREATE SEQUENCE later"
    step = Migration(name=LATER.name, sql=LATER.sql, postgres=later)
    migrate(address_of(logins["owner"]), migrations=(*migrations(), step))
    mind.environment["MIND_STORE"] = logins["reader"]
    assert mind("store", "backup", "fleet.dump").record()["bytes"] > 0
    assert refused(logins["reader"], "SELECT nextval('event_seq')")


def test_the_owner_migrates_and_what_it_makes_is_all_roles(logins: dict[str, str]) -> None:
    done = migrate(address_of(logins["owner"]), migrations=(*migrations(), LATER))
    assert done.applied == ("0999_later",)
    assert not refused(logins["worker"], "INSERT INTO later VALUES('x')")
    assert not refused(logins["reader"], "SELECT * FROM later")
    assert refused(logins["reader"], "INSERT INTO later VALUES('x')")
    assert not refused(logins["owner"], "SET ROLE fleet_owner; DROP TABLE later")


def test_only_the_owner_takes_a_secret_out_of_the_servers_files(
    logins: dict[str, str], mind: Mind
) -> None:
    mind.environment["MIND_STORE"] = logins["worker"]
    ran = mind.run("life", "redact", "ava", stdin="there")
    assert (ran.status, "Let a member of fleet_owner run VACUUM FULL" in ran.words) == (4, True)
    mind.environment["MIND_STORE"] = logins["owner"]
    mind("inbox", "push", "--agent", "ava", "--text", "lamp")
    mind("life", "redact", "ava", stdin="lamp")


def test_a_schema_whose_roles_the_server_would_cut_is_refused() -> None:
    with pytest.raises(UsageError, match="name a shorter schema"):
        script(address_of(f"postgresql:///base?schema={'a' * 57}"))


def test_a_file_has_no_roles(mind: Mind) -> None:
    mind("init")
    ran = mind.run("store", "roles")
    assert (ran.status, "a file has no roles" in ran.words) == (69, True)


def with_programs(mind: Mind, folder: Path) -> Path:
    """Let a command find PostgreSQL's programs in a folder, before all others."""
    mind.environment["PATH"] = f"{folder}:{mind.program.parent}:/usr/bin:/bin"
    return folder


def test_a_backup_is_a_store_again(fleet: Address, fleet_server: Server, mind: Mind) -> None:
    with psycopg.connect(fleet_server.url()) as connection:
        version = str(connection.info.server_version // 10_000)
    folder = with_programs(mind, programs()[version])
    acknowledged: list[str] = []
    over = threading.Event()

    def push() -> None:
        while not over.is_set():
            told = mind("inbox", "push", stdin='{"agent": "ava", "text": "Now?"}').record()
            acknowledged.append(told["id"])

    pushers = [threading.Thread(target=push) for _ in range(2)]
    for one in pushers:
        one.start()
    until(lambda: bool(acknowledged), "a push")
    known = set(acknowledged)
    copied = mind("store", "backup", "fleet.dump").record()
    over.set()
    for one in pushers:
        one.join()
    file = mind.folder / "fleet.dump"
    assert (copied["bytes"], file.stat().st_mode & 0o777) == (file.stat().st_size, 0o600)
    again = mind.run("store", "backup", "fleet.dump")
    assert (again.status, "already there" in again.words) == (4, True)
    told = mind.run("store", "restore", "fleet.dump")
    assert (told.status, "pg_restore --exit-on-error" in told.words) == (69, True)
    missing = mind.run("store", "restore", "flet.dump")
    assert (missing.status, "no backup at flet.dump" in missing.words) == (69, True)
    with psycopg.connect(fleet_server.url(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS restored WITH (FORCE)")
        connection.execute("CREATE DATABASE restored TEMPLATE template0")
    new = fleet_server.url("restored", schema="fleet")
    subprocess.run(
        [
            *(str(folder / "pg_restore"), "--exit-on-error", "--single-transaction"),
            *(f"--dbname={address_of(new).server}", str(file)),
        ],
        check=True,
        env={**os.environ, "LD_LIBRARY_PATH": str(folder.parent / "lib")},
    )
    before = mind("history", "show", "--agent", "ava").text
    mind.environment["MIND_STORE"] = new
    after = mind("history", "show", "--agent", "ava").text
    found = keeper.check(address_of(new), SystemClock())
    wrong = {one.check for one in found if one.verdict == "bad"}
    assert (after, wrong) == (before, {"fsync", "full_page_writes", "synchronous_commit"})
    kept = {one["id"] for one in mind("inbox", "list", "--agent", "ava").records()}
    assert known - kept == set()
    mind("inbox", "push", stdin='{"agent": "ava", "text": "Here?"}')
    proved_on_server(21, backups=1, acknowledged=len(known), lost=0)


def test_who_writes_as_a_replica_does_is_refused(
    logins: dict[str, str], fleet: Address, mind: Mind
) -> None:
    told = "ALTER ROLE a_worker SET session_replication_role = replica"
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        connection.execute(told.encode())
    mind.environment["MIND_STORE"] = logins["worker"]
    ran = mind.run("inbox", "push", stdin='{"agent": "ava", "text": "Heard?"}')
    assert (ran.status, ran.words.count("\n")) == (4, 1), ran.words
    assert "session_replication_role" in ran.words
    assert [one["name"] for one in mind("agent", "list").records()] == ["ava"]


def test_without_a_fitting_program_it_says_what_to_install(fleet: Address, mind: Mind) -> None:
    folder = mind.folder / "programs"
    folder.mkdir()
    mind.environment["PATH"] = f"{folder}:{mind.program.parent}"
    none = mind.run("store", "backup", "fleet.dump")
    assert (none.status, "there is none. Install PostgreSQL's client" in none.words) == (69, True)
    (folder / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 14.1'\n")
    (folder / "pg_dump").chmod(0o755)
    old = mind.run("store", "backup", "fleet.dump")
    assert (old.status, "pg_dump is 14 and the server is" in old.words) == (69, True)
    (folder / "pg_dump").write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo 'pg_dump (PostgreSQL) 99.1' && exit\n"
        "echo 'pg_dump: error: it broke' >&2; exit 1\n"
    )
    broken = mind.run("store", "backup", "fleet.dump")
    assert (broken.status, "pg_dump failed: error: it broke" in broken.words) == (74, True)
    assert [one.name for one in mind.folder.iterdir() if "dump" in one.name] == []
