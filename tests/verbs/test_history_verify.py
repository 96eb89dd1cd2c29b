"""Every edit, deletion and swap of a row is found and named; a cut log is, with an anchor."""

from collections.abc import Iterator
from pathlib import Path

import apsw
import msgspec
import pytest

from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation
from mindpipe.history.records import GENESIS, BrokenRow, MessageRow, SegmentRow
from mindpipe.history.verbs import history
from mindpipe.history.verbs.history import ChainWalk
from support.histories import call, conversation, raw_of, result, said, tool, user
from support.stores import store_at, store_talk

# Rows are changed behind the store's back, in its file.
pytestmark = pytest.mark.of_a_file
RAW = b'{"content":[]}'
TALK = conversation(
    user("Hello"),
    said("I look.", call(1, {"query": "hotel"})),
    tool(result(1, "Hotel Sunroute Plaza")),
    said("Found one.", raw=raw_of(RAW), origin="model"),
    blobs=[RAW],
)
BEHIND = Conversation(
    head=TALK.head,
    messages=tuple(
        msgspec.structs.replace(one, id=f"m_{seq}", seq=seq, cycle=2)
        for seq, one in enumerate((user("And?"), said("Yes.", turn=1)), 5)
    ),
)
NUMBERS = {"number", "seq", "segment", "cycle", "turn", "taint", "synthetic", "tokens"}
COLUMNS = MessageRow.__struct_fields__


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a store with two agents' logs of two conversations each, whose triggers are gone."""
    path = tmp_path / "mind.db"
    store = store_at(path)
    for agent in ("ada", "eve"):
        store_talk(store, TALK, agent=agent)
        store_talk(store, BEHIND, agent=agent)
    store.close()
    return path


@pytest.fixture
def raw(path: Path) -> Iterator[apsw.Connection]:
    """Return the file as somebody else opens it, who can drop triggers."""
    connection = apsw.Connection(str(path))
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type='trigger'"):
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute("PRAGMA ignore_check_constraints=ON")
    yield connection
    connection.close()


def broken(path: Path, agent: str = "ada", anchor: str | None = None) -> list[BrokenRow]:
    store = store_at(path)
    try:
        return list(ChainWalk(store, agent=agent, anchor=anchor).broken())
    finally:
        store.close()


def named(path: Path, agent: str = "ada") -> list[tuple[str, int]]:
    return [(one.table, one.number) for one in broken(path, agent)]


def anchor_of(path: Path) -> str:
    store = store_at(path)
    walk = ChainWalk(store, agent="ada")
    assert list(walk.broken()) == []
    store.close()
    return walk.verdict.anchor


def test_what_was_written_is_sound(path: Path) -> None:
    assert broken(path, "ada") == broken(path, "eve") == []
    store = store_at(path)
    walk = ChainWalk(store, agent="ada")
    list(walk.broken())
    store.close()
    verdict = walk.verdict
    assert (verdict.agent, verdict.rows, verdict.broken) == ("ada", 6, 0)
    assert verdict.anchor != GENESIS


def test_there_may_be_nothing_to_verify(path: Path) -> None:
    with pytest.raises(NothingToDoError):
        broken(path, "zoe")


@pytest.mark.parametrize("seq", [1, 3, 6])
@pytest.mark.parametrize("column", COLUMNS)
def test_a_change_of_any_column_is_found(
    path: Path, raw: apsw.Connection, column: str, seq: int
) -> None:
    change = f"{column}+1000" if column in NUMBERS else f"coalesce({column}, '') || 'x'"
    raw.execute(f"UPDATE message SET {column}={change} WHERE agent='ada' AND seq={seq}")
    found = named(path)
    if column == "agent" and seq == 6:
        # A row at the end that goes to another agent is a cut, which only an anchor shows.
        assert found == []
        return
    moved = {"agent": seq + 1, "seq": seq + 1000 if seq == 6 else seq + 1}
    assert ("message", moved.get(column, seq)) in found


@pytest.mark.parametrize("column", sorted(set(COLUMNS) - NUMBERS - {"agent"}))
def test_octets_that_are_no_text_are_found(path: Path, raw: apsw.Connection, column: str) -> None:
    raw.execute(f"UPDATE message SET {column}=CAST(x'ff' AS TEXT) WHERE agent='ada' AND seq=3")
    assert ("message", 3) in named(path)


def test_text_that_reads_the_same_is_not_the_same(path: Path, raw: apsw.Connection) -> None:
    raw.execute("UPDATE message SET parts=replace(parts, ':', ': ') WHERE agent='ada' AND seq=3")
    assert named(path) == [("message", 3)]


@pytest.mark.parametrize("seq", [1, 2, 5])
def test_a_row_that_is_gone_is_found(path: Path, raw: apsw.Connection, seq: int) -> None:
    raw.execute(f"DELETE FROM message WHERE agent='ada' AND seq={seq}")
    found = broken(path)
    assert {(one.table, one.number) for one in found} == {("message", seq + 1)}
    assert "what was between is gone" in found[0].what


