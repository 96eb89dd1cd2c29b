"""A life that was lived on a server beside others is lived again from its file alone."""

import contextlib
from pathlib import Path
from typing import Any

import psycopg
import pytest

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import MindError, StoreBusyError
from mindpipe.core.events import NewEvent
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.life.records import LifeReplayed
from mindpipe.life.verbs import life as lives
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.store.address import Address
from mindpipe.store.postgres.store import PostgresStore
from support.life import AGENT
from support.postgres_server import asked, programs, running
from support.proofs import proved_on_server
from support.replays import opened
from support.server_lives import ServerLife
from support.stores import WordTokens

VERSIONS = sorted(programs())
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL"),
]
DAYS = 3
_CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
)
_NUMBERED = """
    SELECT relname, attname FROM pg_attrdef JOIN pg_class ON pg_class.oid = adrelid
    JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE relnamespace = current_schema()::regnamespace
        AND pg_get_expr(adbin, adrelid) LIKE '%next_number(%'
        AND relname NOT IN ('change', 'operation', 'restoration')
"""


class BesideAnother(ServerLife):
    """A life of which each cycle is lived while another agent has numbers that come before."""

    def think(self, *given: Any, **named: Any) -> Any:
        """Live one cycle."""
        with contextlib.closing(PostgresStore(self.address)) as beside, beside.write("ben"):
            live_beside(self, beside, self.clock.now())
            return super().think(*given, **named)


class CutOff(ServerLife):
    """A life whose connections are cut at a point of each cycle, while it has one."""

    point = ""

    def think(self, *given: Any, **named: Any) -> Any:
        """Live one cycle."""
        if self.point:
            named |= {"dies": (self.point, 1), "meanwhile": lambda: asked(self.server, _CUT)}
        return super().think(*given, **named)


def live_beside(life: ServerLife, store: PostgresStore, day: str) -> None:
    """Write as another agent does, and take numbers for what is taken back then."""
    item = NewItem(text=f"It is day {day}.")
    event = NewEvent(agent="ben", text="Hm.", source="test", key=f"{day}")
    with contextlib.suppress(MindError), store.write("ben"):
        memory.add(store, life.clock, life.chance, agent="ben", given=[item])
        raise MindError("It is not.")
    memory.add(store, life.clock, life.chance, agent="ben", given=[item])
    push_events(store, life.clock, life.chance, events=[event], bounds=Bounds())


def let_others_number(address: Address) -> None:
    """Let another take a number behind each one of those that are taken one by one."""
    with psycopg.connect(address.server, autocommit=True) as connection:
        connection.execute(
            f"SET search_path = {address.schema}, pg_catalog; CREATE FUNCTION others() "
            "RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN PERFORM next_number(TG_TABLE_NAME::text, TG_ARGV[0]); RETURN NULL; END $$"
        )
        for table, column in connection.execute(_NUMBERED).fetchall():
            if table not in {"event", "message", "memory_item"}:
                connection.execute(
                    f"CREATE TRIGGER others AFTER INSERT ON {table} "
                    f"FOR EACH ROW EXECUTE FUNCTION others('{column}')".encode()
                )


def lived_again_the_same(life: ServerLife) -> LifeReplayed:
    """Live a life again from its file, and require that nothing of it differs."""
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT))
    again = lives.replay(opened(pieces), make_tokens=lambda _: WordTokens())
    assert list(again.differences()) == []
    assert again.verdict is not None
    assert again.verdict.equal
    return again.verdict


def test_numbers_that_others_took_in_between_are_numbers_of_a_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who numbers at the same time gets some of the numbers between those of one transaction."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(VERSIONS[-1]) as server:
        life = ServerLife(tmp_path / "life", server, identity="s_1")
        let_others_number(life.address)
        for _ in range(DAYS):
            life.day()
        lived_again_the_same(life)


@pytest.mark.parametrize("point", ["record.before_commit", "turn.before_commit"])
def test_a_life_whose_connection_was_lost_comes_out_the_same(
    point: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction was lost in its midst, and what the cycle did then is done again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(VERSIONS[-1]) as server:
        life = CutOff(tmp_path / "life", server, identity="s_1")
        life.day()
        life.point = point
        with pytest.raises(StoreBusyError):
            life.day()
        life.point = ""
        life.clock.pass_time(3600.0)
        life.day()
        lived_again_the_same(life)


def test_a_life_that_was_lived_beside_others_comes_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(VERSIONS[-1]) as server:
        life = BesideAnother(tmp_path / "life", server, identity="s_1")
        with contextlib.closing(PostgresStore(life.address)) as beside:
            agents.new(beside, life.clock, life.chance, name="ben", change=AgentChange())
            for day in range(DAYS):
                live_beside(life, beside, f"{day}")
                life.day()
        told = lived_again_the_same(life)
    counted = {"cycles": told.cycles, "prompts": told.prompts, "changes": told.changes}
    proved_on_server(58, **counted, different=0)
