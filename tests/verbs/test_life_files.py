"""A life in a file: it goes on elsewhere, once; what was changed in the file is found."""

import contextlib
import gzip
import itertools
import json
import random
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from mindpipe.agents.records import AgentChange
from mindpipe.agents.verbs import agent as agents
from mindpipe.agents.verbs import lease as leases
from mindpipe.agents.verbs import note as notes
from mindpipe.core.errors import InputOutputError, RefusedError, UnavailableError, UsageError
from mindpipe.core.events import NewEvent
from mindpipe.core.records import to_json
from mindpipe.engine.delivery import announce_to
from mindpipe.history.verbs import history
from mindpipe.inbox.records import Bounds
from mindpipe.inbox.verbs.push import push_events
from mindpipe.knowledge.keys import SlotRules
from mindpipe.life.archive import packed
from mindpipe.life.records import LifeImported, LifeManifest, LifePart, TableHeader
from mindpipe.life.verbs import life as lives
from mindpipe.life.verbs import rewind as rewinds
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.recall.verbs import reindex
from mindpipe.settings import Settings
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewPost, NewSpaceEntity
from mindpipe.store.access import make_store
from mindpipe.store.sqlite import SqliteStore
from support.full_lives import FullLife
from support.histories import PROGRAM, conversation, said, user
from support.life import AGENT, Life
from support.loopback.turns import Turn
from support.replays import replayed
from support.scripted_model import Scripted, call, calls
from support.stores import store_talk

DAYS = 4


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> FullLife:
    """Return a life of some days, which no test changes."""
    life = FullLife(tmp_path_factory.mktemp("lived") / "life")
    for _ in range(DAYS):
        life.day()
    return life


@pytest.fixture
def life(lived: FullLife, tmp_path: Path) -> FullLife:
    """Return the same life, to be changed."""
    return lived.copied(tmp_path / "life")


@pytest.fixture
def other(life: Life, tmp_path: Path) -> Iterator[SqliteStore]:
    """Return a store in which nobody lives."""
    with contextlib.closing(make_store(tmp_path / "other.db", life.clock, life.chance)) as store:
        yield store


def file_of(life: Life, **options: Any) -> bytes:
    """Return the file of a life."""
    with life.open() as store:
        return b"".join(lives.export(store, life.clock, agent=AGENT, **options))


def import_into(store: SqliteStore, octets: bytes) -> LifeImported:
    """Take a life up from a file that comes in small pieces."""
    pieces = (octets[start : start + 1000] for start in range(0, len(octets), 1000))
    return lives.import_(store, pieces=pieces, name="ava.life")


