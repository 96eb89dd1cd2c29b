"""A forked `mind` differs in nothing that a case can see from the one that is installed."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import Mind, Ran, clean_environment, forked_python, make_private
from support.patience import until

SCRIPTS = {
    "a status": "mind nonsense || echo $?",
    "input and output": "mind inbox push --output inbox.jsonl && mind inbox push <inbox.jsonl",
    "a variable": "MIND_STORE=other.db mind init && ls",
    "a folder": "mkdir -m 700 below && cd below && mind init && cd .. && find below",
    "a limit": "ulimit -f 1; mind init 2>/dev/null || echo $?",
    "a closed pipe": "mind init --agent ava; { mind agent show ava; echo $? >&2; } | true",
    "words appended": "mind init > out 2>&1; mind store check >> out 2>&1; wc -l < out",
    # How a shell tells of one that it killed depends on how soon it did.
    "a signal": "mkfifo in; mind inbox push --output x <in & exec 9>in; kill $!; "
    "{ wait $!; } 2>/dev/null; echo $?",
    "a death": "MIND_TESTING=1 MIND_FAIL=init.before_commit:kill mind init || echo $?",
    "an ignored one": "trap '' HUP; mind init --agent ava; kill -HUP $$; mind agent list",
}


def outcome(folder: Path, script: str, *, forked: bool) -> Ran:
    mind = Mind(make_private(folder), forked=forked)
    return mind.shell(f"set +e; {script}", stdin=b'{"agent": "ava", "text": "hello"}\n')


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_a_script_ends_the_same_way(script: str, tmp_path: Path) -> None:
    forked = outcome(tmp_path / "forked", script, forked=True)
    installed = outcome(tmp_path / "installed", script, forked=False)
    assert forked == installed


PATTERNS = """
import re, sys
from mindpipe.core.patterns import LatePattern
re.compile = None
modules = [one for name, one in sys.modules.items() if name.startswith("mindpipe.language")]
found = [one for module in modules for one in vars(module).values() if type(one) is LatePattern]
print(len([one.compile() for one in found]) > 100)
"""


def test_no_child_compiles_a_pattern_that_is_known(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PATTERNS)
    done = subprocess.run(
        [forked_python(), program],
        env=clean_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


@contextlib.contextmanager
def bare_parent(door: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a parent that has loaded nothing."""
    program = "import sys; from support.fork_server import _Parent; _Parent(sys.argv[1]).serve()"
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", program, str(door)], stdin=subprocess.PIPE, env=path
    ) as parent:
        until(door.exists, "there is a door")
        yield parent


def asked(door: Path, folder: Path, *arguments: str) -> tuple[socket.socket, int]:
    """Have a child born; return what ends with its status, and its stdin."""
    wish = {
        "arguments": arguments,
        "environment": clean_environment(folder),
        "folder": str(folder),
    }
    life = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    until(lambda: life.connect_ex(str(door)) == 0, "the parent listens")
    reading, writing = os.pipe()
    # The environment has secrets that no file of the tests may hold.
    words = os.fdopen(os.memfd_create("wish"), "w+b")
    with words, (folder / "out").open("wb") as out:
        words.write(json.dumps(wish).encode())
        words.seek(0)
        streams = (reading, out.fileno(), out.fileno(), words.fileno())
        socket.send_fds(life, [b"w"], streams)
    os.close(reading)
    return life, writing


def test_a_child_and_whoever_called_it_may_be_gone_at_once(tmp_path: Path) -> None:
    door, folder = tmp_path / "door", make_private(tmp_path / "life")
    with bare_parent(door) as parent:
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
        life, stdin = asked(door, folder, "inbox", "push", "--output", "x")
        until(lambda: bool(children.read_text()), "the child is born")
        child = Path(f"/proc/{children.read_text().strip()}/stat")
        parent.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, parent.pid, os.WSTOPPED)
        os.close(stdin)
        until(lambda: child.read_text().rpartition(")")[2].split()[0] == "Z", "the child ended")
        life.close()
        parent.send_signal(signal.SIGCONT)
        life, stdin = asked(door, folder, "--version")
        os.close(stdin)
        with life:
            assert life.recv(16) == b"0"
