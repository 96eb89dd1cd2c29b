"""Run `mind` as a broken build would: nothing makes a key unique."""

from pathlib import Path

import apsw

from mindpipe.store import schema
from support.broken_builds import run_broken

_create = schema.create


def _without_key(connection: apsw.Connection, path: Path) -> None:
    _create(connection, path)
    ((sql,),) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'event_key'")
    connection.execute(f"DROP INDEX event_key; {sql.replace('UNIQUE ', '')}")


PATCHES = ((schema, "create", _without_key),)

if __name__ == "__main__":
    run_broken(PATCHES)
