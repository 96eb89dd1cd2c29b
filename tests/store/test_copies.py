"""Backups are sound whatever writes, and nothing half made carries their name."""

import signal
import threading
from pathlib import Path

import apsw
import pytest

from mindpipe.store.backup import backup
from mindpipe.store.connection import connect
from running import Mind

PAIRS = 40


class Writer(threading.Thread):
    """Write pairs of rows, each pair in one transaction, until told to stop."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.stopping = threading.Event()
        self.pairs = 0
        self.begun = threading.Event()

    def run(self) -> None:
        connection = connect(self._path)
        while not self.stopping.is_set():
            connection.execute("BEGIN IMMEDIATE")
            for half in ("a", "b"):
                name = f"{self.pairs}{half}"
                connection.execute("INSERT INTO blob VALUES(?, zeroblob(20000))", (name,))
            connection.execute("COMMIT")
            self.pairs += 1
            if self.pairs == PAIRS:
                self.begun.set()
        connection.close()


def test_a_backup_under_load_has_no_half_transaction(mind_with_store: Mind) -> None:
    path = mind_with_store.folder / "mind.db"
    writer = Writer(path)
    writer.start()
    try:
        assert writer.begun.wait(60)
        copies = [mind_with_store.folder / f"copy-{number}.db" for number in range(3)]
        before = writer.pairs
        for copy in copies:
            backup(path, file=copy)
        assert writer.pairs > before, "nothing was written meanwhile"
    finally:
        writer.stopping.set()
        writer.join()
    for copy in copies:
        connection = apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)
        assert connection.pragma("integrity_check") == "ok"
        ((rows,),) = connection.execute("SELECT count(*) FROM blob").fetchall()
        assert rows >= 2 * PAIRS
        assert rows % 2 == 0
        connection.close()


@pytest.mark.parametrize(
    ("failpoint", "arguments"),
    [
        ("backup.mid", ("store", "backup", "copy.db")),
        (
            "restore.mid",
            (
                "store",
                "restore",
                "base.db",
                "--store",
                "copy.db",
                "--accept-loss-since",
                "2026-01-01",
            ),
        ),
    ],
)
@pytest.mark.parametrize("action", ["kill", "enospc"])
def test_a_copy_that_fails_leaves_nothing_under_its_name(
    mind_with_store: Mind, failpoint: str, arguments: tuple[str, ...], action: str
) -> None:
    mind = mind_with_store
    mind("store", "backup", "base.db")
    ran = mind.run(*arguments, environment=mind.failing(f"{failpoint}:{action}"))
    assert ran.status == (-signal.SIGKILL if action == "kill" else 74)
    assert "Traceback" not in ran.words
    assert not (mind.folder / "copy.db").exists()
    if action == "enospc":
        assert not list(mind.folder.glob(".copy.db*"))
    mind(*arguments)
    assert mind.run("store", "check", "--store", "copy.db").status == 0


def test_init_that_is_killed_leaves_no_store(mind: Mind) -> None:
    ran = mind.run("init", environment=mind.failing("migrate.mid:kill@3"))
    assert ran.status == -signal.SIGKILL
    assert mind.run("agent", "list").status == 69
    mind("init")
    assert mind.run("store", "check").status == 0


def test_of_two_that_make_a_store_one_wins(mind: Mind) -> None:
    started = [mind.start("init") for _ in range(4)]
    for one in started:
        one.communicate(timeout=60)
    assert sorted(one.returncode for one in started) == [0, 4, 4, 4]
    assert mind.run("store", "check").status == 0
