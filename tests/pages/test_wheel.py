"""The wheel that is given to others, installed where nothing of this folder is."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindpipe.core.version import VERSION
from support.command import ROOT, Mind, make_private

pytestmark = pytest.mark.heavy

ANSWER = """#!/bin/sh
case "$(tail -c 400)" in
*'"role":"tool"'*) echo '{"text": "Done."}' ;;
*) echo '{"tool_calls": [{"name": "send_message", "arguments": {"text": "Hi!"}}]}' ;;
esac
"""


@dataclass
class InstalledMind(Mind):
    """The command that a wheel brings, in one folder."""

    venv: Path = Path()
    forked: bool = False

    @property
    def program(self) -> Path:
        """Return what is run."""
        return self.venv / "bin" / "mind"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment with the wheel; what it needs of others is lent by this one."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def python(*words: str) -> None:
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    python("build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    assert wheel.name == f"mindpipe-{VERSION}-py3-none-any.whl"
    venv = folder / "venv"
    python("venv", "--without-pip", str(venv))
    python("pip", "--python", str(venv), "install", "--quiet", "--no-deps", str(wheel))
    (site,) = venv.glob("lib/*/site-packages")
    # A folder that is named so is searched last, and what it names itself is not followed.
    (site / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return venv


@pytest.fixture
def mind(installed: Path, tmp_path: Path) -> Mind:
    """Return the command of the wheel, in an empty folder."""
    return InstalledMind(make_private(tmp_path / "life"), venv=installed)


def test_a_life_is_lived_from_the_wheel_alone(mind: Mind, installed: Path) -> None:
    where = subprocess.run(
        [
            installed / "bin" / "python",
            "-c",
            "import mindpipe, mindpipe_cli as c; "
            "print(mindpipe.__file__, c.__file__, mindpipe.__version__)",
        ],
        cwd=mind.folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert [Path(one).is_relative_to(installed) for one in where[:2]] == [True, True]
    assert where[2] == VERSION
    (mind.folder / "answer").write_text(ANSWER)
    (mind.folder / "answer").chmod(0o700)
    mind("init")
    mind("agent", "new", "ava", "--model", "program:./answer")
    assert mind("ask", "--agent", "ava", "Hello!").stdout == b"Hi!\n"
    assert b"<html" in mind("view", "--agent", "ava").stdout
    mind("simulate", "new", "--name", "Mara", "--seed", "7")
    assert mind("store", "check").status == 0


def test_its_pages_are_in_the_wheel(mind: Mind, installed: Path) -> None:
    assert "What an agent may do" in mind("help").stdout.decode()
    for topic in (("life",), ("7", "life"), ("records",), ("inbox", "push"), ("python",)):
        assert len(mind("help", *topic).stdout) > 1000, topic
    pages = {one.name for one in installed.glob("share/man/man*/*")}
    assert {"mind.1", "mind-life.7", "mind-records.5"} <= pages
    assert pages == {one.name for one in (ROOT / "man").iterdir()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("bench", "compaction"), "are in no package; name their folder with --data"),
        (("docs", "check"), "no checkout of mindpipe"),
        (("docs", "write"), "no checkout of mindpipe"),
    ],
)
def test_what_needs_more_says_so(mind: Mind, words: tuple[str, ...], said: str) -> None:
    ran = mind.run(*words)
    assert ran.status not in (0, 70), ran.words
    assert said in ran.words
