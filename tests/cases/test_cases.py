"""Golden cases: each folder with a `cmd` is run, and its output compared byte for byte."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

from support.command import BIN, ROOT, clean_environment, forked_mind, make_private, mind_first

CASES = ROOT / "fixtures" / "cases"
SECONDS = 120
NAMES = sorted(str(path.parent.relative_to(CASES)) for path in CASES.rglob("cmd"))


@pytest.mark.parametrize("name", NAMES)
def test_case_prints_what_its_folder_says(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    case = CASES / name
    found = _run(case, make_private(tmp_path / "life"), forked_mind())
    assert b"Traceback" not in found["experr"], found["experr"].decode()
    if request.config.getoption("--populate"):
        _write(case, found)
    assert found == {part: _read(case / part) for part in found}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_case_prints_the_same_from_a_fresh_interpreter(name: str, tmp_path: Path) -> None:
    case = CASES / name
    found = _run(case, make_private(tmp_path / "life"), BIN / "mind")
    assert found == {part: _read(case / part) for part in found}


def _run(case: Path, folder: Path, program: Path) -> dict[str, bytes]:
    """Run the case's `cmd` in an empty folder and return what it left, part by part.

    It is skipped where the module is absent that the file `needs` of the case names.
    """
    needed = _read(case / "needs").decode().strip()
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    environment = {**mind_first(program, clean_environment(folder)), "CASE": str(case)}
    done = subprocess.run(
        ["sh", "-eu", str(case / "cmd")],
        input=_read(case / "stdin"),
        capture_output=True,
        cwd=folder,
        env=environment,
        timeout=SECONDS,
        check=False,
    )
    status = b"" if done.returncode == 0 else b"%d\n" % done.returncode
    return {"expout": done.stdout, "experr": done.stderr, "status": status}


def _read(path: Path) -> bytes:
    """Return a file's bytes; a missing one is empty."""
    return path.read_bytes() if path.exists() else b""


def _write(case: Path, found: dict[str, bytes]) -> None:
    """Keep what the case printed; what is empty has no file."""
    for part, octets in found.items():
        if octets:
            (case / part).write_bytes(octets)
        else:
            (case / part).unlink(missing_ok=True)
