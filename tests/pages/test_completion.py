"""In a real bash the tabulator completes commands, options, and what the store knows."""

import os
import pty
import select
import subprocess
import time

from support.command import Mind, clean_environment, mind_first
from support.patience import LONGEST


class Typing:
    """A bash at a terminal, with the completion of `mind`."""

    def __init__(self, mind: Mind) -> None:
        self._ours, theirs = pty.openpty()
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=mind.folder,
            env=mind_first(mind.program, {**clean_environment(mind.folder), "PS1": "> "}),
            start_new_session=True,
        )
        os.close(theirs)
        self.types('eval "$(mind completion bash)"; echo re""ady\n', "ready")

    def types(self, keys: str, shown: str) -> None:
        """Type, and wait until the terminal shows something."""
        os.write(self._ours, keys.encode())
        seen, until = "", time.monotonic() + LONGEST
        while shown not in seen:
            ready, _, _ = select.select([self._ours], [], [], until - time.monotonic())
            assert ready, f"typed {keys!r}, saw {seen!r}"
            seen += os.read(self._ours, 1 << 12).decode("utf-8", "replace")

    def ends(self) -> None:
        """End the bash without running what was typed."""
        self._bash.kill()
        self._bash.wait()
        os.close(self._ours)


def test_the_tabulator_completes_what_the_store_knows(mind: Mind) -> None:
    mind("init")
    mind("agent", "new", "rosalind")
    (mind.folder / "happened.jsonl").touch()
    typing = Typing(mind)
    try:
        typing.types("mind sch\t", "mind schema ")
        typing.types("claimed\t", "claimed-event ")
        typing.types("\x15mind think --agent", "mind think --agent")
        typing.types(" ros\t", "rosalind ")
        typing.types("--model anth\t", "anthropic/")
        typing.types("\x15mind agent set rosalind --without-tool read_h\t", "read_history ")
        typing.types("\x15mind mcp serve --with-tool rem\t", "remember ")
        typing.types("\x15mind mcp serve --without-tool tick\t", "tickets ")
        typing.types("\x15mind think --model x --events happ\t", "happened.jsonl ")
    finally:
        typing.ends()
