"""A life on a server is the life that it is in a file: its rows are equal, one by one."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.history.verbs import history
from mindpipe.history.verbs import log as logs
from mindpipe.life.records import LifeRewound
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.store.address import address_of
from mindpipe.store.postgres.schema import make_store
from mindpipe.store.postgres.store import PostgresStore
from support.full_lives import FullLife
from support.life import AGENT, MortalStore
from support.postgres_server import Server, programs, running

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
DAYS = 7


class ServerLife(FullLife):
    """A life in a store on a server, which has the id of another store."""

    def __init__(self, folder: Path, server: Server, *, identity: str) -> None:
        self.address, self.identity = address_of(server.url()), identity
        super().__init__(folder)

    def _begin(self, change: AgentChange) -> None:
        made = make_store(self.address, self.clock, self.chance)
        with made.write() as rows:
            rows.run("UPDATE store SET id = :id", {"id": self.identity})
        self._settle(made, change)

    @contextlib.contextmanager
    def open(self) -> Iterator[MortalStore]:
        """Open the store for one worker."""
        with contextlib.closing(PostgresStore(self.address)) as store:
            yield cast("MortalStore", store)


@pytest.fixture(params=VERSIONS)
def lives(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[FullLife, FullLife]]:
    """Return one life twice, in a file and on a server, as it was lived for some days."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(request.param) as server:
        in_file = FullLife(tmp_path / "file")
        with in_file.open() as store:
            identity = store.identity
        on_server = ServerLife(tmp_path / "server", server, identity=identity)
        for _ in range(DAYS):
            in_file.day()
            on_server.day()
        yield in_file, on_server


def told(life: FullLife, *, cycle: int | None = None) -> list[object]:
    """Return the rows of a life; what a change touched, and what was heard, has no order."""
    rows = [msgspec.json.decode(row) for row in life.rows_of(cycle=cycle)]
    return [
        [*row[:3], _undone(row[3])] if row[0] == "change" else row
        for row in rows
        if not row[0].startswith("operation")
    ]


def _undone(undo: str) -> object:
    return {
        table: {how: sorted(rows, key=repr) for how, rows in of.items()}
        for table, of in msgspec.json.decode(undo).items()
    }


def back(life: FullLife) -> LifeRewound:
    """Let the life go back, and look that it is whole."""
    with life.open() as store:
        went = rewinds.rewind(store, life.revoker, agent=AGENT, cycle=4)
        assert list(history.verify(store, agent=AGENT).broken()) == []
        assert logs.index_gaps(store) == 0
    return went


def test_a_life_on_a_server_leaves_the_rows_that_it_leaves_in_a_file(
    lives: tuple[FullLife, FullLife],
) -> None:
    in_file, on_server = lives
    assert told(on_server) == told(in_file)
    assert told(on_server, cycle=4) == told(in_file, cycle=4)
    assert back(on_server) == back(in_file)
    assert told(on_server) == told(in_file)
    for life in lives:
        life.day()
    assert told(on_server) == told(in_file)