def rows_of(store: SqliteStore) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables that are no index."""
    names = store.connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    ).fetchall()
    found = {}
    for (name,) in names:
        rows = store.connection.execute(f'SELECT * FROM "{name}"').fetchall()
        found[name] = rows
    return found


def lines_of(octets: bytes) -> list[bytes]:
    """Return the lines of a file."""
    return gzip.decompress(octets).splitlines()


def written_anew(octets: bytes, change: Callable[[str, list[object]], list[list[object]]]) -> bytes:
    """Return a file as somebody writes it who knows its form: rows changed, hashes and seal right.

    `change` is given a table and a row, and returns the rows that stand for it.
    """
    manifest, *rest, _ = lines_of(octets)
    tables: list[tuple[TableHeader, list[Any]]] = []
    for line in rest:
        one = json.loads(line)
        if isinstance(one, list):
            tables[-1][1].extend(map(tuple, change(tables[-1][0].table, one)))
        elif "table" in one:
            tables.append((TableHeader(**{**one, "columns": tuple(one["columns"])}), []))
    found = ((header, iter(rows)) for header, rows in tables)
    return b"".join(packed(msgspec.json.decode(manifest, type=LifeManifest), found))


def test_an_import_tells_of_other_versions(life: FullLife, other: SqliteStore) -> None:
    reader = lives.opened([file_of(life)], name="ava.life")
    assert {"numpy", "anthropic"} <= reader.manifest.versions.packages.keys()
    versions = replace(reader.manifest.versions, zones="1999a", packages={"numpy": "0.1"})
    octets = b"".join(packed(replace(reader.manifest, versions=versions), reader.tables()))
    assert import_into(other, octets).versions == {"zones": "1999a", "numpy": "0.1"}


def test_a_life_that_moved_goes_on(life: FullLife, other: SqliteStore) -> None:
    before = _but(("agent", "change"), life.rows_of())
    brought = import_into(other, file_of(life, move=True))
    assert (brought.agent, brought.moved, brought.cycles) == (AGENT, True, DAYS)
    assert agents.show(other, name=AGENT).paused is None
    life.path = other.path
    assert _but(("agent", "change"), life.rows_of()) == before
    life.day()
    assert list(history.verify(other, agent=AGENT).broken()) == []
    assert life.value("SELECT count(*) FROM cycle WHERE outcome = 'done'") == DAYS + 1


def _but(tables: tuple[str, ...], lines: list[bytes]) -> list[bytes]:
    """Return the lines of rows of all other tables."""
    return [line for line in lines if json.loads(line)[0] not in tables]


def test_where_it_left_nothing_of_it_can_be_done(life: FullLife) -> None:
    file_of(life, move=True)
    with life.open() as store:
        event = NewEvent(agent=AGENT, type="service", text="Hello?")
        for act in (
            lambda: push_events(store, life.clock, life.chance, events=[event], bounds=Bounds()),
            lambda: notes.set_(store, life.clock, agent=AGENT, key="a", value="b"),
            lambda: leases.acquire(store, life.clock, agent=AGENT, owner="me"),
        ):
            with pytest.raises(RefusedError, match="another store since"):
                act()
        with pytest.raises(RefusedError, match="--move writes the file again"):
            lives.export(store, life.clock, agent=AGENT)


def test_others_talk_on_in_a_space_of_which_a_member_has_left(life: FullLife) -> None:
    file_of(life, move=True)
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        before = store.connection.execute("SELECT count(*) FROM event").get
        deliver = announce_to(*ports, Settings(options={}, environment={}))
        post = NewPost(sender="husam", text="Where is she?")
        made = spaces.post(*ports, space="family", post=post, deliver=deliver)
        assert spaces.read(store, space="family")[-1].id == made.id
        assert store.connection.execute("SELECT count(*) FROM event").get == before


def test_it_stays_until_there_is_something_to_write_it_to(life: FullLife) -> None:
    with life.open() as store:
        pieces = lives.export(store, life.clock, agent=AGENT, move=True)
        assert agents.show(store, name=AGENT).away is None
        assert b"".join(pieces)
        assert agents.show(store, name=AGENT).away is not None


def test_the_file_with_which_it_left_can_be_written_again(life: FullLife) -> None:
    first = file_of(life, move=True)
    life.clock.pass_time(3600.0)
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        said = NewPost(sender="husam", text="Where is she?")
        announce = announce_to(*ports, Settings(options={}, environment={}))
        spaces.post(*ports, space="family", post=said, deliver=announce)
    assert file_of(life, move=True) == first


def test_it_comes_back_with_the_file_with_which_it_left(life: FullLife) -> None:
    octets = file_of(life, move=True)
    with life.open() as store:
        import_into(store, octets)
    life.day()
    with life.open() as store, pytest.raises(RefusedError, match="already there"):
        import_into(store, octets)


def test_with_another_file_it_does_not_come_back(life: FullLife) -> None:
    copy = file_of(life)
    file_of(life, move=True)
    with (
        life.open() as store,
        pytest.raises(RefusedError, match="move 1"),
    ):
        import_into(store, copy)


@pytest.fixture
def abroad(life: FullLife, tmp_path: Path) -> FullLife:
    """Return the life as it goes on in another store, beside ben's; where it left it rests."""
    octets = file_of(life, move=True)
    elsewhere = life.copied(tmp_path / "abroad")
    elsewhere.path.unlink()
    with contextlib.closing(make_store(elsewhere.path, life.clock, life.chance)) as store:
        _let_ben_live(store, life)
        import_into(store, octets)
    return elsewhere


