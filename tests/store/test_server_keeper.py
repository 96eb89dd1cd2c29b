"""What a store's keeper does with it on a real server: check and migrate it."""

import msgspec
import psycopg
import pytest

from mindpipe.core.errors import (
    IllegalStateError,
    InputOutputError,
    NothingToDoError,
    UnavailableError,
)
from mindpipe.core.records import Migration
from mindpipe.io.clock import SystemClock
from mindpipe.store.address import Address
from mindpipe.store.migrations import SCHEMA, migrations
from mindpipe.store.postgres.migrate import migrate
from mindpipe.store.postgres.schema import SCRIPTS, open_store
from mindpipe.store.records import StoreFinding
from mindpipe.store.schema import checksum
from mindpipe.store.verbs import store as keeper
from support.command import Mind
from support.postgres_server import programs
from support.proofs import proved_on_server

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
ANSWER = '#!/bin/sh\ncat > /dev/null; echo \'{"text": "Yes."}\'\n'
LATER = Migration(
    name="0999_later",
    sql="CREATE TABLE later(id TEXT PRIMARY KEY) STRICT",
    postgres="CREATE TABLE later(id TEXT PRIMARY KEY); ALTER TABLE goal ADD COLUMN later BIGINT",
)


def found(store: Address) -> dict[str, StoreFinding]:
    """Return what is found, by its check."""
    return {one.check: one for one in keeper.check(store, SystemClock())}


def spoil(store: Address, *statements: str) -> None:
    """Run statements that no program of ours does."""
    with psycopg.connect(store.server, autocommit=True) as connection:
        connection.execute("SET search_path = fleet, pg_catalog; SET mindpipe.unguarded = on")
        for statement in statements:
            connection.execute(statement.encode())


def test_a_sound_store_is_sound(fleet: Address, mind: Mind) -> None:
    odd = {name for name, one in found(fleet).items() if one.verdict != "ok"}
    # What a server of tests may forgo for its speed.
    assert odd <= {"fsync", "full_page_writes", "synchronous_commit", "data_checksums"}
    ran = mind.run("store", "check")
    checks = [one["check"] for one in ran.records()]
    assert ran.status == 0
    assert {
        *(one.check for one in keeper.INVARIANTS),
        "history chain",
        "schema",
        "encoding",
        "workers",
    } <= {*checks}


@pytest.mark.parametrize(
    ("statement", "check", "words"),
    [
        ("UPDATE message SET parts = replace(parts, 'there', 'where')", "history chain", "row"),
        ("UPDATE cycle SET cost_micros = cost_micros + 1", "sums of the ledger", "1: ava 1"),
        ("UPDATE event SET state = 'leased', owner = NULL", "owner of leased events", "1: e_"),
    ],
)
def test_damaged_rows_end_with_74(fleet: Address, statement: str, check: str, words: str) -> None:
    spoil(fleet, statement)
    said = found(fleet)[check]
    assert (said.verdict, words in said.found) == ("bad", True)
    with pytest.raises(InputOutputError, match=rf"^fleet fails its check \({check}: "):
        keeper.raise_worst([said], fleet)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DROP INDEX event_open", "missing: index event_open"),
        (
            "ALTER TABLE message DISABLE TRIGGER message_update",
            "missing: trigger message_update of message",
        ),
        ("ALTER TABLE note DROP COLUMN sources", "missing: column note.sources"),
        ("ALTER TABLE note DROP CONSTRAINT note_pkey", "missing: 1 PRIMARY KEY of note"),
        ("UPDATE migration SET checksum = 'x' WHERE position = 2", "0002_agents differs"),
    ],
)
def test_a_schema_that_is_not_whole_ends_with_69(
    fleet: Address, mind: Mind, statement: str, words: str
) -> None:
    spoil(fleet, statement)
    said = found(fleet)["schema"]
    assert (said.verdict, words in said.found) == ("bad", True)
    assert mind.run("store", "check").status == 69


def test_tables_of_others_are_named(fleet: Address) -> None:
    spoil(fleet, "CREATE TABLE strange(id INT)")
    said = found(fleet)["other tables"]
    assert (said.verdict, said.found) == ("note", "strange")


