"""Promise 51: a store with several names is read, and not written under any of them."""

import contextlib
import os
import subprocess

import apsw
import pytest

from support.broken_builds import broken_program
from support.command import Mind, clean_environment
from support.proofs import proved, turned_red

pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]
NAMES = ("mind.db", "two.db")


@pytest.fixture
def life(mind_with_agent: Mind) -> Mind:
    """Return an agent whose store has two names."""
    os.link(mind_with_agent.folder / "mind.db", mind_with_agent.folder / "two.db")
    return mind_with_agent


def pushed(mind: Mind, program: tuple[str, ...]) -> list[str]:
    """Push under both names while somebody reads under each; return what was acknowledged."""
    acknowledged = []
    with contextlib.ExitStack() as readers:
        for name in NAMES:
            reader = apsw.Connection(str(mind.folder / name))
            readers.callback(reader.close)
            reader.execute("BEGIN; SELECT count(*) FROM event")
        for number in range(6):
            name = NAMES[number % 2]
            words = ("inbox", "push", "--agent", "ava", "--text", f"{number}", "--store", name)
            ran = subprocess.run(
                [*program, *words],
                cwd=mind.folder,
                env=clean_environment(mind.folder),
                capture_output=True,
                check=False,
            )
            acknowledged += [f"{number}"] * (ran.returncode == 0)
    return acknowledged


def held(mind: Mind) -> set[str]:
    """Return what the store holds, once it has one name."""
    (mind.folder / "two.db").unlink()
    return {one["text"] for one in mind("inbox", "list", "--agent", "ava").records()}


def test_it_is_read_and_not_written(life: Mind) -> None:
    life_before = life.run("inbox", "list", "--agent", "ava", "--store", "two.db")
    assert life_before.status == 0
    acknowledged = pushed(life, ("mind",))
    assert acknowledged == []
    for name in NAMES:
        for words in (("migrate",), ("recover", "--resume")):
            ran = life.run("store", *words, "--store", name)
            assert (ran.status, "2 names" in ran.words) == (4, True), (words, ran.words)
    life("store", "backup", "copy.db")
    assert held(life) == set()
    life("inbox", "push", "--agent", "ava", "--text", "On")
    proved(51, pushes=6, refused=6, lost=0)


def test_a_build_that_does_not_count_names_loses_what_it_acknowledged(life: Mind) -> None:
    acknowledged = pushed(life, broken_program("names_uncounted"))
    assert len(acknowledged) > 1
    lost = len(set(acknowledged) - held(life))
    assert lost > 0
    turned_red(51, "names_uncounted", lost=lost)
