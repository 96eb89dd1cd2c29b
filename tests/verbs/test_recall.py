"""What is kept is found, as it stands or stood, by its owner alone, whatever the index lost."""

import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
import msgspec
import pytest

from mindpipe.core.instants import normal_instant
from mindpipe.core.lines import AllOrNothing
from mindpipe.io.chance import SeededChance
from mindpipe.knowledge.records import BeliefMark
from mindpipe.memory.records import GivenItem, NewEntity, NewItem, Relation
from mindpipe.memory.verbs import entity, memory
from mindpipe.recall.ranking import Ranked
from mindpipe.recall.records import Filters, RecallQuery
from mindpipe.recall.signals import Candidate
from mindpipe.recall.tables import index
from mindpipe.recall.verbs import recall, reindex
from mindpipe.recall.verbs import recall as searching
from mindpipe.recall.verbs.gather import CandidateGatherer, SearchLimits
from mindpipe.recall.verbs.recall import SearchAnswer, SearchRequest
from mindpipe.recall.words import row_words
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.sqlite import SqliteStore
from support.command import Mind
from support.fakes import FixedClock
from support.histories import call, conversation, note, result, said, tool, user
from support.stores import store_at, store_talk

TOKENS = "tokenize='porter unicode61 remove_diacritics 2'"
NOW = "2024-09-01T09:00:00Z"
BOAT = (
    NewItem(id="a1", text="The boat lies in Haren", session="1", at="2024-05-01T09:00:00Z"),
    NewItem(id="a2", text="Nobody saw it", session="1", at="2024-05-01T09:01:00Z"),
    NewItem(id="b1", text="A boat needs paint", session="2", at="2024-06-01T09:00:00Z"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def keep(store: SqliteStore, *given: NewItem, agent: str = "ava") -> None:
    memory.add(store, FixedClock(), SeededChance(1), agent=agent, given=given)


def found(
    store: SqliteStore, query: str, *, agent: str = "ava", filters: Filters | None = None
) -> list[str]:
    """Return the ids of what is found, from an index that is abreast."""
    for _ in reindex.catch_up(store):
        pass
    asked = SearchRequest(agent, NOW, filters or Filters())
    (answer,) = searching.recall(store, asked, [RecallQuery(id="q", query=query)])
    return [one.candidate.ref for one in answer.found]


def test_nothing_of_another_agent_is_found_or_counted(store: SqliteStore) -> None:
    keep(store, *BOAT)
    alone = found(store, "boat in Haren")
    for number in range(30):
        keep(store, NewItem(id=f"o{number}", text="Haren, Haren, Haren"), agent="bob")
    assert found(store, "boat in Haren") == alone
    assert set(alone) == {"a1", "a2", "b1"}
    with store.searched.read() as rows:
        known = CandidateGatherer(rows, agent="ava", filters=Filters()).statistics(
            ["haren", "boat"]
        )
    assert (known.rows, known.rows_with) == (3, {"haren": 1, "boat": 2})


def test_an_index_that_was_lost_or_is_made_anew_gives_the_same_answers(store: SqliteStore) -> None:
    keep(store, *BOAT)
    keep(store, NewItem(id="x", text="A boat of bob"), agent="bob")
    before = found(store, "the boat")
    with store.searched.write() as rows:
        index.clear(rows)
    assert reindex.is_behind(store)
    assert found(store, "the boat") == before
    assert not reindex.is_behind(store)
    assert reindex.reindex(store, note_all_made_anew) == 4
    assert found(store, "the boat") == before


def test_the_index_holds_the_words_of_each_row_and_no_others(store: SqliteStore) -> None:
    given = [
        NewItem(text="It’s raining", at="2023-05-08T13:56:00Z", speaker="Mia", subject="Žofia"),
        NewItem(text="Sold", at="2024-12-31T23:59:59Z"),
        NewItem(text="So: what?", at="0999-01-01", speaker="Bob B."),
    ]
    keep(store, given[0], given[1])
    keep(store, NewItem(text="Of others"), agent="bob")
    keep(store, given[2])
    for _ in reindex.catch_up(store):
        pass
    wanted = [
        row_words(
            one.text, at=normal_instant(one.at or ""), speaker=one.speaker, subject=one.subject
        )
        for one in given
    ]
    apart = apsw.Connection(":memory:")
    apart.execute(f"CREATE VIRTUAL TABLE held USING fts5(words, {TOKENS})")
    apart.executemany("INSERT INTO held VALUES(?)", [(words,) for words in wanted])
    with store.searched.read() as rows:
        numbers = index.listed(rows, agent="ava", after=0, limit=9)
    held = words_in(store.searched.connection, "recall_text", numbers)
    assert held == words_in(apart, "held", [1, 2, 3])


def words_in(connection: apsw.Connection, table: str, rows: Sequence[int]) -> list[list[str]]:
    """Return the words of some rows of a full-text index in their order."""
    connection.execute(f"CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, {table}, instance)")
    sql = "SELECT term FROM temp.word WHERE doc = ? ORDER BY offset"
    return [[word for (word,) in connection.execute(sql, (row,))] for row in rows]


def test_an_entity_is_found_as_it_is_now_and_as_it_was_then(store: SqliteStore) -> None:
    for instant, profile in (("2024-05-01T00:00:00Z", "A ketch"), ("2024-07-01T00:00:00Z", "Sold")):
        with entity.add(store, FixedClock(), agent="ava", bad_lines=AllOrNothing()) as addition:
            addition.add([NewEntity(name="Vagabond", profile=profile, learnt=instant)])
    assert found(store, "ketch") == []
    assert found(store, "Vagabond") == ["vagabond"]
    assert found(store, "ketch", filters=Filters(as_of="2024-06-01T00:00:00Z")) == ["vagabond"]
    assert found(store, "Vagabond", filters=Filters(history=True)) == ["vagabond"] * 2


@pytest.mark.parametrize("name", ["Mia Berg", "mia berg", "Mimi", "Zoe"])
def test_an_entity_is_known_by_every_name_and_leads_to_what_was_told_around_it(
    store: SqliteStore, name: str
) -> None:
    keep(
        store,
        NewItem(id="far", text="It leaks", entities=("Vagabond",)),
        NewItem(id="told", text="She bought her in spring", at="2024-05-01T09:00:00Z"),
        NewItem(id="said", text="Off we go", speaker="Mia Berg"),
    )
    owns = Relation(type="owns", to="Vagabond", items=("told",))
    given = NewEntity(name="Mia Berg", aliases=("Mimi", "Zoë"), relations=(owns,))
    with entity.add(store, FixedClock(), agent="ava", bad_lines=AllOrNothing()) as addition:
        addition.add([given])
    assert set(found(store, f"What does {name} own?")) == {"mia-berg", "told", "said"}


def test_what_most_rows_hold_is_found_where_it_was_said_last(store: SqliteStore) -> None:
    keep(store, *(NewItem(id=f"i{number:03}", text="tea again") for number in range(200)))
    for _ in reindex.catch_up(store):
        pass
    with store.searched.read() as rows:
        effort = SearchLimits(rows=20, most=10)
        got = CandidateGatherer(rows, agent="ava", filters=Filters(), effort=effort).gather(["tea"])
    assert {"i199", "i190"} <= {one.ref for one in got.candidates}
    assert "i180" not in {one.ref for one in got.candidates}
    assert got.statistics.rows_with["tea"] == pytest.approx(200, rel=0.1)


def test_of_very_many_rows_those_with_the_rarest_words_are_found_and_then_the_newest(
    store: SqliteStore,
) -> None:
    texts = (f"tea{' at the harbour' if number == 5 else ''}" for number in range(1_100))
    keep(store, *(NewItem(id=f"i{number:04}", text=text) for number, text in enumerate(texts)))
    for _ in reindex.catch_up(store):
        pass
    with store.searched.read() as rows:
        gathering = CandidateGatherer(rows, agent="ava", filters=Filters())
        got = {one.ref for one in gathering.gather(["tea", "harbour"]).candidates}
        led = {one.ref for one in gathering.gather(["tea"], kin=["harbour"]).candidates}
    assert {"i0005", "i1099", "i0701"} <= got & led
    assert "i0500" not in got | led


def test_as_many_are_found_as_are_asked_for(store: SqliteStore) -> None:
    keep(store, *(NewItem(id=f"i{number:03}", text="tea again") for number in range(60)))
    for _ in reindex.catch_up(store):
        pass
    asked = SearchRequest("ava", NOW, limit=50, effort=SearchLimits(most=10))
    (answer,) = searching.recall(store, asked, [RecallQuery(id="q", query="tea")])
    assert len(answer.found) == 50


def mark_as_contrary(store: SqliteStore) -> None:
    """Keep an item in other words that contradicts one about the boat."""
    keep(store, *BOAT, NewItem(id="z", text="It moved to Ystad", session="9"))
    assert "z" not in found(store, "boat in Haren")
    mark = BeliefMark(relation="contradicts", old="a1", new="z", at=NOW)
    with store.write() as rows:
        rows.run(
            "INSERT INTO item_mark(agent, relation, old, new, at, by) "
            "VALUES('ava', :relation, :old, :new, :at, :by)",
            msgspec.structs.asdict(mark),
        )


def statements(store: SqliteStore, query: str) -> "list[tuple[str, apsw.Bindings | None]]":
    """Return what a search asks of the store, with its values."""
    asked: list[tuple[str, apsw.Bindings | None]] = []

    def note_down(_: apsw.Cursor, sql: str, values: "apsw.Bindings | None") -> bool:
        asked.append((sql, values))
        return True

    store.connection.exec_trace = note_down
    try:
        found(store, query)
    finally:
        store.connection.exec_trace = None
    return asked


def test_the_other_side_of_a_mark_comes_along(store: SqliteStore) -> None:
    mark_as_contrary(store)
    asked = SearchRequest("ava", NOW)
    (answer,) = searching.recall(store, asked, [RecallQuery(id="q", query="boat in Haren")])
    told = {one.ref: one for one in recall.recalled(answer)}
    assert list(told)[:2] == ["a1", "z"]
    assert told["a1"].contradicts == ("z",)
    assert told["z"].contradicts == ("a1",)


@pytest.mark.of_a_file
def test_what_comes_along_does_not_match_all_words_again(store: SqliteStore) -> None:
    mark_as_contrary(store)
    ranked = [sql for sql, _ in statements(store, "boat in Haren") if "ORDER BY rank" in sql]
    assert len(ranked) == 1


@pytest.mark.of_a_file
def test_a_search_walks_through_nothing_that_grows_with_a_life(store: SqliteStore) -> None:
    mark_as_contrary(store)
    for table in ("item_mark", "observation", "relation"):
        asked = [one for one in statements(store, "boat in Haren") if f"FROM {table} " in one[0]]
        assert asked, table
        for sql, values in asked:
            plan = store.connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)
            steps = [str(step[3]) for step in plan if f" {table} " in str(step[3])]
            walks = [one for one in steps if "SCAN" in one or one.endswith("(agent=?)")]
            assert walks == [], sql


def test_what_was_written_before_a_kill_is_found_after_it(mind_with_agent: Mind) -> None:
    program = (
        "import os, signal; from pathlib import Path\n"
        "from mindpipe.store.access import open_store\n"
        "from mindpipe.io.clock import make_clock\n"
        "from mindpipe.io.chance import make_chance\n"
        "from mindpipe.memory.verbs.memory import add\n"
        "from mindpipe.memory.records import NewItem\n"
        "store = open_store(Path('mind.db'))\n"
        "add(store, make_clock(None), make_chance(None), agent='ava', "
        "given=[NewItem(id='a1', text='The boat lies in Haren')])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = mind_with_agent.shell(f"python - <<'END'\n{program}END\n")
    assert killed.status in (-signal.SIGKILL, 128 + signal.SIGKILL)
    told = mind_with_agent("recall", "--agent", "ava", "boat")
    assert [one["ref"] for one in told.records()] == ["a1"]


def test_a_given_item_with_a_past_keeps_it(store: SqliteStore) -> None:
    keep(store, GivenItem(id="old", text="A boat", learnt=NOW, archived=NOW))
    assert found(store, "boat") == []
    assert found(store, "boat", filters=Filters(history=True)) == ["old"]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("What happened last week?", ["in2", "in1", "out"]),
        ("What did Mia say yesterday?", ["yes"]),
        ("What happened on 2024-08-21?", ["in1", "out"]),
        ("between 20 August and 23 August 2024", ["in2", "in1"]),
        ("last month", ["yes", "in2", "in1"]),
    ],
)
def test_what_is_of_the_days_that_are_asked_for_is_found_without_a_word_in_common(
    store: SqliteStore, query: str, ids: list[str]
) -> None:
    keep(
        store,
        NewItem(id="out", text="Much happened last week", at="2024-07-03T09:00:00Z"),
        NewItem(id="in1", text="The kite tore", at="2024-08-21T09:00:00Z"),
        NewItem(id="in2", text="Mended it", at="2024-08-22T09:00:00Z"),
        NewItem(id="yes", text="Rain at last", speaker="Mia", at="2024-08-31T09:00:00Z"),
    )
    assert found(store, query)[: len(ids)] == ids


