"""An observer's note on a terminal: a line that begins with [REVIEW], in magenta if welcome."""

import os
import pty
import subprocess

import pytest

from support.command import BIN, Mind, clean_environment

LINES = (
    b'{"kind":"state","t_us":54060000000,"read":{"arousal":0.7}}\n'
    b'{"kind":"thought","person":"anyone","t_us":54060000000,"content":"It\\u001b[2J hurts."}\n'
)
PROGRAM = '#!/bin/sh\ncat > /dev/null\necho \'{"text": "Be\\u001b[2J careful."}\'\n'


def shown(mind: Mind, *arguments: str, **more: str) -> str:
    """Return what a command prints on a terminal of its own."""
    master, slave = pty.openpty()
    environment = {**clean_environment(mind.folder), "TERM": "xterm", "COLUMNS": "200", **more}
    with subprocess.Popen(
        [BIN / "mind", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=slave,
        cwd=mind.folder,
        env=environment,
    ) as running:
        os.close(slave)
        octets = b""
        while True:
            try:
                piece = os.read(master, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            octets += piece
    os.close(master)
    assert running.returncode == 0
    return octets.decode().replace("\r\n", "\n")


@pytest.fixture
def observing(mind: Mind) -> Mind:
    """Return a folder with lines and a program that answers with an escape sequence."""
    (mind.folder / "lines.jsonl").write_bytes(LINES)
    program = mind.folder / "careful"
    program.write_text(PROGRAM)
    program.chmod(0o700)
    return mind


def test_a_note_is_tagged_in_magenta(observing: Mind) -> None:
    said = "15:01:00 anyone: Arousal is high. No change stands out.\n"
    assert shown(observing, "review", "lines.jsonl") == f"\x1b[35m[REVIEW]\x1b[0m {said}"
    plain = f"[REVIEW] {said}"
    assert shown(observing, "review", "lines.jsonl", NO_COLOR="1") == plain
    assert shown(observing, "review", "--no-color", "lines.jsonl") == plain
    assert shown(observing, "review", "lines.jsonl", TERM="dumb") == plain


def test_a_note_cannot_draw_on_the_terminal(observing: Mind) -> None:
    found = shown(observing, "review", "--model", "program:./careful", "lines.jsonl")
    assert found == "\x1b[35m[REVIEW]\x1b[0m 15:01:00 anyone: Be careful.\n"


def test_there_is_no_colour_where_there_is_no_terminal(observing: Mind) -> None:
    assert b"\x1b" not in observing("review", "lines.jsonl").stdout
    table = observing("review", "--table", "lines.jsonl").stdout
    assert table.startswith(b"person ")
    assert b"\x1b" not in table
