"""What any of the words of a question find in a log, for one question or for many."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindpipe.history.records import GivenQuery
from mindpipe.history.verbs.history import search, search_each
from mindpipe.store.sqlite import SqliteStore
from support.histories import conversation, said, user
from support.stores import store_at, store_talk

TALK = conversation(
    user("Did you find somewhere to sleep in Tokyo?"),
    said("The Sunroute, near the station."),
    user("How is your mother?"),
    said("She is painting again."),
    *[user("Let us talk."), said("About what?")] * 9,
    user("Which room did you paint?"),
    said("The kitchen."),
    user("Sleep at the station!"),
    said("Poor you."),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    store_talk(opened, TALK)
    yield opened
    opened.close()


def found(store: SqliteStore, query: str, *, agent: str = "ada", limit: int = 20) -> list[int]:
    hits = search(store, agent=agent, query=query, limit=limit, words="any")
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.seq for hit in hits]


def test_a_question_finds_what_holds_any_of_its_words(store: SqliteStore) -> None:
    assert search(store, agent="ada", query="What does she paint?") == []
    assert found(store, "What does she paint?") == [4, 23]
    assert found(store, "What does she paint?", limit=1) == [4]
    assert found(store, "How is it?")[0] == 3
    assert found(store, "?") == []


def test_what_is_said_beside_a_message_counts_for_it(store: SqliteStore) -> None:
    assert found(store, "station sleep") == [25, 2, 1]
    assert found(store, "station sleep Tokyo") == [1, 25, 2]


def test_other_agents_are_neither_found_nor_counted(store: SqliteStore) -> None:
    lonely = conversation(user("Where is the station?"), said("Far from Tokyo."))
    store_talk(store, lonely, agent="eve")
    assert found(store, "station Tokyo", agent="eve") == [2, 1]
    assert found(store, "station Tokyo") == [2, 1, 25]
    assert found(store, "station Tokyo", agent="nobody") == []


def test_many_queries_are_answered_in_their_order_with_ranks(store: SqliteStore) -> None:
    queries = [GivenQuery(id="b", query="kitchen"), GivenQuery(id="a", query="no such thing")]
    queries += [GivenQuery(id="b2", query="station sleep")]
    for words, seqs in (("any", [24, 25, 2]), ("all", [24, 25])):
        hits = list(search_each(store, agent="ada", queries=queries, limit=2, words=words))
        assert [hit.seq for hit in hits] == seqs
        assert [(hit.query, hit.rank) for hit in hits] == [("b", 1), ("b2", 1), ("b2", 2)][
            : len(hits)
        ]
        assert all(hit.ref == f"m_{hit.seq:022}" for hit in hits)
