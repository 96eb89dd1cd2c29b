"""`mind recall embed` by a real server: what it asks, what it keeps, and what it says."""

import contextlib
import json
import signal
import subprocess

import pytest

from support.command import BIN, Mind, Ran, clean_environment
from support.loopback.embeddings import Embeddings
from support.loopback.embeddings import embeddings as embeddings

MODEL = "openai/text-embedding-3-small"
TEXTS = ("We slept at the Sunroute hotel.", "The tea was green.", "A boat needs a chain.")


def talk(mind: Mind, *texts: str) -> None:
    items = "".join(f"{json.dumps({'text': text})}\n" for text in texts)
    mind("memory", "add", "--agent", "ava", stdin=items)


def embed(mind: Mind, *arguments: str) -> Ran:
    return mind.run("recall", "embed", "--agent", "ava", *arguments)


def done(ran: Ran) -> dict[str, object]:
    assert (ran.status, ran.stderr) == (0, b""), ran.words
    return json.loads(ran.stdout)


def texts_asked(embeddings: Embeddings) -> list[str]:
    return [text for request in embeddings.requests for text in request["input"]]


@pytest.fixture
def mind(mind_with_agent: Mind, embeddings: Embeddings) -> Mind:
    mind_with_agent.environment["OPENAI_BASE_URL"] = embeddings.base_url
    mind_with_agent.environment["MIND_EMBED_MODEL"] = MODEL
    talk(mind_with_agent, *TEXTS)
    return mind_with_agent


def test_everything_is_embedded_once(mind: Mind, embeddings: Embeddings) -> None:
    figures = {"agent": "ava", "model": MODEL.removeprefix("openai/")}
    assert done(embed(mind)) == {**figures, "entries": 3, "vectors": 3, "known": 0}
    assert done(embed(mind)) == {**figures, "entries": 0, "vectors": 0, "known": 3}
    mind("recall", "reindex")
    assert done(embed(mind))["known"] == 3
    assert texts_asked(embeddings) == list(TEXTS)


def test_what_is_near_is_found_without_a_word_of_the_question(
    mind: Mind, embeddings: Embeddings
) -> None:
    embed(mind)
    ran = mind.run("recall", "slept sunroute", "--agent", "ava", "--explain")
    assert json.loads(ran.text.splitlines()[0])["text"] == TEXTS[0]
    assert ran.words.count("\n") == 1
    assert "text-embedding-3-small took 0." in ran.words
    assert "s for 1 question." in ran.words


def test_files_are_searched_by_vectors_as_a_store_is(mind: Mind, embeddings: Embeddings) -> None:
    embed(mind)
    items = mind("memory", "list", "--agent", "ava").stdout.decode()
    of_a_store = mind.run("recall", "slept sunroute", "--agent", "ava", "--explain")
    of_a_file = mind.run("recall", "slept sunroute", "--items", "-", "--explain", stdin=items)
    assert '"vector":' in of_a_file.text
    assert of_a_file.stdout == of_a_store.stdout


def test_another_model_is_not_asked_where_it_has_no_vectors_and_words_are_searched(
    mind: Mind, embeddings: Embeddings
) -> None:
    embed(mind)
    asked = len(embeddings.requests)
    mind.environment["MIND_EMBED_MODEL"] = "openai/another"
    ran = mind.run("recall", "green tea", "--agent", "ava")
    assert json.loads(ran.text.splitlines()[0])["text"] == TEXTS[1]
    assert ran.words == (
        "mind: ava has no vectors of another, but of text-embedding-3-small. Run mind recall embed."
        " Searched by words alone.\n"
    )
    assert len(embeddings.requests) == asked


def test_a_vector_of_the_wrong_size_is_one_line_and_keeps_nothing(
    mind: Mind, embeddings: Embeddings
) -> None:
    embed(mind)
    talk(mind, "One text more.")
    embeddings.says(200, b'{"data": [{"index": 0, "embedding": [0.5, 0.5]}]}')
    ran = embed(mind)
    line = (
        "the embedding model text-embedding-3-small cannot be used: it gives vectors of 2 numbers"
    )
    assert (ran.status, ran.words) == (69, f"mind recall embed: {line}, and those kept have 64.\n")
    ran = mind.run("recall", "green tea", "--agent", "ava")
    assert json.loads(ran.text.splitlines()[0])["text"] == TEXTS[1]
    assert ran.words == f"mind: {line}, and those kept have 64. Searched by words alone.\n"


def test_a_server_that_is_not_there_is_one_line(mind: Mind, embeddings: Embeddings) -> None:
    embed(mind)
    mind.environment["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
    ran = mind.run("recall", "green tea", "--agent", "ava")
    assert json.loads(ran.text.splitlines()[0])["text"] == TEXTS[1]
    assert ran.words.endswith("Searched by words alone.\n")
    assert ran.words.count("\n") == 1


def test_without_a_model_embedding_says_what_to_set_and_recall_says_nothing(mind: Mind) -> None:
    del mind.environment["MIND_EMBED_MODEL"]
    ran = embed(mind)
    assert (ran.status, "set MIND_EMBED_MODEL: openai/NAME, local/NAME" in ran.words) == (2, True)
    assert mind.run("recall", "green tea", "--agent", "ava").stderr == b""


def test_a_model_can_be_named(mind: Mind, embeddings: Embeddings) -> None:
    assert done(embed(mind, "--model", "openai/another"))["model"] == "another"
    ran = embed(mind, "--model", "anthropic/claude-haiku-4-5")
    assert (ran.status, "write openai/NAME or local/NAME" in ran.words) == (2, True)


def test_a_local_model_without_its_library_or_weights_is_one_line(mind: Mind) -> None:
    ran = embed(mind, "--model", "local/no-such-model")
    line = "mind recall embed: the embedding model local/no-such-model cannot be used: "
    assert (ran.status, ran.words.startswith(line), ran.words.count("\n")) == (69, True, 1)


@pytest.mark.heavy
def test_a_kill_loses_no_more_than_what_was_being_asked(mind: Mind, embeddings: Embeddings) -> None:
    texts = [f"Crate {number} holds oranges." for number in range(300)]
    talk(mind, *texts)
    command = [str(BIN / "mind"), "recall", "embed", "--agent", "ava"]
    environment = {**clean_environment(mind.folder), **mind.environment}
    running = subprocess.Popen(command, cwd=mind.folder, env=environment)
    while len(embeddings.requests) < 3 and running.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(0.01)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    asked = len(texts_asked(embeddings))
    after = done(embed(mind))
    # The kill may come as late as in the last batch, which is smaller than the others.
    assert after["known"] in (asked - (asked % 64 or 64), asked)
    assert after["known"] + after["entries"] == len(TEXTS) + len(texts)
    again = len(texts_asked(embeddings)) - asked
    assert again == after["entries"]