@pytest.mark.heavy
def test_a_life_that_lived_on_elsewhere_comes_home(life: FullLife, abroad: FullLife) -> None:
    with life.open() as store:
        _let_ben_live(store, life)
        before = _rows_of_ben(store)
    abroad.day()
    octets = file_of(abroad, move=True)
    with life.open() as store:
        brought = import_into(store, octets)
        assert (brought.moved, brought.cycles) == (True, DAYS + 1)
        assert _rows_of_ben(store) == before
        assert list(history.verify(store, agent=AGENT).broken()) == []
        with (
            lives.picture(store, agent=AGENT) as now,
            abroad.open() as theirs,
            lives.picture(theirs, agent=AGENT) as then,
        ):
            found = {one.what for one in lives.diff(then, now)}
        assert found <= {"agent"}
        assert reindex.gaps(store) == 0
        with pytest.raises(RefusedError, match="already there"):
            import_into(store, octets)
    life.day()
    with life.open() as store:
        assert list(history.verify(store, agent=AGENT).broken()) == []
    replayed_at_home, verdict = replayed(life.path)
    assert (replayed_at_home, verdict.equal) == ([], True)
    back = file_of(life, move=True)
    with abroad.open() as store:
        assert import_into(store, back).cycles == DAYS + 2


def test_it_comes_home_also_where_it_went_back_meanwhile(life: FullLife, abroad: FullLife) -> None:
    with abroad.open() as store:
        rewinds.rewind(store, abroad.revoker, agent=AGENT, cycle=DAYS - 1)
    abroad.day()
    octets = file_of(abroad, move=True)
    with life.open() as store:
        assert import_into(store, octets).cycles == DAYS


@pytest.mark.heavy
def test_only_what_it_went_on_from_comes_home(
    life: FullLife, abroad: FullLife, tmp_path: Path
) -> None:
    stranger = FullLife(tmp_path / "stranger")
    stranger.clock.pass_time(1.0)
    for _ in range(DAYS + 1):
        stranger.day()
        with stranger.open() as store:
            import_into(store, file_of(stranger, move=True))
    copy = file_of(abroad)
    thinner = brought_as_copy(abroad, tmp_path / "thinner", without=("memory",))
    abroad.day()
    second = file_of(abroad, move=True)
    for octets, why in (
        (copy, "is a copy"),
        (file_of(thinner, move=True), "without memory, which would be lost"),
        (file_of(stranger, move=True), "does not go on from what it had lived"),
    ):
        before = life.rows_of()
        with life.open() as store, pytest.raises(RefusedError, match=why):
            import_into(store, octets)
        assert life.rows_of() == before
    with life.open() as store:
        import_into(store, second)
    file_of(life, move=True)
    with life.open() as store, pytest.raises(RefusedError, match="no later one"):
        import_into(store, second)


@pytest.mark.heavy
def test_what_was_taken_back_while_it_went_on_elsewhere_still_comes_home(
    life: FullLife, tmp_path: Path
) -> None:
    octets = file_of(life, move=True)
    abroad = life.copied(tmp_path / "abroad")
    abroad.path.unlink()
    with contextlib.closing(make_store(abroad.path, life.clock, life.chance)) as store:
        import_into(store, octets)
    with life.open() as store:
        import_into(store, octets)
    life.live()
    for _ in range(2):
        abroad.day()
    from_abroad = file_of(abroad, move=True)
    with life.open() as store, pytest.raises(RefusedError, match="leave first"):
        import_into(store, from_abroad)
    at_home = file_of(life, move=True)
    with life.open() as store:
        assert import_into(store, from_abroad).cycles == DAYS + 2
        with (
            lives.picture(store, agent=AGENT) as now,
            abroad.open() as theirs,
            lives.picture(theirs, agent=AGENT) as then,
        ):
            assert {one.what for one in lives.diff(then, now)} <= {"agent"}
        assert list(history.verify(store, agent=AGENT).broken()) == []
        with pytest.raises(RefusedError, match="goes on here already"):
            import_into(store, from_abroad)
        with pytest.raises(RefusedError, match="leave first"):
            import_into(store, at_home)
    life.day()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)
    with abroad.open() as store:
        assert import_into(store, file_of(life, move=True)).cycles == DAYS + 3


