"""Run `mind` as a broken build would: nothing makes a key unique."""

import msgspec

from mindpipe.inbox.tables import events as tables
from mindpipe_cli.main import main

_migration, *_later = tables.MIGRATIONS
_sql = _migration.sql.replace("CREATE UNIQUE INDEX event_key", "CREATE INDEX event_key")
assert _sql != _migration.sql
tables.MIGRATIONS = (msgspec.structs.replace(_migration, sql=_sql), *_later)

if __name__ == "__main__":
    main()
