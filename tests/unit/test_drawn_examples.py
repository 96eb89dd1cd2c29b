"""Generated examples: the same in every everyday run, new ones where they are asked for."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ROOT

pytestmark = pytest.mark.heavy

DRAWS = """
from hypothesis import given, strategies as st

@given(st.integers())
def test_draws(number):
    with open("drawn", "a") as drawn:
        print(number, file=drawn)
"""


def drawn(folder: Path, *options: str) -> str:
    """Return the examples of one run of a property under our configuration."""
    folder.mkdir()
    (folder / "test_draws.py").write_text(DRAWS)
    (folder / "conftest.py").symlink_to(ROOT / "tests" / "conftest.py")
    command = (sys.executable, "-m", "pytest", "-q", "-c", ROOT / "pyproject.toml", "--rootdir=.")
    subprocess.run(
        [*command, "-p", "no:cacheprovider", *options, "test_draws.py"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return (folder / "drawn").read_text()


@pytest.mark.parametrize("options", [(), ("--hypothesis-profile=random",)])
def test_a_run_draws_the_same_unless_it_is_asked_for_others(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    first, second = (drawn(tmp_path / name, *options) for name in ("first", "second"))
    assert first
    assert (first != second) == bool(options)