def test_a_copy_rests(life: FullLife, other: SqliteStore) -> None:
    import_into(other, file_of(life))
    assert "its life goes on in the store s_" in (agents.show(other, name=AGENT).paused or "")
    life.day()


def test_a_life_comes_in_beside_others(life: FullLife, tmp_path: Path) -> None:
    octets = file_of(life, move=True)
    path = tmp_path / "there.db"
    with contextlib.closing(make_store(path, life.clock, life.chance)) as store:
        _let_ben_live(store, life)
        before = _rows_of_ben(store)
        assert {"message", "memory_item", "event", "change"} <= before.keys()
        import_into(store, octets)
        assert _rows_of_ben(store) == before
        assert list(history.verify(store, agent=AGENT).broken()) == []
    life.path = path
    life.day()
    with life.open() as store:
        assert _rows_of_ben(store) == before
        assert list(history.verify(store, agent=AGENT).broken()) == []
        again = b"".join(lives.export(store, life.clock, agent=AGENT))
    check = lives.verify([again], name="again", rules=SlotRules())
    assert list(check.wrong()) == []
    assert check.verdict is not None
    assert check.verdict.cycles == DAYS + 1
    with contextlib.closing(make_store(tmp_path / "third.db", life.clock, life.chance)) as store:
        _let_ben_live(store, life)
        import_into(store, again)
        assert list(history.verify(store, agent=AGENT).broken()) == []
        for cycle in (2, DAYS):
            with (
                lives.picture(store, agent=AGENT, cycle=cycle) as now,
                lives.unpacked(lives.opened([again], name="again")) as copy,
                lives.picture(copy, agent=AGENT, cycle=cycle) as then,
            ):
                assert list(lives.diff(now, then)) == []