def test_nothing_is_migrated_where_no_step_is_missing(fleet: Address, mind: Mind) -> None:
    ran = mind.run("store", "migrate")
    assert (ran.status, f"schema fleet has version {len(SCHEMA)} already" in ran.words) == (3, True)
    with pytest.raises(NothingToDoError):
        keeper.migrate(fleet, SystemClock())


def test_a_store_is_migrated_in_steps_and_older_programs_are_refused(fleet: Address) -> None:
    older = open_store(fleet)
    done = migrate(fleet, migrations=(*migrations(), LATER))
    assert (done.applied, done.schema, done.backup) == (("0999_later",), len(SCHEMA) + 1, None)
    with pytest.raises(UnavailableError, match=r"^the store was migrated"), older.write():
        pytest.fail("it wrote with the statements of another schema")
    older.close()
    with pytest.raises(UnavailableError, match="upgrade mindpipe"):
        open_store(fleet)
    with pytest.raises(NothingToDoError):
        migrate(fleet, migrations=(*migrations(), LATER))
    with psycopg.connect(fleet.server) as connection:
        kept = connection.execute("SELECT later FROM fleet.goal").fetchall()
        last = connection.execute("SELECT name, checksum FROM fleet.migration").fetchall()[-1]
    assert (kept, last) == ([], ("0999_later", checksum(LATER)))
    proved_on_server(30, upgrades=1, newer_refused=1)


_OLDER = """
SET search_path = fleet;
DROP TABLE next_look, store_move;
ALTER TABLE run DROP COLUMN until;
DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT oid::regclass AS found FROM pg_class
        WHERE relkind = 'S' AND relnamespace = 'fleet'::regnamespace
            AND relname <> 'heard_number_seq'
    LOOP EXECUTE format('DROP SEQUENCE %s', one.found); END LOOP;
END $$;
DROP FUNCTION free_numbers, take_numbers, give_back, align_numbers, last_number, last_change;
ALTER SEQUENCE heard_number_seq SET UNLOGGED;
DELETE FROM migration WHERE position > 65;
"""
_BEFORE = (
    (SCRIPTS[0].read_text())
    .partition("-- The number behind the last one")[2]
    .replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    .partition("\n")[2]
)


def test_a_store_of_before_the_sequences_numbers_on_from_its_last_rows(
    fleet: Address, mind: Mind
) -> None:
    mind("inbox", "push", "--agent", "ava", "--text", "one")
    with psycopg.connect(fleet.server, autocommit=True) as connection:
        connection.execute(_OLDER.encode())
        connection.execute(_BEFORE.encode())
        connection.execute("SET search_path = fleet; UPDATE event SET seq = seq + 40")
    with pytest.raises(UnavailableError, match="mind store migrate"):
        open_store(fleet)
    assert len(migrate(fleet, migrations=migrations()).applied) == len(SCHEMA) - 65
    mind("inbox", "push", "--agent", "ava", "--text", "two")
    with psycopg.connect(fleet.server) as connection:
        numbers = connection.execute("SELECT seq FROM fleet.event ORDER BY seq").fetchall()
    assert numbers == [(41 + place,) for place in range(len(numbers))]


def test_a_step_that_fails_leaves_nothing_of_it(fleet: Address) -> None:
    broken = msgspec.structs.replace(LATER, postgres=f"{LATER.postgres}; SELECT 1 / 0")
    with pytest.raises(Exception, match="division by zero"):
        migrate(fleet, migrations=(*migrations(), broken))
    with psycopg.connect(fleet.server) as connection:
        assert connection.execute("SELECT to_regclass('fleet.later')").fetchone() == (None,)
    assert migrate(fleet, migrations=(*migrations(), LATER)).applied == ("0999_later",)


def test_a_step_without_words_for_a_server_is_refused(fleet: Address) -> None:
    silent = msgspec.structs.replace(LATER, postgres=None)
    with pytest.raises(IllegalStateError, match="says nothing of a server"):
        migrate(fleet, migrations=(*migrations(), silent))


def test_every_step_after_the_first_on_a_server_has_words_for_it() -> None:
    first = [name for name, _ in SCHEMA].index("0065_recorded_answers")
    assert [step.name for step in migrations()[first + 1 :] if step.postgres is None] == []
    assert all(step.postgres is None for step in migrations()[: first + 1])
