"""On a server nobody waits for what is done with another's whole life, or taken out of it."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import note as notes
from mindpipe.context.verbs import trust
from mindpipe.core.errors import InputOutputError, NothingToDoError, StoreBusyError
from mindpipe.core.events import NewEvent
from mindpipe.core.lines import AllOrNothing
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.verbs import history, log
from mindpipe.inbox.records import Bounds, EventState
from mindpipe.inbox.verbs import inbox
from mindpipe.inbox.verbs.push import push_events
from mindpipe.life.archive import packed
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.life.verbs import rows as life_rows
from mindpipe.memory.records import NewItem, NewLesson
from mindpipe.memory.verbs import lesson as lessons
from mindpipe.memory.verbs import memory
from mindpipe.providers.records import ImportOptions
from mindpipe.recall.verbs import reindex
from mindpipe.store.access import make_store
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.postgres import store as postgres_store
from mindpipe.store.postgres.store import PostgresStore
from support.foreign_documents import read_file
from support.life import AGENT
from support.postgres_server import programs, running
from support.server_lives import ServerLife
from support.stores import WordTokens

VERSIONS = sorted(programs())
pytestmark = pytest.mark.skipif(not VERSIONS, reason="there is no program of PostgreSQL")
OTHER, NEW = "bea", "cleo"
DAYS = 3
_PIECE = 1000
NUMBERED = ("memory_item", "lesson", "event", "message", "change")


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerLife]:
    """Return a life of some days on a server, beside which another agent lives."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with running(VERSIONS[-1]) as server:
        made = ServerLife(tmp_path / "life", server, identity="s_1")
        with made.open() as store:
            agents.new(store, made.clock, made.chance, name=OTHER)
        for _ in range(DAYS):
            made.day()
        # Let nobody wait long for what another holds.
        monkeypatch.setattr(postgres_store, "BUSY_SECONDS", 0.5)
        yield made


@pytest.fixture
def beside(life: ServerLife) -> Iterator[PostgresStore]:
    """Return the store as another worker has it open."""
    with contextlib.closing(PostgresStore(life.address)) as opened:
        yield opened


class Living:
    """Lives a little as another agent does, each time that it is called; keeps how often."""

    def __init__(self, life: ServerLife, store: PostgresStore) -> None:
        self._life, self._store = life, store
        self.times = 0

    def __call__(self) -> None:
        """Take a number of each kind that is counted for all agents, and commit."""
        self.times += 1
        ports = (self._store, self._life.clock, self._life.chance)
        word = f"day {self.times}"
        memory.add(*ports, agent=OTHER, given=[NewItem(text=f"It is {word}.")])
        event = NewEvent(agent=OTHER, text="Hm.", source="test", key=word)
        push_events(*ports, events=[event], bounds=Bounds())
        with lessons.add(*ports, agent=OTHER, bad_lines=AllOrNothing()) as addition:
            addition.add([NewLesson(text=f"Rest on {word}.")])


CHAT = b'{"messages": [{"role": "user", "content": "Two"}, {"role": "assistant", "content": "2"}]}'


def file_of(life: ServerLife, path: Path) -> bytes:
    """Return the file of a life of another store that has talked and remembers."""
    ports = (life.clock, life.chance)
    with contextlib.closing(make_store(path, *ports)) as store:
        agents.new(store, *ports, name=NEW)
        options = ImportOptions(agent=NEW, name="talk", at=life.clock.now())
        foreign = ForeignDocument(octets=CHAT, format="openai-chat", options=options)
        history.import_(store, life.clock, WordTokens(), foreign=foreign, file=read_file())
        items = [NewItem(text="I like jam."), NewItem(text="I like tea.")]
        memory.add(store, *ports, agent=NEW, given=items)
        with lessons.add(store, *ports, agent=NEW, bad_lines=AllOrNothing()) as addition:
            addition.add([NewLesson(text="Rest."), NewLesson(text="Walk.")])
        return b"".join(lives.export(store, life.clock, agent=NEW))


def require_sound(store: PostgresStore, *names: str) -> None:
    """Require that chains, indexes and numbers are as they should be."""
    for name in names:
        assert list(history.verify(store, agent=name).broken()) == []
    assert log.index_gaps(store) == 0
    for _ in reindex.catch_up(store):
        pass
    assert reindex.gaps(store) == 0
    with store.read() as rows:
        assert rows.value(int, "SELECT count(*) FROM operation WHERE agent = ''") == 0


def test_nobody_who_has_a_transaction_open_holds_it_up(
    life: ServerLife, beside: PostgresStore, tmp_path: Path
) -> None:
    octets = file_of(life, tmp_path / "new.db")
    (first, *_) = inbox.list_(beside, agent=AGENT, states=[EventState.DONE])
    with life.open() as store, beside.write(OTHER):
        notes.set_(beside, life.clock, agent=OTHER, key="k", value="v")
        reader = trust.Reader("anna", life.clock)
        for take_out in (
            lambda: trust.retract(store, life.revoker, agent=AGENT, ids=["it_1"]),
            lambda: trust.revoke(store, life.revoker, source="web", agent=AGENT),
            lambda: trust.trust_events(store, reader, ids=(first.id,)),
        ):
            with contextlib.suppress(NothingToDoError):
                take_out()
        reindex.reindex(store, note_all_made_anew)
        assert rewinds.rewind(store, life.revoker, agent=AGENT).cycle == DAYS - 1
        assert lives.import_(store, pieces=[octets], name="new").agent == NEW
        with pytest.raises(StoreBusyError):
            trust.revoke(store, life.revoker, source="web", agent=OTHER)
    require_sound(beside, AGENT, NEW)


