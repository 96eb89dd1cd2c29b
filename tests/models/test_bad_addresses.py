"""An address that is none, or where nobody answers, is named, and what is secret in it is not."""

import json
from pathlib import Path

import pytest

from support.command import Mind


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "anthropic"])
@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ftp://ada:secret@host/v1", ": ftp://host;"),
        ("127.0.0.1:8080/secret", ": 127.0.0.1:8080;"),
        ("sk-secret", ";"),
    ],
)
def test_an_address_of_a_provider_that_is_none_is_named(
    tmp_path: Path, provider: str, address: str, shown: str
) -> None:
    variable = "ANTHROPIC_BASE_URL" if provider == "anthropic" else "OPENAI_BASE_URL"
    mind = Mind(tmp_path, environment={variable: address})
    ran = mind.run("complete", "--model", f"{provider}/x", "Hello")
    assert ran.status == 69
    assert f"({variable}, or base_url in models.toml) is no http or https URL{shown}" in ran.words
    assert "secret" not in ran.words


def test_where_no_mcp_server_answers_is_named(tmp_path: Path) -> None:
    mind = Mind(tmp_path)
    mind("init", "--agent", "ava")
    url = "http://ada:secret@127.0.0.1:9/mcp?key=secret"
    (tmp_path / "m.json").write_text(json.dumps({"mcpServers": {"s": {"url": url}}}))
    ran = mind.run("agent", "set", "ava", "--mcp", "m.json")
    assert ran.status == 69
    assert "check that http://127.0.0.1:9 answers" in ran.words
    assert "secret" not in ran.words
