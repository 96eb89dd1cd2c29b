"""An older store becomes this program's, whatever kills the migration on the way."""

import contextlib
import json
import signal
import sqlite3
from pathlib import Path

import apsw
import pytest

from mindpipe.recall.verbs import reindex
from mindpipe.store import schema
from mindpipe.store.access import open_store
from mindpipe.store.migrations import SCHEMA, migrations
from mindpipe.store.sqlite import connect
from support import released_stores
from support.command import Mind, make_private

NEWEST = len(SCHEMA)


def make_old(path: Path, version: int) -> None:
    """Make the store that a program of that version would have made."""
    connection = connect(path, create=True)
    schema.apply(connection, path, migrations()[:version])
    connection.execute("INSERT INTO store(id, created) VALUES('s_old', '2026-01-01T00:00:00Z')")
    connection.close()
    path.chmod(0o600)


def shape_of(path: Path) -> set[tuple[object, ...]]:
    """Return everything that the schema of a store consists of."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = set(connection.execute("SELECT type, name, sql FROM sqlite_schema"))
    found |= set(connection.execute("SELECT 'migration', name, checksum FROM migration"))
    connection.close()
    return found


@pytest.mark.parametrize("version", [1, 4, NEWEST - 1])
def test_an_older_store_is_refused_until_it_is_migrated(mind: Mind, version: int) -> None:
    path = mind.folder / "mind.db"
    make_old(path, version)
    refused = mind.run("agent", "list")
    assert (refused.status, "mind store migrate" in refused.words) == (69, True)
    assert mind.run("store", "check").status == 69
    done = mind("store", "migrate").record()
    assert done["applied"] == [name for name, _ in SCHEMA[version:]]
    assert mind("agent", "list").records() == []
    fresh = mind.folder / "fresh.db"
    mind("init", "--store", "fresh.db")
    assert shape_of(path) == shape_of(fresh)


def test_a_store_that_another_program_migrated_is_not_written(mind_with_store: Mind) -> None:
    mind = mind_with_store
    with contextlib.closing(sqlite3.connect(mind.folder / "mind.db")) as store, store:
        store.execute("UPDATE migration SET checksum='other' WHERE name='0003_inbox'")
    for words in (["inbox", "push", "--agent", "ava", "--text", "Hi"], ["agent", "list"]):
        refused = mind.run(*words)
        assert refused.status == 69
        assert "migration 0003_inbox is not the one that was applied" in refused.words
    assert "0003_inbox differs" in mind.run("store", "check").words


def test_the_store_as_it_was_is_kept(mind: Mind) -> None:
    path = mind.folder / "mind.db"
    make_old(path, 3)
    before = shape_of(path)
    kept = mind.folder / mind("store", "migrate").record()["backup"]
    assert kept.name == f"mind.db.before-{SCHEMA[3][0]}"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert shape_of(kept) == before


@pytest.mark.parametrize("failpoint", ["migrate.mid", "migrate.after_commit", "backup.mid"])
@pytest.mark.parametrize("passage", [1, 2, 5])
def test_a_killed_migration_is_simply_repeated(mind: Mind, failpoint: str, passage: int) -> None:
    path = mind.folder / "mind.db"
    make_old(path, 1)
    killed = mind.run("store", "migrate", environment=mind.failing(f"{failpoint}:kill@{passage}"))
    landed = failpoint != "backup.mid" or passage == 1
    assert killed.status == (-signal.SIGKILL if landed else 0)
    again = mind.run("store", "migrate")
    assert again.status == (0 if landed else 3)
    assert mind("agent", "list").records() == []
    mind("init", "--store", "fresh.db")
    assert shape_of(path) == shape_of(mind.folder / "fresh.db")


def counts_of(store: Path) -> dict[str, int]:
    """Return how many rows each table and view has, as the SQLite of Python itself reads it."""
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as plain:
        names = [name for (name,) in plain.execute("SELECT name FROM pragma_table_list")]
        assert "recall_text" in names
        counts = {name: plain.execute(f'SELECT count(*) FROM "{name}"') for name in names}
        return {name: rows for name, counted in counts.items() for (rows,) in counted}


@pytest.mark.parametrize("kept", released_stores.kept(), ids=lambda kept: kept.name)
def test_any_sqlite_reads_every_table_and_what_was_found_is_found_again(
    kept: Path, tmp_path: Path
) -> None:
    store = released_stores.open_kept(kept, make_private(tmp_path / "life"))
    mind = Mind(store.parent)
    if int(kept.name.partition(".")[0]) < NEWEST:
        mind("store", "migrate")
    counts = counts_of(store)
    assert counts["message"] > 0
    # A search fills the index that a migration emptied.
    assert mind("recall", "--agent", "ava", "bills").records()
    counted = counts_of(store)["recall_text"]
    assert counted > 0
    query = ("store", "query", "select count(*) as n from recall_text")
    assert mind(*query).record() == {"n": counted}
    with contextlib.closing(open_store(store, read_only=True)) as opened:
        assert (reindex.gaps(opened), reindex.lag(opened)) == (0, 0)


def test_whom_agents_trusted_by_name_they_trust_as_source_and_as_speaker(mind: Mind) -> None:
    path = mind.folder / "mind.db"
    before = [name for name, _ in SCHEMA].index("0050_trusted_speakers")
    make_old(path, before)
    trusted = {"ava": ["mail", "husam", "web/*", "bea"], "bea": ["mail"], "cleo": []}
    with contextlib.closing(sqlite3.connect(path)) as plain, plain:
        plain.execute("INSERT INTO entity VALUES('husam', 'human', 'Husam', 'n_1')")
        plain.execute("INSERT INTO entity VALUES('bea', 'agent', 'Bea', 'n_2')")
        for name, trust in trusted.items():
            body = json.dumps({"name": name, "trust": trust, "temperature": 0.5, "title": "Ä"})
            plain.execute("INSERT INTO agent VALUES(?, ?, ?, 0)", (name, f"n_{name}", body))
    mind("store", "migrate")
    agents = {one["name"]: one for one in mind("agent", "list").records()}
    kept = {name: one["trust"] for name, one in agents.items()}
    both = ["mail", "husam", "@husam", "web/*", "bea", "@bea"]
    assert kept == {"ava": both, "bea": ["mail"], "cleo": []}
    assert (agents["ava"]["title"], agents["ava"]["temperature"]) == ("Ä", 0.5)