def interrupted(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, live: Callable[[], None]
) -> None:
    """Let something live at the moment at which a function of the program is called."""
    then = getattr(owner, name)

    def does(*given: Any, **named: Any) -> Any:
        live()
        return then(*given, **named)

    monkeypatch.setattr(owner, name, does)


def test_others_live_while_a_life_comes_and_no_number_is_given_twice(
    life: ServerLife, beside: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    octets = file_of(life, tmp_path / "new.db")
    live = Living(life, beside)

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(octets), _PIECE):
            live()
            yield octets[start : start + _PIECE]

    before = numbers(beside)
    interrupted(monkeypatch, life_rows, "extend_index", live)
    with life.open() as store:
        lives.import_(store, pieces=pieces(), name="new")
    # In its pieces, among its rows, and after them.
    live()
    assert live.times > 2
    require_sound(beside, AGENT, NEW)
    now = numbers(beside)
    assert all(now[table] > before[table] for table in NUMBERED)
    with beside.read() as rows:
        owners = rows.all(
            str, "SELECT agent FROM change WHERE number > :n", {"n": before["change"]}
        )
        last = "SELECT max(number) FROM change WHERE agent = :agent"
        assert rows.value(int, last, {"agent": OTHER}) == now["change"]
    assert {OTHER, NEW} < {*owners}
    life.day()
    require_sound(beside, AGENT, NEW)


def renumbered(octets: bytes, number: int) -> bytes:
    """Return a life file in which each message has another number, sealed as if it was written."""
    reader = lives.opened([octets], name="new")
    found = (
        (
            header,
            ((number, *row[1:]) if header.table == "message" else row for row in lines),
        )
        for header, lines in reader.tables()
    )
    return b"".join(packed(reader.manifest, found))


def test_a_file_that_cannot_be_trusted_takes_no_number_and_leaves_nothing(
    life: ServerLife, beside: PostgresStore, tmp_path: Path
) -> None:
    octets = file_of(life, tmp_path / "new.db")
    before = numbers(beside), kept(beside)
    for broken in (octets[:-1], octets[:-400], renumbered(octets, 1 << 60)):
        with life.open() as store, pytest.raises(InputOutputError, match="life file"):
            lives.import_(store, pieces=[broken], name="new")
    assert (numbers(beside), kept(beside)) == before
    live = Living(life, beside)
    live()
    assert numbers(beside)["message"] == before[0]["message"]
    assert numbers(beside)["lesson"] == before[0]["lesson"] + 1


def kept(store: PostgresStore) -> int:
    """Return how many rows stand under their hash."""
    with store.read() as rows:
        count = "SELECT (SELECT count(*) FROM blob) + (SELECT count(*) FROM operation_setup)"
        return rows.value(int, count) or 0


def numbers(store: PostgresStore) -> dict[str, int]:
    """Return the last number of each table that is counted for all agents."""
    with store.read() as rows:
        columns = {"event": "seq"}
        return {
            table: rows.value(int, f"SELECT max({columns.get(table, 'number')}) FROM {table}") or 0
            for table in NUMBERED
        }


def test_a_life_that_comes_home_finds_what_others_did_meanwhile(
    life: ServerLife, beside: PostgresStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Living(life, beside)
    with life.open() as store:
        gone = b"".join(lives.export(store, life.clock, agent=AGENT, move=True))
    with contextlib.closing(make_store(tmp_path / "a.db", life.clock, life.chance)) as other:
        lives.import_(other, pieces=[gone], name="it")
        notes.set_(other, life.clock, agent=AGENT, key="far", value="away")
        back = b"".join(lives.export(other, life.clock, agent=AGENT, move=True))
    interrupted(monkeypatch, life_rows, "extend_index", live)
    with life.open() as store:
        assert lives.import_(store, pieces=[back], name="it").agent == AGENT
        assert notes.get(store, agent=AGENT, key="far").value == "away"
    assert live.times == 1
    require_sound(beside, AGENT)
    life.day()
    with life.open() as store:
        assert rewinds.rewind(store, life.revoker, agent=AGENT).cycle == DAYS
    require_sound(beside, AGENT)


STAYS = (b'["agent"', b'["ledger"', b'["change"', b'["cycle_change"', b'["rewind"', b'["operation')


def own(found: Sequence[bytes]) -> list[bytes]:
    """Return the rows that go back, and come again."""
    return [row for row in found if not row.startswith(STAYS)]


def test_what_a_rewind_left_while_others_wrote_is_taken_up_again(
    life: ServerLife, beside: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Living(life, beside)
    before = own(life.rows_of())
    spent = "SELECT sum(micros), count(DISTINCT id) FROM ledger WHERE agent = :agent AND cycle > 0"
    with beside.read() as rows:
        had = next(rows.each(tuple, spent, {"agent": AGENT}))
    interrupted(monkeypatch, rewinds._Rewinding, "_forget_again", live)
    with life.open() as store:
        done = rewinds.rewind(store, life.revoker, agent=AGENT, cycle=1)
        (kept,) = rewinds.list_(store, agent=AGENT)
    with beside.read() as rows:
        wrote = "SELECT agent FROM change WHERE number = :number"
        assert rows.value(str, wrote, {"number": kept.change}) == AGENT
    assert live.times == 1
    require_sound(beside, AGENT)
    with life.open() as store:
        assert rewinds.rewind(store, life.revoker, agent=AGENT, branch=done.number).cycle == DAYS
    assert live.times == 2
    assert own(life.rows_of()) == before
    with beside.read() as rows:
        assert next(rows.each(tuple, spent, {"agent": AGENT})) == had
    require_sound(beside, AGENT)
