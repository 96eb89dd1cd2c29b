"""The wires of models: a mock that others wrote, and LiteLLM's proxy between us and it."""

import contextlib
import json
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from real.parts import AIMOCK, LITELLM, LLM, NODE, Part
from real.servers import free_port, running
from support.command import Mind

pytestmark = pytest.mark.real
WIRES = {
    "openai": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
}
LAMP = """
name = "lamp"
description = "Turns the lamp on or off."
command = ["./lamp"]
effect = "unsafe"
input_schema = { type = "object", required = ["on"], properties = { on = { type = "boolean" } } }
"""
FIXTURES = {
    "fixtures": [
        {
            "match": {"userMessage": "Are you busy?", "sequenceIndex": 0},
            "response": {"error": {"message": "later", "type": "rate_limit_error"}, "status": 429},
        },
        {"match": {"userMessage": "Are you busy?"}, "response": {"content": "Not any more."}},
        {
            "match": {"toolName": "lamp", "hasToolResult": False},
            "response": {"toolCalls": [{"name": "lamp", "arguments": {"on": True}}]},
        },
        {
            "match": {"toolName": "llm_time", "hasToolResult": False},
            "response": {"toolCalls": [{"name": "llm_time", "arguments": {}}]},
        },
        {"match": {"userMessage": "I live in Kirkwall."}, "response": {"content": "By the sea!"}},
        {"match": {"userMessage": "And now?"}, "response": {"content": "Still by the sea."}},
        {"match": {"hasToolResult": True}, "response": {"content": "The lamp is lit."}},
    ]
}


@contextlib.contextmanager
def mocked(mind: Mind) -> Iterator[str]:
    """Serve aimock; return its address."""
    (mind.folder / "fixtures.json").write_text(json.dumps(FIXTURES))
    program = AIMOCK.file("dist/cli.js")
    command = [str(NODE), program, "--port", "0", "--fixtures", "fixtures.json", "--strict"]
    ready = r"listening on (http://[0-9.:]+)"
    with running(command, ready=ready, folder=mind.folder, environment={}) as served:
        yield served.group(1)


def journal(address: str) -> list[str]:
    """Return the paths of all requests that the mock was sent."""
    with urllib.request.urlopen(f"{address}/__aimock/journal") as answer:
        return [entry["path"] for entry in json.load(answer)]


def lives(mind: Mind, address: str, models: dict[str, str]) -> list[dict[str, Any]]:
    """Let an agent light its lamp by each model; return the parts of its history."""
    (mind.folder / "lamp.toml").write_text(LAMP)
    (mind.folder / "lamp").write_text(f"#!/bin/sh\ncat >>{mind.folder}/lit\necho It is lit.\n")
    (mind.folder / "lamp").chmod(0o700)
    mind.environment |= {
        "OPENAI_BASE_URL": f"{address}/v1",
        "ANTHROPIC_BASE_URL": address,
        "OPENAI_API_KEY": "sk-real",
        "ANTHROPIC_API_KEY": "sk-real",
    }
    mind("init", "--agent", "ava")
    mind("agent", "set", "ava", "--tool", "lamp.toml")
    for wire, name in models.items():
        said = mind("ask", "--agent", "ava", "--model", f"{wire}/{name}", "Light the lamp.")
        assert said.text == "The lamp is lit.\n"
    for form in ("anthropic", "openai-chat"):
        exported = mind("history", "export", "--agent", "ava", "--format", form)
        mind("history", "check", "--for", form, stdin=exported.stdout)
    shown = mind("history", "show", "--agent", "ava").records()
    return [part for message in shown for part in message["parts"]]


def lit(mind: Mind) -> int:
    """Return how often the lamp was turned on."""
    return (mind.folder / "lit").read_text().count('"on"')


