"""`mind store recover --salvage`: a new store of what can be read, ready to be recovered."""

from pathlib import Path

from mindpipe.core.errors import InputOutputError
from mindpipe.core.ports import Chance, Clock
from mindpipe.history.verbs.index import rebuild_index
from mindpipe.recall.verbs import indexing
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
        indexing.rebuild(saved)

    return salvage(store, new=new, now=clock.now(), migrations=migrations(), finish=finish)


def require_agents(saved: list[Salvaged], store: Path, *, new: Path) -> None:
    """Say that next to nothing was saved if something was lost and no agent is left.

    Raises:
        InputOutputError: so it is.
    """
    agents = sum(one.rows for one in saved if one.table == "agent")
    if not agents and any(one.refused or one.rows_lost or one.pages_lost for one in saved):
        raise InputOutputError(
            f"no agent of {store.name} could be saved, and nothing that belongs to one; remove "
            f"{new.name} and restore a backup with mind store restore."
        )
