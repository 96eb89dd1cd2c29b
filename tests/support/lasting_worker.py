"""An agent whose worker stays, and whose model and tool wait until a test lets them go on."""

import contextlib
import json
import os
import select
from collections.abc import Callable, Iterator
from pathlib import Path

from support.command import looked_into
from support.patience import LONGEST, until
from support.processes import Newborn, Nursery

MODEL = ["--model", "program:./answer"]
WORDS = {"text": "Good morning."}
CALLS = {"tool_calls": [{"name": "slow", "arguments": {}}]}
DONE = {"tool_calls": [{"name": "done", "arguments": {"summary": "Done."}}]}
# It waits at its first call only.
WAITING_MODEL = """#!/bin/sh
cat >/dev/null
if mkdir {folder}/first 2>/dev/null; then
    echo asked >{folder}/asked
    read -r word <{folder}/go
fi
echo '{words}'
"""
CALLING_MODEL = """#!/bin/sh
end=$(tail -c 4000)
case "${{end##*'"role":"'}}" in
tool*) echo '{done}' ;;
*) echo '{calls}' ;;
esac
"""
TOOL = """#!/bin/sh
{first}
echo asked >{folder}/asked
read -r word <{folder}/go
echo done >>{folder}/sink
"""


class Gate:
    """Two FIFOs of a folder: a program tells `asked` that it was, and waits for `go`."""

    def __init__(self, folder: Path) -> None:
        for name in ("asked", "go"):
            os.mkfifo(folder / name, 0o600)
        # Both ends of each, so that neither opening nor dying leaves anybody waiting.
        self._asked, self._go = (os.open(folder / name, os.O_RDWR) for name in ("asked", "go"))

    def close(self) -> None:
        """Close both."""
        os.close(self._asked)
        os.close(self._go)

    def asks(self) -> None:
        """Wait until the model or the tool says that it was asked."""
        assert select.select([self._asked], [], [], LONGEST)[0], "nobody is asked"
        os.read(self._asked, 100)

    def let_go(self) -> None:
        """Let the model or the tool go on."""
        os.write(self._go, b"go\n")


class Household(Gate):
    """A store with one agent, in the folder of a gate."""

    def __init__(self, folder: Path, nursery: Nursery) -> None:
        super().__init__(folder)
        self.folder, self.nursery = folder, nursery
        self._born = 0

    def run(self, *options: str, environment: dict[str, str] | None = None) -> Newborn:
        """Start `mind run`."""
        self._born += 1
        arguments = ["run", "--agent", "ava", *MODEL, *options]
        return self.nursery.start(arguments, self.folder / f"run-{self._born}", environment or {})

    def push(self, text: str = "Hello") -> None:
        """Push an event."""
        self.nursery.run("inbox", "push", "--agent", "ava", "--text", text)

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with looked_into(self.folder) as store:
            return list(store.execute(sql))

    def change(self, sql: str, *values: object) -> None:
        """Change the store behind everybody's back."""
        with looked_into(self.folder) as store:
            store.execute(sql, values)

    def says(self, worker: Newborn, words: str) -> bool:
        """Tell whether a worker has said something; at its birth it has no mouth yet."""
        try:
            return words in worker.words()
        except FileNotFoundError:
            return False

    def wait_until(self, worker: Newborn, holds: Callable[[], bool]) -> None:
        """Wait until something holds; fail if the worker ends before, or it never comes."""

        def comes() -> bool:
            if holds():
                return True
            assert not worker.ended(0), worker.words()
            return False

        until(comes, "what a worker should do")

    def is_idle(self) -> bool:
        """Tell whether a worker stays and nothing is left to do."""
        return self.rows(
            "SELECT (SELECT count(*) FROM run WHERE state='running'), "
            "(SELECT count(*) FROM event WHERE state != 'done')"
        ) == [(1, 0)]


def write_program(path: Path, text: str) -> None:
    """Write an executable program."""
    path.write_text(text)
    path.chmod(0o700)


@contextlib.contextmanager
def household(folder: Path, build: str = "") -> Iterator[Household]:
    """Make a store with one agent whose model waits at its first call, in a broken build or not."""
    answer = WAITING_MODEL.format(folder=folder, words=json.dumps(WORDS))
    write_program(folder / "answer", answer)
    with contextlib.ExitStack() as stack:
        nursery = stack.enter_context(contextlib.closing(Nursery(folder, build)))
        home = stack.enter_context(contextlib.closing(Household(folder, nursery)))
        nursery.run("init", "--agent", "ava")
        yield home


def answers_at_once(home: Household) -> None:
    """Let the model answer without waiting."""
    (home.folder / "first").mkdir()


def calls_a_tool(home: Household, *, deaf: bool = False) -> None:
    """Let the model call a tool that waits, and end when it has the answer.

    A `deaf` one does not hear SIGTERM.
    """
    model = CALLING_MODEL.format(done=json.dumps(DONE), calls=json.dumps(CALLS))
    write_program(home.folder / "answer", model)
    first = "trap '' TERM" if deaf else ""
    write_program(home.folder / "slow", TOOL.format(folder=home.folder, first=first))
    tool = {
        "name": "slow",
        "description": "Takes its time.",
        "command": [str(home.folder / "slow")],
        "effect": "unsafe",
    }
    manifest = home.folder / "slow.json"
    manifest.write_text(json.dumps(tool))
    home.nursery.run("agent", "set", "ava", "--tool", str(manifest))
