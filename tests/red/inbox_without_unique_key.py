"""Run `mind` as a broken build would: nothing makes a key unique."""

from pathlib import Path

import apsw

from mindpipe.inbox.tables import events
from mindpipe.store import schema
from mindpipe.store.address import Address
from mindpipe.store.postgres import schema as on_server
from mindpipe.store.postgres.messages import Connection
from support.broken_builds import run_broken

_create, _make = schema.create, on_server._make


def _without_key(connection: apsw.Connection, path: Path) -> None:
    _create(connection, path)
    ((sql,),) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'event_key'")
    connection.execute(f"DROP INDEX event_key; {sql.replace('UNIQUE ', '')}")


def _made_without_key(address: Address, connection: Connection) -> None:
    _make(address, connection)
    connection.execute("DROP INDEX event_key")


# What passes over a key names the index that is not there.
PATCHES = (
    (schema, "create", _without_key),
    (on_server, "_make", _made_without_key),
    (events, "_KEY_IS_THERE", ""),
)

if __name__ == "__main__":
    run_broken(PATCHES)