def test_rows_that_changed_places_are_found(path: Path, raw: apsw.Connection) -> None:
    raw.execute("UPDATE message SET seq=-seq WHERE agent='ada' AND seq IN (2, 4)")
    raw.execute("UPDATE message SET seq=6+seq WHERE agent='ada' AND seq < 0")
    assert {("message", 2), ("message", 4)} <= set(named(path))


def test_a_row_of_another_agent_does_not_fit(path: Path, raw: apsw.Connection) -> None:
    raw.execute("DELETE FROM message WHERE agent='ada' AND seq=6")
    raw.execute("UPDATE message SET agent='ada' WHERE agent='eve' AND seq=6")
    assert named(path) == [("message", 6)]


def test_a_hash_made_anew_breaks_the_next_row(path: Path, raw: apsw.Connection) -> None:
    raw.execute("UPDATE message SET sha256=sha256 || 'x' WHERE agent='ada' AND seq=3")
    assert named(path) == [("message", 3), ("message", 4)]


def test_a_cut_log_is_found_with_an_anchor_alone(path: Path, raw: apsw.Connection) -> None:
    anchor = anchor_of(path)
    raw.execute("DELETE FROM message WHERE agent='ada' AND seq > 4")
    assert broken(path) == []
    (found,) = broken(path, anchor=anchor)
    assert (found.number, "anchor" in found.what) == (4, True)
    raw.execute("DELETE FROM message WHERE agent='ada'")
    (found,) = broken(path, anchor=anchor)
    assert (found.number, "anchor" in found.what) == (0, True)


def test_an_anchor_stays_good_while_the_log_grows(path: Path, raw: apsw.Connection) -> None:
    (third,) = raw.execute("SELECT sha256 FROM message WHERE agent='ada' AND seq=3").fetchone()
    assert broken(path, anchor=third) == broken(path, anchor=GENESIS) == []


@pytest.mark.parametrize("column", SegmentRow.__struct_fields__)
def test_a_change_of_a_segment_is_found(path: Path, raw: apsw.Connection, column: str) -> None:
    whole = {"segment", "first_cycle", "raw_from_cycle"}
    change = f"{column}+1000" if column in whole else f"{column} || 'x'"
    raw.execute(f"UPDATE segment SET {column}={change} WHERE agent='ada' AND segment=1")
    found = named(path)
    assert found
    if column not in {"agent", "segment"}:
        assert ("segment", 1) in found


def test_a_segment_that_is_no_text_is_found(path: Path, raw: apsw.Connection) -> None:
    raw.execute("UPDATE segment SET reason=CAST(x'ff' AS TEXT) WHERE agent='ada' AND segment=1")
    assert ("segment", 0) in named(path)


def test_a_changed_head_is_found(path: Path, raw: apsw.Connection) -> None:
    raw.execute("UPDATE blob SET octets=x'00' WHERE sha256 IN (SELECT head_sha256 FROM segment)")
    assert named(path) == [("segment", 1), ("segment", 2)]


def test_changed_raw_bytes_are_found_and_lost_ones_are_no_fault(
    path: Path, raw: apsw.Connection
) -> None:
    raw.execute("UPDATE blob SET octets=x'00' WHERE octets=?", (RAW,))
    assert named(path) == [("message", 4)]
    raw.execute("DELETE FROM blob WHERE octets=x'00'")
    assert named(path) == []


@pytest.mark.parametrize(
    "column", [name for name in COLUMNS if name not in {"sha256", "seq", "segment"}]
)
def test_a_build_that_skips_a_column_misses_it(
    path: Path, raw: apsw.Connection, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The red control: without this column in the hash, its change stays unseen.

    A row's seq is seen by its place too, and its segment by the segment's own hash.
    """
    skipped = COLUMNS.index(column)
    whole = history.row_octets

    def careless(cells: list[object]) -> bytes:
        return whole([cell for place, cell in enumerate(cells) if place != skipped])

    _hash_anew(raw, careless)
    monkeypatch.setattr(history, "row_octets", careless)
    assert named(path) == []
    change = f"{column}+1000" if column in NUMBERS else f"coalesce({column}, '') || 'x'"
    raw.execute(f"UPDATE message SET {column}={change} WHERE agent='ada' AND seq=6")
    assert named(path) == []


def _hash_anew(raw: apsw.Connection, octets: object) -> None:
    """Write the chain as a build would have written it that hashes rows so."""
    columns = ", ".join(f"m.{name}" for name in COLUMNS[:-1])
    for agent in ("ada", "eve"):
        previous = GENESIS
        rows = raw.execute(
            f"SELECT {columns}, s.sha256 FROM message AS m JOIN segment AS s USING(agent, segment) "
            "WHERE m.agent=? ORDER BY seq",
            (agent,),
        ).fetchall()
        for row in rows:
            previous = history.link(previous, octets(list(row)))
            raw.execute("UPDATE message SET sha256=? WHERE number=?", (previous, row[0]))
