"""What each transaction changed is kept, by agent, and takes it back."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import goal as goals
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import RefusedError
from mindpipe.io.chance import make_chance
from mindpipe.store.changes import Undo, is_logged
from mindpipe.store.scratch import scratch_store
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.stores import store_at

CLOCK, CHANCE = FixedClock(), make_chance(3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """Return a store with two agents."""
    with contextlib.closing(store_at(tmp_path / "mind.db")) as made:
        for name in ("ava", "ben"):
            agents.new(made, CLOCK, CHANCE, name=name)
        yield made


def undone(store: SqliteStore) -> list[tuple[str, dict[str, object]]]:
    """Return the log, but for the making of the agents."""
    found = store.connection.execute("SELECT agent, undo FROM change ORDER BY number").fetchall()
    return [(agent, msgspec.json.decode(undo)) for agent, undo in found[2:]]


def test_a_row_that_was_made_is_kept_by_its_key(store: SqliteStore) -> None:
    notes.set_(store, CLOCK, agent="ava", key="tea", value="green")
    assert undone(store) == [("ava", {"note": {"made": [["ava", "tea"]]}})]


def test_of_a_row_that_was_changed_the_old_values_are_kept(store: SqliteStore) -> None:
    notes.set_(store, CLOCK, agent="ava", key="tea", value="green")
    notes.set_(store, CLOCK, agent="ava", key="tea", value="black")
    assert undone(store)[1:] == [
        ("ava", {"note": {"changed": [[["ava", "tea"], {"value": "green"}]]}})
    ]


def test_a_row_that_was_taken_away_is_kept_whole(store: SqliteStore) -> None:
    notes.set_(store, CLOCK, agent="ava", key="tea", value="green")
    notes.delete(store, agent="ava", key="tea")
    row = {"agent": "ava", "key": "tea", "value": "green", "updated": CLOCK.now(), "sources": "[]"}
    assert undone(store)[1:] == [("ava", {"note": {"gone": [[["ava", "tea"], row]]}})]


def test_one_transaction_is_one_entry_for_each_agent(store: SqliteStore) -> None:
    with store.write():
        for agent in ("ben", "ava", "ben"):
            notes.set_(store, CLOCK, agent=agent, key="tea", value="green")
            notes.set_(store, CLOCK, agent=agent, key="cup", value="blue")
    assert [agent for agent, _ in undone(store)] == ["ava", "ben"]


def test_what_is_undone_by_an_error_is_not_in_the_log(store: SqliteStore) -> None:
    with contextlib.suppress(ZeroDivisionError), store.write():
        notes.set_(store, CLOCK, agent="ava", key="tea", value="green")
        raise ZeroDivisionError
    notes.set_(store, CLOCK, agent="ben", key="tea", value="green")
    assert [agent for agent, _ in undone(store)] == ["ben"]


def test_what_changes_nothing_is_no_entry(store: SqliteStore) -> None:
    with store.write() as rows:
        rows.run("UPDATE agent SET goals_made = goals_made")
    assert undone(store) == []


def test_rows_whose_key_is_no_agent_are_of_the_agent_they_name(store: SqliteStore) -> None:
    goal = goals.add(store, CLOCK, CHANCE, agent="ben", text="Rest.")
    goals.set_(store, CLOCK, agent="ben", goal=goal.id, text="Sleep.")
    assert [agent for agent, _ in undone(store)] == ["ben", "ben"]


def test_windows_of_a_plan_are_of_its_agent(store: SqliteStore) -> None:
    with store.write() as rows:
        rows.run(
            "INSERT INTO plan(id, agent, number, title, text, at, zone, catch_up, created, since,"
            " state) VALUES('p_1', 'ben', 1, 't', 't', '2026-01-01T00:00:00Z', 'UTC', 'once', '',"
            " '', 'active')"
        )
        rows.run("INSERT INTO plan_window VALUES('p_1', 'w', 'claimed', 1, '', 0)")
    with store.write() as rows:
        rows.run("UPDATE plan_window SET attempts = 2")
    with store.write() as rows:
        rows.run("DELETE FROM plan_window")
        rows.run("DELETE FROM plan")
    assert [agent for agent, _ in undone(store)] == ["ben", "ben", "ben"]


def test_nothing_of_a_life_that_is_elsewhere_can_be_changed(store: SqliteStore) -> None:
    with store.restoring() as rows:
        rows.run(
            "UPDATE agent SET body = json_set(body, '$.away', '2026-01-01T00:00:00Z') "
            "WHERE name = 'ava'"
        )
    before = store.connection.execute("SELECT * FROM agent, change").fetchall()
    for change in (
        lambda: notes.set_(store, CLOCK, agent="ava", key="tea", value="green"),
        lambda: agents.set_(store, name="ava", change=AgentChange(title="Ava")),
    ):
        with pytest.raises(RefusedError, match="another store since 2026-01-01T00:00:00Z"):
            change()
    assert store.connection.execute("SELECT * FROM agent, change").fetchall() == before
    notes.set_(store, CLOCK, agent="ben", key="tea", value="green")


def test_a_store_in_memory_keeps_no_log() -> None:
    with contextlib.closing(scratch_store()) as store:
        agents.new(store, CLOCK, CHANCE, name="ava")
        assert store.connection.execute("SELECT count(*) FROM change").get == 0


def test_tables_of_the_log_keep_no_octets(store: SqliteStore) -> None:
    octets = store.connection.execute(
        "SELECT t.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c "
        "WHERE t.type = 'table' AND c.type = 'BLOB'"
    ).fetchall()
    assert octets
    assert not [name for (name,) in octets if is_logged(name)]


def test_every_table_of_the_log_has_a_key(store: SqliteStore) -> None:
    keyless = store.connection.execute(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%' "
        "AND NOT EXISTS(SELECT 1 FROM pragma_table_info(pragma_table_list.name) WHERE pk > 0)"
    ).fetchall()
    assert keyless == []


def test_an_entry_says_what_its_record_says(store: SqliteStore) -> None:
    notes.set_(store, CLOCK, agent="ava", key="tea", value="green")
    undo = store.connection.execute("SELECT undo FROM change ORDER BY number DESC LIMIT 1").get
    assert msgspec.json.decode(undo, type=Undo)["note"].made == [("ava", "tea")]
