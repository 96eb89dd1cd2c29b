"""A build that says in a transaction of its own that a migration was applied."""

from collections.abc import Sequence
from pathlib import Path

import apsw

from mindpipe.core.failpoints import reach
from mindpipe.core.records import Migration
from mindpipe.store import migrate, schema


def _apply(connection: apsw.Connection, _path: Path, migrations: Sequence[Migration]) -> list[str]:
    done = schema.version_of(connection)
    for position, migration in enumerate(migrations[done:], done + 1):
        connection.execute(f"BEGIN IMMEDIATE; {migration.sql}; COMMIT")
        reach("migrate.mid")
        row = (migration.name, position, schema.checksum(migration))
        connection.execute("INSERT INTO migration VALUES(?, ?, ?)", row)
        connection.pragma("user_version", position)
        reach("migrate.after_commit")
    return [migration.name for migration in migrations[done:]]


PATCHES = ((migrate, "apply", _apply),)
