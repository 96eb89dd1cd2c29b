"""`mind store recover --salvage`: a new store of what can be read, ready to be recovered."""

from pathlib import Path

from mindpipe.core.ports import Chance, Clock
from mindpipe.history.verbs.index import rebuild_index
from mindpipe.store import schema
from mindpipe.store.records import Salvaged
from mindpipe.store.salvage import salvage
from mindpipe.store.sqlite import SqliteStore
from mindpipe.wiring.schema import migrations


def salvage_store(store: Path, clock: Clock, chance: Chance, *, new: Path) -> list[Salvaged]:
    """Save what can be read of a store into the store `new`; return what became of each table."""
    identity = chance.new_id("s", new.name)

    def finish(saved: SqliteStore) -> None:
        with saved.write() as rows:
            schema.continue_identity(rows, identity=identity, created=clock.now())
        rebuild_index(saved)

    return salvage(store, new=new, now=clock.now(), migrations=migrations(), finish=finish)
