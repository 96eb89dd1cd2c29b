"""Give a new store its tables at once, and an older one the migrations that it lacks."""

from collections.abc import Sequence
from pathlib import Path

import apsw

from mindpipe.core.errors import IllegalStateError, UnavailableError
from mindpipe.core.failpoints import reach
from mindpipe.core.ports import Rows
from mindpipe.core.records import Migration
from mindpipe.store.sqlite import sqlite_errors

MIGRATIONS = (
    Migration(
        name="0001_store",
        sql="""
    CREATE TABLE migration(
        name TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, checksum TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE store(
        id TEXT PRIMARY KEY, generation INTEGER NOT NULL DEFAULT 1, created TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE restoration(
        generation INTEGER PRIMARY KEY, restored TEXT NOT NULL, loss_since TEXT NOT NULL
    ) STRICT;
    """,
    ),
)


# What all migrations come to, so that a new store needs none of them, nor the modules that hold
# them. `pytest tests/store/test_schema.py --populate` writes it after a new migration.
SCRIPT = Path(__file__).with_name("schema.sql")
_TAKEN = (
    "SELECT format('INSERT INTO migration VALUES(%Q, %d, %Q)', name, position, checksum) "
    "FROM migration ORDER BY position"
)


def create(connection: apsw.Connection, path: Path) -> None:
    """Give an empty store every table, as if each migration had been applied."""
    with sqlite_errors(path), connection:
        connection.execute(SCRIPT.read_text())
        reach("init.before_commit")


def script_of(connection: apsw.Connection) -> str:
    """Return the SQL that makes an empty store with the schema of this one."""
    # A virtual table makes the tables that it keeps its data in by itself.
    made = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT IN "
        "(SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid"
    )
    taken = connection.execute(_TAKEN)
    # Full-text tables keep their own settings, which no CREATE says.
    texts = connection.execute("SELECT name FROM pragma_table_list WHERE type = 'virtual'")
    tuned = [
        connection.execute(
            f"SELECT format('INSERT INTO {name}({name}, rank) VALUES(%Q, %Q)', k, v) "
            f"FROM {name}_config WHERE k <> 'version'"
        )
        for (name,) in texts.fetchall()
    ]
    version = f"PRAGMA user_version = {version_of(connection)}"
    statements = [*(sql for found in (made, *tuned, taken) for (sql,) in found), version]
    return "".join(f"{sql};\n" for sql in statements)


def version_of(connection: apsw.Connection) -> int:
    """Return how many migrations the store has."""
    return int(connection.pragma("user_version") or 0)


def require_store(connection: apsw.Connection, path: Path) -> int:
    """Return how many migrations the store has; at least one.

    Raises:
        UnavailableError: the file is a database of something else, or an empty one.
    """
    with sqlite_errors(path):
        found = connection.execute(
            "SELECT count(*) FROM sqlite_schema "
            "WHERE type='table' AND name IN ('migration', 'store')"
        ).fetchone()
        if found != (2,):
            raise UnavailableError(f"{path} is no store of mindpipe; make one with mind init.")
        return version_of(connection)


def require_ours(connection: apsw.Connection, path: Path) -> None:
    """Require that a store of our version came to it by our migrations: it ends as our script does.

    Raises:
        UnavailableError: it did not.
    """
    with sqlite_errors(path):
        taken = [sql for (sql,) in connection.execute(_TAKEN)]
    script = SCRIPT.read_text()
    ending = "".join(f"{sql};\n" for sql in taken)
    if script.endswith(f"{ending}PRAGMA user_version = {len(taken)};\n"):
        return
    other = next((sql for sql in taken if f"{sql};\n" not in script), "")
    name = other.partition("'")[2].partition("'")[0]
    what = f"migration {name} is" if name else "a migration of it is"
    raise UnavailableError(
        f"{path.name}: {what} not the one that was applied. Upgrade mindpipe, or use a backup."
    )


def give_identity(rows: Rows, *, identity: str, created: str) -> None:
    """Give a new store its id and the instant it was made, and no other's."""
    rows.run("DELETE FROM store")
    rows.run(
        "INSERT INTO store(id, created) VALUES(:id, :created)",
        {"id": identity, "created": created},
    )


def continue_identity(rows: Rows, *, identity: str, created: str) -> None:
    """Give a saved store the next generation, and an id where the old one is lost."""
    if not rows.changed("UPDATE store SET generation = generation + 1"):
        give_identity(rows, identity=identity, created=created)


def checksum(migration: Migration) -> str:
    """Return the SHA-256 of a migration's SQL, for both engines the same."""
    import hashlib

    return hashlib.sha256((migration.sql + (migration.postgres or "")).encode()).hexdigest()


def apply(connection: apsw.Connection, path: Path, migrations: Sequence[Migration]) -> list[str]:
    """Apply the migrations that the store lacks and return their names.

    Raises:
        UnavailableError: the store is newer than this program.
        IllegalStateError: an applied migration has another checksum than ours.
    """
    applied: list[str] = []
    with sqlite_errors(path):
        for position, migration in enumerate(migrations, 1):
            connection.execute("BEGIN IMMEDIATE")
            try:
                if _take(connection, position, migration, len(migrations)):
                    applied.append(migration.name)
                reach("migrate.mid")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            reach("migrate.after_commit")
    return applied


def _take(connection: apsw.Connection, position: int, migration: Migration, newest: int) -> bool:
    """Apply one migration if it is missing, inside the open transaction; tell whether it was."""
    version = version_of(connection)
    if version > newest:
        raise newer_schema(path_version=version, ours=newest)
    if version >= position:
        found = connection.execute(
            "SELECT checksum FROM migration WHERE name=?", (migration.name,)
        ).fetchone()
        if found is None or found[0] != checksum(migration):
            raise IllegalStateError(f"migration {migration.name} is not the one that was applied")
        return False
    connection.execute(migration.sql)
    connection.execute(
        "INSERT INTO migration VALUES(?, ?, ?)", (migration.name, position, checksum(migration))
    )
    connection.pragma("user_version", position)
    return True


def newer_schema(*, path_version: int, ours: int) -> UnavailableError:
    """Return the error for a store made by a newer program."""
    return UnavailableError(
        f"the store has schema {path_version}, this program knows {ours}; upgrade mindpipe."
    )
