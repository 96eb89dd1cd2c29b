"""Promise 7: whatever a loss of power leaves is sound, and holds all that was acknowledged."""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from nursery import Nursery
from powerloss.checks import DAMAGED, LOST
from powerloss.images import Recording, Toll, examine
from powerloss.recording import read_log
from powerloss.workload import Workload, settle
from proving import proved, turned_red
from running import make_private

SEED = os.environ.get("MIND_POWERLOSS_SEED", "20261121")
MEMORY = Path("/dev/shm")
TIMES = 8


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Return a folder in memory if there is such a thing: nothing here waits for a disk."""
    folder = tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None)
    yield Path(folder) / "image"
    shutil.rmtree(folder)


def record(folder: Path, build: str = "") -> Recording:
    """Live the workload once, as one build, and return what was recorded."""
    make_private(folder)
    settle(folder)
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    log = folder / "out" / "log"
    with contextlib.closing(Nursery(folder, "powerloss.recorder")) as nursery:
        Workload(nursery, folder, log, build).run(TIMES)
    return Recording(files, list(read_log(log)))


def tell(build: str, toll: Toll) -> None:
    """Print what was counted."""
    sys.stdout.write(f"seed {SEED} {build or 'ours'}: {toll.images} images, {toll.pending} with ")
    sys.stdout.write(f"something pending, wrong: {dict(toll.wrong)} {toll.crashes[:5]}\n")


@pytest.mark.parametrize("images", [1000, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_loss_of_power_loses_what_was_acknowledged(
    images: int, tmp_path: Path, scratch: Path
) -> None:
    toll = examine(record(tmp_path / "life"), images, folder=scratch, seed=SEED)
    tell("", toll)
    assert toll.wrong == {}
    assert toll.pending >= toll.images / 2
    proved(7, images=toll.images, pending=toll.pending, damaged=0, schema_lost=0, lost=0)


def test_a_build_that_syncs_too_little_loses_what_was_acknowledged(
    tmp_path: Path, scratch: Path
) -> None:
    toll = examine(record(tmp_path / "life", "synchronous_normal"), 200, folder=scratch, seed=SEED)
    tell("synchronous_normal", toll)
    assert toll.share(LOST) > 0.1
    assert toll.wrong[DAMAGED] == 0
    turned_red(7, "synchronous_normal", images=toll.images, lost=toll.wrong[LOST])


def test_a_build_that_never_syncs_is_damaged(tmp_path: Path, scratch: Path) -> None:
    toll = examine(record(tmp_path / "life", "synchronous_off"), 200, folder=scratch, seed=SEED)
    tell("synchronous_off", toll)
    assert toll.share(DAMAGED) > 0.1
    turned_red(7, "synchronous_off", images=toll.images, damaged=toll.wrong[DAMAGED])
