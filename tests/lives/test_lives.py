import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from support.command import ROOT, clean_environment, forked_mind, make_private, mind_first

FAMILY = ROOT / "fixtures" / "lives" / "family"


def ended(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**mind_first(forked_mind(), clean_environment(folder)), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.chmod(0o700)
    return tmp_path


class Lived(NamedTuple):
    """Where the script lived the life twice, and what it said."""

    folder: Path
    words: str


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = make_private(tmp_path_factory.mktemp("lived"))
    done = ended(["sh", str(FAMILY / "live.sh"), str(folder / "life")], folder)
    return Lived(folder / "life", done.stdout)


def test_the_script_ends_with_the_same_history_over_store_and_files(lived: Lived) -> None:
    assert "both lives ended with the same history: " in lived.words
    rows = (lived.folder / "store.jsonl").read_text().splitlines()
    assert len(rows) == 21
    assert rows == (lived.folder / "files.jsonl").read_text().splitlines()


def test_the_makefile_ends_as_the_script_does(folder: Path, lived: Lived) -> None:
    makefile = str(FAMILY / "Makefile")
    ended(["make", "-s", "-f", makefile, f"OUT={folder / 'made'}", "same"], folder)
    made = (folder / "made" / "files.jsonl").read_bytes()
    assert made == (lived.folder / "files.jsonl").read_bytes()


def test_the_demo_tells_a_whole_life(folder: Path) -> None:
    told = ended(["sh", str(ROOT / "fixtures" / "demo" / "run")], folder).stdout
    for words in (
        "Hi Husam!",
        "Here is the report, Ahmad: revenue is up 4 %.",
        "Yes, I sent Ahmad the report.",
        "Told Husam that the report went to Ahmad.",
        "NOW: 2026-02-18T15:06:00Z",
        '"type":"tool_use"',
        '"tool_calls"',
        "ANTHROPIC_API_KEY",
        "\ncortisol_nmol_l  ▁",
        "07:45 food, 08:20 drug",
        "Your body is highly activated — heart pounding, alert, on edge.",
        "You feel lonely. You miss being around people.",
        "problem_solving ",
        "cort_dn 0.01, ser_up 0.005",
        "Arousal 0.29, valence -0.39, energy 0.75, regulation 0.75. Of the last 20 thoughts,",
    ):
        assert words in told
