"""On a terminal an answer is printed as text, and a key is typed without being shown."""

import fcntl
import os
import pty
import subprocess
import sys
import termios

from support.command import BIN, Mind, clean_environment
from support.patience import LONGEST, until
from support.terminals import Reading, on_terminals

KEY = "typed-by-somebody-0123456789"
ANSWER = """#!/bin/sh
cat > /dev/null
echo '{"text": "Good \\u001b[31mmorning."}'
"""


def _own_terminal() -> None:
    """Make the terminal of stdin that of this process, on which keys are asked for."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_an_answer_is_its_text_without_control_characters(mind: Mind) -> None:
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    for option in ((), ("--stream",)):
        line = [str(BIN / "mind"), "complete", "Say hi", "--model", "program:./answer", *option]
        shown = on_terminals(mind, line)
        assert shown.stdout.split() == ["Good", "morning."]
        assert "\x1b" not in shown.stdout


def test_a_key_is_typed_unseen(mind: Mind) -> None:
    hands, keys = pty.openpty()
    shown = Reading(os.dup(hands))
    process = subprocess.Popen(
        [str(BIN / "mind"), "models", "key", "set", "openai"],
        stdin=keys,
        stdout=keys,
        stderr=keys,
        cwd=mind.folder,
        env={**clean_environment(mind.folder), "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
        preexec_fn=_own_terminal,
    )
    os.close(keys)
    try:
        until(lambda: b"The key of openai: " in shown.octets, "the prompt")
        os.write(hands, f"{KEY}\n".encode())
        assert process.wait(LONGEST) == 0
    finally:
        process.kill()
        process.wait()
        os.close(hands)
    assert KEY in (mind.folder / ".config" / "mind" / "keys.json").read_text()
    assert KEY.encode() not in shown.octets
