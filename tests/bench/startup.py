"""How long the program takes to start, beside what others take for the same."""

import json
import textwrap
from pathlib import Path

from figures import Figure
from measuring import BIN, MIND, PYTHON, Command, interleaved, median, mind

PART = "start-up"
_CLICK = """
    import click

    @click.command()
    @click.option("--text")
    def main(text):
        pass

    main()
"""
_CLICK_AND_SQLITE = """
    import sqlite3

    import click

    @click.command()
    @click.option("--text")
    def main(text):
        connection = sqlite3.connect("reference.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS event(text TEXT)")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO event VALUES(?)", (text,))
        connection.execute("COMMIT")
        connection.close()

    main()
"""
_FILTER = 5.0
_DURABLE = 6.5


def figures(folder: Path, *, rounds: int) -> list[Figure]:
    """Measure starts as ratios to `python -c pass`."""
    commands = _commands(folder)
    spent = interleaved(commands, rounds=rounds, title=PART)
    base = median(spent["python -c pass"])
    goals = dict.fromkeys(_filters(folder), _FILTER) | {"mind inbox push, durable": _DURABLE}
    return [
        Figure(part=PART, what=name, value=median(runs) / base, most=goals.get(name))
        for name, runs in spent.items()
    ] + [Figure(part=PART, what="python -c pass", value=base * 1000, unit="ms")]


def _commands(folder: Path) -> dict[str, Command]:
    """Return what is run, with all that it needs in the folder."""
    _prepare(folder)
    line = folder / "event.jsonl"
    reference = [PYTHON, "-c", "pass"]
    insert = [str(BIN / "sqlite-utils"), "insert", "utils.db", "event", "-", "--nl"]
    durable = [MIND, "inbox", "push", "--agent", "ava"]
    return {
        "python -c pass": Command(argv=reference, folder=folder),
        "click alone": Command(argv=[PYTHON, "click_alone.py", "--text", "a"], folder=folder),
        "click, a durable row by sqlite3": Command(
            argv=[PYTHON, "click_and_sqlite.py", "--text", "a"], folder=folder
        ),
        "sqlite-utils insert": Command(argv=insert, folder=folder, stdin=line),
        **_filters(folder),
        "mind inbox push, durable": Command(argv=durable, folder=folder, stdin=line),
    }


def _filters(folder: Path) -> dict[str, Command]:
    """Return the commands that touch no store."""
    push = [MIND, "inbox", "push", "--output", "inbox.jsonl"]
    check = [MIND, "history", "check", "--for", "anthropic"]
    export = [MIND, "history", "export", "--format", "anthropic"]
    take = [MIND, "history", "import", "--format", "openai-chat"]
    complete = [MIND, "complete", "--model", "program:./answer"]
    state = folder / "mara.jsonl"
    return {
        "mind --version": Command(argv=[MIND, "--version"], folder=folder),
        "mind --help": Command(argv=[MIND, "--help"], folder=folder),
        "mind inbox push --output": Command(argv=push, folder=folder, stdin=folder / "event.jsonl"),
        "mind history check": Command(argv=check, folder=folder, stdin=folder / "body.json"),
        "mind history export": Command(argv=export, folder=folder, stdin=folder / "rows.jsonl"),
        "mind history import": Command(argv=take, folder=folder, stdin=folder / "chat.json"),
        "mind salience": Command(argv=[MIND, "salience"], folder=folder, stdin=state),
        "mind feel": Command(argv=[MIND, "feel"], folder=folder, stdin=state),
        "mind complete, no line": Command(argv=complete, folder=folder, statuses=frozenset({3})),
    }


def _prepare(folder: Path) -> None:
    """Make a store, small documents, and the programs to compare with."""
    mind(folder, "init", "--agent", "ava")
    (folder / "click_alone.py").write_text(textwrap.dedent(_CLICK))
    (folder / "click_and_sqlite.py").write_text(textwrap.dedent(_CLICK_AND_SQLITE))
    (folder / "event.jsonl").write_text('{"text":"hello"}\n')
    said = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hello, you"}]
    (folder / "chat.json").write_text(json.dumps({"messages": said * 3}))
    rows = mind(folder, "history", "import", "--format", "openai-chat", "chat.json")
    (folder / "rows.jsonl").write_bytes(rows)
    (folder / "mara.jsonl").write_bytes(mind(folder, "simulate", "new", "--name", "Mara"))
    body = mind(folder, "history", "export", "--format", "anthropic", "rows.jsonl")
    (folder / "body.json").write_bytes(body)
