"""How long the program takes to start, beside what others take for the same.

Beside each start of ours stands its floor: what the bare imports of click, msgspec, orjson and apsw
take. What `mindpipe_cli.startup` puts in the place of a module has a line each: what a durable
push rises by when the real module is loaded instead.
"""

import json
import shutil
import statistics
import textwrap
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from figures import Figure
from measuring import BIN, MIND, PYTHON, Command, Spent, interleaved, median, median_core, mind

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
_ANSWER = """#!/bin/sh
case "$(cat)" in
*measured-value*) echo '{"text": "All is well."}' ;;
*) echo '{"tool_calls": [{"name": "set_memory", "arguments":
    {"key": "tea", "value": "measured-value"}}]}' ;;
esac
"""
"""A model that asks for one tool call and then ends."""
_PASS = "python -c pass"
_FLOOR = "import click, msgspec, orjson, apsw"
_WITH = "with both stand-ins"
_WITHOUT = "without the stand-in for "
_PUSH = "from mindpipe_cli.main import main; main()"
_DURABLE_PUSH = ["inbox", "push", "--agent", "ava"]
_STAND_INS = ("inspect", "typing_extensions") if find_spec("mindpipe_cli.startup") else ()
_FILTER = 5.0
_DURABLE = 6.0
_CYCLE = 20.0
_WORTH = 0.3


def figures(folder: Path, *, rounds: int) -> list[Figure]:
    """Measure starts as ratios to `python -c pass`."""
    commands = _commands(folder)
    spent = interleaved(commands, rounds=rounds, title=PART)
    base, core = median(spent[_PASS]), median_core(spent[_PASS])
    goals = dict.fromkeys(_filters(folder), _FILTER)
    goals |= {"mind inbox push, durable": _DURABLE, "mind think, one tool call": _CYCLE}
    floor = f"floor {median(spent[_FLOOR]) / base:.1f}"
    return [
        *(
            Figure(
                part=PART,
                what=name,
                value=median(runs) / base,
                most=goals.get(name),
                beside=floor if name.startswith("mind ") else "",
            )
            for name, runs in spent.items()
            if not name.startswith((_WITH, _WITHOUT))
        ),
        *(
            Figure(
                part=PART,
                what=f"the stand-in for {name} alone",
                value=_saved(spent[f"{_WITHOUT}{name}"], spent[_WITH]) / core,
                unit="x core of pass",
                least=_WORTH,
            )
            for name in _STAND_INS
        ),
        Figure(part=PART, what=_PASS, value=base * 1000, unit="ms"),
    ]


def _saved(without: Sequence[Spent], having: Sequence[Spent]) -> float:
    """Return the median of the seconds of a core that runs of the same turn differ by."""
    return statistics.median(
        one.core - other.core for one, other in zip(without, having, strict=True)
    )


def _commands(folder: Path) -> dict[str, Command]:
    """Return what is run, with all that it needs in the folder."""
    _prepare(folder)
    line = folder / "event.jsonl"
    reference = [PYTHON, "-c", "pass"]
    insert = [str(BIN / "sqlite-utils"), "insert", "utils.db", "event", "-", "--nl"]
    return {
        _PASS: Command(argv=reference, folder=folder),
        _FLOOR: Command(argv=[PYTHON, "-c", _FLOOR], folder=folder),
        **_stand_ins(folder),
        "click alone": Command(argv=[PYTHON, "click_alone.py", "--text", "a"], folder=folder),
        "click, a durable row by sqlite3": Command(
            argv=[PYTHON, "click_and_sqlite.py", "--text", "a"], folder=folder
        ),
        "sqlite-utils insert": Command(argv=insert, folder=folder, stdin=line),
        **_filters(folder),
        "mind inbox push, durable": Command(argv=[MIND, *_DURABLE_PUSH], folder=folder, stdin=line),
        "mind think, one tool call": cycle(folder),
    }


def _stand_ins(folder: Path) -> dict[str, Command]:
    """Return a durable push with all stand-ins, and with one real module loaded before them."""
    if not _STAND_INS:
        return {}
    real_ones = {f"{_WITHOUT}{name}": f"import {name}; " for name in _STAND_INS}
    return {
        name: Command(
            argv=[PYTHON, "-c", f"{real}{_PUSH}", *_DURABLE_PUSH],
            folder=folder,
            stdin=folder / "event.jsonl",
        )
        for name, real in {_WITH: "", **real_ones}.items()
    }


def cycle(folder: Path) -> Command:
    """Return a cycle of one tool call over one event, in a store that is put back before it."""
    waiting = folder / "waiting.db"
    mind(folder, "init", "--agent", "ava", "--store", waiting.name)
    mind(folder, "inbox", "push", "--agent", "ava", "--text", "hello", "--store", waiting.name)
    answer = folder / "answer"
    answer.write_text(_ANSWER)
    answer.chmod(0o700)
    store = folder / "cycle.db"

    def before() -> None:
        shutil.copyfile(waiting, store)
        store.chmod(0o600)

    think = [MIND, "think", "--agent", "ava", "--model", "program:./answer", "--store", store.name]
    return Command(argv=think, folder=folder, before=before)


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
        "mind complete, no line": Command(argv=complete, folder=folder),
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
