"""What people have at their shell: completion in zsh and fish at a terminal, and jq in a pipe."""

import os
import re
import select
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from real.parts import FISH, JQ, ZSH, Part
from support.command import BIN, Mind, clean_environment
from support.terminals import Typing, typing_at

pytestmark = pytest.mark.real
SECONDS = 90.0
_CONTROLS = re.compile(r"\x1b(\[[0-9;?>=]*[a-zA-Z]|[()][A-Z0-9]|[>=]|\][^\x07\x1b]*(\x07|\x1b\\))")
# A terminal is asked who it is; fish waits for its answer.
_ASKED, _ANSWER = "\x1b[c", b"\x1b[?62;c"


@dataclass
class Shell:
    """An interactive shell at a terminal of its own."""

    terminal: Typing

    def types(self, keys: str, shown: str) -> None:
        """Type, and wait until the terminal shows something, whatever its colours."""
        ours = self.terminal.keyboard
        self.terminal.types(keys)
        seen, until = "", time.monotonic() + SECONDS
        while shown not in _CONTROLS.sub("", seen):
            ready, _, _ = select.select([ours], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"typed {keys!r}, saw {_CONTROLS.sub('', seen)!r}"
            piece = os.read(ours, 1 << 12).decode("utf-8", "replace")
            if _ASKED in piece or "\x1b[0c" in piece:
                os.write(ours, _ANSWER)
            seen += piece


@contextmanager
def shell_of(mind: Mind, *command: str) -> Iterator[Shell]:
    """Begin a shell; it is ended without running what was typed last."""
    environment = {**clean_environment(mind.folder), "TERM": "xterm", "COLUMNS": "200"}
    environment["PATH"] = f"{BIN}:{environment['PATH']}"
    with typing_at(command, mind.folder, environment) as terminal:
        yield Shell(terminal)


def completes(mind: Mind, shell: Shell) -> None:
    """Type and press the tabulator for commands, options, and what the store knows."""
    shell.types("mind sch\t", "mind schema")
    shell.types("\x15mind schema claimed\t", "claimed-event")
    shell.types("\x15mind think --agent ros\t", "rosalind")
    shell.types(" --events happ\t", "happened.jsonl")


@pytest.fixture
def lived(mind: Mind) -> Mind:
    """Return a life with an agent and a file of events."""
    mind("init")
    mind("agent", "new", "rosalind")
    (mind.folder / "happened.jsonl").touch()
    return mind


def test_zsh_completes_what_the_store_knows(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(ZSH)
    with shell_of(lived, "zsh", "-f", "-i") as shell:
        shell.types("autoload -Uz compinit; compinit -u -D; echo lo''aded\n", "loaded")
        shell.types('eval "$(mind completion zsh)"; echo re""ady\n', "ready")
        completes(lived, shell)
    shown(ZSH, "completes commands, names of agents and files at a terminal")


def test_fish_completes_what_the_store_knows(
    lived: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(FISH)
    with shell_of(lived, "fish", "--no-config", "-i") as shell:
        shell.types("mind completion fish | source; echo re''ady\r", "ready")
        completes(lived, shell)
    shown(FISH, "completes commands, names of agents and files at a terminal")


def test_jq_reads_and_writes_what_stands_between_two_commands(
    mind: Mind, needs: Callable[..., None], shown: Callable[[Part, str], None]
) -> None:
    needs(JQ)
    ran = mind.shell(
        """
        cat >answer <<'END'
#!/bin/sh
jq -c '{text: ("I heard: " + ([.messages[] | .parts[]?.text // empty] | join(" ")
  | capture("(?<said>The build is [a-z]+)").said))}'
END
        chmod 700 answer
        mind init >/dev/null
        mind agent new ava --model program:./answer >/dev/null
        jq -nc '{text: "The build is red."}, {text: "The build is green."}' |
          mind inbox push --agent ava | jq -r .id >ids
        while mind think --agent ava >/dev/null; do :; done
        mind history show --agent ava |
          jq -r 'select(.role == "assistant") | .parts[] | select(.type == "text") | .text'
        wc -l <ids
        """
    )
    assert ran.status == 0, ran.words
    assert ran.text.split("\n")[:1] == ["I heard: The build is red"]
    assert ran.text.split()[-1] == "2"
    shown(JQ, "a model written in jq lives a cycle; records go through it both ways")
