"""The life that is recorded: every kind of command that changes files, three processes at once."""

import json
import signal
import threading
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from mindpipe.store.migrations import migrations
from mindpipe.store.schema import apply, give_identity
from mindpipe.store.sqlite import SqliteRows, connect
from support.powerloss.facts import OLDER
from support.powerloss.recording import BUILD, LOG
from support.processes import Nursery

_RELEASED = 8
_CALLS = [
    {"name": "keyed", "arguments": {}},
    {"name": "send_message", "arguments": {"text": "I am on it."}},
    {"name": "set_goal", "arguments": {"text": "Answer."}},
    {"name": "pay", "arguments": {}},
]
_DONE = [{"name": "done", "arguments": {"summary": "Answered."}}]
_MODEL = """#!/bin/sh
end=$(tail -c 6000)
case "${{end##*'"role":"'}}" in
tool*) echo '{done}' ;;
*) echo '{calls}' ;;
esac
"""
_LINES = '{"text": "good"}\n{"txt": "bad"}\n'
THINK = ("think", "--agent", "ava", "--model", "program:./answer")
_THINK = (*THINK, "--record", "asked.jsonl")
_STAYS = ("inbox", "watch", "--agent", "ava")

Command = tuple[str, ...]


def settle(folder: Path) -> None:
    """Put the programs, the input and an older store into the folder."""
    reply = {
        name: json.dumps({"tool_calls": calls, "stop_reason": "tool_use"})
        for name, calls in (("done", _DONE), ("calls", _CALLS))
    }
    for name, script in (("answer", _MODEL.format(**reply)), ("keyed", "#!/bin/sh\necho did it\n")):
        (folder / name).write_text(script)
        (folder / name).chmod(0o700)
    tool = {"description": "A tool.", "command": [str(folder / "keyed")], "effect": "keyed"}
    tools = [{"name": "keyed", **tool}, {"name": "pay", "approval": "always", **tool}]
    (folder / "tools.json").write_text(json.dumps(tools))
    (folder / "mixed.jsonl").write_text(_LINES)
    (folder / "bad.jsonl").write_text(_LINES.splitlines()[1] + "\n")
    (folder / "out").mkdir()
    make_older_store(folder / OLDER)


def make_older_store(path: Path) -> None:
    """Make a store as an earlier version of the program did."""
    connection = connect(path, create=True)
    apply(connection, path, migrations()[:_RELEASED])
    give_identity(SqliteRows(connection), identity="s_old", created="2026-11-01T00:00:00Z")
    connection.close()
    path.chmod(0o600)


_BEGINNING: tuple[Command, ...] = (
    ("init",),
    (
        "agent",
        "new",
        "ava",
        "--tools",
        "full",
        "--tool",
        "tools.json",
        "--max-tokens",
        "1500",
        "--batch",
        "2",
    ),
    ("space", "new", "home"),
    ("space", "join", "home", "ava"),
    ("space", "join", "home", "husam", "--kind", "human"),
    # The first cycle takes it, so that the agent is in a space in whatever order the lanes run.
    ("space", "post", "home", "--as", "husam", "the first post"),
)
# The last one to close the store checkpoints, and takes its log away; the next makes a new one.
_END: tuple[Command, ...] = (
    ("store", "backup", "second.db"),
    ("inbox", "push", "--agent", "ava", "--text", "after the close", "--key", "after"),
    ("store", "backup", "third.db"),
    ("goal", "add", "--agent", "ava", "Rest."),
)


def _pushes(times: int) -> list[Command]:
    """Return pushes with and without key, some with lines that are refused."""
    push = ("inbox", "push", "--agent", "ava")
    bare = [(*push, "--text", f"event {number}") for number in range(times)]
    keyed = [(*one, "--key", one[-1]) for one in bare]
    skip = (*push, "--on-error", "skip", "--rejects")
    mixed = (*skip, "refused.jsonl", "mixed.jsonl")
    bad = [(*skip, f"refused-{number}.jsonl", "bad.jsonl") for number in range(3)]
    return [*bare[::2], mixed, *bad, *keyed[1::2]]


def _others(times: int) -> list[Command]:
    """Return posts and goals, with a migration and a backup among them."""
    posts = [
        ("space", "post", "home", "--as", "husam", f"post {number}") for number in range(times)
    ]
    migrate = ("--store", OLDER)
    return [
        *posts[::2],
        ("store", "migrate", *migrate),
        ("goal", "add", "--agent", "ava", "Live."),
        ("store", "backup", "first.db"),
        *posts[1::2],
    ]


class Workload:
    """Run the life once, recorded, as one build."""

    def __init__(self, nursery: Nursery, folder: Path, log: Path, build: str = "") -> None:
        self._nursery, self._folder = nursery, folder
        self._environment = {LOG: str(log), **({BUILD: build} if build else {})}
        self._numbers = count()
        self._errors: list[str] = []

    def run(self, times: int) -> None:
        """Run everything to its end; each lane does something about `times` times."""
        for command in _BEGINNING:
            self._run(command)
        # While one stays, none of the others is the last to close the store.
        stays = self._nursery.start(_STAYS, self._folder / "out" / "stays", self._environment)
        self._beside(_pushes(times), _others(times), [_THINK] * times)
        stays.kill(signal.SIGTERM)
        stays.status()
        self._approve()
        for command in _END:
            self._run(command)
        assert self._errors == [], self._errors

    def _approve(self) -> None:
        """Let every call that waits for a person run, and live one more cycle."""
        for ticket in self._run(("ticket", "list", "--agent", "ava")):
            approve = ("ticket", "approve", ticket["id"], "--hash", ticket["sha256"])
            self._run((*approve, "--by", "husam"))
        self._run(_THINK)

    def _beside(self, *lanes: Sequence[Command]) -> None:
        """Run lanes of commands side by side, each in its order."""
        threads = [threading.Thread(target=self._lane, args=(lane,)) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _lane(self, lane: Sequence[Command]) -> None:
        try:
            for command in lane:
                self._run(command)
        except Exception as error:
            self._errors.append(repr(error))

    def _run(self, command: Command) -> list[Any]:
        """Run one command to its end and return its records; an empty inbox is no fault."""
        out = self._folder / "out" / str(next(self._numbers))
        born = self._nursery.start(command, out, self._environment)
        status = born.status()
        if status not in {0, 3}:
            self._errors.append(f"{command} ended with {status}: {born.words()}")
        return born.records()
