"""Lives in stores on a server."""

import contextlib
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Self, cast

from mindpipe.agents.records import AgentChange
from mindpipe.life.verbs import life as life_files
from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.full_lives import FullLife
from support.life import MortalStore
from support.postgres_server import Server


class ServerLife(FullLife):
    """A life in a store on a server, which has the id of another store."""

    def __init__(self, folder: Path, server: Server, *, identity: str) -> None:
        self.server, self.address, self.identity = server, address_of(server.url()), identity
        super().__init__(folder)

    def _begin(self, change: AgentChange) -> None:
        made = make_store(self.address, self.clock, self.chance)
        with made.write() as rows:
            rows.run("UPDATE store SET id = :id", {"id": self.identity})
        self._settle(made, change)

    def elsewhere(self, octets: bytes) -> Self:
        """Return this life as it goes on in another store, from its file."""
        other = copy.copy(self)
        other.address = address_of(self.server.url(schema="elsewhere"))
        with contextlib.closing(make_store(other.address, self.clock, self.chance)) as store:
            life_files.import_(store, pieces=[octets], name="it")
        return other

    @contextlib.contextmanager
    def open(self) -> Iterator[MortalStore]:
        """Open the store for one worker."""
        with contextlib.closing(PostgresStore(self.address)) as store:
            yield cast("MortalStore", store)
