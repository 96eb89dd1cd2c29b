"""Section 14: what gzip blows up is refused in bounded memory wherever gzip is read."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from mindpipe.io import files
from support.command import BIN, ROOT, Mind, clean_environment

pytestmark = pytest.mark.heavy

# A file of gzip may have many members; each of these is a kilobyte that becomes a megabyte.
MEMBER = gzip.compress(b" " * (1 << 20))
MEBIBYTES = 300
TOO_LONG = (
    f"longer than {files.MOST_UNZIPPED} bytes without gzip; if it should be, run gunzip first"
)
SPLIT = "longer than {} bytes; split it or raise {}"
IMPORT = ("history", "import", "--format", "openai-chat")


@pytest.fixture
def life(mind_with_agent: Mind) -> Mind:
    """Return a life with an agent and a file that is a thousand times what it seems."""
    (mind_with_agent.folder / "bomb.gz").write_bytes(MEMBER * MEBIBYTES)
    return mind_with_agent


def open_bomb(life: Mind, *arguments: str) -> tuple[int, int, str]:
    """Run a command that reads the bomb; return status, most memory in MiB, and stderr."""
    most, bomb = life.folder / "most", life.folder / "bomb.gz"
    with bomb.open("rb") as stdin:
        done = subprocess.run(
            [
                sys.executable,
                ROOT / "tests" / "support" / "peak_memory.py",
                most,
                BIN / "mind",
                *arguments,
            ],
            stdin=stdin,
            capture_output=True,
            cwd=life.folder,
            env=clean_environment(life.folder),
            timeout=120,
            check=False,
        )
    assert not done.stdout
    return done.returncode, int(most.read_text()), done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("inbox", "push", "--agent", "ava", "bomb.gz"), SPLIT.format(1 << 20, "inbox.max_bytes")),
        (
            ("complete", "--model", "replay:none", "--file", "bomb.gz"),
            SPLIT.format(64 << 20, "import.max_bytes"),
        ),
    ],
    ids=["push", "complete"],
)
def test_a_bomb_is_never_blown_up_where_lines_are_read(
    life: Mind, arguments: tuple[str, ...], said: str
) -> None:
    (life.folder / "none").touch()
    status, most, words = open_bomb(life, *arguments)
    assert (status, words) == (65, f"bomb.gz:1: {said}\n")
    assert most < 200


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((*IMPORT, "bomb.gz"), "bomb.gz"),
        ((*IMPORT, "-"), "stdin"),
        (("history", "check", "--for", "openai-chat", "bomb.gz"), "bomb.gz"),
        (("complete", "--model", "replay:bomb.gz", "-"), "bomb.gz"),
    ],
    ids=["import", "import from a pipe", "check", "a recording"],
)
def test_a_bomb_is_blown_up_to_a_bound_where_a_whole_is_read(
    life: Mind, arguments: tuple[str, ...], name: str
) -> None:
    status, most, words = open_bomb(life, *arguments)
    assert (status, words) == (65, f"{name}: {TOO_LONG}\n")
    assert most < files.MOST_UNZIPPED // (1 << 20) + 100


def test_what_is_as_long_as_it_may_be_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "MOST_UNZIPPED", 1 << 20)
    (tmp_path / "a.gz").write_bytes(MEMBER)
    assert files.read_whole(tmp_path / "a.gz") == b" " * (1 << 20)
