"""Golden cases: folders with a `cmd`, what it reads, and what it prints."""

import importlib.util
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from support.command import ROOT, clean_environment, mind_first

CASES = ROOT / "fixtures" / "cases"
SECONDS = 120
NAMES = sorted(str(path.parent.relative_to(CASES)) for path in CASES.rglob("cmd"))
FEW = 3
"""A case that starts more commands is heavy."""
_COMMAND = re.compile(r"\bmind [a-z]")


def each_case(names: Iterable[str]) -> list[ParameterSet]:
    """Return cases as parameters of a test, by their names; those of many commands are heavy."""
    return [
        pytest.param(name, marks=pytest.mark.heavy if _commands_of(name) > FEW else ())
        for name in names
    ]


def _commands_of(name: str) -> int:
    """Return how many commands stand in a case's `cmd`."""
    return len(_COMMAND.findall((CASES / name / "cmd").read_text()))


def run_case(
    case: Path,
    folder: Path,
    program: Path,
    *,
    script: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """Run the case's `cmd` in an empty folder and return what it left, part by part.

    `script` stands for it where it is to say something else. It is skipped where the module is
    absent that the file `needs` of the case names.
    """
    needed = read_part(case / "needs").decode().strip()
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    whole = {**mind_first(program, clean_environment(folder)), "CASE": str(case)}
    done = subprocess.run(
        ["sh", "-eu", str(case / "cmd")] if script is None else ["sh", "-euc", script],
        input=read_part(case / "stdin"),
        capture_output=True,
        cwd=folder,
        env={**whole, **(environment or {})},
        timeout=SECONDS,
        check=False,
    )
    status = b"" if done.returncode == 0 else b"%d\n" % done.returncode
    return {"expout": done.stdout, "experr": done.stderr, "status": status}


def read_part(path: Path) -> bytes:
    """Return a file's bytes; a missing one is empty."""
    return path.read_bytes() if path.exists() else b""
