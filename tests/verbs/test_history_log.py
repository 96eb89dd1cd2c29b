"""The log takes whole turns, in order, once; its window touches nothing that is older."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.core.errors import IllegalStateError, MindError, NothingToDoError, UsageError
from mindpipe.core.messages import FilePart, Head, Message
from mindpipe.history import tables
from mindpipe.history.records import CycleEnd, CycleOutcome, CycleState, LogHead
from mindpipe.history.verbs import cycles, history, log
from mindpipe.history.verbs import history as show
from mindpipe.history.verbs import log as blobs
from mindpipe.history.verbs import log as segments
from mindpipe.history.verbs.log import window
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock
from support.histories import call, conversation, note, raw_of, result, said, tool, user
from support.stores import WordTokens, add, open_segment, past_cycle, store_at, store_talk

CLOCK = FixedClock()
RAW = b'{"content":[]}'
TALK = conversation(
    user("Hello Ada"),
    note("It is late."),
    said("I look.", call(1, {"query": "hotel"})),
    tool(result(1, "Hotel Sunroute Plaza")),
    said("Found one.", raw=raw_of(RAW), origin="model"),
    user("Thanks"),
    said("Done."),
    blobs=[RAW],
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def rows_of(store: SqliteStore) -> list[tuple[object, ...]]:
    with store.read() as rows:
        return list(rows.each(tuple, "SELECT * FROM message ORDER BY number"))


def test_messages_come_back_as_they_were_given(store: SqliteStore) -> None:
    given = store_talk(store, TALK)
    assert list(show.messages(store, agent="ada")) == given
    assert list(show.messages(store, agent="ada", since=3, until=5)) == given[2:5]
    assert list(show.show(store, agent="ada", cycle=2)) == given[5:]
    assert list(show.show(store, agent="ada", limit=2)) == given[-2:]
    assert list(show.show(store, agent="ada", cycle=1, limit=2)) == given[3:5]
    assert list(show.show(store, agent="eve")) == []
    with pytest.raises(UsageError, match="ada has no cycle 9"):
        show.show(store, agent="ada", cycle=9)


def test_pages_join(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "PAGE", 3)
    given = store_talk(store, TALK)
    assert list(show.messages(store, agent="ada")) == given
    assert list(show.messages(store, agent="ada", since=2, until=4)) == given[1:4]


def test_the_head_says_where_the_log_ends(store: SqliteStore) -> None:
    assert log.log_head(store, agent="ada") == LogHead(agent="ada")
    store_talk(store, TALK)
    head = log.log_head(store, agent="ada")
    assert (head.seq, head.segment, head.cycle, head.turn, head.answered) == (7, 1, 2, 1, 1)
    assert head.role is TALK.messages[-1].role


def test_tokens_are_counted_once_and_kept_with_their_counter(store: SqliteStore) -> None:
    store_talk(store, TALK)
    with store.read() as rows:
        counted = list(rows.each(tuple, "SELECT tokens, tokenizer FROM message ORDER BY number"))
    assert counted == [(n, "words") for n in (2, 3, 5, 3, 2, 1, 1)]
    found = cycles.cycles_tokens(store, agent="ada", since_cycle=1)
    assert [(one.cycle, one.tokens) for one in found] == [(1, 15), (2, 2)]
    assert [one.cycle for one in cycles.cycles_tokens(store, agent="ada", since_cycle=2)] == [2]


def test_logs_of_agents_are_apart(store: SqliteStore) -> None:
    store_talk(store, TALK)
    store_talk(store, TALK, agent="eve")
    assert log.log_head(store, agent="eve").seq == 7
    assert log.log_head(store, agent="eve").sha256 != log.log_head(store, agent="ada").sha256


def renumbered(store: SqliteStore, *messages: Message) -> list[Message]:
    """Return messages of a further cycle behind the log's end."""
    seq, cycle = log.log_head(store, agent="ada").seq, log.log_head(store, agent="ada").cycle
    return [
        msgspec.structs.replace(
            one, id=f"m_{seq + n}", seq=seq + n, cycle=cycle + 1, turn=one.turn, segment=1
        )
        for n, one in enumerate(conversation(*messages).messages, 1)
    ]


def test_what_may_not_follow_is_refused_and_leaves_nothing(store: SqliteStore) -> None:
    store_talk(store, TALK)
    before = rows_of(store)
    broken = renumbered(store, user("And?"), said(call(2, {})))
    with pytest.raises(IllegalStateError, match="H3: message 9: calls are not answered"):
        add(store, broken)
    assert rows_of(store) == before


