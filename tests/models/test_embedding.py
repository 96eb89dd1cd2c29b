"""The embedding model that is configured is asked by commands, and words do where it is not."""

import json

import pytest

from support.command import Mind, Ran
from support.loopback.asking import KEY
from support.loopback.embeddings import Embeddings
from support.loopback.embeddings import embeddings as embeddings

NOBODY = "http://127.0.0.1:9/v1"
MODEL = "text-embedding-3-small"
CYCLES = (
    ("Is the anchor chain of the Petrel rusty?", "The chain is rusty; I ordered another."),
    ("How was the concert?", "Loud and long."),
    *((f"What does crate {number} hold?", f"Crate {number} holds oranges.") for number in range(9)),
)
CHAT = [
    {"role": role, "content": text * 3}
    for cycle in CYCLES
    for role, text in zip(("user", "assistant"), cycle, strict=True)
]


def compacted(mind: Mind, **environment: str) -> Ran:
    asked = ("--strategy", "semantic", "--budget", "350", "--keep-cycles", "2")
    known = {"MIND_EMBED_MODEL": f"openai/{MODEL}", **environment}
    words = ("--inbox", "How was the concert?", "--format", "openai-chat")
    return mind.run("compact", *asked, *words, stdin=json.dumps(CHAT), environment=known)


def sent(ran: Ran) -> list[str]:
    assert ran.status == 0, ran.words
    return [message["content"] for message in json.loads(ran.stdout)]


def test_a_filter_asks_the_configured_model(mind: Mind, embeddings: Embeddings) -> None:
    ran = compacted(mind, OPENAI_BASE_URL=embeddings.base_url, OPENAI_API_KEY=KEY)
    assert CHAT[2]["content"] in sent(ran)
    (request,) = embeddings.requests
    assert (request["model"], embeddings.keys) == (MODEL, [f"Bearer {KEY}"])
    assert "compared" not in ran.words


def test_embeddings_may_have_a_server_of_their_own(mind: Mind, embeddings: Embeddings) -> None:
    models = f'[servers.embed]\nbase_url = "{embeddings.base_url}"\nkey_variable = "OUR_KEY"\n'
    (mind.folder / "models.toml").write_text(models)
    ran = compacted(mind, OPENAI_BASE_URL=NOBODY, OUR_KEY="a-key-of-ours")
    assert CHAT[2]["content"] in sent(ran)
    assert embeddings.keys == ["Bearer a-key-of-ours"]


def test_words_are_compared_where_the_model_is_not_there_and_it_is_said(mind: Mind) -> None:
    ran = compacted(mind, OPENAI_BASE_URL=NOBODY)
    assert CHAT[2]["content"] in sent(ran)
    assert (
        f"the embedding model {MODEL} cannot be used: the provider cannot be reached" in ran.words
    )
    assert "Words were compared instead." in ran.words
    assert "gave way to" not in ran.words


@pytest.mark.parametrize(
    ("model", "status", "why"),
    [
        ("anthropic/claude-haiku-4-5", 2, "write openai/NAME"),
        ("text-embedding-3-small", 2, "is no embedding model"),
        (f"openai/{MODEL}", 69, "Set OPENAI_API_KEY"),
    ],
)
def test_a_model_that_cannot_be_meant_is_refused(
    mind: Mind, model: str, status: int, why: str
) -> None:
    ran = compacted(mind, MIND_EMBED_MODEL=model, OPENAI_API_KEY="")
    assert (ran.status, why in ran.words) == (status, True), ran.words


def test_an_agent_in_a_store_has_the_configured_model_too(
    mind_with_agent: Mind, embeddings: Embeddings
) -> None:
    mind = mind_with_agent
    imported = ("history", "import", "--agent", "ava", "--format", "openai-chat")
    mind(*imported, stdin=json.dumps(CHAT))
    mind.environment["OPENAI_BASE_URL"] = embeddings.base_url
    mind.environment["MIND_EMBED_MODEL"] = f"openai/{MODEL}"
    asked = ("--strategy", "semantic", "--budget", "400", "--keep-cycles", "2")
    mind("compact", "--agent", "ava", *asked, "--inbox", "How was the concert?")
    assert len(embeddings.requests) == 1
    window = mind("history", "show", "--agent", "ava", "--window").text
    assert CHAT[2]["content"] in window
