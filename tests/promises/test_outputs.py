"""Promise 49: no file that is named for output lies over a store or an input."""

import subprocess
from pathlib import Path

import pytest

from support.broken_builds import broken_program
from support.command import Mind, clean_environment
from support.proofs import proved, turned_red

LINES = '{"text": "sound"}\n{"text": 5}\n'
COMMANDS = (
    "inbox push --agent ava --on-error skip --rejects {} < in",
    "inbox push --agent ava --on-error skip --output {} < in",
    "memory add --agent ava --on-error skip --rejects {} < in",
    "memory add --output {} < in",
    "think --agent ava --model replay:in --record {}",
    "complete --model replay:in --record {}",
    "compact --output {} < in",
    "consolidate --known in --output {} < in",
    "consolidate --known in --marks {}",
    "consolidate --known in --decisions {}",
    "history export --agent ava --format mindpipe --losses {} < in",
    "store backup {} < in",
)
OVER = ("mind.db", "./mind.db-wal", "hard", "soft", "in", "soft-in")


@pytest.fixture
def life(mind_with_agent: Mind) -> Mind:
    """Return an agent with an event, other names of its store, and an input."""
    mind = mind_with_agent
    mind("inbox", "push", "--agent", "ava", "--text", "Before")
    (mind.folder / "in").write_text(LINES)
    (mind.folder / "soft-in").symlink_to("in")
    (mind.folder / "soft").symlink_to("mind.db")
    return mind


def contents(folder: Path) -> dict[str, bytes]:
    """Return what the store and the input hold."""
    return {name: (folder / name).read_bytes() for name in ("mind.db", "in")}


def test_nothing_is_written_over(life: Mind) -> None:
    before, refused = contents(life.folder), 0
    (life.folder / "hard").hardlink_to(life.folder / "mind.db")
    for words in COMMANDS:
        for name in OVER:
            ran = life.shell(f"mind {words.format(name)}")
            assert (ran.status, "Traceback" in ran.words) == (4, False), (words, name, ran)
            assert contents(life.folder) == before, (words, name)
            refused += 1
    (life.folder / "hard").unlink()
    proved(49, options=len(COMMANDS), refused=refused, overwritten=0)


def test_a_build_that_does_not_look_writes_over_the_store_and_the_input(life: Mind) -> None:
    before = contents(life.folder)
    for name in before:
        words = ("inbox", "push", "in", "--agent", "ava", "--on-error", "skip", "--rejects", name)
        subprocess.run(
            [*broken_program("outputs_unlooked"), *words],
            cwd=life.folder,
            env=clean_environment(life.folder),
            capture_output=True,
            check=False,
        )
    after = contents(life.folder)
    overwritten = sum(after[name] != before[name] for name in before)
    assert overwritten == len(before)
    turned_red(49, "outputs_unlooked", overwritten=overwritten)