def test_a_speaker_or_subject_is_meant_however_it_is_spelled(store: SqliteStore) -> None:
    keep(store, NewItem(id="m", text="A boat", speaker="Mia", subject="Boat"), NewItem(text="Boat"))
    assert found(store, "boat", filters=Filters(speaker="mia")) == ["m"]
    assert found(store, "boat", filters=Filters(subject="BOAT")) == ["m"]


def test_an_entity_is_found_by_what_it_is_related_to_until_that_ends(store: SqliteStore) -> None:
    at_harbour = Relation(type="works_at", to="Harbour Lab")
    with entity.add(store, FixedClock(), agent="ava", bad_lines=AllOrNothing()) as addition:
        addition.add([NewEntity(name="Annie", profile="A diver", relations=(at_harbour,))])
    assert found(store, "Who is at the harbour?") == ["annie"]
    ended = Relation(type="works_at", to="Harbour Lab", until="2024-01-01T00:00:00Z")
    entity.relate(store, FixedClock(), agent="ava", id="annie", relation=ended)
    assert found(store, "Who is at the harbour?") == []


def test_notes_of_the_program_and_what_was_recalled_are_no_answers(store: SqliteStore) -> None:
    store_talk(
        store,
        conversation(
            user("Where is the kite?"),
            note("The kite: nobody knows", origin="program"),
            said(call(1)),
            tool(result(1, "a kite, as recalled")),
            said(call(2, tool="look")),
            tool(result(2, "a kite in the tree")),
            said("The kite hangs there."),
        ),
    )
    refs = found(store, "kite", agent="ada")
    assert {int(ref.removeprefix("m_")) for ref in refs} & {1, 2, 4, 6, 7} == {1, 6, 7}
    refs = found(store, "kite", agent="ada", filters=Filters(history=True))
    assert {2, 4} < {int(ref.removeprefix("m_")) for ref in refs}


def test_what_a_mark_put_above_better_scores_says_so() -> None:
    def one(ref: str, score: float) -> Ranked:
        held = Candidate(
            number=1, source="item", ref=ref, place=0, kind="note", text=ref, at=NOW, learnt=NOW
        )
        return Ranked(held, score, {"words": score})

    marks = [
        BeliefMark(relation="supersedes", old="old", new="new", at=NOW),
        BeliefMark(relation="contradicts", old="old", new="other", at=NOW),
    ]
    found = [one("new", 0.3), one("other", 0.2), one("old", 0.9), one("last", 0.1)]
    answer = SearchAnswer(RecallQuery(id="q", query="x"), found, marks, {}, {})
    told = recall.hits(answer, explain=True)
    # Each score is at least that of what stands below it, and made of its signals.
    assert [hit.score for hit in told] == [0.9, 0.9, 0.9, 0.1]
    assert told[0].signals == {"words": 0.3, "its place": 0.6}
    assert told[2].signals == {"words": 0.9}
    whys = [hit.why for hit in told]
    assert whys == [
        "words, put above what it replaced",
        "words, put beside its other side",
        "words",
        "words",
    ]
    assert [told.why for told in recall.recalled(answer)] == whys
