"""A pipeline starts many processes: what costs time is not imported where it is not used."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.command import BIN, Mind, clean_environment

HEAVY = (
    "anthropic",
    "asyncio",
    "duckdb",
    "httpx",
    "httpx2",
    "importlib.metadata",
    "jsonschema",
    "numpy",
    "openai",
    "rich",
    "sqlite_utils",
    "tiktoken",
    "yaml",
)
REPORT = """
import atexit, os, sys
atexit.register(lambda: os.write(3, "\\n".join(sys.modules).encode()))
from mindpipe_cli.main import main
sys.argv = ["mind", *sys.argv[1:]]
main()
"""
REQUEST = b'{"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}'
EVENT = b'{"text": "hello"}\n'
STATE = b'{"kind": "state", "t_us": 0, "read": {"pain": 0.7, "valence": -0.6}}\n'
THOUGHT = b'{"kind": "thought", "content": "It hurts."}\n'
SPEECH = b'{"kind": "event", "type": "speech", "text": "Hello."}\n'
ITEM = b'{"id": "it_1", "text": "I live in Haren.", "speaker": "ann"}\n'
MOMENT = b"""{"messages": [{"role": "user", "parts": []}], "about": {"moment": {"person": "ann",
"seed": 7, "t_us": 0, "mode": "react", "codes": ["P1"], "trigger": "pain+"}}}""".replace(
    b"\n", b" "
)


def modules_after(folder: Path, *arguments: str, stdin: bytes = b"") -> set[str]:
    """Return the modules that are loaded when a command ends; fail unless it ends well."""
    report = folder / "modules"
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 3>modules', "sh", sys.executable, "-c", REPORT, *arguments],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env=clean_environment(folder),
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(report.read_text().split("\n"))


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("--help",), b""),
        (("--version",), b""),
        (("inbox", "push", "--help"), b""),
        (("inbox", "push", "--output", "inbox.jsonl"), EVENT),
        (("history", "check", "--for", "anthropic"), REQUEST),
        (("config", "show"), b""),
        (("salience",), STATE),
        (("feel",), STATE),
        (("feel", "--prompt", "react"), STATE),
        (("feel", "--prompt", "spontaneous"), STATE),
        (("feel", "--prompt", "respond"), STATE + SPEECH),
        (("complete", "--model", "composed"), MOMENT),
        (("feedback",), THOUGHT),
        (("feedback", "--parser", "improved"), THOUGHT),
        (("review",), STATE + THOUGHT),
        (("memory", "add", "--output", "items.jsonl"), ITEM),
        (("memory", "extract"), ITEM),
        (("recall", "Haren", "--items", "-"), ITEM),
        (("consolidate",), ITEM),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_filters_and_help_import_nothing_heavy(
    mind: Mind, arguments: tuple[str, ...], stdin: bytes
) -> None:
    assert modules_after(mind.folder, *arguments, stdin=stdin).isdisjoint(HEAVY)


def test_a_durable_push_imports_nothing_heavy(mind_with_store: Mind) -> None:
    mind_with_store("agent", "new", "ava")
    loaded = modules_after(mind_with_store.folder, "inbox", "push", "--agent", "ava", stdin=EVENT)
    assert "apsw" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_a_memory_without_vectors_imports_nothing_heavy(mind_with_store: Mind) -> None:
    mind_with_store("agent", "new", "ava")
    for arguments, stdin in (
        (("memory", "add"), ITEM),
        (("recall", "Haren"), b""),
        (("consolidate",), b""),
        (("observation", "list"), b""),
    ):
        loaded = modules_after(mind_with_store.folder, *arguments, "--agent", "ava", stdin=stdin)
        assert "apsw" in loaded
        assert loaded.isdisjoint(HEAVY)


def test_a_life_without_a_body_is_carried_without_arrays(mind_with_store: Mind) -> None:
    mind_with_store("agent", "new", "ava")
    for arguments in (("export", "ava", "--output", "ava.life"), ("fork", "ava", "--as", "eva")):
        loaded = modules_after(mind_with_store.folder, "life", *arguments)
        assert "apsw" in loaded
        assert loaded.isdisjoint(HEAVY)


def test_persons_in_columns_live_without_the_engine_of_a_cluster(mind: Mind) -> None:
    mind("simulate", "new", "--count", "2", "--format", "arrow", "town")
    loaded = modules_after(mind.folder, "simulate", "tick", "town", "--dt", "1h")
    assert "pyarrow" in loaded
    assert "ray" not in loaded


def test_a_filter_over_a_program_imports_nothing_heavy(mind: Mind) -> None:
    answer = mind.folder / "answer"
    answer.write_text('#!/bin/sh\ncat >/dev/null\necho \'{"text": "hello"}\'\n')
    answer.chmod(0o700)
    arguments = ("complete", "--model", "program:./answer")
    request = b'{"messages": [{"role": "user", "parts": [{"type": "text", "text": "hi"}]}]}'
    assert modules_after(mind.folder, *arguments, stdin=request).isdisjoint(HEAVY)


HOLDERS = """
import sys
def held():
    holders = set()
    for name, module in list(sys.modules.items()):
        for one in (module, *vars(module or object()).values()) if module else ("none",):
            if one == "none" or type(one).__module__ == "mindpipe_cli.startup":
                holders.add(name)
    return sorted(holders)
"""


def test_click_alone_sees_what_stands_for_inspect() -> None:
    script = """
from mindpipe_cli import startup
startup.begin()
assert "inspect" not in sys.modules and "typing_extensions" not in sys.modules
assert set(held()) == {"click.core", "click.decorators", "click.termui"}, held()
import click, inspect, typing_extensions
assert type(inspect) is type(sys) and inspect.__spec__.name == "inspect"
assert click.core.inspect is not inspect
assert click.core.inspect.signature is inspect.signature
assert inspect.isfunction(lambda: None) and not inspect.isfunction(click)
assert typing_extensions.Required
"""
    subprocess.run([BIN / "python", "-c", HOLDERS + script], check=True)


def test_what_stands_for_inspect_cleans_as_it_does() -> None:
    script = """
from mindpipe_cli import startup
startup.begin()
import click
assert click.core.inspect.cleandoc("  one\\tline ") == "one   line "
assert "inspect" not in sys.modules
assert click.core.inspect.cleandoc("first\\n    second") == "first\\nsecond"
assert sys.modules["inspect"].cleandoc("  one\\tline ") == "one   line "
"""
    subprocess.run([BIN / "python", "-c", f"import sys\n{script}"], check=True)


def test_nobody_else_sees_it_when_a_command_has_run(mind_with_store: Mind) -> None:
    mind_with_store("agent", "new", "ava")
    script = f"""{HOLDERS}
import atexit
atexit.register(lambda: print(*held()))
from mindpipe_cli.main import main
sys.argv = ["mind", "inbox", "push", "--agent", "ava", "--text", "hello"]
main()
"""
    done = subprocess.run(
        [BIN / "python", "-c", script],
        cwd=mind_with_store.folder,
        env=clean_environment(mind_with_store.folder),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1].split() == [
        "click.core",
        "click.decorators",
        "click.termui",
    ]


def test_the_report_names_what_is_loaded(tmp_path: Path) -> None:
    script = "import os, sys, asyncio; os.write(3, '\\n'.join(sys.modules).encode())"
    subprocess.run(
        ["sh", "-c", 'exec "$@" 3>modules', "sh", BIN / "python", "-c", script],
        cwd=tmp_path,
        check=True,
    )
    assert "asyncio" in (tmp_path / "modules").read_text().split("\n")
