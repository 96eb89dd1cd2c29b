"""Golden cases: each folder with a `cmd` is run, and its output compared byte for byte."""

from pathlib import Path

import pytest

from support.command import BIN, forked_mind, make_private
from support.golden_cases import CASES, NAMES, each_case, read_part, run_case


@pytest.mark.parametrize("name", each_case(NAMES))
def test_case_prints_what_its_folder_says(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    case = CASES / name
    found = run_case(case, make_private(tmp_path / "life"), forked_mind())
    assert b"Traceback" not in found["experr"], found["experr"].decode()
    if request.config.getoption("--populate"):
        _write(case, found)
    assert found == {part: read_part(case / part) for part in found}


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_case_prints_the_same_from_a_fresh_interpreter(name: str, tmp_path: Path) -> None:
    case = CASES / name
    found = run_case(case, make_private(tmp_path / "life"), BIN / "mind")
    assert found == {part: read_part(case / part) for part in found}


def _write(case: Path, found: dict[str, bytes]) -> None:
    """Keep what the case printed; what is empty has no file."""
    for part, octets in found.items():
        if octets:
            (case / part).write_bytes(octets)
        else:
            (case / part).unlink(missing_ok=True)
