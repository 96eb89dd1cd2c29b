"""Files come into a history whole or not at all, and what is in it can be judged and written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.core.errors import BadInputError, NothingToDoError, TemporaryError, UsageError
from mindpipe.core.messages import Conversation, Head, ThinkingPart
from mindpipe.history.adoption import ForeignDocument
from mindpipe.history.records import ExportWanted, ImportReceipt
from mindpipe.history.verbs import cycles, history, log
from mindpipe.history.verbs import log as segments
from mindpipe.history.verbs.history import ChainWalk, check_log, export, import_
from mindpipe.history.verbs.log import window
from mindpipe.providers.records import ImportOptions, Loss
from mindpipe.store.sqlite import SqliteStore
from mindpipe.validator.records import Question
from support.fakes import FixedClock
from support.foreign_documents import read_file
from support.histories import conversation, raw_of, said, sha256, user
from support.stores import WordTokens, open_segment, store_at, store_talk

CLOCK = FixedClock()
CHAT = {
    "messages": [
        {"role": "system", "content": "You are Ava."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
    ]
}
RAW = (
    b'{"content":[{"type":"thinking","thinking":"Hm.","signature":"E"},{"type":"text","text":"Y"}]}'
)
THOUGHT = conversation(
    user("Well?"),
    said(ThinkingPart(text="Hm."), "Y", raw=raw_of(RAW), origin="model"),
    head=Head(system="You are Ada."),
    blobs=[RAW],
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def take(store: SqliteStore, *documents: object, name: str = "talk") -> list[ImportReceipt]:
    lines = "\n".join(json.dumps(one) for one in documents)
    options = ImportOptions(agent="ada", name=name, at=CLOCK.now())
    foreign = ForeignDocument(octets=lines.encode(), format="openai-chat", options=options)
    return import_(store, CLOCK, WordTokens(), foreign=foreign, file=read_file())


def written(store: SqliteStore, format: str, **wanted: object) -> bytes:
    found = export(store, agent="ada", wanted=ExportWanted(format=format, **wanted))
    return b"".join(found.chunks())


def rules(store: SqliteStore, format: str | None = None) -> list[str]:
    return [one.rule for one in check_log(store, agent="ada", question=Question(format=format))]


def test_each_conversation_has_a_segment_and_cycles(store: SqliteStore) -> None:
    first, second = take(store, CHAT, CHAT)
    assert (first.segment, first.first_cycle, first.last_seq) == (1, 1, 2)
    assert (second.segment, second.first_cycle, second.last_seq) == (2, 2, 4)
    segment = segments.current_segment(store, agent="ada")
    assert segment is not None
    assert (segment.head.system, segment.first_cycle, segment.raw_from_cycle) == (
        "You are Ava.",
        1,
        2,
    )
    lived = [(one.cycle, one.outcome, one.trigger) for one in cycles.cycles(store, agent="ada")]
    assert lived == [(1, "imported", "import of talk"), (2, "imported", "import of talk")]
    assert len(window(store, agent="ada").messages) == 4
    assert rules(store) == []
    assert list(ChainWalk(store, agent="ada").broken()) == []


def test_a_file_is_taken_once(store: SqliteStore) -> None:
    (first,) = take(store, CHAT)
    (again,) = take(store, CHAT, name="elsewhere")
    assert (again.id, again.duplicate, again.last_seq) == (first.id, True, 2)
    assert log.log_head(store, agent="ada").seq == 2


def test_one_bad_conversation_refuses_the_file(store: SqliteStore) -> None:
    bad = {"messages": [{"role": "tool", "tool_call_id": "x", "content": "y"}]}
    with pytest.raises(BadInputError, match=r"talk:2: .*orphan_result"):
        take(store, CHAT, bad)
    assert log.log_head(store, agent="ada").seq == 0
    assert list(cycles.cycles(store, agent="ada")) == []


def test_a_conversation_without_messages_comes_back_too(store: SqliteStore) -> None:
    (empty,) = take(store, {"model": "m", "messages": []})
    assert (empty.segment, empty.first_seq, empty.last_seq) == (0, 1, 0)
    assert json.loads(written(store, "openai-chat")) == {"model": "m", "messages": []}
    with pytest.raises(NothingToDoError):
        written(store, "anthropic")
    (first,) = take(store, CHAT)
    assert (first.repeats, first.first_seq, first.first_cycle) == (None, 1, 1)


def test_nothing_comes_between_the_turns_of_a_cycle(store: SqliteStore) -> None:
    cycles.open_cycle(store, CLOCK, agent="ada", trigger="test", events=(), model="m")
    with pytest.raises(TemporaryError, match="ada is in the middle of a cycle"):
        take(store, CHAT)


def test_what_was_summarised_stays_so(store: SqliteStore) -> None:
    store_talk(store, THOUGHT)
    store_talk_behind = open_segment(store, head=Head(system="", summary="Earlier."), first_cycle=2)
    assert store_talk_behind == 2
    take(store, CHAT)
    segment = segments.current_segment(store, agent="ada")
    assert segment is not None
    assert (segment.head.summary, segment.first_cycle, segment.raw_from_cycle) == ("Earlier.", 2, 2)
    assert rules(store) == []


def test_a_history_of_one_file_comes_back_as_it_was(store: SqliteStore) -> None:
    take(store, CHAT, CHAT)
    lines = written(store, "openai-chat").splitlines()
    assert [json.loads(line) for line in lines] == [CHAT, CHAT]
    assert "talk" not in written(store, "openai-chat", render=True).decode()
    assert len(json.loads(written(store, "openai-chat", render=True))["messages"]) == 5


def test_a_history_of_two_files_is_written_anew(store: SqliteStore) -> None:
    (first,) = take(store, CHAT)
    take(store, {"messages": CHAT["messages"][1:]})
    assert len(json.loads(written(store, "openai-chat"))["messages"]) == 4
    assert json.loads(written(store, "openai-chat", document=first.id)) == CHAT
    with pytest.raises(UsageError, match="ada has no import i_1 of openai-chat"):
        written(store, "openai-chat", document="i_1")
    with pytest.raises(UsageError, match="of anthropic"):
        written(store, "anthropic", document=first.id)


def test_losses_are_counted_and_told(store: SqliteStore) -> None:
    store_talk(store, THOUGHT)
    heard: list[Loss] = []
    found = export(
        store, agent="ada", wanted=ExportWanted(format="openai-chat"), listen=heard.append
    )
    assert found.counts() == []
    b"".join(found.chunks())
    assert [(one.part, one.times) for one in found.counts()] == [("thinking", 1)]
    assert [one.part for one in heard] == ["thinking"]


def test_there_may_be_nothing_to_write_or_to_judge(store: SqliteStore) -> None:
    with pytest.raises(NothingToDoError, match=r"ada has no history\."):
        written(store, "anthropic")
    with pytest.raises(NothingToDoError, match="ada has no history to check"):
        rules(store)
    take(store, CHAT)
    with pytest.raises(UsageError, match="no cycle 9"):
        written(store, "anthropic", cycle=9)


@pytest.mark.parametrize("format", [None, "anthropic", "openai-chat", "openai-responses", "ai-sdk"])
def test_a_sound_history_is_sound_everywhere(store: SqliteStore, format: str | None) -> None:
    store_talk(store, THOUGHT)
    assert rules(store, format) == []


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("UPDATE message SET seq=9 WHERE seq=2", "H1"),
        ('UPDATE message SET parts=\'[{"type":"text","text":" "}]\' WHERE seq=1', "H7"),
        ("UPDATE message SET raw=NULL WHERE seq=2", "H9"),
        (f"DELETE FROM blob WHERE sha256='{sha256(RAW)}'", "H9"),
        (f"UPDATE blob SET octets=x'00' WHERE sha256='{sha256(RAW)}'", "H9"),
        ("UPDATE message SET segment=7 WHERE seq=2", "H11"),
        ("UPDATE segment SET first_cycle=2", "H12"),
    ],
)
@pytest.mark.of_a_file
def test_a_history_that_was_changed_is_named(store: SqliteStore, change: str, rule: str) -> None:
    store_talk(store, THOUGHT)
    for (name,) in store.connection.execute("SELECT name FROM sqlite_schema WHERE type='trigger'"):
        store.connection.execute(f"DROP TRIGGER {name}")
    store.connection.execute(change)
    assert rule in rules(store)


def test_an_api_may_refuse_what_is_sound_as_rows(store: SqliteStore) -> None:
    spaced = said("Yes. ", raw=raw_of(b'{"content":"Yes. "}'), origin="model")
    talk = conversation(user("Well?"), spaced)
    store_talk(store, Conversation(head=talk.head, messages=talk.messages))
    question = Question(format="anthropic", model="claude-3-haiku", kind="request")
    found = [one.rule for one in check_log(store, agent="ada", question=question)]
    assert "A14" in found


def test_rows_of_the_log_are_the_mindpipe_form(store: SqliteStore) -> None:
    given = store_talk(store, THOUGHT)
    lines = written(store, "mindpipe").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [one.id for one in given]
    assert list(history.messages(store, agent="ada")) == given
