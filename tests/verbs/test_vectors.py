"""What can be recalled gets its vectors once, each model's apart, and is found by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from mindpipe.core.errors import MindError, UnavailableError
from mindpipe.io.chance import SeededChance
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.recall.records import Embedded, Filters
from mindpipe.recall.tables import index
from mindpipe.recall.tables import vectors as tables
from mindpipe.recall.vectors import vectors_of
from mindpipe.recall.verbs import embed as embedding
from mindpipe.recall.verbs import reindex
from mindpipe.recall.verbs.embed import meant, models_in, vectors_in
from mindpipe.recall.verbs.recall import seconds_of_a_search
from mindpipe.store.changes import note_all_made_anew
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock, WordEmbedder
from support.stores import store_at

TEXTS = ("a hotel in Tokyo", "green tea", "the boat needs a new chain", "a recipe for bread")


@dataclass
class Other(WordEmbedder):
    """Another model: its vectors have another size than those of `words`."""

    title: str = "other"
    size: int = 32

    @property
    def name(self) -> str:
        return self.title

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        return [vector[: self.size] for vector in super().vectors(texts)]


@dataclass
class Scattered:
    """A model whose vectors are drawn anew for each text that it has not seen."""

    name: str = "scattered"
    seen: dict[str, list[float]] = field(default_factory=dict)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        chance = np.random.default_rng(len(self.seen))
        for text in texts:
            if text not in self.seen:
                self.seen[text] = chance.normal(size=64).tolist()
        return [self.seen[text] for text in texts]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = store_at(tmp_path / "mind.db")
    yield opened
    opened.close()


def add(store: SqliteStore, *texts: str, agent: str = "ava") -> None:
    given = [NewItem(text=text, id=f"{agent}-{text[:40]}-{len(text)}") for text in texts]
    memory.add(store, FixedClock(), SeededChance(1), agent=agent, given=given)
    assert sum(reindex.catch_up(store)) == len(texts)


def embed(
    store: SqliteStore, embedder: WordEmbedder | Scattered, *, agent: str = "ava"
) -> Embedded:
    *_, done = embedding.embed(store, embedder, agent=agent)
    return done


def nearest(
    store: SqliteStore, embedder: WordEmbedder | Scattered, text: str, *, most: int = 10
) -> dict[str, float]:
    """Return the texts that are nearest, and how near each is."""
    with store.searched.read() as rows:
        found = vectors_in(rows, embedder.name, agent="ava")
        assert found is not None
        question = vectors_of(embedder, [text])[0]
        near = found.nearest(question, most=most)
        assert found.cosines(question, list(near)) == pytest.approx(near)
        shown = {
            one.number: one.text for one in index.shown(rows, near, agent="ava", filters=Filters())
        }
    return {shown[number]: cosine for number, cosine in near.items()}


def test_the_nearest_come_first_with_their_cosine(store: SqliteStore) -> None:
    add(store, *TEXTS)
    assert embed(store, WordEmbedder()) == Embedded(
        agent="ava", model="words", entries=4, vectors=4
    )
    found = nearest(store, WordEmbedder(), "green tea", most=2)
    assert next(iter(found.items())) == ("green tea", pytest.approx(1.0, abs=1e-3))
    assert len(found) == 2


def test_what_has_vectors_is_never_embedded_again(store: SqliteStore) -> None:
    embedder = WordEmbedder()
    add(store, *TEXTS[:2])
    embed(store, embedder)
    add(store, *TEXTS[2:])
    assert embed(store, embedder) == Embedded(
        agent="ava", model="words", entries=2, vectors=2, known=2
    )
    reindex.reindex(store, note_all_made_anew)
    assert embed(store, embedder).known == 4
    assert embedder.asked == list(TEXTS)


def test_a_long_text_is_as_near_as_its_best_piece(store: SqliteStore) -> None:
    long = " ".join([*["nothing at all."] * 100, "green tea", *["nothing more."] * 100])
    add(store, "sencha", long)
    done = embed(store, WordEmbedder())
    assert (done.entries, done.vectors) == (2, 5)
    assert next(iter(nearest(store, WordEmbedder(), "green tea"))) == long


def test_two_models_never_mix(store: SqliteStore) -> None:
    add(store, *TEXTS)
    embed(store, WordEmbedder())
    with store.searched.read() as rows:
        assert vectors_in(rows, "other", agent="ava") is None
    embed(store, Other())
    with store.searched.read() as rows:
        assert models_in(rows, agent="ava") == ["words", "other"]
        sizes = [vectors_in(rows, name, agent="ava").size for name in ("words", "other")]
    assert sizes == [64, 32]
    for embedder in (WordEmbedder(), Other()):
        assert next(iter(nearest(store, embedder, TEXTS[2]))) == TEXTS[2]


def test_a_question_to_a_model_without_vectors_says_so_and_does_not_ask_it(
    store: SqliteStore,
) -> None:
    add(store, *TEXTS)
    embed(store, WordEmbedder())
    other = Other()
    with store.searched.read() as rows, pytest.raises(UnavailableError) as caught:
        meant(rows, other, ["tea"], agent="ava", clock=FixedClock())
    assert str(caught.value) == (
        "ava has no vectors of other, but of words. Run mind recall embed."
    )
    with (
        store.searched.read() as rows,
        pytest.raises(UnavailableError, match=r"bo has no vectors of words\. "),
    ):
        meant(rows, WordEmbedder(), ["tea"], agent="bo", clock=FixedClock())
    assert other.asked == []


def test_vectors_of_another_size_are_refused_in_one_line_and_nothing_is_kept(
    store: SqliteStore,
) -> None:
    add(store, *TEXTS[:2])
    embed(store, WordEmbedder())
    add(store, *TEXTS[2:])
    changed = Other(title="words")
    with pytest.raises(UnavailableError) as caught:
        embed(store, changed)
    line = "the embedding model words cannot be used: it gives vectors of 32 numbers, and those"
    assert str(caught.value) == f"{line} kept have 64."
    with (
        store.searched.read() as rows,
        pytest.raises(UnavailableError, match="and those kept have 64"),
    ):
        meant(rows, changed, ["tea"], agent="ava", clock=FixedClock())
    assert embed(store, WordEmbedder()).known == 2


def test_the_schema_refuses_a_vector_of_another_size(store: SqliteStore) -> None:
    with store.searched.write() as rows:
        model = tables.keep_model(rows, "words", 64).number
        tables.keep(rows, model, [tables.Pieces(entry=1, halves=b"x" * 256)])
    with pytest.raises(MindError, match="another size"), store.searched.write() as rows:
        tables.keep(rows, model, [tables.Pieces(entry=2, halves=b"x" * 64)])


def test_one_agent_does_not_find_what_another_has(store: SqliteStore) -> None:
    add(store, *TEXTS[:2])
    add(store, *TEXTS, agent="bo")
    embed(store, WordEmbedder(), agent="bo")
    embed(store, WordEmbedder())
    assert set(nearest(store, WordEmbedder(), TEXTS[2])) == set(TEXTS[:2])


def test_what_is_retracted_is_not_embedded(store: SqliteStore) -> None:
    add(store, *TEXTS)
    with store.searched.write() as rows:
        rows.run("UPDATE memory_item SET retracted = at WHERE text = 'green tea'")
    embedder = WordEmbedder()
    assert embed(store, embedder).entries == 3
    assert "green tea" not in embedder.asked


def test_what_was_kept_before_an_end_in_the_midst_stays(store: SqliteStore) -> None:
    add(store, *(f"text {number}" for number in range(150)))
    embedder = WordEmbedder()
    steps = embedding.embed(store, embedder, agent="ava")
    assert [next(steps).entries for _ in range(2)] == [0, 64]
    steps.close()
    assert embed(store, embedder) == Embedded(
        agent="ava", model="words", entries=86, vectors=86, known=64
    )
    assert len(embedder.asked) == 150


def test_a_model_that_ends_in_the_midst_costs_no_more_than_what_it_was_asked(
    store: SqliteStore,
) -> None:
    add(store, *(f"text {number}" for number in range(100)))
    embedder = WordEmbedder()
    with pytest.raises(UnavailableError, match="not there"):
        for done in embedding.embed(store, embedder, agent="ava"):
            embedder.there = done.entries == 0
    embedder.there = True
    assert embed(store, embedder).known == 64


def test_blocks_and_what_is_in_none_find_what_a_look_at_all_finds(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "BLOCK", 300)
    embedder = Scattered()
    texts = [f"text {number}" for number in range(1000)]
    add(store, *texts)
    embed(store, embedder)
    with store.searched.read() as rows:
        model = tables.model_named(rows, "scattered")
        span = index.span_of(index.agent_number(rows, "ava"))._asdict()
        blocks = list(tables.blocks(rows, model.number, **span))
        assert [len(block.entries) // 8 for block in blocks] == [320, 320, 320]
        assert tables.count_loose(rows, model.number, **span) == 40
    every = vectors_of(embedder, texts)
    for text in texts[::97]:
        question = vectors_of(embedder, [text])[0]
        order = np.argsort(-(every @ question))[:10].tolist()
        assert list(nearest(store, embedder, text)) == [texts[number] for number in order]


def test_a_search_is_measured_only_where_there_are_vectors(store: SqliteStore) -> None:
    clock = FixedClock()
    assert seconds_of_a_search(store, clock, agent="ava") is None
    add(store, *TEXTS)
    assert seconds_of_a_search(store, clock, agent="ava") is None
    embed(store, WordEmbedder())
    assert seconds_of_a_search(store, clock, agent="ava") == 0.0
    assert seconds_of_a_search(store, clock, agent="bea") is None
