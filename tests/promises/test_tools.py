"""Promise 38: a tool cannot outlive or outgrow its limits, nor the worker that started it."""

import contextlib
import os
import select
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mindpipe.core.ports import ProgramRun
from mindpipe.io.programs import LocalPrograms
from red import keeper_of_one, keeper_without_limits, keeper_without_watcher
from support.broken_builds import Patch, broken
from support.command import make_private
from support.hostile import (
    AGAINST_KEEPERS,
    BURNER,
    HOSTILE,
    OUTPUT_BYTES,
    Hostile,
    Marked,
    bystander,
)
from support.patience import LONGEST
from support.processes import Nursery
from support.proofs import proved, turned_red

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="adopts orphans (Linux)")

GRACE = 0.2
ABREAST = 8
SURVIVING = ("child that stays behind", "daemon")
UNMARKED = "kills its keeper and leaves one without a mark"
OUTGROWING = ("memory", "file", "open files")


def run_all(marked: Marked, names: tuple[str, ...]) -> dict[str, ProgramRun]:
    """Run hostile programs side by side, as the calls of one turn are."""
    programs = LocalPrograms(grace=GRACE)
    calls = [marked.call(HOSTILE[name]) for name in names]
    with ThreadPoolExecutor(ABREAST) as threads:
        return dict(zip(names, threads.map(programs.run, calls), strict=True))


def faults_of(hostile: Hostile, run: ProgramRun) -> list[str]:
    """Return what is wrong with a run."""
    largest = max(len(run.stdout), len(run.stderr))
    return [
        *(["late" if run.status is None else "in time"] * ((run.status is None) != hostile.late)),
        *(["output"] * (largest > OUTPUT_BYTES)),
        *([repr(run)[:300]] * (not hostile.fits(run))),
    ]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which tools get their private ones."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.heavy
def test_no_hostile_tool_outlives_or_outgrows_its_limits(home: Path) -> None:
    marked = Marked()
    with bystander() as child:
        runs = run_all(marked, tuple(HOSTILE))
        assert child.poll() is None
    try:
        survivors = marked.living()
        assert survivors == []
    finally:
        marked.kill()
    faults = {name: faults_of(HOSTILE[name], run) for name, run in runs.items()}
    assert {name: found for name, found in faults.items() if found} == {}
    assert list(home.iterdir()) == []
    late = sum(run.status is None for run in runs.values())
    proved(38, programs=len(runs), ended_at_deadline=late, survivors=0, outgrown=0)


@pytest.mark.heavy
def test_a_tool_that_burns_its_cpu_time_is_ended(home: Path) -> None:
    marked = Marked()
    run = LocalPrograms(grace=GRACE).run(marked.call(BURNER))
    assert faults_of(BURNER, run) == []
    assert (marked.living(), list(home.iterdir())) == ([], [])


@pytest.mark.parametrize("name", AGAINST_KEEPERS)
def test_whatever_a_tool_does_to_its_keepers_it_ends(home: Path, name: str) -> None:
    marked, hostile = Marked(), AGAINST_KEEPERS[name]
    run = LocalPrograms(grace=GRACE).run(marked.call(hostile))
    try:
        assert (faults_of(hostile, run), marked.dying()) == ([], True)
        assert list(home.iterdir()) == []
    finally:
        marked.kill()


def test_a_keeper_that_kills_only_its_child_leaves_survivors(home: Path) -> None:
    marked = Marked()
    try:
        with broken(keeper_of_one.PATCHES):
            run_all(marked, SURVIVING)
        survivors = len(marked.living())
    finally:
        marked.kill()
    assert survivors >= len(SURVIVING)
    turned_red(38, "keeper_of_one", survivors=survivors)


def test_a_keeper_that_nobody_watches_leaves_survivors(home: Path) -> None:
    marked = Marked()
    try:
        with broken(keeper_without_watcher.PATCHES):
            LocalPrograms(grace=GRACE).run(marked.call(AGAINST_KEEPERS[UNMARKED]))
        survivors = len(marked.living())
    finally:
        marked.kill()
    assert survivors > 0
    turned_red(38, "keeper_without_watcher", survivors=survivors)


@pytest.mark.heavy
def test_a_keeper_that_sets_no_limits_lets_tools_outgrow_them(home: Path) -> None:
    patches: tuple[Patch, ...] = keeper_without_limits.PATCHES
    with broken(patches):
        runs = run_all(Marked(), OUTGROWING)
    outgrown = sum(not HOSTILE[name].fits(run) for name, run in runs.items())
    assert outgrown == len(OUTGROWING)
    turned_red(38, "keeper_without_limits", outgrown=outgrown)


MODEL = """#!/bin/sh
cat >/dev/null
echo '{"tool_calls": [{"name": "linger", "arguments": {}}]}'
"""
TOOL = """
name = "linger"
description = "Stay."
command = ["./linger"]
"""
LINGER = """#!/bin/sh
exec 9>{folder}/alive
setsid sleep 60 &
echo "$PPID $PWD" >{folder}/told
sleep 60
"""


def test_a_tool_ends_with_the_worker_that_is_killed(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "life")
    for name, text in (("answer", MODEL), ("linger", LINGER.format(folder=folder))):
        (folder / name).write_text(text)
        (folder / name).chmod(0o700)
    (folder / "tool.toml").write_text(TOOL)
    for name in ("alive", "told"):
        os.mkfifo(folder / name, 0o600)
    with contextlib.ExitStack() as stack:
        nursery = stack.enter_context(contextlib.closing(Nursery(folder)))
        nursery.run("init", "--agent", "ava")
        nursery.run("agent", "set", "ava", "--tool", "tool.toml")
        nursery.run("inbox", "push", "--agent", "ava", "--text", "Hello")
        alive, told = (
            os.open(folder / name, os.O_RDONLY | os.O_NONBLOCK) for name in ("alive", "told")
        )
        stack.callback(os.close, alive)
        stack.callback(os.close, told)
        think = ["think", "--agent", "ava", "--model", "program:./answer"]
        worker = nursery.start(think, folder / "worker", {})
        assert select.select([told], [], [], LONGEST)[0], worker.words()
        keeper, private = os.read(told, 4096).split()
        assert Path(private.decode()).is_dir()
        handle = os.pidfd_open(int(keeper))
        stack.callback(os.close, handle)
        worker.kill(signal.SIGKILL)
        assert worker.status() == -signal.SIGKILL
        assert select.select([handle], [], [], LONGEST)[0], "the keeper lives on"
        assert (os.read(alive, 1), Path(private.decode()).exists()) == (b"", False)
    proved(38, workers_killed=1, survivors=0, folders_left=0)
