"""A new store has what all migrations together make."""

import contextlib
from pathlib import Path

import apsw
import pytest

from mindpipe.store import schema
from mindpipe.store.migrations import migrations
from mindpipe.store.scratch import MEMORY, scratch_store
from mindpipe.store.sqlite import connect


def shape_of(connection: apsw.Connection) -> list[tuple[object, ...]]:
    """Return all that a schema consists of, with every row that is there from the beginning."""
    tables = connection.execute("SELECT name, type FROM pragma_table_list ORDER BY name").fetchall()
    rows = [
        (name, *row)
        for name, kind in tables
        if kind != "virtual" and not name.startswith("sqlite_")
        for row in connection.execute(f'SELECT * FROM "{name}"')
    ]
    made = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")
    return [*tables, *made, *rows, (connection.pragma("user_version"),)]


def test_the_script_makes_what_the_migrations_make(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / "mind.db"
    with contextlib.closing(connect(path, create=True)) as migrated:
        schema.apply(migrated, path, migrations())
        if request.config.getoption("--populate"):
            schema.SCRIPT.write_text(schema.script_of(migrated))
        assert schema.SCRIPT.read_text() == schema.script_of(migrated)
        with contextlib.closing(scratch_store()) as made:
            assert shape_of(made.connection) == shape_of(migrated)


def test_a_store_that_is_made_by_half_is_empty() -> None:
    with contextlib.closing(connect(MEMORY, create=True)) as connection:
        connection.execute("CREATE TABLE event(a)")
        before = shape_of(connection)
        with pytest.raises(apsw.SQLError):
            schema.create(connection, MEMORY)
        assert shape_of(connection) == before
