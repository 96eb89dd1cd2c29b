"""What every Embedder does, the fake included, and what the adapter says when it cannot."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mindpipe.core.errors import UnavailableError
from mindpipe.core.ports import Embedder
from mindpipe.providers.embeddings import OpenAIEmbeddings
from mindpipe.providers.http import CallLimits
from mindpipe.providers.local_embeddings import LocalEmbeddings
from support.fakes import FixedClock, WordEmbedder
from support.local_models import minilm, small_model
from support.loopback.asking import KEY
from support.loopback.embeddings import Embeddings
from support.loopback.embeddings import embeddings as embeddings

TEXTS = ("a hotel in Tokyo", "the hotel in Tokyo", "green tea", "", " \n", "half \ud800", "é" * 900)


def adapter(server: Embeddings, **more: object) -> OpenAIEmbeddings:
    given = {"api_key": KEY, "clock": FixedClock(), "base_url": server.base_url, **more}
    return OpenAIEmbeddings("text-embedding-3-small", **given)


@pytest.fixture(params=["fake", "openai", "local", pytest.param("minilm", marks=pytest.mark.embed)])
def embedder(request: pytest.FixtureRequest, embeddings: Embeddings, tmp_path: Path) -> Embedder:
    if request.param == "openai":
        return adapter(embeddings)
    if request.param == "minilm":
        return minilm()
    if request.param == "local":
        return LocalEmbeddings(small_model(tmp_path), name="local/words")
    return WordEmbedder()


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / (math.hypot(*one) * math.hypot(*other))


def test_it_has_a_name(embedder: Embedder) -> None:
    assert embedder.name


def test_there_is_one_vector_for_each_text_all_of_one_length(embedder: Embedder) -> None:
    found = embedder.vectors(TEXTS)
    assert len(found) == len(TEXTS)
    assert len({len(vector) for vector in found}) == 1
    assert all(math.isfinite(number) for vector in found for number in vector)
    assert embedder.vectors([]) == []


def test_near_texts_have_near_vectors_in_the_order_of_the_texts(embedder: Embedder) -> None:
    one, same, other = embedder.vectors(TEXTS[:3])
    assert cosine(one, same) > cosine(one, other)
    again = embedder.vectors([TEXTS[2], TEXTS[0]])
    assert [pytest.approx(vector, abs=1e-6) for vector in again] == [other, one]


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Embedder) -> None:
    together = embedder.vectors(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        (alone,) = embedder.vectors([text])
        assert alone == pytest.approx(vector, abs=1e-6)


def test_many_texts_are_asked_for_in_batches(embeddings: Embeddings) -> None:
    texts = [f"text {number}" for number in range(300)] + ["x" * 150_000, "y" * 150_000]
    found = adapter(embeddings).vectors(texts)
    assert found == WordEmbedder().vectors(texts)
    sizes = [len(request["input"]) for request in embeddings.requests]
    assert sizes == [256, 45, 1]
    assert {request["model"] for request in embeddings.requests} == {"text-embedding-3-small"}
    assert set(embeddings.keys) == {f"Bearer {KEY}"}


def test_a_server_of_ones_own_needs_no_key(embeddings: Embeddings) -> None:
    assert adapter(embeddings, api_key=None).vectors(["tea"]) == WordEmbedder().vectors(["tea"])


ONE = b'{"data": [{"index": 0, "embedding": [1.0, 2.0]}]}'
SHORT = CallLimits(reply_bytes=60)


@pytest.mark.parametrize(
    ("status", "octets", "why"),
    [
        (500, b"{}", "500"),
        (401, b'{"error": {"message": "Incorrect API key sk-ant-test-0123456789abcdef"}}', "401"),
        (429, b'{"error": {"message": "Slow down"}}', "Slow down"),
        (200, b"", "holds no vectors"),
        (200, b'{"data": []}', "0 vectors came for 2 texts"),
        (200, ONE, "1 vectors came for 2 texts"),
        (200, ONE.replace(b"]}]", b"]}, {} ]"), "holds no vectors"),
        (200, ONE.replace(b"1.0", b"NaN"), "holds no vectors"),
        (
            200,
            b'{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}',
            "2 vectors came for 2 texts",
        ),
        (
            200,
            b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}',
            "differ in length",
        ),
    ],
)
def test_what_is_no_answer_is_an_error_after_one_attempt(
    embeddings: Embeddings, status: int, octets: bytes, why: str
) -> None:
    embeddings.says(status, octets)
    with pytest.raises(UnavailableError, match=why) as caught:
        adapter(embeddings).vectors(["tea", "hotel"])
    assert str(caught.value).startswith("the embedding model text-embedding-3-small cannot be used")
    assert KEY not in str(caught.value)
    assert len(embeddings.requests) == 1


def test_a_key_that_looks_like_none_is_not_repeated_either(embeddings: Embeddings) -> None:
    embeddings.says(401, b'{"error": {"message": "Wrong: our-own-secret"}}')
    with pytest.raises(UnavailableError, match="Wrong") as caught:
        adapter(embeddings, api_key="our-own-secret").vectors(["tea"])
    assert "our-own-secret" not in str(caught.value)


def test_an_answer_without_end_is_left_unread(embeddings: Embeddings) -> None:
    with pytest.raises(UnavailableError, match="longer than 60 bytes"):
        adapter(embeddings, limits=SHORT).vectors(["tea"])


@pytest.mark.parametrize("library", ["tokenizers", "threadpoolctl"])
def test_a_local_model_without_its_libraries_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UnavailableError) as caught:
        LocalEmbeddings(small_model(tmp_path), name="local/words").vectors(["tea"])
    assert str(caught.value) == (
        f"the embedding model local/words cannot be used: {library} is not installed; "
        "install it with pip install '.[embed]' in mindpipe's folder."
    )


def test_nobody_there_is_an_error() -> None:
    nobody = OpenAIEmbeddings(
        "m", api_key=None, clock=FixedClock(), base_url="http://127.0.0.1:9/v1"
    )
    with pytest.raises(UnavailableError, match="cannot be reached"):
        nobody.vectors(["tea"])
