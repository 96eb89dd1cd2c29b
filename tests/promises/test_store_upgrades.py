"""Promise 30: a store of every earlier version opens, also after a kill in its upgrade.

A store of each released schema is kept in fixtures/stores. A release with a new schema adds its
own before it is tagged: `PYTHONPATH=tests python -m support.released_stores` lives a small life
with this checkout and keeps the store; what is there already is never made anew.
"""

import contextlib
import functools
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from mindpipe.core import failpoints
from mindpipe.core.errors import NothingToDoError
from mindpipe.history.verbs.history import ChainWalk
from mindpipe.store.access import open_store
from mindpipe.store.migrate import migrate
from mindpipe.store.migrations import SCHEMA, migrations
from red import version_apart
from support import released_stores
from support.broken_builds import broken
from support.command import Mind, make_private
from support.life import AGENT
from support.proofs import proved, turned_red
from support.validation import faults_of

pytestmark = [pytest.mark.heavy, pytest.mark.of_a_file]


def unpacked(kept: Path, folder: Path) -> tuple[Path, int]:
    """Return a kept store in a folder of its own, and its schema."""
    store = released_stores.open_kept(kept, make_private(folder))
    return store, int(kept.name.partition(".")[0])


def killed_at(point: str, passage: int, work: Callable[[], object]) -> bool:
    """Do some work in a process that kills itself at a failpoint; tell whether it came there."""
    child = os.fork()
    if child == 0:
        left = [passage]

        def hook(name: str) -> None:
            left[0] -= name == point
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        failpoints.install(hook)
        try:
            work()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def histories(store: Path) -> dict[str, int]:
    """Return how many messages each agent has; fail if one of them is not what was written."""
    found: dict[str, int] = {}
    with contextlib.closing(open_store(store, read_only=True)) as opened:
        for (agent,) in opened.connection.execute("SELECT DISTINCT agent FROM message").fetchall():
            walk = ChainWalk(opened, agent=agent)
            assert list(walk.broken()) == []
            found[agent] = walk.verdict.rows
    return found


@pytest.mark.parametrize("kept", released_stores.kept(), ids=lambda kept: kept.name)
def test_a_store_of_every_release_lives_on(kept: Path, tmp_path: Path) -> None:
    store, version = unpacked(kept, tmp_path / "life")
    mind = Mind(store.parent, {"MIND_MODEL": released_stores.MODEL_NAME})
    if version < len(SCHEMA):
        assert mind.run("agent", "list").status == 69
        done = mind("store", "migrate").record()
        assert done["applied"] == [name for name, _ in SCHEMA[version:]]
    before = histories(store)
    assert len(before) >= 2
    with contextlib.closing(sqlite3.connect(store)) as plain:
        ((open_one,),) = plain.execute("SELECT cycle FROM cycle WHERE state='open'").fetchall()
    report = mind("think", "--agent", AGENT).record()
    assert (report["cycle"], report["outcome"]) == (open_one, "done")
    after = histories(store)
    assert after[AGENT] > before[AGENT]
    assert {**after, AGENT: 0} == {**before, AGENT: 0}
    assert faults_of(store) == []
    mind("inbox", "push", "--agent", AGENT, "--text", "Good night")
    mind("think", "--agent", AGENT)
    # Where an earlier version kept nothing of what it heard, the cycle that was open is given.
    (again,) = mind("life", "replay", AGENT).records()
    is_recorded = "0060_operations" in [name for name, _ in SCHEMA[:version]]
    assert (again["equal"], again["given_cycles"]) == (True, 0 if is_recorded else 1)
    assert again["lived"] > 1 if is_recorded else again["lived"] == 1
    proved(30, schemas=1, messages=sum(before.values()))


@pytest.mark.parametrize("kept", released_stores.kept(), ids=lambda kept: kept.name)
def test_a_killed_upgrade_goes_on(kept: Path, tmp_path: Path) -> None:
    steps = len(SCHEMA) - int(kept.name.partition(".")[0])
    kills = 0
    for point in ("backup.mid", "migrate.mid", "migrate.after_commit"):
        # The copy is made before the first step, so there is one place to die in it.
        for step in [1] if point == "backup.mid" else sorted({1, max(1, steps // 2), steps}):
            store, version = unpacked(kept, tmp_path / f"{point}-{step}")
            passage = 1 if point == "backup.mid" else version + step
            killed = killed_at(point, passage, functools.partial(upgrade, store))
            assert killed == bool(steps)
            kills += killed
            upgrade(store)
            assert histories(store)
    proved(30, killed_upgrades=kills)


def upgrade(store: Path) -> None:
    with contextlib.suppress(NothingToDoError):
        migrate(store, migrations=migrations())


def test_a_build_that_versions_apart_sticks(tmp_path: Path) -> None:
    store, _ = unpacked(released_stores.kept()[0], tmp_path / "life")
    with broken(version_apart.PATCHES):
        assert killed_at("migrate.mid", 1, functools.partial(upgrade, store))
        with pytest.raises(apsw.SQLError):
            migrate(store, migrations=migrations())
    turned_red(30, "version_apart", stuck=1)


def test_a_newer_schema_is_refused(mind_with_store: Mind) -> None:
    store = mind_with_store.folder / "mind.db"
    with contextlib.closing(sqlite3.connect(store)) as connection:
        connection.execute(f"PRAGMA user_version={len(SCHEMA) + 1}")
    for arguments in (("agent", "list"), ("store", "migrate"), ("store", "check")):
        ran = mind_with_store.run(*arguments)
        assert (ran.status, "pgrade mindpipe" in ran.words) == (69, True)
    proved(30, newer_refused=3)
