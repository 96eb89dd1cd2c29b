"""Each contract of import-linter is live: a planted violation turns it red."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from support.command import BIN, ROOT

pytestmark = pytest.mark.heavy

# For each contract: the file that is given one import too many, and that import.
PLANTED = {
    "commands": ("lib/mindpipe/spaces/verbs.py", "import mindpipe_cli.output"),
    "layers": ("lib/mindpipe/inbox/rules.py", "import mindpipe.plans.records"),
    "domains": ("lib/mindpipe/spaces/records.py", "import mindpipe.spaces.tables"),
    "tables": ("lib/mindpipe/inbox/rules.py", "import mindpipe.inbox.tables"),
    "verbs": ("lib/mindpipe/plans/claims.py", "import mindpipe.plans.verbs"),
    "adapters": ("cli/mindpipe_cli/note.py", "import mindpipe.store.sqlite"),
    "streams": ("lib/mindpipe/spaces/verbs.py", "import mindpipe.io.files"),
    "pure": ("lib/mindpipe/plans/schedule.py", "import random"),
    "witness": ("lib/mindpipe/validator/plain.py", "import mindpipe.core.text"),
    "cycles": ("lib/mindpipe/core/records.py", "import mindpipe.providers.words"),
}


def contracts() -> dict[str, str]:
    """Return the name of every contract by its id."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return {one["id"]: one["name"] for one in settings["tool"]["importlinter"]["contracts"]}


def verdicts(folder: Path) -> dict[str, bool]:
    """Lint the copy of the project and return which contracts are kept, by name."""
    done = subprocess.run(
        [BIN / "lint-imports", "--no-cache"],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}/lib:{folder}/cli", "COLUMNS": "200"},
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if " KEPT" in line or " BROKEN" in line]
    assert lines, done.stdout + done.stderr
    return {
        line.replace(" BROKEN", " KEPT").split(" KEPT")[0]: "BROKEN" not in line for line in lines
    }


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the sources and of the settings."""
    for name in ("lib", "cli"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(folder: Path, *ids: str) -> None:
    """Give files of the copy one import too many each."""
    for name in ids:
        path, line = PLANTED[name]
        with (folder / path).open("a") as stream:
            stream.write(f"\n{line}\n")


def test_every_contract_has_a_violation_that_is_planted() -> None:
    assert set(PLANTED) == set(contracts())


def test_all_contracts_are_kept_and_all_break_when_each_is_violated(copy: Path) -> None:
    assert set(verdicts(copy).values()) == {True}
    plant(copy, *PLANTED)
    assert verdicts(copy) == dict.fromkeys(contracts().values(), False)


def test_a_new_folder_without_a_layer_is_refused(copy: Path) -> None:
    (copy / "lib/mindpipe/attic").mkdir()
    (copy / "lib/mindpipe/attic/__init__.py").write_text('"""Old things."""\n')
    assert not verdicts(copy)[contracts()["layers"]]


@pytest.mark.parametrize("name", PLANTED)
def test_each_contract_catches_its_own_violation(copy: Path, name: str) -> None:
    plant(copy, name)
    assert not verdicts(copy)[contracts()[name]]