def test_a_call_id_is_used_once_in_an_agents_life(store: SqliteStore) -> None:
    store_talk(store, TALK)
    again = renumbered(store, user("And?"), said(call(1, {})), tool(result(1, "x")), said("Yes."))
    with pytest.raises(IllegalStateError, match=r"H5: the call id c_0+1 is in the log already"):
        add(store, again)


def test_messages_want_the_newest_segment(store: SqliteStore) -> None:
    store_talk(store, TALK)
    open_segment(store)
    with pytest.raises(IllegalStateError, match="H11: message 8"):
        add(store, renumbered(store, user("And?"), said("Yes.")))


def test_messages_want_an_open_cycle(store: SqliteStore) -> None:
    open_segment(store)
    with pytest.raises(IllegalStateError, match="H10: cycle 1 of ada is not open"):
        log.append(store, WordTokens(), messages=TALK.messages)
    with store.write() as rows:
        closed = msgspec.structs.replace(past_cycle("ada", 1), outcome=CycleOutcome.DONE)
        tables.insert_cycle(rows, closed)
    with pytest.raises(IllegalStateError, match="H10"):
        log.append(store, WordTokens(), messages=TALK.messages[:5])


def test_an_append_is_part_of_the_callers_transaction(store: SqliteStore) -> None:
    with pytest.raises(ZeroDivisionError), store.write():
        store_talk(store, TALK)
        raise ZeroDivisionError
    assert rows_of(store) == []
    assert history.search(store, agent="ada", query="hotel") == []


@pytest.mark.parametrize("table", ["message", "segment", "call_id"])
@pytest.mark.parametrize("change", ["UPDATE {} SET agent='eve'", "DELETE FROM {}"])
def test_rows_are_only_ever_added(store: SqliteStore, table: str, change: str) -> None:
    store_talk(store, TALK)
    with pytest.raises(MindError, match="are only ever added"), store.write() as rows:
        rows.run(change.format(table))


def test_words_are_found_the_best_first(store: SqliteStore) -> None:
    store_talk(store, TALK)
    found = history.search(store, agent="ada", query="hotel")
    assert [one.seq for one in found] == [3, 4] or [one.seq for one in found] == [4, 3]
    assert found[0].score >= found[1].score
    (only,) = history.search(store, agent="ada", query='"sunroute plaza"')
    assert (only.seq, only.cycle, only.excerpt) == (4, 1, "Hotel Sunroute Plaza")
    assert history.search(store, agent="eve", query="hotel") == []
    assert history.search(store, agent="ada", query="?") == []
    assert len(history.search(store, agent="ada", query="hotel", limit=1)) == 1


def test_a_window_begins_with_its_segments_first_cycle(store: SqliteStore) -> None:
    given = store_talk(store, TALK)
    whole = window(store, agent="ada")
    assert whole.messages == tuple(given)
    assert (whole.tokens, whole.blobs) == (17, TALK.blobs)
    assert whole.head == TALK.head
    open_segment(store, head=Head(system="Anew."), first_cycle=2)
    part = window(store, agent="ada")
    assert part.messages == tuple(given[5:])
    assert (part.tokens, part.blobs, part.head.system) == (2, {}, "Anew.")


@pytest.mark.of_a_file
def test_a_window_reads_nothing_older(store: SqliteStore) -> None:
    given = store_talk(store, TALK)
    open_segment(store, first_cycle=2)
    store.connection.execute("DROP TRIGGER message_UPDATE")
    store.connection.execute("UPDATE message SET parts='no JSON' WHERE cycle=1")
    assert window(store, agent="ada").messages == tuple(given[5:])


def test_a_window_has_raw_of_the_newest_and_files_are_read_when_rendered(
    store: SqliteStore,
) -> None:
    picture = b"\x89PNG"
    sha256 = blobs.put_blob(store, octets=picture)
    file = FilePart(sha256=sha256, media_type="image/png", name="a.png")
    reply = said("Nice.", raw=raw_of(RAW), origin="model")
    given = store_talk(store, conversation(user(file), reply, blobs=[RAW]))
    held = window(store, agent="ada").blobs
    assert set(held.values()) == {RAW}
    rendered = blobs.StoredBlobs(store, held=held)
    assert [rendered.get(one) for one in (sha256, *held, "0" * 64)] == [picture, RAW, None]
    segment = segments.current_segment(store, agent="ada")
    assert segment is not None
    new = {"head": segment.head, "target": segment.target, "first_cycle": 1, "reason": "test"}
    segments.open_segment(store, CLOCK, agent="ada", new=new_segment(raw_from_cycle=2, **new))
    kept = window(store, agent="ada")
    assert kept.messages == tuple(given)
    assert not kept.blobs


