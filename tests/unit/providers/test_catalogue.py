"""Names of models."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.providers.model_names import family_of, parse_model_name, target_of
from support.tables import each_row


@each_row(
    ("text", "provider", "name", "api"),
    [
        ("anthropic/claude-haiku-4-5", "anthropic", "claude-haiku-4-5", "messages"),
        ("anthropic", "anthropic", "claude-haiku-4-5", "messages"),
        ("openai/gpt-5", "openai", "gpt-5", "chat"),
        ("openai/meta-llama/Llama-4", "openai", "meta-llama/Llama-4", "chat"),
        ("openai-responses/gpt-5", "openai", "gpt-5", "responses"),
        ("replay:turns.jsonl", "replay", "turns.jsonl", "program"),
        ("program:./answer", "program", "./answer", "program"),
        ("program:/opt/a b/c:d", "program", "/opt/a b/c:d", "program"),
    ],
)
def test_a_name_says_provider_and_api(text: str, provider: str, name: str, api: str) -> None:
    model = parse_model_name(text)
    assert (model.provider, model.name, model.api) == (provider, name, api)
    assert parse_model_name(model.text()) == model


@each_row(
    "text",
    ["", "gpt-5", "openai", "openai/", "anthropic/ ", "program:", "replay:", "google/x", "a\nb"],
)
def test_anything_else_names_the_choices(text: str) -> None:
    with pytest.raises(UsageError, match=r"is no model; write anthropic/NAME, .* or program:"):
        parse_model_name(text)


@each_row(
    ("text", "family"),
    [
        ("anthropic/claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("anthropic/claude-haiku-4-5", "claude-haiku-4-5"),
        ("anthropic/claude-sonnet-4-5@20250929", "claude-sonnet-4-5"),
        ("openai/gpt-5-2025-08-07", "gpt-5"),
        ("openai/gpt-5-chat-latest", "gpt-5-chat"),
        ("openai/gpt-5-mini", "gpt-5-mini"),
    ],
)
def test_a_family_is_the_name_without_its_date(text: str, family: str) -> None:
    assert family_of(parse_model_name(text)) == family


@each_row(
    ("text", "tokenizer"),
    [
        ("openai/gpt-4o", "o200k_base"),
        ("openai/gpt-4", "cl100k_base"),
        ("openai/gpt-4-turbo", "cl100k_base"),
        ("openai/gpt-3.5-turbo", "cl100k_base"),
        ("openai/gpt-4.1", "o200k_base"),
        ("anthropic/claude-haiku-4-5", "o200k_base"),
        ("program:./answer", "o200k_base"),
    ],
)
def test_the_tokenizer_is_named(text: str, tokenizer: str) -> None:
    assert target_of(parse_model_name(text)).tokenizer == tokenizer
