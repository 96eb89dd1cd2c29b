"""Golden cases: folders with a `cmd`, what it reads, and what it prints."""

import importlib.util
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.command import ROOT, clean_environment, mind_first

CASES = ROOT / "fixtures" / "cases"
SECONDS = 120
NAMES = sorted(str(path.parent.relative_to(CASES)) for path in CASES.rglob("cmd"))


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
