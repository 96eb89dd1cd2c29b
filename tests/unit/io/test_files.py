"""A whole file is replaced or refused by what its name stands for."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from mindpipe.core.errors import RefusedError
from mindpipe.io.files import locked_append, remove_unfinished, unfinished_file, write_whole
from mindpipe.io.rejects import RejectsFile
from mindpipe.store.backup import copy_store


def test_a_regular_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    write_whole(path, [b"new ", b"words"])
    assert path.read_bytes() == b"new words"
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_file_has_the_mode_that_is_asked_for(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "out"
    write_whole(path, [b"words"], mode=mode)
    assert path.stat().st_mode & 0o777 == mode


def test_a_fifo_is_written_to_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(path, [b"new ", b"words"])
        assert os.read(reader, 100) == b"new words"
    finally:
        os.close(reader)
    assert path.is_fifo()


@pytest.mark.parametrize("there", [True, False])
def test_a_symlink_is_refused_and_left(tmp_path: Path, *, there: bool) -> None:
    target, path = tmp_path / "target", tmp_path / "link"
    if there:
        target.write_bytes(b"old")
    path.symlink_to(target)
    with pytest.raises(RefusedError, match="is a symlink; name the file it points to"):
        write_whole(path, [b"new"])
    assert path.is_symlink()
    assert target.exists() is there
    assert not there or target.read_bytes() == b"old"


def test_a_device_is_written_to() -> None:
    write_whole(Path("/dev/null"), [b"words"])
    assert Path("/dev/null").is_char_device()


def append(path: Path) -> None:
    with locked_append(path) as file:
        file.append(b"words\n")


def reject(path: Path) -> None:
    with RejectsFile(path):
        pass


@pytest.mark.parametrize(
    "write", [lambda path: write_whole(path, [b"words"]), append, reject], ids=["new", "add", "bad"]
)
@pytest.mark.parametrize(
    "name", ["mind.db", "mind.db-wal", "mind.db-shm", "mind.db-journal", "second", "log", "index"]
)
def test_a_database_and_what_belongs_to_it_is_refused_and_stays_locked(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    store = tmp_path / "mind.db"
    with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
        connection.execute("CREATE TABLE kept(words)")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO kept VALUES('old')")
        for second, first in (("second", ""), ("log", "-wal"), ("index", "-shm")):
            os.link(f"{store}{first}", tmp_path / second)
        with pytest.raises(RefusedError, match=f"{name} .* SQLite"):
            write(tmp_path / name)
        assert not (tmp_path / "mind.db-journal").exists()
        # A lock that was dropped on the way would let another process in.
        other_process = os.fork()
        if other_process == 0:
            with contextlib.closing(sqlite3.connect(store, timeout=0)) as other:
                try:
                    other.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError:
                    os._exit(0)
            os._exit(1)
        assert os.waitpid(other_process, 0)[1] == 0
        connection.execute("COMMIT")
    with contextlib.closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT words FROM kept").fetchall() == [("old",)]


def test_no_copy_is_made_where_the_log_of_a_store_would_lie(tmp_path: Path) -> None:
    with contextlib.closing(apsw.Connection(str(tmp_path / "mind.db"))) as store:
        store.execute("CREATE TABLE kept(words)")
        with pytest.raises(RefusedError, match=r"mind\.db-wal belongs to the SQLite database"):
            copy_store(store, tmp_path / "mind.db-wal", failpoint="backup.mid")
        assert copy_store(store, tmp_path / "copy.db-wal", failpoint="backup.mid")


def test_what_nobody_writes_any_more_is_removed_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "out.db"
    kept = {
        ".out.db.notes",
        ".out.db.mybackup",
        ".other.db.abcdefgh.unfinished",
        "out.db.abcdefgh.unfinished",
        ".out.db.abcdefg.h.unfinished",
    }
    left = {
        ".out.db.abcdefgh.unfinished",
        ".out.db.abcdefgh.unfinished-wal",
        ".out.db.12345678.unfinished-shm",
    }
    for name in kept | left:
        (tmp_path / name).touch()
    with unfinished_file(target) as (held, _):
        # The first look came before it was made; this is one of somebody else.
        assert remove_unfinished(target) == 0
        assert {one.name for one in tmp_path.iterdir()} == kept | {held.name}
        held.with_name(f"{held.name}-wal").touch()
    assert {one.name for one in tmp_path.iterdir()} == kept


def test_a_file_that_is_written_removes_what_a_killed_process_left(tmp_path: Path) -> None:
    (tmp_path / ".out.abcdefgh.unfinished").write_text("half")
    write_whole(tmp_path / "out", [b"whole"])
    assert {one.name: one.read_text() for one in tmp_path.iterdir()} == {"out": "whole"}