def new_segment(**fields: object) -> segments.NewSegment:
    return msgspec.convert(fields, segments.NewSegment)


def test_no_window_before_the_first_segment(store: SqliteStore) -> None:
    with pytest.raises(NothingToDoError, match="ada has no history yet"):
        window(store, agent="ada")


def test_blobs_are_kept_once(store: SqliteStore) -> None:
    first, second = blobs.put_blobs(store, octets=[b"x", b"x"])
    assert first == second
    assert blobs.blobs(store, shas=[first, "0" * 64]) == {first: b"x"}
    view = blobs.StoredBlobs(store)
    assert (view.get(first), view.get("0" * 64)) == (b"x", None)


def opened(store: SqliteStore) -> int:
    return cycles.open_cycle(store, CLOCK, agent="ada", trigger="test", events=("e_1",), model="m")


def test_one_cycle_is_open_at_a_time(store: SqliteStore) -> None:
    number = opened(store)
    with pytest.raises(IllegalStateError, match="cycle 1 of ada is still open"):
        opened(store)
    cycles.update_cycle(store, agent="ada", cycle=number, epoch=7, events=("e_1", "e_2"))
    left = cycles.open_one(store, agent="ada")
    assert left is not None
    assert (left.epoch, left.events, left.model) == (7, ("e_1", "e_2"), "m")
    end = CycleEnd(outcome=CycleOutcome.SKIPPED, cost_micros=5)
    cycles.close_cycle(store, CLOCK, agent="ada", cycle=number, end=end)
    assert cycles.open_one(store, agent="ada") is None
    assert opened(store) == 2
    (first, second) = cycles.cycles(store, agent="ada")
    assert (first.state, first.outcome, first.cost_micros) == (CycleState.CLOSED, "skipped", 5)
    assert first.closed == CLOCK.now()
    assert list(history.cycles(store, agent="ada", limit=1)) == [second]
    assert list(history.cycles(store, agent="ada", limit=None)) == [first, second]


@pytest.mark.parametrize("outcome", list(CycleOutcome))
def test_a_cycle_ends_once(store: SqliteStore, outcome: CycleOutcome) -> None:
    open_segment(store)
    number = opened(store)
    said_here = [*TALK.messages[:2], said("Fine.")]
    log.append(store, WordTokens(), messages=conversation(*said_here).messages)
    cycles.close_cycle(store, CLOCK, agent="ada", cycle=number, end=CycleEnd(outcome=outcome))
    with pytest.raises(IllegalStateError, match="CycleState cannot go"):
        cycles.close_cycle(store, CLOCK, agent="ada", cycle=number, end=CycleEnd(outcome=outcome))
    with pytest.raises(IllegalStateError, match="CycleState cannot go"):
        cycles.update_cycle(store, agent="ada", cycle=number, epoch=2)


def test_a_cycle_ends_only_with_an_assistant_message(store: SqliteStore) -> None:
    open_segment(store)
    number = opened(store)
    log.append(store, WordTokens(), messages=TALK.messages[:4])
    with pytest.raises(IllegalStateError, match="H6: cycle 1 of ada ends with a tool message"):
        cycles.close_cycle(
            store, CLOCK, agent="ada", cycle=number, end=CycleEnd(outcome=CycleOutcome.STOPPED)
        )


def test_a_cycle_that_left_nothing_is_not_done(store: SqliteStore) -> None:
    number = opened(store)
    with pytest.raises(IllegalStateError, match="left no message"):
        cycles.close_cycle(
            store, CLOCK, agent="ada", cycle=number, end=CycleEnd(outcome=CycleOutcome.DONE)
        )


def test_there_is_no_such_cycle(store: SqliteStore) -> None:
    with pytest.raises(IllegalStateError, match="ada has no cycle 3"):
        cycles.update_cycle(store, agent="ada", cycle=3, epoch=1)
    assert cycles.find(store, agent="ada", cycle=3) is None


def test_cycle_states_know_their_successors() -> None:
    pairs = {(one, other) for one in CycleState for other in one.successors()}
    assert pairs == {(CycleState.OPEN, other) for other in CycleState}
