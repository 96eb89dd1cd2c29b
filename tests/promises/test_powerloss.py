"""Promise 7: whatever a loss of power leaves is sound, and holds all that was acknowledged."""

import contextlib
import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command import make_private
from support.powerloss.checks import DAMAGED, LOST, Examiner
from support.powerloss.facts import STORE
from support.powerloss.images import RECOVERED, Recording, Toll, examine
from support.powerloss.recording import read_log
from support.powerloss.recovery import recovering
from support.powerloss.workload import Workload, settle
from support.processes import Nursery
from support.proofs import proved, turned_red

pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]
SEED = os.environ.get("MIND_POWERLOSS_SEED", "20261121")
MEMORY = Path("/dev/shm")
TIMES = 8


@pytest.fixture
def scratch() -> Iterator[Path]:
    """Return a folder in memory if there is such a thing: nothing here waits for a disk."""
    folder = tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None)
    yield Path(folder) / "image"
    shutil.rmtree(folder)


@contextlib.contextmanager
def a_nursery(folder: Path) -> Iterator[Nursery]:
    """Start the parent of processes that record, in a folder with what they need."""
    make_private(folder)
    settle(folder)
    with contextlib.closing(Nursery(folder, "support.powerloss.recorder")) as nursery:
        yield nursery


def record(nursery: Nursery, folder: Path, build: str = "") -> Recording:
    """Live the workload once, as one build, and return what was recorded."""
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    log = folder / "out" / "log"
    Workload(nursery, folder, log, build).run(TIMES // 2 if build else TIMES)
    return Recording(files, list(read_log(log)))


def tell(build: str, toll: Toll) -> None:
    """Print what was counted."""
    sys.stdout.write(f"seed {SEED} {build or 'ours'}: {toll.images} images, {toll.pending} with ")
    sys.stdout.write(f"something pending, wrong: {dict(toll.wrong)} {toll.crashes[:5]} ")
    sys.stdout.write(f"{sorted(toll.missing)[:5]}\n")


@pytest.mark.parametrize("images", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_no_loss_of_power_loses_what_was_acknowledged(
    images: int, tmp_path: Path, scratch: Path
) -> None:
    life = tmp_path / "life"
    with a_nursery(life) as nursery:
        recover = recovering(nursery, life)
        recording = record(nursery, life)
        toll = examine(recording, images, folder=scratch, seed=SEED, recover=recover)
    tell("", toll)
    assert toll.wrong == {}
    assert toll.pending >= toll.images / 2
    assert toll.recovered >= images / RECOVERED / 2
    proved(7, images=toll.images, pending=toll.pending, recovered=toll.recovered, lost=0)


def test_a_build_that_syncs_too_little_loses_what_was_acknowledged(
    tmp_path: Path, scratch: Path
) -> None:
    with a_nursery(tmp_path / "life") as nursery:
        recording = record(nursery, tmp_path / "life", "synchronous_normal")
    toll = examine(recording, 100, folder=scratch, seed=SEED)
    tell("synchronous_normal", toll)
    assert toll.share(LOST) > 0.1
    assert toll.wrong[DAMAGED] == 0
    turned_red(7, "synchronous_normal", images=toll.images, lost=toll.wrong[LOST])


def test_a_build_that_never_syncs_is_damaged(tmp_path: Path, scratch: Path) -> None:
    with a_nursery(tmp_path / "life") as nursery:
        recording = record(nursery, tmp_path / "life", "synchronous_off")
    toll = examine(recording, 100, folder=scratch, seed=SEED)
    tell("synchronous_off", toll)
    assert toll.share(DAMAGED) > 0.1
    turned_red(7, "synchronous_off", images=toll.images, damaged=toll.wrong[DAMAGED])


def test_damage_that_no_message_of_an_error_can_quote_is_damage(
    tmp_path: Path, scratch: Path
) -> None:
    path = tmp_path / STORE
    with contextlib.closing(sqlite3.connect(path)) as store:
        store.execute("CREATE TABLE post(text)")
    octets = path.read_bytes().replace(b"CREATE TABLE", b"CREATE \x89ABLE")
    assert list(Examiner(scratch).faults({STORE: octets}, {})) == [DAMAGED]
