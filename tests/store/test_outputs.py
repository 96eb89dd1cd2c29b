"""Files that options name for output never lie over a store, whichever command writes them."""

from pathlib import Path

import click
import pytest

from mindpipe_cli.commands import COMMANDS
from mindpipe_cli.options import WRITTEN
from mindpipe_cli.root import root
from support.command import Mind

_WRITES = ("write", "append", "keep what", "keep bad")
MESSAGE = '{"role": "user", "content": "Hello"}\n'
COMMANDS_OF_OUTPUT = (
    (("think", "--agent", "ava", "--record"), ""),
    (("memory", "add", "--output"), '{"text": "I like tea."}\n'),
    (("history", "export", "--agent", "ava", "--format", "mindpipe", "--losses"), ""),
    (("compact", "--output"), f'{{"messages": [{MESSAGE.strip()}]}}'),
    (("inbox", "push", "--agent", "ava", "--on-error", "skip", "--rejects"), '{"text": "Hi"}\n'),
    (("simulate", "plot", "--output"), ""),
)


@pytest.mark.parametrize("target", ["mind.db", "mind.db-wal", "other name", "link"])
@pytest.mark.parametrize(
    ("arguments", "stdin"), COMMANDS_OF_OUTPUT, ids=lambda given: " ".join(given[:2])
)
def test_no_option_writes_over_the_store(
    mind_with_agent: Mind, arguments: tuple[str, ...], stdin: str, target: str
) -> None:
    mind = mind_with_agent
    mind("inbox", "push", "--agent", "ava", "--text", "Before")
    store = mind.folder / "mind.db"
    (mind.folder / "other name").hardlink_to(store)
    (mind.folder / "link").symlink_to("mind.db")
    before = {path.name: path.read_bytes() for path in mind.folder.iterdir() if path.is_file()}
    ran = mind.run(*arguments, target, stdin=stdin)
    assert (ran.status, ran.stdout) == (4, b"")
    assert ran.words.count("\n") == 1
    assert "SQLite" in ran.words
    after = {path.name: path.read_bytes() for path in mind.folder.iterdir() if path.is_file()}
    assert after == before
    assert [one["text"] for one in mind("inbox", "list", "--agent", "ava").records()] == ["Before"]


def test_every_option_that_writes_a_file_looks_first() -> None:
    context = click.Context(root)
    found = set[str]()
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        verbs = getattr(command, "list_commands", lambda _context: [])(context)
        whole = [command, *(command.get_command(context, verb) for verb in verbs)]
        for option in (one for part in whole for one in part.params):
            words = (getattr(option, "help", None) or "").lower()
            if option.metavar == "FILE" and words.startswith(_WRITES):
                found.add(option.name)
                assert option.type is WRITTEN, (name, option.name)
    assert len(COMMANDS) > 40
    assert found >= {"output", "record", "rejects", "losses", "marks", "decisions", "since_state"}


def test_a_clean_run_leaves_the_rejects_of_the_last(mind_with_agent: Mind, tmp_path: Path) -> None:
    push = ("inbox", "push", "--agent", "ava", "--on-error", "skip", "--rejects", "rejects.jsonl")
    mind_with_agent.run(*push, stdin='{"text": 5}\n{"text": "sound"}\n')
    kept = (mind_with_agent.folder / "rejects.jsonl").read_text()
    assert '"line":1' in kept
    mind_with_agent(*push, stdin='{"text": "sound too"}\n')
    assert (mind_with_agent.folder / "rejects.jsonl").read_text() == kept


OVER_INPUTS = (
    ("inbox", "push --agent ava --on-error skip --rejects in < in", "read (stdin)"),
    ("inbox", "push ./in --agent ava --on-error skip --rejects in", "read (./in)"),
    ("inbox", "push in --agent ava --on-error skip --output ./out --rejects out", "by --"),
    ("inbox", "push in --agent ava --on-error skip --rejects link", "read (in)"),
    ("memory", "add in --agent ava --output in", "read (in)"),
    ("compact", "--output in < in", "read (stdin)"),
    ("consolidate", "--known in --output in", "read (in)"),
    ("consolidate", "--marks new --decisions ./new < in", "by --"),
    ("complete", "--model replay:in --record in", "read (replay:in)"),
    ("think", "--agent-file in --events in --model replay:no --record in", "read (in)"),
)


@pytest.mark.parametrize(("command", "words", "told"), OVER_INPUTS)
def test_no_option_writes_over_an_input_or_another_output(
    mind_with_agent: Mind, command: str, words: str, told: str
) -> None:
    mind, lines = mind_with_agent, '{"text": "sound"}\n{"text": 5}\n'
    (mind.folder / "in").write_text(lines)
    (mind.folder / "link").symlink_to("in")
    ran = mind.shell(f"mind {command} {words}")
    assert (ran.status, ran.stdout) == (4, b"")
    assert ran.words.count("\n") == 1
    assert f" {told}" in ran.words
    assert (mind.folder / "in").read_text() == lines
    assert not [path for path in mind.folder.iterdir() if path.name in ("out", "new")]
    assert mind("inbox", "list", "--agent", "ava").records() == []