def test_it_is_said_where_a_file_has_changed(life: FullLife, other: SqliteStore) -> None:
    """Whatever stumbles over the change: what unpacks, what counts, or the store it comes into."""
    whole = file_of(life)
    sealed = whole.rindex(b"\x1f\x8b")
    for place in range(0, sealed, sealed // 100):
        octets = bytearray(whole)
        octets[place] ^= 1
        with pytest.raises(InputOutputError) as told:
            import_into(other, bytes(octets))
        found = re.search(r"octets (\d+) to (\d+) some have changed(.*)\.", str(told.value))
        assert found is not None, told.value
        first, last = int(found[1]), int(found[2])
        assert first <= place <= last < first + 4096
        assert place < sealed // 10 or re.search(r"behind row \d+ of \w+", found[3])


def test_it_is_said_also_where_the_unpacker_runs_on_into_the_seal(
    life: FullLife, other: SqliteStore
) -> None:
    """What ends the first member has changed, so that what stands behind it looks like more."""
    whole = file_of(life)
    sealed = whole.rindex(b"\x1f\x8b")
    for place, bit in itertools.product(range(sealed - 12, sealed - 8), range(8)):
        octets = bytearray(whole)
        octets[place] ^= 1 << bit
        with pytest.raises(InputOutputError, match=r"octets \d+ to \d+ some have changed"):
            import_into(other, bytes(octets))


def test_of_many_octets_the_stretches_grow(life: FullLife) -> None:
    chance = random.Random(1)
    row = (chance.randbytes(1 << 20).hex(),)
    header = TableHeader(table="blob", columns=("a",))
    manifest = lives.opened([file_of(life)], name="ava.life").manifest
    pieces = list(packed(manifest, [(header, iter([row] * 6))]))
    octets = bytearray(b"".join(pieces))
    place = len(octets) * 2 // 3
    octets[place] ^= 1
    with pytest.raises(InputOutputError) as told:
        lives.opened([bytes(octets)], name="ava.life").skip()
    found = re.search(r"octets (\d+) to (\d+)", str(told.value))
    assert found is not None
    assert int(found[1]) <= place <= int(found[2]) == int(found[1]) + 8191


def test_numbers_of_what_it_told_others_are_its_own_elsewhere(
    life: FullLife, tmp_path: Path
) -> None:
    """An event that a cycle gave another agent does not come along, and its number is free."""
    ben = NewSpaceEntity(name="ben", kind="agent")
    with life.open() as store:
        ports = (store, life.clock, life.chance)
        agents.set_(store, name=AGENT, change=AgentChange(preset="full"))
        agents.new(*ports, name="ben")
        spaces.join(*ports, space="family", who=ben)
    said = (calls(call("send_message", text="Hello, Ben.", space="family")), Turn(text="Said."))
    life.push("Greet Ben.")
    life.think(Scripted(PROGRAM, {}, otherwise=said))
    assert life.value("SELECT count(*) FROM event WHERE agent = 'ben'") == 1
    octets = file_of(life, move=True)
    life.path = tmp_path / "there.db"
    with contextlib.closing(make_store(life.path, life.clock, life.chance)) as store:
        import_into(store, octets)
    life.live()
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def test_what_waits_is_heard_beside_others(life: FullLife, tmp_path: Path) -> None:
    """Ids end in the number that an event had where it came; beside others it has another one."""
    (waiting,) = life.push("Hello?")
    octets = file_of(life, move=True)
    life.path = tmp_path / "there.db"
    with contextlib.closing(make_store(life.path, life.clock, life.chance)) as store:
        _let_ben_live(store, life)
        import_into(store, octets)
    life.think(Scripted(PROGRAM, {}, otherwise=(Turn(text="Yes?"),)))
    heard = f"SELECT count(*) FROM cycle WHERE events LIKE '%{waiting.id}%'"
    assert life.value(heard) == 1
    found, verdict = replayed(life.path)
    assert (found, verdict.equal) == ([], True)


def _let_ben_live(store: SqliteStore, life: FullLife) -> None:
    """Let another agent speak, remember and be told something."""
    ports = (store, life.clock, life.chance)
    agents.new(*ports, name="ben")
    talk = conversation(user("Hello."), said("I am Ben."))
    store_talk(store, talk, agent="ben")
    memory.add(*ports, agent="ben", given=[NewItem(text="I like tea."), NewItem(text="I swim.")])
    event = NewEvent(agent="ben", type="service", text="Hello?")
    push_events(*ports, events=[event, event], bounds=Bounds())


def _rows_of_ben(store: SqliteStore) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows in which ben is named, but for those of an index, which catches up."""
    found = {
        table: [row for row in rows if "ben" in row]
        for table, rows in rows_of(store).items()
        if not table.startswith("recall_")
    }
    return {table: rows for table, rows in found.items() if rows}


def test_what_is_left_out_is_not_there(life: FullLife) -> None:
    tables = {
        json.loads(line)["table"]
        for line in lines_of(file_of(life, without=("memory", "beliefs", "changes")))
        if line.startswith(b'{"table"')
    }
    assert "message" in tables
    assert not tables & {"memory_item", "observation", "change"}


def test_what_moves_leaves_nothing_out(life: FullLife) -> None:
    with life.open() as store:
        with pytest.raises(UsageError, match="--move takes all of ava"):
            lives.export(store, life.clock, agent=AGENT, move=True, without=("memory",))
        assert agents.show(store, name=AGENT).away is None


def test_what_it_lacked_as_it_came_is_said_of_it_from_then_on(
    life: FullLife, tmp_path: Path
) -> None:
    there = brought_as_copy(life, tmp_path / "there", without=("inbox",))
    with pytest.raises(RefusedError, match="without inbox"):
        replayed(there.path)
    octets = file_of(there, without=("beliefs",))
    check = lives.verify([octets], name="ava.life", rules=SlotRules())
    assert list(check.wrong()) == []
    assert check.verdict is not None
    assert check.verdict.without == ("beliefs", "inbox")
    away = file_of(there, move=True)
    farther = there.copied(tmp_path / "farther")
    farther.path.unlink()
    with contextlib.closing(make_store(farther.path, life.clock, life.chance)) as store:
        import_into(store, away)
    farther.day()
    with there.open() as store:  # what it lacked there before is not lost
        assert import_into(store, file_of(farther, move=True)).moved
        assert agents.show(store, name=AGENT).lacks == ("inbox",)


def test_a_fork_lacks_what_its_life_lacks(life: FullLife, tmp_path: Path) -> None:
    there = brought_as_copy(life, tmp_path / "there", without=("memory",))
    with there.open() as store:
        lives.fork(
            store,
            life.clock,
            life.chance,
            agent=AGENT,
            cycle=DAYS - 1,
            into=tmp_path / "fork.db",
            change=AgentChange(),
        )
    with pytest.raises(RefusedError, match="without memory"):
        replayed(tmp_path / "fork.db")


def brought_as_copy(life: FullLife, folder: Path, *, without: tuple[LifePart, ...]) -> FullLife:
    """Return a life that goes on elsewhere from a copy without some parts."""
    other = life.copied(folder)
    other.path.unlink()
    with contextlib.closing(make_store(other.path, life.clock, life.chance)) as store:
        import_into(store, file_of(life, without=without))
        agents.set_(store, name=AGENT, change=AgentChange(paused=None))
    return other


def test_a_sound_file_is_found_sound(life: FullLife) -> None:
    check = lives.verify([file_of(life)], name="ava.life", rules=SlotRules())
    assert list(check.wrong()) == []
    assert check.verdict is not None
    assert (check.verdict.wrong, check.verdict.cycles) == (0, DAYS)
    assert check.verdict.beliefs > 0
    assert check.verdict.quotes > 0


@pytest.mark.parametrize("part", get_args(LifePart))
def test_a_file_without_a_part_is_sound(life: FullLife, part: LifePart) -> None:
    octets = file_of(life, without=[part])
    check = lives.verify([octets], name="ava.life", rules=SlotRules())
    assert list(check.wrong()) == []
    assert check.verdict is not None
    assert check.verdict.without == (part,)


def test_what_was_appended_is_told_as_such(life: FullLife) -> None:
    octets = file_of(life)
    for more in (octets, b"x"):
        with pytest.raises(InputOutputError, match="something stands behind its seal"):
            _drawn(octets + more)


def test_no_copy_comes_in_the_place_of_what_is_there(life: FullLife, other: SqliteStore) -> None:
    copy = file_of(life)
    import_into(other, copy)
    assert agents.show(other, name=AGENT).paused
    with pytest.raises(RefusedError, match="a copy never comes in the place of what is there"):
        import_into(other, copy)


def test_every_changed_bit_is_found(life: FullLife) -> None:
    octets = file_of(life)
    chance = random.Random(5)
    places = [*range(24), *range(len(octets) - 24, len(octets))]
    places += chance.choices(range(len(octets)), k=100)
    for place in places:
        for bit in range(8):
            changed = bytearray(octets)
            changed[place] ^= 1 << bit
            with pytest.raises(InputOutputError, match="no life file"):
                _drawn(bytes(changed))
    _drawn(octets)


def _drawn(octets: bytes) -> None:
    """Read a file to its end."""
    reader = lives.opened([octets], name="ava.life")
    reader.skip()
    reader.finish()


@pytest.mark.parametrize("keep", [0, 10, 500, -1, -100])
def test_a_file_that_is_cut_brings_nothing(life: FullLife, other: SqliteStore, keep: int) -> None:
    before = rows_of(other)
    with pytest.raises(InputOutputError, match="no life file"):
        import_into(other, file_of(life)[:keep])
    assert rows_of(other) == before


@pytest.mark.parametrize("behind", [b"\n", b"x" * 1000, gzip.compress(b"{}", mtime=0)])
def test_nothing_stands_behind_the_seal(life: FullLife, behind: bytes) -> None:
    with pytest.raises(InputOutputError, match="seal"):
        _drawn(file_of(life) + behind)


def test_no_row_of_another_agent_comes_in(life: FullLife, other: SqliteStore) -> None:
    agents.new(other, life.clock, life.chance, name="ben")
    before = rows_of(other)

    def smuggled(table: str, row: list[object]) -> list[list[object]]:
        return [row, ["ben", *row[1:]]] if table == "note" else [row]

    with pytest.raises(InputOutputError, match="note has rows of another agent"):
        import_into(other, written_anew(file_of(life), smuggled))
    assert rows_of(other) == before


def test_no_blob_comes_in_under_the_hash_of_another(life: FullLife, other: SqliteStore) -> None:
    def poisoned(table: str, row: list[object]) -> list[list[object]]:
        return [[row[0], "AAAA"]] if table == "blob" else [row]

    with pytest.raises(InputOutputError, match="do not have the hash"):
        import_into(other, written_anew(file_of(life), poisoned))


def test_nothing_is_posted_in_a_space_that_is_there(life: FullLife, tmp_path: Path) -> None:
    there = Life(tmp_path / "there")
    with there.open() as store:
        store.connection.execute(
            "PRAGMA foreign_keys=OFF; DELETE FROM agent; DELETE FROM member WHERE entity = 'ava'; "
            "DELETE FROM entity WHERE name = 'ava'; DELETE FROM change"
        )
        import_into(store, file_of(life))
        assert store.connection.execute("SELECT count(*) FROM post").get == 0
        members = store.connection.execute("SELECT entity FROM member WHERE space = 'family'")
        assert sorted(members.fetchall()) == [("ava",), ("husam",)]


def test_a_table_that_no_life_has_is_refused(life: FullLife, other: SqliteStore) -> None:
    manifest = json.loads(lines_of(file_of(life))[0])
    header = TableHeader(table="store", columns=("id", "generation", "created"))
    octets = b"".join(
        packed(msgspec.convert(manifest, LifeManifest), [(header, iter([("s_x", 1, "")]))])
    )
    with pytest.raises(InputOutputError, match="store is no table of a life"):
        import_into(other, octets)


def test_a_changed_word_of_the_history_is_named(life: FullLife) -> None:
    def reworded(table: str, row: list[object]) -> list[list[object]]:
        if table == "message" and row[2] == 3:
            return [[*row[:8], str(row[8]).replace("I look", "We look"), *row[9:]]]
        return [row]

    octets = written_anew(file_of(life), reworded)
    check = lives.verify([octets], name="ava.life", rules=SlotRules())
    wrong = [json.loads(to_json(one)) for one in check.wrong()]
    assert [(one["table"], one["number"]) for one in wrong] == [("message", 3)]


def test_a_message_that_is_none_is_refused(life: FullLife, other: SqliteStore) -> None:
    def broken(table: str, row: list[object]) -> list[list[object]]:
        return [[*row[:8], '["?"]', *row[9:]]] if table == "message" else [row]

    with pytest.raises(InputOutputError, match="a message of it is none"):
        import_into(other, written_anew(file_of(life), broken))


@pytest.mark.parametrize(
    ("where", "cell"),
    [
        (("goal", 1), 1 << 63),
        (("message", 0), (1 << 63) - 1),
        (("event", 0), "one"),
        (("goal", 4), "no state"),
        (("member", 0), "nowhere"),
        (("blob", 1), "?"),
        (("agent", 2), '["?"]'),
        (("agent", 2), '{"name":"eva","title":"Eva"}'),
        (("change", 2), "[]"),
        (("consolidation_window", "items"), '["?"]'),
    ],
)
def test_a_row_that_is_none_is_refused(
    life: FullLife, tmp_path: Path, where: tuple[str, int | str], cell: object
) -> None:
    table, column = where
    octets = file_of(life)
    place = column if isinstance(column, int) else _columns_of(octets, table).index(column)
    changed: list[str] = []

    def hostile(name: str, row: list[object]) -> list[list[object]]:
        if name != table or changed:
            return [row]
        changed.append(name)
        return [[*row[:place], cell, *row[place + 1 :]]]

    octets = written_anew(octets, hostile)
    assert changed
    with contextlib.closing(make_store(tmp_path / "to.db", life.clock, life.chance)) as store:
        _let_ben_live(store, life)
        before = rows_of(store)
        with pytest.raises(InputOutputError, match=r"ava\.life is no life file"):
            import_into(store, octets)
        assert rows_of(store) == before


@pytest.mark.parametrize(
    ("table", "column", "cell"),
    [
        ("observation", "components", "[]"),
        ("observation_evidence", "at", "soon"),
        ("observation_evidence", "span", "7"),
        ("memory_item", "tags", '[["?"]]'),
    ],
)
def test_a_check_that_stumbles_says_so_of_the_file(
    life: FullLife, table: str, column: str, cell: str
) -> None:
    octets = file_of(life)
    place = _columns_of(octets, table).index(column)

    def hostile(name: str, row: list[object]) -> list[list[object]]:
        return [[*row[:place], cell, *row[place + 1 :]] if name == table else row]

    check = lives.verify([written_anew(octets, hostile)], name="ava.life", rules=SlotRules())
    with pytest.raises(InputOutputError, match=r"ava\.life is no life file"):
        list(check.wrong())


def _columns_of(octets: bytes, table: str) -> list[str]:
    headers = (json.loads(line) for line in lines_of(octets) if line.startswith(b'{"table"'))
    return next(list(one["columns"]) for one in headers if one["table"] == table)


def test_a_file_without_its_agent_is_refused(life: FullLife, other: SqliteStore) -> None:
    def alone(table: str, row: list[object]) -> list[list[object]]:
        return [row] if table == "place" else []

    with pytest.raises(InputOutputError, match="not the ava of its manifest"):
        import_into(other, written_anew(file_of(life), alone))


def test_a_file_of_another_schema_is_refused(life: FullLife) -> None:
    manifest, *rest = lines_of(file_of(life))
    changed = json.loads(manifest)
    for schema, advice in ((1, "mind store migrate"), (9999, "Upgrade mindpipe")):
        changed["versions"]["schema"] = schema
        lines = b"\n".join([to_json(changed), *rest, b""])
        with pytest.raises(UnavailableError, match=advice):
            lives.opened([gzip.compress(lines)], name="ava.life")


def test_what_only_fills_the_memory_is_refused(
    life: FullLife, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindpipe.life.archive.LINE_OCTETS", 1 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    pieces = (
        packer.compress(b"[" * (1 << 16)) + packer.flush(zlib.Z_SYNC_FLUSH) for _ in range(99)
    )
    with pytest.raises(InputOutputError, match="longer than"):
        lives.opened(pieces, name="ava.life")


@pytest.mark.parametrize("sql", ["UPDATE cycle_change SET number = 1", "DELETE FROM cycle_change"])
def test_an_end_of_a_cycle_that_is_not_where_it_was_is_named(life: FullLife, sql: str) -> None:
    life.day()
    with life.open() as store, store.write() as rows:
        rows.run(f"{sql} WHERE cycle = 2")
    with life.open() as store:
        pieces = list(lives.export(store, life.clock, agent=AGENT))
    found = list(lives.verify(pieces, name="ava.life", rules=SlotRules()).wrong())
    assert [(one.table, one.number) for one in found] == [("cycle_change", 2)]
