"""Others read a store: the SQLite of a stock distribution, sqlite-utils, and Datasette."""

import contextlib
import json
import re
import sqlite3
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.store.datasette import _COLUMNS, _HIDDEN, _PAGES, _UNITS, QUERIES
from support.command import BIN, Mind, make_private
from support.patience import LONGEST

pytestmark = pytest.mark.heavy

LIFE = """
cat >answer <<'END'
#!/bin/sh
end=$(tail -c 4000)
case "${end##*'"role":"'}" in
tool*) echo '{"text":"Green, I noted it."}' ;;
*) echo '{"tool_calls":[{"name":"set_memory","arguments":{"key":"tea","value":"green"}}]}' ;;
esac
END
chmod 700 answer
mind init
mind agent new ava --model program:./answer
mind inbox push --agent ava --text 'I live in Bremen. My tea is green.'
mind think --agent ava
mind memory add --agent ava --text 'I live in Bremen.' --speaker husam
mind consolidate --agent ava || test $? = 3
mind recall --agent ava tea >/dev/null
"""
PARAMETERS = {"agent": "ava", "cycle": "1", "words": "tea"}


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an agent that lived a cycle."""
    mind = Mind(make_private(tmp_path_factory.mktemp("read") / "life"))
    ran = mind.shell(LIFE)
    assert ran.status == 0, ran.words
    return mind.folder


@pytest.fixture
def lived(mind: Mind, life: Path) -> Mind:
    """Return a copy of that life."""
    return mind.like(life)


def test_the_sqlite_of_a_distribution_reads_and_counts_every_table(lived: Mind) -> None:
    with contextlib.closing(
        sqlite3.connect(f"file:{lived.folder}/mind.db?mode=ro", uri=True)
    ) as db:
        names = [
            name
            for (name,) in db.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' "
                "AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        ]
        counts = {
            name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names
        }
        read = {name: len(db.execute(f'SELECT * FROM "{name}"').fetchall()) for name in names}
        assert len(names) > 80
        assert counts == read
        assert counts["message"] == counts["message_text"] == 5
        found = db.execute("SELECT rowid FROM message_text WHERE message_text MATCH 'noted'")
        assert len(found.fetchall()) == 1
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_sqlite_utils_counts_every_table(lived: Mind) -> None:
    ran = subprocess.run(
        [BIN / "sqlite-utils", "tables", "mind.db", "--counts"],
        cwd=lived.folder,
        capture_output=True,
        check=True,
    )
    counted = {one["table"]: one["count"] for one in json.loads(ran.stdout)}
    assert counted["message"] == counted["message_text"] == 5
    assert counted["cycle"] == 1
    assert None not in counted.values()


def test_a_query_counts_and_searches(lived: Mind) -> None:
    """Tables of words and of vectors too, as a person types it."""
    for name in ("message_text", "recall_text", "vector", "cycle"):
        sql = f"select count(*) as n from {name}"
        assert lived("store", "query", sql).record()["n"] >= (0 if name == "vector" else 1)
    sql = "select rowid from recall_text where recall_text match 'tea'"
    assert lived("store", "query", sql).records()
    sql = (
        "select message.role from message_text join message on number = message_text.rowid "
        "where message_text match :words order by rank"
    )
    found = lived("store", "query", sql, "-p", "words", "noted").record()
    assert found == {"role": "assistant"}


def test_the_snapshot_names_what_is_there(lived: Mind) -> None:
    made = lived("store", "datasette", "shown").record()
    assert (lived.folder / "shown").stat().st_mode & 0o777 == 0o700
    assert {one.stat().st_mode & 0o777 for one in (lived.folder / "shown").iterdir()} == {0o600}
    metadata = json.loads((lived.folder / "shown/metadata.json").read_bytes())
    tables = metadata["databases"]["mind"]["tables"]
    assert made["tables"] == len(tables)
    assert set(_PAGES) | set(_HIDDEN) <= set(tables)
    assert not set(_PAGES) & set(_HIDDEN)
    with contextlib.closing(sqlite3.connect(lived.folder / "shown/mind.db")) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        every = set()
        for table, shown in tables.items():
            columns = {row[1] for row in db.execute(f'PRAGMA table_info("{table}")')}
            named = {*shown["columns"], *shown["units"], *shown.get("facets", ())}
            if "sort_desc" in shown:
                named.add(shown["sort_desc"])
            assert named <= columns, table
            every |= columns
        assert set(_COLUMNS) | set(_UNITS) <= every
        for name, (_, sql) in QUERIES.items():
            asked = {one: PARAMETERS[one] for one in re.findall(r":(\w+)", sql)}
            assert db.execute(sql, asked).description, name
    again = lived.run("store", "datasette", "shown")
    assert again.status == 4
    assert "shown/mind.db is there already; name a new folder." in again.words


@pytest.fixture
def served(lived: Mind) -> Iterator[str]:
    """Yield the address of a Datasette that shows a snapshot."""
    command = lived("store", "datasette", "shown").record()["command"].split()
    assert command[0] == "datasette"
    # What it prints when it is ready is the only sign of that, and names the port that it got.
    with subprocess.Popen(
        [BIN / "datasette", *command[1:], "--host", "127.0.0.1", "--port", "0"],
        cwd=lived.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            ready = next((line for line in lines if "running on" in line), "")
            found = re.search(r"http://127\.0\.0\.1:\d+", ready)
            assert found, "it ended"
            yield found[0]
        finally:
            process.terminate()


FOUND = (
    "bremen tea",
    "tea   Bremen",
    'Bremen "green',
    "(bremen)",
    "live-in-Bremen",
    "*bremen*",
    "Bremen: -",
)
NOT_FOUND = (
    "",
    " ",
    '"',
    '""',
    "'",
    "AND",
    "tea NOT green",
    "tea OR lamp",
    "NEAR(",
    "^",
    "\x00",
    "ß 💡",
)
"""Words that are none of the life, or no words; each of them was an error or could be one."""


def asked(address: str) -> str:
    """Return what a server answers."""
    with urllib.request.urlopen(address, timeout=LONGEST) as answer:
        found: bytes = answer.read()
    return found.decode()


def test_datasette_shows_a_snapshot(served: str) -> None:
    assert "mindpipe" in asked(served)
    index = json.loads(asked(f"{served}/mind.json"))
    assert {one["name"] for one in index["queries"]} == set(QUERIES)
    hidden = {one["name"] for one in index["tables"] if one["hidden"]}
    assert set(_HIDDEN) <= hidden
    counts = {one["name"]: one["count"] for one in index["tables"]}
    assert counts["message"] == counts["message_text"] == 5
    for table in sorted(counts):
        assert "rows" in json.loads(asked(f"{served}/mind/{table}.json")), table
    page = asked(f"{served}/mind/cycle")
    assert "Acts of thinking" in page
    assert "Millionths of a US dollar." in page
    rows = json.loads(asked(f"{served}/mind/message.json?_shape=objects&_facet=role"))
    assert {one["value"] for one in rows["facet_results"]["role"]["results"]} >= {"user", "tool"}
    for name, (title, sql) in QUERIES.items():
        given = "&".join(f"{one}={PARAMETERS[one]}" for one in re.findall(r":(\w+)", sql))
        found = json.loads(asked(f"{served}/mind/{name}.json?_shape=array&{given}"))
        assert found or name == "waiting", title
    (found,) = json.loads(asked(f"{served}/mind/search.json?words=noted&_shape=array"))
    assert found["role"] == "assistant"


def test_any_words_can_be_searched_for(served: str) -> None:
    found = {}
    for typed in (*FOUND, *NOT_FOUND):
        words = urllib.parse.quote(typed)
        rows = json.loads(asked(f"{served}/mind/search.json?words={words}&_shape=array"))
        found[typed] = [one["role"] for one in rows]
    assert found == {**{one: ["user"] for one in FOUND}, **{one: [] for one in NOT_FOUND}}


def test_a_check_tells_of_others_that_wrote_a_store(lived: Mind) -> None:
    def told() -> dict[str, str]:
        found = lived("store", "check").records()
        return {one["check"]: one["found"] for one in found if one["check"].startswith("other")}

    assert told() == {}
    path = lived.folder / "mind.db"
    with contextlib.closing(sqlite3.connect(path)) as store, store:
        store.execute("CREATE TABLE theirs(a)")
    octets = bytearray(path.read_bytes())
    octets[96:100] = (3_040_001).to_bytes(4, "big")
    path.write_bytes(octets)
    found = told()
    assert found["other tables"] == "theirs"
    assert found["other writers"] == "SQLite 3.40.1 wrote it last, which can lose committed pages"