def test_a_mock_of_all_wires_lets_an_agent_live(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(AIMOCK)
    with mocked(mind) as address:
        parts = lives(mind, address, {"openai": "m", "openai-responses": "m", "anthropic": "m"})
        assert journal(address) == [path for path in WIRES.values() for _ in range(2)]
        results = [part["status"] for part in parts if part["type"] == "result"]
        assert (results, lit(mind)) == (["ok"] * 3, 3)
        # What is refused with 429 is asked for again, when the answer says.
        for wire in WIRES:
            (answer,) = mind("complete", "--model", f"{wire}/m", "Are you busy?").records()
            assert answer["text"] == "Not any more."
        assert len(journal(address)) >= 10
    shown(AIMOCK, "a cycle with a tool call over each of three wires; asked again after a 429")


def test_a_proxy_speaks_both_wires_for_a_model(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(AIMOCK, LITELLM)
    with mocked(mind) as mock:
        behind = {"model": "openai/gpt-4o", "api_base": f"{mock}/v1", "api_key": "none"}
        config = {
            "model_list": [{"model_name": "small", "litellm_params": behind}],
            "general_settings": {"master_key": "sk-real"},
        }
        (mind.folder / "litellm.yaml").write_text(json.dumps(config))
        port = str(free_port())
        words = ["--config", "litellm.yaml", "--host", "127.0.0.1", "--port", port]
        with running(
            [LITELLM.program("litellm"), *words],
            ready=r"running on (http://[0-9.:]+)",
            folder=mind.folder,
            environment={"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"},
        ) as proxy:
            parts = lives(mind, proxy.group(1), {"openai": "small", "anthropic": "small"})
            results = [part["status"] for part in parts if part["type"] == "result"]
            assert (results, lit(mind)) == (["ok"] * 2, 2)
            mind.environment["OPENAI_API_KEY"] = "sk-wrong"
            refused = mind.run("complete", "--model", "openai/small", "Hello")
            assert refused.status == 1
            # So it says that it has no list of keys but the one of its configuration.
            assert "the provider answered 400: no_db_connection" in refused.words
        assert len(journal(mock)) == 4
    shown(LITELLM, "a cycle with a tool call over both wires; a wrong key is refused")


def test_the_logs_of_llm_are_a_history(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(LLM, AIMOCK)
    home = mind.folder / "llm"
    home.mkdir()

    def llm(*words: str) -> str:
        command = [LLM.program("llm"), *words]
        environment = {"LLM_USER_PATH": str(home), "HOME": str(home), "OPENAI_API_KEY": "none"}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def imported() -> None:
        words = ("--agent", "ava", "--format", "llm", "--grown", str(home / "logs.db"))
        mind("history", "import", *words)

    def goes_on() -> None:
        """Let llm show a history that was written for it, and go on with it."""
        (home / "logs.db").unlink()
        words = ("--agent", "ava", "--format", "llm", "--output", str(home / "logs.db"))
        mind("history", "export", *words)
        found = json.loads(llm("logs", "--json", "-n", "0"))
        assert [one["prompt"] for one in found][:1] == ["I live in Kirkwall."]
        llm("-m", "mock", "-c", "And now?")

    def roles() -> list[str]:
        return [one["role"] for one in mind("history", "show", "--agent", "ava").records()]

    mind("init", "--agent", "ava")
    with mocked(mind) as address:
        model = {"model_id": "mock", "model_name": "gpt-4o-mini", "supports_tools": True}
        models = json.dumps([{**model, "api_base": f"{address}/v1"}])
        (home / "extra-openai-models.yaml").write_text(models)
        llm("-m", "mock", "-s", "Be brief.", "I live in Kirkwall.")
        llm("-m", "mock", "-T", "llm_time", "What time is it?")
        imported()
        asked = ["user", "assistant", "user", "assistant", "tool", "assistant"]
        assert roles() == asked
        llm("-m", "mock", "-c", "And now?")
        imported()
        goes_on()
    assert roles()[len(asked) :][:1] == ["user"]
    mind("history", "check", "--agent", "ava", "--for", "anthropic")
    mind("history", "verify", "--agent", "ava")
    (found,) = mind("memory", "extract", "--agent", "ava").records()
    assert found["text"] == "I live in Kirkwall."
    shown(LLM, "its logs are a history, with a tool's call, and grow; it goes on with an export")
