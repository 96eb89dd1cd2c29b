"""Broken builds: what a patch in tests/red puts in the place of a part, and for how long."""

import contextlib
import sys
import unittest.mock
from collections.abc import Iterable, Iterator

from mindpipe_cli.main import main
from support.command import ROOT

Patch = tuple[object, str, object]
"""A module or class, the name of a part of it, and what takes its place."""


@contextlib.contextmanager
def broken(patches: Iterable[Patch]) -> Iterator[None]:
    """Put the patches in place until the block ends.

    What a class only inherits is taken from it again, not kept as its own.
    """
    with contextlib.ExitStack() as stack:
        for owner, name, part in patches:
            stack.enter_context(unittest.mock.patch.object(owner, name, part))
        yield


def broken_program(name: str) -> tuple[str, ...]:
    """Return the program that a build of tests/red is."""
    folder = ROOT / "tests"
    return ("env", f"PYTHONPATH={folder}", sys.executable, str(folder / "red" / f"{name}.py"))


def run_broken(patches: Iterable[Patch]) -> None:
    """Run `mind` with the patches in place."""
    with broken(patches):
        main()
